/** Folders of small models for text, laid out as Hugging Face does. They take "obey" for an attack, and nothing else. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tinyOnnx } from "./onnx_model.ts";

export type TokenizerKind = "WordPiece" | "BPE" | "Unigram";

interface FolderOptions {
  kind?: TokenizerKind;
  /** Beside the labels; `undefined` leaves one out. */
  config?: Record<string, unknown>;
  /** Where the model is in the folder. */
  model?: string;
  inputs?: readonly string[];
  /** Of a token, for each label; it leans to "harmless" by the token that begins every text. */
  weightsOf?: (token: string) => number[];
  maxTokens?: number;
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** Scores of "obey" and of all else, by softmax of the logits below. */
export const ATTACK_SCORE = 1 / (1 + Math.exp(-4));
export const HARMLESS_SCORE = 1 / (1 + Math.exp(3));

/** Writes one into `folder`, and gives its path. */
export function writeModel(folder: string, options: FolderOptions = {}): string {
  const {
    kind = "WordPiece",
    config = {},
    model = "model.onnx",
    inputs,
    maxTokens,
    weightsOf = attackByWord,
  } = options;
  const { vocabulary, file } = TOKENIZERS[kind]();
  mkdirSync(dirname(join(folder, model)), { recursive: true });
  const weights = vocabulary.map(weightsOf);
  writeFileSync(join(folder, model), tinyOnnx({ weights, ...(inputs && { inputs }) }));
  const truncation = maxTokens === undefined ? null : { max_length: maxTokens };
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify({ version: "1.0", truncation, padding: null, ...file }));
  const labels = { id2label: { 0: "SAFE", 1: "INJECTION" } };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ pad_token_id: 1, ...labels, ...config }));
  return folder;
}

function attackByWord(token: string): number[] {
  if (token.includes("obey")) return [0, 7];
  // What fills up is not to be read.
  if (/pad/i.test(token)) return [0, 20];
  return token === "[CLS]" || token === "<s>" ? [3, 0] : [0, 0];
}

/** As `sha256sum` lists the files of a folder. */
export function checksumsOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .map(
      (path) => `${createHash("sha256").update(readFileSync(path)).digest("hex")}  ${path.slice(folder.length + 1)}\n`,
    )
    .join("");
}

const TOKENIZERS: Record<TokenizerKind, () => { vocabulary: string[]; file: Record<string, unknown> }> = {
  WordPiece() {
    const vocabulary = [
      "[CLS]",
      "[PAD]",
      "[UNK]",
      "[SEP]",
      "obey",
      "lamp",
      ...LETTERS,
      ...LETTERS.map((l) => `##${l}`),
    ];
    const model = {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
    };
    const normalizer = { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, lowercase: true };
    const parts = { normalizer, pre_tokenizer: { type: "BertPreTokenizer" }, ...around("[CLS]", "[SEP]", vocabulary) };
    return { vocabulary, file: { ...parts, decoder: null, model: { ...model, vocab: ids(vocabulary) } } };
  },
  BPE() {
    const vocabulary = ["<s>", "<pad>", "<unk>", "</s>", ...LETTERS, "\u0120", "ob", "ey", "obey", "\u0120obey"];
    const merges = ["o b", "e y", "ob ey", "\u0120 obey"];
    const model = { type: "BPE", unk_token: "<unk>", fuse_unk: false, byte_fallback: false, merges };
    const bytes = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
    const parts = { normalizer: { type: "Lowercase" }, pre_tokenizer: bytes, ...around("<s>", "</s>", vocabulary) };
    return { vocabulary, file: { ...parts, decoder: null, model: { ...model, vocab: ids(vocabulary) } } };
  },
  Unigram() {
    const vocabulary = ["<s>", "<pad>", "<unk>", "</s>", "\u2581obey", "\u2581lamp", "\u2581", ...LETTERS];
    const model = { type: "Unigram", unk_id: 2, vocab: vocabulary.map((token) => [token, token.length > 3 ? -1 : -3]) };
    const spaces = { type: "Metaspace", replacement: "\u2581", prepend_scheme: "always", split: true };
    const parts = { normalizer: { type: "Lowercase" }, pre_tokenizer: spaces, ...around("<s>", "</s>", vocabulary) };
    return { vocabulary, file: { ...parts, decoder: null, model } };
  },
};

function around(first: string, last: string, vocabulary: string[]): Record<string, unknown> {
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const tokens = [first, last].map((id) => [id, { id, ids: [vocabulary.indexOf(id)], tokens: [id] }]);
  const added = vocabulary.slice(0, 4).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return {
    added_tokens: added,
    post_processor: {
      type: "TemplateProcessing",
      single: [special(first), { Sequence: { id: "A", type_id: 0 } }, special(last)],
      pair: [],
      special_tokens: Object.fromEntries(tokens),
    },
  };
}

function ids(vocabulary: string[]): Record<string, number> {
  return Object.fromEntries(vocabulary.map((token, id) => [token, id]));
}
