/** What has to be right around the daemon itself: its port, what an earlier one left running, its key. */
import { once } from "node:events";
import { createServer } from "node:net";
import type { ClassifierStatus } from "../../security/content/classifier/classifier.ts";
import { foldersOf, leftFolders, removeBrowserFolders } from "../../security/process/browser_folder.ts";
import { inNewDaemon } from "../../security/process/new_setting.ts";
import { orphansIn, reapOrphan } from "../../security/process/watchdog.ts";
import type { StateKeys } from "../../security/states/state_key.ts";
import type { Finding } from "./doctor.ts";

const LOOPBACK = "127.0.0.1";
/** A daemon that is there answers at once. */
const ANSWER_WITHIN_MS = 2_000;

/** The daemon that asks listens on `port`; the next one takes the same, or any other when none was asked for. */
export async function portsFinding(port: number, asked: number): Promise<Finding> {
  const check = "ports";
  const problem = (await unreachable(port)) ?? (asked === 0 ? await noneFree() : undefined);
  if (problem === undefined) return { check, ok: true, detail: `the daemon listens on ${LOOPBACK}:${port}` };
  return {
    check,
    ok: false,
    detail: problem,
    fix: inNewDaemon(
      "Allow connections to 127.0.0.1 in the firewall or sandbox, or set BROWSE_PORT to a port it allows",
    ),
  };
}

async function unreachable(port: number): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const { ok, status } = await fetch(`http://${LOOPBACK}:${port}/health`, { signal });
    return ok ? undefined : `${LOOPBACK}:${port} answers with ${status}, which is not the daemon`;
  } catch {
    return `${LOOPBACK}:${port}, where the daemon listens, takes no connections`;
  }
}

async function noneFree(): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host: LOOPBACK, port: 0 });
    await once(server, "listening");
    server.close();
    return undefined;
  } catch (error) {
    return `No port can be listened on: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Chromium that outlived its daemon and the watchdog. */
export async function orphansFinding(stateDir: string, fix: boolean, own?: string): Promise<Finding> {
  const check = "orphan processes";
  const pids = orphansIn(stateDir).map(({ pid }) => pid);
  if (pids.length === 0) return { check, ok: true, detail: "none" };
  if (!fix) return { check, ok: false, detail: `Chromium ${pids.join(", ")}`, fix: "Run `browse doctor --fix`" };
  const outcome = await reapOrphan(stateDir, own);
  if (outcome !== "not-killed") return { check, ok: true, detail: `ended ${pids.length}` };
  return { check, ok: false, detail: `${pids.join(", ")} cannot be ended`, fix: "End them as the user that runs them" };
}

/** What browsers of this project left in the state folder; `own` is of the one that runs. */
export function leftFoldersFinding(stateDir: string, fix: boolean, own?: string): Finding {
  const check = "left-over profiles";
  const left = leftFolders(stateDir, own);
  if (left.length === 0) return { check, ok: true, detail: "none" };
  if (!fix) return { check, ok: false, detail: left.join(", "), fix: "Run `browse doctor --fix`" };
  removeBrowserFolders(stateDir, left.flatMap(foldersOf));
  return { check, ok: true, detail: `removed ${left.length}` };
}

/** Chromium must not outlive its daemon: something has to be there that sees to it. */
export function watchdogFinding(isGivenUp: boolean): Finding {
  const check = "watchdog";
  if (!isGivenUp) return { check, ok: true, detail: "a browser does not outlive its daemon" };
  const detail = "it was killed again and again and is not started any more: a browser may outlive its daemon";
  return { check, ok: false, detail, fix: "Run `browse restart`: tabs are loaded again, with their logins" };
}

/** Only encrypted states need a key, so that none is no failure. */
export async function keychainFinding(keys: StateKeys): Promise<Finding> {
  const check = "keychain";
  const origin = await keys.usable();
  if (origin === "environment") return { check, ok: true, detail: "not needed: BROWSE_STATE_KEY is set" };
  if (origin === "keychain") return { check, ok: true, detail: "the system's can be used" };
  return {
    check,
    ok: true,
    detail: "the system's cannot be used, and without it `state save --encrypt` has no key",
    fix: inNewDaemon("Set BROWSE_STATE_KEY to a secret of at least 8 characters"),
  };
}

/** Without larger models it works, and misses more. */
export function classifierFinding({ state, reason, models }: ClassifierStatus): Finding {
  const check = "content classifier";
  const names = models.filter(({ isLoaded }) => isLoaded).map(({ name }) => name);
  if (state === "degraded") {
    const detail = names.length === 0 ? `${reason}` : `${names.join(", ")}; ${reason}`;
    return { check, ok: false, detail, fix: inNewDaemon("Mend or remove what is named there") };
  }
  if (state === "off") {
    return { check, ok: true, detail: "off, by BROWSE_SECURITY", fix: inNewDaemon("Unset BROWSE_SECURITY") };
  }
  const finding = { check, ok: true, detail: `${state}${names.length === 0 ? "" : `: ${names.join(", ")}`}` };
  return models.length > 1 ? finding : { ...finding, fix: inNewDaemon(LARGER_MODELS) };
}

const LARGER_MODELS =
  "For a larger model, download the ONNX export of testsavantai/prompt-injection-defender-tiny-v0-onnx or " +
  "protectai/deberta-v3-base-prompt-injection-v2 (config.json, tokenizer.json, model.onnx) into a folder, and set " +
  "BROWSE_MODEL_DIR to it; several folders are asked together";

/** Exceptions that nobody caught: each ended the feature it happened in. */
export function faultsFinding({ count, lastAt }: { count: number; lastAt?: string }): Finding {
  const check = "faults";
  if (count === 0) return { check, ok: true, detail: "none since the daemon started" };
  const detail = `${count} since the daemon started, the last at ${lastAt}`;
  return { check, ok: false, detail, fix: "Report what .browse/daemon.log says of it; `browse restart` starts afresh" };
}
