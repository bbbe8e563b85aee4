/** A tab's dialogs: answered by policy the moment they open, or held open for the person or agent to decide. */
import { setTimeout as delay } from "node:timers/promises";
import type { Dialog, Page } from "playwright";
import { BrowseError } from "../../errors.ts";
import { cutText, headOf } from "../../security/content/cut_text.ts";
import { untilTurns } from "../driver/world.ts";
import type { DialogRecord } from "../effect_report.ts";
import { Allowance } from "../limits/allowance.ts";

/** Of what a page says in a dialog. Characters. */
const MAX_MESSAGE = 10_000;
/** Of the answer that a page proposes. Characters. Chromium ends itself when it is told 100 MB at once. */
const MAX_DEFAULT = 10_000;
/** Dialogs that are answered at once. A page that opens one after the other waits before each, and costs the others nothing. */
const QUICK = { most: 50, perMinute: 300 };
const PACE_MS = 100;
/** A script that opens more without ever letting its page do anything else will not end: the next one stays open. */
const MAX_IN_ONE_GO = 100;
/** After so many the page is asked whether it does anything else. */
const ASK_EVERY = 25;

export type DialogPolicy = "accept" | "dismiss" | "ask";

interface NextAnswer {
  accept: boolean;
  text?: string;
}

export interface DialogsOptions {
  policy: () => DialogPolicy;
  /** Told of each dialog once its outcome is known, and of one that stays open when it opens. */
  onDialog: (record: DialogRecord) => void;
  /** Id of the tab. */
  tab: string;
}

export class Dialogs {
  readonly #options: DialogsOptions;
  #open: { dialog: Dialog; record: DialogRecord; isUnanswerable?: true; isOneOfMany?: true } | undefined;
  #next: NextAnswer | undefined;
  #count = 0;
  readonly #quick = new Allowance(QUICK);
  #inOneGo = 0;

  constructor(page: Page, options: DialogsOptions) {
    this.#options = options;
    this.follow(page);
  }

  /** Answers the dialogs of this page from now on. */
  follow(page: Page): void {
    this.#open = undefined;
    page.on("dialog", (dialog) => void this.#handle(dialog));
    page.on("dialogclosed", () => {
      this.#open = undefined;
    });
  }

  /** The dialog that blocks the page now. */
  get open(): DialogRecord | undefined {
    return this.#open?.record;
  }

  /** The refusal that a blocked page's commands get; undefined when no dialog is open. `what` begins the sentence. */
  openError(what: string): BrowseError | undefined {
    if (!this.#open) return undefined;
    const { record, isUnanswerable, isOneOfMany } = this.#open;
    const close = `\`browse closetab ${this.#options.tab}\``;
    const dialog = `${record.type} "${record.message}"`;
    const why = isUnanswerable
      ? `the page is being left, and waits for an answer to ${dialog} that does not reach it any more`
      : `the page waits for an answer to ${dialog}`;
    return new BrowseError("dialog_open", `${what}: ${why}`, {
      ...(isUnanswerable && { hint: `Close the tab with ${close}; another can be opened` }),
      ...(isOneOfMany && {
        hint: `The page opens one after the other: answer with \`browse dialog-accept\`, or close the tab with ${close}`,
      }),
      details: { dialog: record },
    });
  }

  /** Answers the open dialog, else the next one to come. Resolves with the record of one answered now. Throws `dialog_open`. */
  async answer(next: NextAnswer): Promise<DialogRecord | undefined> {
    const open = this.#open;
    if (!open) {
      this.#next = next;
      return undefined;
    }
    if (open.isUnanswerable) throw this.openError("Cannot answer");
    this.#open = undefined;
    return await this.#settle(open.dialog, open.record, next);
  }

  async #handle(dialog: Dialog): Promise<void> {
    const record: DialogRecord = {
      id: ++this.#count,
      type: dialog.type() as DialogRecord["type"],
      message: cutText(dialog.message(), MAX_MESSAGE),
      outcome: "open",
      time: new Date().toISOString(),
    };
    const isOneOfMany = record.type !== "beforeunload" && this.#isOneOfMany(dialog);
    const answer = this.#next ?? (isOneOfMany ? undefined : this.#byPolicy(record));
    this.#next = undefined;
    if (answer) {
      if (!this.#quick.take()) await delay(PACE_MS);
      await this.#settle(dialog, record, answer);
      return;
    }
    this.#open = { dialog, record, ...(isOneOfMany && { isOneOfMany }) };
    this.#options.onDialog(record);
  }

  /** Does one script open them without end? Its page does nothing else meanwhile. */
  #isOneOfMany(dialog: Dialog): boolean {
    const page = dialog.page();
    if (++this.#inOneGo % ASK_EVERY === 0 && page) {
      const onTurn = () => {
        this.#inOneGo = 0;
      };
      untilTurns(page.mainFrame()).then(onTurn, onTurn);
    }
    return this.#inOneGo > MAX_IN_ONE_GO;
  }

  /** Leaving a page is what the caller asked for: `beforeunload` is accepted even when others are held open. */
  #byPolicy(record: DialogRecord): NextAnswer | undefined {
    if (record.type === "beforeunload") return { accept: true };
    const policy = this.#options.policy();
    return policy === "ask" ? undefined : { accept: policy === "accept" };
  }

  async #settle(dialog: Dialog, record: DialogRecord, answer: NextAnswer): Promise<DialogRecord> {
    const text =
      record.type === "prompt" && answer.accept
        ? (answer.text ?? headOf(dialog.defaultValue(), MAX_DEFAULT))
        : undefined;
    record.outcome = answer.accept ? "accepted" : "dismissed";
    if (text !== undefined) record.answer = text;
    this.#options.onDialog(record);
    try {
      await (answer.accept ? dialog.accept(text) : dialog.dismiss());
    } catch {
      this.#keepOpen(dialog, record);
    }
    return record;
  }

  /** A page that is being left can hold its dialog up where no answer reaches it; what waits for it is told. */
  #keepOpen(dialog: Dialog, record: DialogRecord): void {
    if (dialog.page()?.isClosed() !== false) return;
    record.outcome = "open";
    delete record.answer;
    this.#open = { dialog, record, isUnanswerable: true };
    this.#options.onDialog(record);
  }
}
