/** By what a script finds an element again: its role and name, its test id, its label, its text, and CSS when there is nothing else. */
import type { ActedOn } from "../../rpc/events/journal.ts";
import { REDACTED } from "../../security/secrets/secret_shapes.ts";
import type { LiftedArgs } from "./args.ts";
import { literal, templatePiece } from "./source_text.ts";

/** A locator in the source of a script. */
export interface LocatorText {
  /** An expression: a string, or `(args) => …` where an argument is part of it. */
  source: string;
  takesArgs: boolean;
  /** It says where the element stood, and not what it is. */
  isBrittle: boolean;
  /** It has the value of an argument in it, and stays as it is: that alone would not find it. */
  keeps?: string;
}

/** What those who name things name by what is in them: a cell is called as its text is. */
const BY_NAME = /^role=[a-z]+\[name="/;

/** `forRead`: what it says is what will be read, and must not be what it is found by. */
export function locatorFor(
  given: string,
  element: ActedOn | undefined,
  args: LiftedArgs,
  forRead: boolean,
): LocatorText | undefined {
  const chosen = chosenLocator(given, element, forRead);
  if (chosen === undefined) return undefined;
  const lifted = lifting(chosen, element?.words ?? [], args);
  if (lifted !== undefined) return { source: lifted, takesArgs: true, isBrittle: false };
  const keeps = isPlace(chosen) ? undefined : args.within(chosen)?.name;
  return {
    source: literal(chosen),
    takesArgs: false,
    isBrittle: isPlace(chosen),
    ...(keeps !== undefined && { keeps }),
  };
}

/** The locator itself, without arguments. */
export function chosenLocator(given: string, element: ActedOn | undefined, forRead: boolean): string | undefined {
  const isRef = given.startsWith("@");
  // What somebody has written by hand, and by what a thing is, stays as it is.
  if (!isRef && /^(role|text|label|placeholder|testid)\s*=/.test(given)) return given;
  const usable = (element?.locators ?? []).filter((locator) => !locator.includes(REDACTED));
  const lasting = forRead && element ? usable.filter((locator) => !saysContent(locator, element, usable)) : usable;
  const [best] = lasting;
  if (isRef) return best;
  // A selector that the caller wrote means what it says; a place in the page is worse than any other way.
  return isPlace(given) && best !== undefined ? best : given;
}

/** Is it found by the words in it, which are the ones to be read? */
function saysContent(locator: string, { name }: ActedOn, all: readonly string[]): boolean {
  if (locator.startsWith("text=")) return true;
  const isNamedByText = all.some((other) => other === `text="${name.replace(/[\\"]/g, "\\$&")}"`);
  return (
    BY_NAME.test(locator) &&
    (isNamedByText || /^role=(cell|gridcell|row|listitem|option|status|alert|paragraph)\b/.test(locator))
  );
}

/** A path through the page, and no id of the element's own. */
function isPlace(locator: string): boolean {
  return locator.includes(":nth-") || / > /.test(locator);
}

/** With arguments in the place of their values: of the whole name, or of words in it that no other name has. */
function lifting(locator: string, words: readonly string[], args: LiftedArgs): string | undefined {
  const [, before, quoted, after] =
    /^((?:role=[a-z]+\[name|text|label|placeholder|testid)\s*=\s*)"((?:[^"\\]|\\.)*)"(\]?)$/s.exec(locator) ?? [];
  if (before === undefined || quoted === undefined || after === undefined) return undefined;
  const text = quoted.replace(/\\(.)/gs, "$1");
  const whole = args.whole(text);
  if (whole) return `(args: Args) => \`${templatePiece(before)}\${quoted(args.${whole.name})}${after}\``;
  // What other names hold is known of roles only.
  const part = before.startsWith("role=") ? args.telling(text, words) : undefined;
  return part && `(args: Args) => \`${templatePiece(before)}\${containing(args.${part.name})}${after}\``;
}
