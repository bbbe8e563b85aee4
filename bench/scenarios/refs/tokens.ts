import type { BenchContext } from "../../context.ts";
import { PAGE_NAMES, type PageName } from "../../pages/mod.ts";
import type { Figure, Scenario } from "../../scenario.ts";

const CHARACTERS_PER_TOKEN = 4;

export const refsTokens: Scenario = {
  group: "refs",
  name: "Size of `snapshot -i`",
  target: "fewer bytes than every peer",
  async run(context) {
    const figures = [];
    for (const page of PAGE_NAMES) figures.push(...(await sizes(context, page)));
    return figures;
  },
};

async function sizes(context: BenchContext, page: PageName): Promise<Figure[]> {
  const project = await context.project();
  const url = context.pages.url(page);
  await project.cli("goto", url, "--wait", "load");
  const ours = await project.cli("snapshot", "-i");
  const figures = [bytesFigure(`${page}: browse`, ours), tokensFigure(`${page}: browse`, ours)];
  for (const peer of await context.peers()) {
    await peer.run(peer.syntax.goto(url));
    const theirs = await peer.run(peer.syntax.snapshot);
    const share = Buffer.byteLength(ours) / Buffer.byteLength(theirs);
    figures.push(bytesFigure(`${page}: ${peer.name}`, theirs), tokensFigure(`${page}: ${peer.name}`, theirs), {
      name: `${page}: browse ÷ ${peer.name}`,
      unit: "×",
      value: share,
      limit: { atMost: 1 },
    });
  }
  return figures;
}

function bytesFigure(name: string, text: string): Figure {
  return { name, unit: "bytes", value: Buffer.byteLength(text) };
}

function tokensFigure(name: string, text: string): Figure {
  return { name, unit: "tokens", value: Math.ceil(text.length / CHARACTERS_PER_TOKEN) };
}
