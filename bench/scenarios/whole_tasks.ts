import type { Figure, Scenario } from "../scenario.ts";
import { attempt, type Tally } from "../tasks/agent.ts";
import { serveTasks } from "../tasks/site.ts";
import { TASKS } from "../tasks/tasks.ts";
import { ourTool, peerTools } from "../tasks/tools.ts";

/** Of calls that some answer made necessary, in all tasks. */
const MOST_FORCED = 4;

export const wholeTasks: Scenario = {
  group: "tasks",
  name: `${TASKS.length} whole tasks, each by the shortest honest look, act and check`,
  target: `≤ ${MOST_FORCED} forced calls; ≤ 0.8 × the calls and ≤ 0.5 × the characters of the better peer`,
  async run(context) {
    await using site = await serveTasks();
    const tools = [await ourTool(context), ...(await peerTools(context))];
    const sums = new Map<string, Tally>();
    for (const tool of tools) {
      const sum: Tally = { calls: 0, forced: 0, characters: 0, reads: 0, ms: 0 };
      for (const task of TASKS) {
        const tally = await attempt(task, tool, site.url);
        for (const key of ["calls", "forced", "characters", "reads", "ms"] as const) sum[key] += tally[key];
        if (process.env.BENCH_TASKS) tell(tool.name, task.name, tally);
        if (tally.failure !== undefined) sum.failure = `${sum.failure ? `${sum.failure}; ` : ""}${task.name}`;
      }
      sums.set(tool.name, sum);
    }
    return figuresOf(sums);
  },
};

function tell(tool: string, task: string, { calls, forced, characters, reads, failure = "" }: Tally): void {
  console.log(
    `${tool}: ${task}: ${calls} calls, ${forced} forced, ${characters} characters, ${reads} files read ${failure}`,
  );
}

/** What an agent waits for: commands, and the files that their answers name. */
function turns({ calls, reads }: Tally): number {
  return calls + reads;
}

function figuresOf(sums: ReadonlyMap<string, Tally>): Figure[] {
  const peers = [...sums].filter(([name]) => name !== "browse").map(([, sum]) => sum);
  const best = (of: (sum: Tally) => number) => Math.min(...peers.map(of));
  return [...sums].flatMap(([name, sum]) => {
    const { reads, forced, characters, ms, failure } = sum;
    const isOurs = name === "browse";
    const isJudged = isOurs && peers.length > 0;
    const notes = [
      ...(reads > 0 ? [`${reads} of them files`] : []),
      ...(failure === undefined ? [] : [`not done: ${failure}`]),
    ];
    const note = notes.length > 0 && { note: notes.join("; ") };
    const mostTurns = isJudged && { limit: { atMost: 0.8 * best(turns) } };
    const mostCharacters = isJudged && { limit: { atMost: 0.5 * best((peer) => peer.characters) } };
    return [
      { name: `${name}: calls`, unit: "calls", value: turns(sum), ...mostTurns, ...note },
      {
        name: `${name}: forced calls`,
        unit: "calls",
        value: forced,
        ...(isOurs && { limit: { atMost: MOST_FORCED } }),
      },
      { name: `${name}: characters`, unit: "characters", value: characters, ...mostCharacters },
      { name: `${name}: time`, unit: "ms", value: ms },
    ] satisfies Figure[];
  });
}
