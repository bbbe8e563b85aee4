/** Passwords that are typed key by key: what was typed so far into the field that hides it. */
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { noteTypedSecret } from "../../security/secrets/typed_secrets.ts";
import type { Focused } from "./focus.ts";

const TYPED: StateKey<Tab, { field: string | undefined; text: string } | undefined> = { make: () => undefined };

/** The text is typed where the focus is, which hides it or does not. */
export function noteTyped(tab: Tab, text: string, { ref, isSecret }: Focused): void {
  if (!isSecret) {
    endTyped(tab);
    return;
  }
  const before = tab.past.get(TYPED);
  const own = before?.field === ref?.id ? (before?.text ?? "") : "";
  tab.past.set(TYPED, { field: ref?.id, text: own + text });
  noteTypedSecret(own + text, own);
}

/** What is typed next is another one. */
export function endTyped(tab: Tab): void {
  tab.past.set(TYPED, undefined);
}
