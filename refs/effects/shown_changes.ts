/** Which lines of the page an action has changed, with refs that can be used at once. */
import type { Frame } from "playwright";
import type { Change } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { ChangedLine, ChangedLines } from "../page/effects/protocol.ts";
import type { DocumentId, ReadNode } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import { refsOf } from "../ref_table.ts";
import { lineOf } from "../snapshot/render.ts";
import { changeLine } from "../snapshot/render_diff.ts";
import type { SnapshotNode } from "../snapshot/snapshot.ts";

/** What an answer has room for. Characters of all its lines. */
const MAX_LINES = 12;
const MAX_CHARS = 1_200;

export interface ShownChanges {
  changes: Change[];
  /** Lines beside those. */
  more: number;
}

/** Of the frames together. What a frame cannot say is left out. */
export async function readChanges(tab: Tab, frames: readonly Frame[], signal: AbortSignal): Promise<ShownChanges> {
  const answers = await Promise.all(
    frames.map(async (frame) => {
      const lines = await ask(frame, "changedLines", { max: MAX_LINES }, { signal }).catch(() => undefined);
      return lines ? new Changed(tab, frame, lines.doc).of(lines) : { changes: [], more: 0 };
    }),
  );
  const all = answers.flatMap(({ changes }) => changes);
  const fitting = fitted(all);
  const more = answers.reduce((sum, each) => sum + each.more, 0);
  return { changes: fitting, more: more + all.length - fitting.length };
}

/** The first is told whatever its length: a line has its own bounds. */
function fitted(changes: readonly Change[]): Change[] {
  let room = MAX_CHARS;
  return changes.slice(0, MAX_LINES).filter((change, index) => {
    room -= changeLine(change).length + 1;
    return index === 0 || room >= 0;
  });
}

/** What one document says of itself. */
class Changed {
  readonly #tab: Tab;
  readonly #frame: Frame;
  readonly #doc: DocumentId;

  constructor(tab: Tab, frame: Frame, doc: DocumentId) {
    this.#tab = tab;
    this.#frame = frame;
    this.#doc = doc;
  }

  of({ lines, more }: ChangedLines): ShownChanges {
    const changes = lines.flatMap((line) => (line.kind === "removed" ? this.#gone(line) : [this.#there(line)]));
    return { changes, more: more + lines.length - changes.length };
  }

  #there({ kind, node: { n, frame: _, seen: __, ...node }, was, wasN }: ChangedLine): Change {
    const { role, name, depth } = node;
    const [frame, doc] = [this.#frame, this.#doc];
    const ref = n === undefined ? undefined : refsOf(this.#tab).give({ frame, doc, n, role, name, how: "effect" }).id;
    const given = ref !== undefined && { ref };
    const line = this.#lineOf({ ...node, ...given });
    const old = was === undefined ? this.#refOnce(wasN) : this.#textLine(was);
    return { kind, depth, ...given, line, ...(old !== undefined && { was: old }) };
  }

  /** By the ref that it had, or its text; nothing where neither is known. */
  #gone({ node, inside }: ChangedLine): Change[] {
    const line = this.#lineOfGone(node);
    return line === undefined ? [] : [{ kind: "removed", depth: 0, line, ...(inside && { inside }) }];
  }

  #lineOfGone({ n, name }: ReadNode): string | undefined {
    const ref = n === undefined ? undefined : refsOf(this.#tab).of(this.#frame, this.#doc, n);
    if (ref) return this.#lineOf({ ref: ref.id, role: ref.role, name: ref.name, depth: 0 });
    return name === "" ? undefined : this.#textLine(name);
  }

  /** What the element was called that had this number. */
  #refOnce(n: number | undefined): string | undefined {
    return n === undefined ? undefined : refsOf(this.#tab).of(this.#frame, this.#doc, n)?.id;
  }

  #textLine(text: string): string {
    return this.#lineOf({ role: "text", name: text, depth: 0 });
  }

  #lineOf(node: SnapshotNode): string {
    return lineOf(node, this.#frame.url());
  }
}
