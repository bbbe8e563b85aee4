/**
 * `npm run campaign -- fuzz|agents|state|kills|storms|all [--cases n] [--seed s] [--case k]`: attacks the built product
 * from outside, again and again, and says which of its promises did not hold. `--seed s --case k` plays one case again.
 * `storms` also takes `--save file` and `--baseline file`, for a table of before and after.
 */
import { campaignArguments } from "./arguments.ts";
import { CAMPAIGN_NAMES, type CampaignName, campaignNamed } from "./mod.ts";
import { type Failure, type Outcome, runCampaign } from "./run.ts";
import { outcomeTable, promiseTable } from "./table.ts";

/** Between two lines of progress. */
const PROGRESS_EVERY_MS = 10_000;
const MAX_SEEN = 600;

const { names, ...options } = campaignArguments(process.argv.slice(2), CAMPAIGN_NAMES);
// What was started has to be ended, and what was found is told: the case under way is played to its end.
const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interrupted.abort());
const outcomes: Outcome[] = [];
for (const name of names) if (!interrupted.signal.aborted) outcomes.push(await runNamed(name as CampaignName));
for (const outcome of outcomes) {
  const promises = promiseTable(outcome);
  if (promises !== "") console.log(`\n${outcome.campaign}\n${promises}`);
  if (outcome.figures.length > 0) console.log(`\n${outcome.campaign}\n${outcome.figures.join("\n")}`);
}
console.log(`\nseed ${options.seed}\n${outcomeTable(outcomes)}`);
process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0;

async function runNamed(name: CampaignName): Promise<Outcome> {
  let told = performance.now();
  return await runCampaign(await campaignNamed(name), {
    ...options,
    signal: interrupted.signal,
    onFailure: (failure) => console.log(failureText(name, failure)),
    onCase: (played, total, failures) => {
      if (performance.now() - told < PROGRESS_EVERY_MS && played < total) return;
      told = performance.now();
      console.log(`${name}: ${played} of ${total} cases, ${failures} broken promises`);
    },
  });
}

function failureText(campaign: string, { promise, seen, number, name }: Failure): string {
  const shown = seen.length > MAX_SEEN ? `${seen.slice(0, MAX_SEEN)}…` : seen;
  const replay =
    number === undefined ? "" : `\n  again: npm run campaign -- ${campaign} --seed ${options.seed} --case ${number}`;
  return `BROKEN ${campaign}: ${promise}\n  case: ${name}\n  seen: ${shown.replaceAll("\n", "\n        ")}${replay}`;
}
