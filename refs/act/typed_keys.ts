/** Passwords that are typed key by key: what was typed so far into the field that hides it. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { noteTypedSecret } from "../../security/secrets/typed_secrets.ts";
import type { Focused } from "./focus.ts";

const begun = new WeakMap<Tab, { field: string | undefined; text: string }>();

/** The text is typed where the focus is, which hides it or does not. */
export function noteTyped(tab: Tab, text: string, { ref, isSecret }: Focused): void {
  if (!isSecret) {
    begun.delete(tab);
    return;
  }
  const before = begun.get(tab);
  const own = before?.field === ref?.id ? (before?.text ?? "") : "";
  begun.set(tab, { field: ref?.id, text: own + text });
  noteTypedSecret(own + text, own);
}

/** What is typed next is another one. */
export function endTyped(tab: Tab): void {
  begun.delete(tab);
}
