/**
 * Reads pages with our reader and with the driver's AI-mode tree and prints where they differ. Fails when a difference
 * has no explanation in `spec/refs_diff/rules.ts`.
 *
 *     npm run refs:diff [-- <url, file or folder>…]      default: spec/fixtures and the pages of the benchmarks
 */
import { servePages } from "../../bench/pages/serve.ts";
import { benchUrls, fixtureUrls, urlsOf } from "./pages.ts";
import { openCompareSession } from "./session.ts";
import { judge, sum, totalText, type Verdict, verdictText } from "./verdict.ts";

const targets = process.argv.slice(2);
await using server = await servePages();
await using session = await openCompareSession();
const urls = targets.length > 0 ? targets.flatMap(urlsOf) : [...fixtureUrls(), ...benchUrls(server)];
const verdicts: Verdict[] = [];
for (const url of urls) {
  const verdict = judge(await session.compare(url));
  verdicts.push(verdict);
  console.log(verdictText(verdict));
}
const total = sum(verdicts);
console.log(`\n${totalText(total)}`);
if (total.unexplained.length > 0) process.exitCode = 1;
