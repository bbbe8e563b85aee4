/** The forms of the frame that commands are scoped to, each field with a ref. */
import type { Tab } from "../../browser/tabs/tab.ts";
import type { FieldDescription, FormDescription } from "../../refs/page/protocol.ts";
import { ask } from "../../refs/reader.ts";
import { refsOf } from "../../refs/ref_table.ts";

export interface Form extends Omit<FormDescription, "fields"> {
  fields: Field[];
}

export interface Field extends Omit<FieldDescription, "n"> {
  ref: string;
}

export async function readForms(tab: Tab, { signal }: { signal: AbortSignal }): Promise<Form[]> {
  const { frame } = tab;
  const { doc, forms } = await ask(frame, "forms", {}, { signal });
  const withRef = ({ n, ...field }: FieldDescription): Field => {
    const { id } = refsOf(tab).giveDescribed(
      frame,
      doc,
      { n, role: field.role, name: field.label, tag: field.tag },
      "forms",
    );
    return { ref: id, ...field };
  };
  return forms.map((form) => ({ ...form, fields: form.fields.map(withRef) }));
}
