/** Which outputs of a model mean an attack, by the names that its makers gave them. */
import { BrowseError } from "../../../errors.ts";

/** As TestSavantAI, ProtectAI, Meta, deepset, Qualifire and others name them; case, `-` and blanks aside. */
const ATTACKS = new Set(
  "injection prompt_injection injected indirect_injection jailbreak unsafe malicious attack harmful".split(" "),
);
const HARMLESS = new Set("safe benign legit legitimate normal clean harmless no_injection not_injection".split(" "));

interface LabelledConfig {
  id2label?: Readonly<Record<string, string>> | undefined;
  label2id?: Readonly<Record<string, number>> | undefined;
  /** What the user has written for a model whose labels say nothing. */
  attackLabels?: readonly string[] | undefined;
}

/**
 * The indexes of the outputs that mean an attack. Throws `unsupported` for labels that say nothing, with what to write
 * into the model's `config.json`.
 */
export function attackOutputs(config: LabelledConfig): number[] {
  const labels = labelsOf(config);
  const { attackLabels } = config;
  if (attackLabels) return indexesOf(labels, (name) => attackLabels.includes(name));
  // Two labels without names: in a classifier of one class against the rest, 1 is the class.
  if (labels.size === 2 && labels.get(0) === "LABEL_0" && labels.get(1) === "LABEL_1") return [1];
  const unknown = [...labels.values()].filter((name) => !ATTACKS.has(plain(name)) && !HARMLESS.has(plain(name)));
  if (labels.size === 0 || unknown.length > 0) throw unknownLabels([...labels.values()]);
  return indexesOf(labels, (name) => ATTACKS.has(plain(name)));
}

function labelsOf({ id2label = {}, label2id = {} }: LabelledConfig): Map<number, string> {
  const named = Object.entries(id2label).map(([id, label]): [number, string] => [Number(id), label]);
  if (named.length > 0) return new Map(named);
  return new Map(Object.entries(label2id).map(([label, id]) => [id, label]));
}

function indexesOf(labels: ReadonlyMap<number, string>, isAttack: (name: string) => boolean): number[] {
  const indexes = [...labels].filter(([, name]) => isAttack(name)).map(([index]) => index);
  if (indexes.length === 0 || (indexes.length === labels.size && labels.size > 1)) {
    throw unknownLabels([...labels.values()]);
  }
  return indexes;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, "_");
}

function unknownLabels(names: readonly string[]): BrowseError {
  const shown = names.slice(0, 10).join(", ") || "none";
  return new BrowseError("unsupported", `The model's labels (${shown}) do not tell which of them mean an attack`, {
    hint: `Write "attackLabels": [${JSON.stringify(names.at(-1) ?? "INJECTION")}] into its config.json, with the labels that do`,
  });
}
