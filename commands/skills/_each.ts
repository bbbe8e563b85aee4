/** Running a skill once for every line of a file. */
import { lstatSync } from "node:fs";
import { basename } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { ensurePrivateDir } from "../../security/files/private_file.ts";
import { argumentsOf } from "../../skills/run/arguments.ts";
import type { EachProgress, EachSummary } from "../../skills/run/each.ts";
import type { Run, RunnableSkill } from "../../skills/run/skill_runner.ts";
import { timeoutOf } from "../../skills/skill.ts";
import { counted } from "../../wording.ts";
import { artifactPath } from "../artifact.ts";
import type { SessionContext } from "../context.ts";

const DEFAULT_CONCURRENCY = 4;

export const EachResult = v.strictObject({
  skill: v.string(),
  done: v.pipe(v.number(), v.description("Jobs that have a result, failures and those of an earlier run included")),
  failed: v.pipe(v.number(), v.description("Results that are failures")),
  left: v.pipe(v.number(), v.description("Jobs without a result")),
  skipped: v.pipe(v.number(), v.description("Jobs that an earlier run had done")),
  repeated: v.pipe(
    v.number(),
    v.description("Lines passed over: an earlier line has their key, or the same args but for secrets"),
  ),
  results: v.pipe(
    v.string(),
    v.description(
      "File of results, one {key, args, ok, value or error, ms, attempts} a line. The values are what the skill gave: no content guard has read them",
    ),
  ),
  ms: v.number(),
});

interface EachParams {
  name: string;
  /** Arguments of every job, unless its line gives others. */
  arg?: readonly string[];
  each: string;
  concurrency?: number;
  resume?: string;
  whole: RunnableSkill;
  run: Run;
}

export async function runEach(context: SessionContext, params: EachParams): Promise<EachSummary> {
  const { skill } = params.whole;
  const { runner, eachRuns } = context.daemon.skills;
  const results = resultsFile(context, params);
  const timeoutMs = timeoutOf(skill.manifest);
  // A worker lasts as long as the call.
  const jobs = Math.ceil(context.timeoutMs / timeoutMs);
  return await eachRuns.run({
    skill: skill.name,
    jobs: params.each,
    results,
    concurrency: params.concurrency ?? DEFAULT_CONCURRENCY,
    isReadOnly: !skill.manifest.scopes.includes("write"),
    timeoutMs,
    check: (given) => argumentsOf(skill, params.arg ?? [], given),
    open: async () => await runner.worker(params.whole, params.run, jobs),
    signal: context.signal,
    begun: (progress) => tellOf(context, params, progress),
    progress: (done, total) => context.progress(done, total, "jobs"),
  });
}

/** Where its results are is told at once, and again by what breaks it off: whoever does goes on with them. */
function tellOf(context: SessionContext, { name, each }: EachParams, progress: () => EachProgress): void {
  const { results } = progress();
  const again = `browse skill run ${name} --each ${each} --resume ${results}`;
  context.log("info", `Results go to ${results}. Broken off, go on with \`${again}\``);
  context.waitsFor(() => {
    const { done, total, failed } = progress();
    return {
      what: "all jobs",
      now: `${done} of ${counted(total, "job")} ${done === 1 ? "has" : "have"} a result`,
      hint: done > 0 ? `Go on with \`${again}\`` : "Give more time with `--timeout <ms>`",
      left: { done, failed, left: total - done, ...(done > 0 && { results }) },
    };
  });
}

/** That of an earlier run, or a new one. No file of the call's: what has been done is kept when that fails. */
function resultsFile(context: SessionContext, { name, resume }: EachParams): string {
  if (resume !== undefined) {
    if (basename(resume).startsWith(`${name}-`) && lstatSync(resume, { throwIfNoEntry: false })?.isFile())
      return resume;
    throw new BrowseError("invalid_params", `"${resume}" is not a file of results of "${name}"`, {
      hint: "Give --resume the file that an earlier run with --each has named",
      details: { param: "resume" },
    });
  }
  const path = artifactPath(context, name, ".jsonl");
  ensurePrivateDir(context.artifactsDir);
  return path;
}

export function eachText({ done, failed, left, skipped, repeated, results }: EachSummary): string {
  const parts = [
    `${counted(done, "job")} done`,
    ...(skipped > 0 ? [`${skipped} of them before`] : []),
    ...(failed > 0 ? [`${failed} of them failed`] : []),
    ...(left > 0 ? [`${left} left`] : []),
    ...(repeated > 0
      ? [`${counted(repeated, "line")} passed over (the key of an earlier line, or its args but for secrets)`]
      : []),
  ];
  return `${parts.join(", ")}; results in ${results}, untrusted, which the content guard has not read`;
}
