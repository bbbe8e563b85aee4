/** Many fields at once: every one is found and asked whether it takes its value before the first is touched. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError, toBrowseError } from "../../errors.ts";
import { setChecked } from "../../refs/act/check.ts";
import { fill, refuseFill } from "../../refs/act/fill.ts";
import { expectedOf } from "../../refs/act/hit_target.ts";
import { selectedOf } from "../../refs/act/native_list.ts";
import { selectOptions } from "../../refs/act/select_option.ts";
import { resolve } from "../../refs/find/target.ts";
import type { FillValue } from "../../refs/page/act/protocol.ts";
import { ask } from "../../refs/reader.ts";
import { labelOf, type Ref } from "../../refs/ref_table.ts";

export interface FormEntry {
  target: string;
  value: FillValue;
}

interface ReadyEntry {
  ref: Ref;
  value: FillValue;
  as: "text" | "list" | "check";
}

interface FillFormOptions {
  signal: AbortSignal;
}

/**
 * The refs filled, in the order given. Throws what `resolve`, `fill`, `selectOptions` and `setChecked` throw; nothing
 * is filled when any of them could be foreseen. What fails all the same names what was filled before it.
 */
export async function fillForm(tab: Tab, entries: readonly FormEntry[], { signal }: FillFormOptions): Promise<Ref[]> {
  const ready = await checkAll(tab, entries, signal);
  const filled: Ref[] = [];
  for (const entry of ready) {
    try {
      await fillOne(tab, entry, signal);
    } catch (error) {
      throw filled.length > 0 ? afterSome(toBrowseError(error), filled) : error;
    }
    filled.push(entry.ref);
  }
  return filled;
}

async function fillOne(tab: Tab, { ref, value, as }: ReadyEntry, signal: AbortSignal): Promise<void> {
  if (as === "check") await setChecked(tab, ref, value === true, { signal });
  else if (as === "list") await selectOptions(tab, ref, Array.isArray(value) ? value : [String(value)], { signal });
  else await fill(tab, ref, String(value), { signal });
}

async function checkAll(tab: Tab, entries: readonly FormEntry[], signal: AbortSignal): Promise<ReadyEntry[]> {
  const ready: ReadyEntry[] = [];
  const problems: { target: string; error: BrowseError }[] = [];
  for (const { target, value } of entries) {
    try {
      const ref = await resolve(tab, target, { signal });
      if (ready.some((earlier) => earlier.ref.id === ref.id)) {
        throw new BrowseError("invalid_params", `${labelOf(ref)} is given twice`);
      }
      ready.push({ ref, value, as: await check(tab, ref, value, signal) });
    } catch (error) {
      signal.throwIfAborted();
      problems.push({ target, error: toBrowseError(error) });
    }
  }
  if (problems.length > 0) throw noneFilled(problems, entries.length);
  return ready;
}

async function check(tab: Tab, ref: Ref, value: FillValue, signal: AbortSignal): Promise<ReadyEntry["as"]> {
  const answer = await ask(ref.frame, "fillable", { ...expectedOf(ref), value }, { signal });
  switch (answer.state) {
    case "fillable":
      return answer.as;
    case "not-checkable":
      throw new BrowseError(
        "invalid_params",
        `${labelOf(ref)} has no checked state: true and false mean nothing to it`,
        {
          hint: "Give text, or the options to select",
        },
      );
    case "radio":
      throw new BrowseError(
        "invalid_params",
        `${labelOf(ref)} is a radio button, which is unchecked by checking another`,
      );
    case "no-option":
    case "option-disabled":
    case "single":
      selectedOf(tab, ref, answer);
      throw new Error(`"${answer.state}" is not a choice`);
    default:
      throw refuseFill(tab, ref, answer);
  }
}

function noneFilled(problems: readonly { target: string; error: BrowseError }[], total: number): BrowseError {
  const [first] = problems;
  if (!first) throw new Error("Nothing is wrong");
  const { kind, hint, details } = first.error;
  if (problems.length === 1) {
    return new BrowseError(kind, `${first.error.message}; nothing was filled`, {
      hint,
      details: { ...details, target: first.target },
    });
  }
  const lines = problems.map(({ error }) => `  ${error.message}`);
  return new BrowseError(
    kind,
    `${problems.length} of ${total} fields cannot be filled, so none was:\n${lines.join("\n")}`,
    {
      details: { problems: problems.map(({ target, error }) => ({ target, ...error.data, message: error.message })) },
    },
  );
}

function afterSome({ kind, message, hint, details, cause }: BrowseError, filled: readonly Ref[]): BrowseError {
  const ids = filled.map(({ id }) => id);
  return new BrowseError(kind, `${message}; filled before it: ${filled.map(labelOf).join(", ")}`, {
    hint,
    cause,
    details: { ...details, filled: ids },
  });
}
