/** What is generated: pages, and what happens to them between a snapshot and an action by one of its refs. */
import fc from "fast-check";

interface ControlSpec {
  kind: "button" | "div" | "link" | "leaving" | "checkbox" | "field";
  name: string;
  /** Named by `aria-label`, not by its text. */
  aria: boolean;
}

interface GroupSpec {
  controls: ControlSpec[];
  shadow: boolean;
  scroller: boolean;
  far: boolean;
}

export interface PageSpec {
  groups: GroupSpec[];
  frames: { page: PageSpec; foreign: boolean }[];
}

/** A change of the page, made by its own script; see `CHANGES` in spec/fixtures/random.html. */
export interface Change {
  op: string;
  /** What the top document is to do, when `op` is `top`. */
  inner: string;
  /** At the element that the action is for; else at the place given. */
  aimed: boolean;
  group: number;
  at: number;
  to: number;
  name: string;
  kind: ControlSpec["kind"];
  aria: boolean;
}

/** A change that the page makes when it gets the event. */
export interface Armed {
  trigger: string;
  phase: "window" | "document";
  often: boolean;
  ms: number;
  change: Change;
}

export type Step =
  | { do: "change"; change: Change; elsewhere: number | undefined }
  | { do: "arm"; armed: Armed }
  | { do: "goto" | "reload" | "back" | "forward" };

export interface Round {
  /** Which of the refs. */
  pick: number;
  /** Of all refs given so far, not only of the last snapshot. */
  old: boolean;
  /** Which of the actions that fit its role. */
  action: number;
  steps: Step[];
}

export interface Session {
  home: PageSpec;
  other: PageSpec;
  rounds: Round[];
}

/** Sequences a session: each a snapshot, what happens then, and an action. */
export const ROUNDS = 4;

/** Few, so that many share one, and one that begins with another. */
const names = fc.constantFrom("Save", "Save As", "Delete", "Archive", 'Say "hi" $1');
const kinds = fc.constantFrom<ControlSpec["kind"]>(
  "button",
  "button",
  "div",
  "link",
  "leaving",
  "checkbox",
  "checkbox",
  "field",
  "field",
);
const small = fc.nat(7);
const seldom = fc.integer({ min: 0, max: 4 }).map((n) => n === 4);

const groups: fc.Arbitrary<GroupSpec> = fc.record({
  controls: fc.array(fc.record({ kind: kinds, name: names, aria: seldom }), { minLength: 2, maxLength: 5 }),
  shadow: seldom,
  scroller: seldom,
  far: seldom,
});

function pages(depth: number): fc.Arbitrary<PageSpec> {
  const frames = depth === 0 ? fc.constant<PageSpec["frames"]>([]) : fc.array(frameOf(depth), { maxLength: 1 });
  return fc.record({ groups: fc.array(groups, { minLength: 1, maxLength: 3 }), frames });
}

function frameOf(depth: number): fc.Arbitrary<PageSpec["frames"][number]> {
  // A frame of another site costs a process.
  return fc.record({ page: pages(depth - 1), foreign: fc.nat(5).map((n) => n === 5) });
}

const CHANGES = [
  ...["insert", "remove", "text", "aria", "unaria", "role", "swap", "rerender", "clone", "recycle", "blink", "rehome"],
  ...["hide", "show", "disable", "enable", "shift", "cover", "frameCover", "uncover", "scroll", "push"],
  ...["reframe", "unframe", "leave", "top"],
];
const FROM_ABOVE = ["cover", "frameCover", "reframe", "unframe", "shift", "insert", "scroll", "rerender"];

const changes: fc.Arbitrary<Change> = fc.record({
  op: fc.constantFrom(...CHANGES),
  inner: fc.constantFrom(...FROM_ABOVE),
  aimed: fc.boolean(),
  group: small,
  at: small,
  to: small,
  name: names,
  kind: kinds,
  aria: seldom,
});

const TRIGGERS = ["pointermove", "mouseover", "pointerdown", "mousedown", "focusin", "pointerup", "timer", "frame"];

const armed: fc.Arbitrary<Armed> = fc.record({
  trigger: fc.constantFrom(...TRIGGERS),
  phase: fc.constantFrom("window", "document"),
  often: fc.boolean(),
  ms: fc.nat(25),
  change: changes,
});

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("change"),
      change: changes,
      elsewhere: fc.option(small, { nil: undefined }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("arm"), armed }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("goto", "reload", "back", "forward") }) },
);

const rounds: fc.Arbitrary<Round> = fc.record({
  pick: fc.nat(40),
  old: seldom,
  action: fc.nat(5),
  steps: fc.array(steps, { maxLength: 4 }),
});

export const sessions: fc.Arbitrary<Session> = fc.record({
  home: pages(2),
  other: pages(0),
  rounds: fc.array(rounds, { minLength: ROUNDS, maxLength: ROUNDS }),
});
