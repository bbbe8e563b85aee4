/** Pages that turn one channel against their reader, and every command that reads. */
import fc from "fast-check";
import { brokenBy } from "../answers.ts";
import type { Arena, ArenaOptions, Broken, Campaign, Round } from "../arena.ts";
import { drawn, weighted } from "../draw.ts";
import { CHANNELS } from "./channels.ts";
import { FuzzHost } from "./host.ts";
import { CONTENTS, type Content, type Payload, type Size } from "./payloads.ts";

const TIMEOUT_MS = 5_000;
/** Command lines per page. */
const READINGS = 4;
/** What commands of these answer comes from a page. */
const PAGE_CATEGORIES = new Set(["navigate", "read", "inspect", "look", "extract", "tabs", "flow"]);

/** Of the page's readers, and of all others: which, and which of its examples. */
interface Reading {
  ofPage: boolean;
  command: number;
  example: number;
  isJson: boolean;
}

interface FuzzCase {
  channel: string;
  payload: Payload;
  readings: Reading[];
}

/** Long runs and what looks like ours have done the most harm. */
const CONTENT: fc.Arbitrary<Content> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Content>("run") },
  { weight: 1, arbitrary: fc.constant<Content>("lookAlikes") },
  { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(CONTENTS) as Content[])) },
);
const SIZE: fc.Arbitrary<Size> = weighted<Size>(
  [4, "empty"],
  [18, "1 kB"],
  [10, "200 kB"],
  [30, "1 MB"],
  [30, "10 MB"],
  [1, "100 MB"],
);
const SLICE_SIZE: fc.Arbitrary<Size> = weighted<Size>([1, "empty"], [6, "1 kB"], [2, "200 kB"], [1, "10 MB"]);

export const fuzz: Campaign = {
  name: "fuzz",
  cases: 2_000,
  open: async (options) => new FuzzArena(options, await FuzzHost.open()),
};

class FuzzArena implements Arena {
  readonly #host: FuzzHost;
  readonly #options: ArenaOptions;
  readonly #cases: fc.Arbitrary<FuzzCase>;

  constructor(options: ArenaOptions, host: FuzzHost) {
    this.#options = options;
    this.#host = host;
    const channel = fc.constantFrom(...Object.keys(CHANNELS));
    const payload = fc.record({ content: CONTENT, size: options.isSlice ? SLICE_SIZE : SIZE });
    const reading = fc.record({
      ofPage: weighted([6, true], [1, false]),
      command: fc.nat(),
      example: fc.nat(),
      isJson: fc.boolean(),
    });
    const readings = fc.array(reading, { minLength: READINGS, maxLength: READINGS });
    this.#cases = fc.record({ channel, payload, readings });
  }

  draw(number: number): Round {
    const drawnCase = drawn(this.#cases, this.#options.seed, number);
    const { channel, payload, readings } = drawnCase;
    const lines = readings.map((reading) => this.#lineOf(reading));
    const name = `${channel}, ${payload.size} of ${payload.content}: ${lines.map((line) => line.join(" ")).join(" | ")}`;
    return { name, play: async () => await this.#play(drawnCase, lines) };
  }

  judge(): Broken[] {
    return this.#host.judgeQuiet();
  }

  figures(): string[] {
    return this.#host.figures();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]();
  }

  #lineOf({ ofPage, command, example, isJson }: Reading): readonly string[] {
    const commands = this.#host.commands.filter(({ category }) => PAGE_CATEGORIES.has(category) === ofPage);
    const chosen = commands[command % commands.length];
    const line = chosen?.examples[example % chosen.examples.length] ?? [];
    return isJson && !line.includes("--json") ? [...line, "--json"] : line;
  }

  async #play({ channel, payload }: FuzzCase, lines: readonly (readonly string[])[]): Promise<Broken[]> {
    const host = this.#host;
    await host.ready();
    host.show({ channel, payload });
    const broken: Broken[] = [];
    const run = async (line: readonly string[]) => {
      const answer = await host.run([...line, "--timeout", String(TIMEOUT_MS)]);
      const asked = {
        command: line[0] ?? "",
        isJson: line.includes("--json"),
        timeoutMs: TIMEOUT_MS,
        graceMs: host.graceMs,
      };
      broken.push(
        ...brokenBy(answer, asked).map(({ promise, seen }) => ({ promise, seen: `${line.join(" ")}: ${seen}` })),
      );
      return answer;
    };
    const opened = await run(["newtab", `${host.url}/case`, "--json"]);
    const tab = await host.hostileTab(opened);
    if (tab !== undefined && lines.flat().some((word) => word.startsWith("@"))) {
      await run(["snapshot", "-i", "--tab", tab]);
    }
    for (const line of tab === undefined ? [] : lines) await run([...line, "--tab", tab ?? ""]);
    return [...broken, ...(await host.afterwards())];
  }
}
