/** Whether an action did what its ref said, and nothing else. */
import { BrowseError, type ErrorKind } from "../../../errors.ts";

/** An event that a control of the page got; `sent` is a pointerdown on its way to one, which may yet be stopped. */
export interface Heard {
  type: string;
  trusted: boolean;
  id: string;
  role: string;
  name: string;
}

/** What the page knows of the element. */
export interface State {
  here: boolean;
  cover: boolean;
  role?: string;
  name?: string;
  hidden?: boolean;
  disabled?: boolean;
  checked?: boolean;
  url?: string;
}

export interface Played {
  ref: { id: string; role: string; name: string };
  /** The page's own identity of the node that the ref was given for. */
  id: string;
  action: "click" | "hover and click" | "check" | "fill";
  /** Absent when the page changes during the action. */
  before: State | undefined;
  /** What the page says afterwards. */
  after: State;
  /** Something had to be done. */
  changed: boolean;
  error: unknown;
  ms: number;
  heard: Heard[];
}

const STARTS = ["pointerdown", "mousedown"];
const FITTING: readonly ErrorKind[] = ["stale_ref", "not_visible", "disabled", "covered", "detached", "frame_gone"];

/** What is wrong with it; undefined when all is as it must be. */
export function judge(played: Played): string | undefined {
  return elsewhere(played) ?? (played.error === undefined ? succeeded(played) : refused(played)) ?? expected(played);
}

/** Nothing but the element may hear anything, and at the start of a gesture it must be what the ref names. */
function elsewhere({ id, ref, heard: all }: Played): string | undefined {
  const heard = all.filter(({ type }) => type !== "sent");
  const stray = heard.find((event) => event.id !== id);
  if (stray) return `${stray.type} landed on [${stray.role}] "${stray.name}"`;
  const other = heard.find(
    ({ type, role, name }) => type === "pointerdown" && (role !== ref.role || name !== ref.name),
  );
  return other && `The element was pressed as [${other.role}] "${other.name}"`;
}

function succeeded({ id, action, changed, heard, after }: Played): string | undefined {
  const wanted = action === "fill" ? "input" : "click";
  const isHeard = heard.some(({ type }) => type === wanted);
  // What goes or hides when the mouse comes down on it has acted then, and gets no click from any mouse.
  const isSpent = !after.here || after.hidden === true;
  const isPressed = heard.some((event) => event.id === id && /^(pointerdown|sent)$/.test(event.type));
  if (action !== "fill" && isSpent && isPressed) return undefined;
  if (changed !== isHeard) return changed ? `It succeeded, but there was no ${wanted}` : "It acted and denies it";
  return undefined;
}

function refused({ error, heard }: Played): string | undefined {
  if (!(error instanceof BrowseError)) return `It failed untyped: ${error instanceof Error ? error.stack : error}`;
  if (!FITTING.includes(error.kind)) return `It failed as ${error.kind}: ${error.message} ${causeOf(error)}`;
  const act = heard.find(({ type }) => type !== "sent" && !STARTS.includes(type));
  return act && `It failed, but there was a ${act.type}`;
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : "";
}

/** On a page that keeps still, what must come of it is known. */
function expected(played: Played): string | undefined {
  const { before, error } = played;
  if (!before) return undefined;
  const wanted = kindFor(before, played);
  const kind = error instanceof BrowseError ? error.kind : undefined;
  return kind === wanted ? undefined : `It should have ended in ${wanted ?? "success"}, not ${kind ?? "success"}`;
}

function kindFor(before: State, { ref, action }: Played): ErrorKind | undefined {
  const isSame = before.role === ref.role && before.name === ref.name;
  if (!before.here || !isSame) return "stale_ref";
  if (action === "check" && before.checked) return undefined;
  if (action === "fill" && before.disabled) return "disabled";
  if (before.hidden) return "not_visible";
  if (before.disabled) return "disabled";
  return before.cover && action !== "fill" ? "covered" : undefined;
}
