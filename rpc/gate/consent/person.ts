/** The person who allows the actions of a skill that nobody has approved, one by one: each call waits for the answer. */
import type { PendingCall } from "../../../commands/confirming.ts";
import { BrowseError } from "../../../errors.ts";
import { cutText } from "../../../security/content/cut_text.ts";
import { nameShown } from "../../../security/content/invisible.ts";
import type { Approval } from "../call.ts";
import type { ReadyCall } from "../call_gate.ts";
import type { Confirmations, ConfirmedCall, Waiting } from "./confirmations.ts";

/** Characters of a param, or of an address. */
const MAX_SHOWN = 200;

interface Asking extends Pick<Waiting, "tell" | "signal"> {
  approval: Approval;
  /** Its params, as the person at the terminal may see them. */
  asked: unknown;
  confirmations: Confirmations;
}

/** Does it do something that a person allows first? The steps of another call are asked for by themselves. */
export function isAskedFor({ caller, command, effect, out }: Omit<ReadyCall, "judgment">): boolean {
  if (!caller.approval || command.fromPage === "steps") return false;
  return out !== undefined || (effect !== "none" && effect !== "navigation");
}

/** Resolves when a person has said yes, a minute at most. Throws `forbidden` for a no, and `confirmation_required` for no answer. */
export async function untilAllowed(
  call: ConfirmedCall,
  { approval, asked, confirmations, ...how }: Asking,
): Promise<void> {
  using _ = approval.hold();
  let isOver = false;
  let waits = "";
  const tell: Waiting["tell"] = (pending) => {
    waits = pending.id;
    how.tell(pending);
  };
  const ask = async () => {
    const what = question({ ...call, params: asked });
    const answer = yesOrNo(await approval.ask(`${what}\nAllow "${call.command}"? [y/N] `, waits));
    // It may have been allowed elsewhere by then: another call like it is not.
    return isOver ? undefined : answer;
  };
  let isAllowed: boolean | undefined;
  try {
    isAllowed = await confirmations.waitFor(call, { ...how, tell, ask });
  } finally {
    isOver = true;
    approval.answered(isAllowed);
  }
  if (!isAllowed) throw new BrowseError("forbidden", `A person has refused "${call.command}"`);
}

function question({ by, command, params, urls }: Omit<PendingCall, "expiresAt">): string {
  const on = urls.length > 0 ? ` on ${urls.map(brief).join(", ")}` : "";
  const given = Object.entries(params as Record<string, unknown>).map(
    ([name, value]) => `${JSON.stringify(name)}:${brief(JSON.stringify(value) ?? "")}`,
  );
  return `The ${by} is about to run "${command}"${on} with {${given.join(",")}}`;
}

/** Nothing that a skill gives pushes the rest out of sight. */
function brief(text: string): string {
  return nameShown(cutText(text.replaceAll(/\s+/g, " "), MAX_SHOWN));
}

function yesOrNo(answer: string | undefined): boolean | undefined {
  return answer === undefined ? undefined : /^y(es)?$/i.test(answer.trim());
}
