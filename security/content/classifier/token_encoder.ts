/** Texts as the token ids that a model takes, by its `tokenizer.json`: WordPiece, BPE or Unigram. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { assertPlainFile, MAX_TEXT_BYTES } from "./model_file.ts";

/** What `tokenizer.json` may say of cutting and filling up, beside what the library reads. */
interface TokenizerFile {
  truncation?: { max_length?: number } | null;
  padding?: { pad_id?: number } | null;
}

/** Of the library, whose own types do not resolve under Node's rules. */
interface Tokenizer {
  encode(text: string, options?: { add_special_tokens?: boolean }): { ids: number[] };
}

export interface TokenEncoder {
  /** One sequence or, of a text that is too long for the model, several: none of it is left out. */
  encode(text: string): number[][];
  /** Without what the model expects around a text, and however long. */
  plainIds(text: string): number[];
  padId: number;
}

interface EncoderOptions {
  /** Most tokens of a sequence, special ones included. */
  maxTokens: number;
  /** Where `tokenizer.json` names none. */
  padId: number;
}

/** Reads `tokenizer.json` and, where there is one, `tokenizer_config.json`. Rejects when the library cannot use them. */
export async function readTokenEncoder(folder: string, options: EncoderOptions): Promise<TokenEncoder> {
  const library = await import("@huggingface/tokenizers");
  const file = JSON.parse(await textOf(join(folder, "tokenizer.json"))) as TokenizerFile;
  const configPath = join(folder, "tokenizer_config.json");
  const config = existsSync(configPath) ? await textOf(configPath) : "{}";
  const tokenizer: Tokenizer = new library.Tokenizer(file, JSON.parse(config) as object);
  const { before, after } = specialTokens(tokenizer);
  const maxTokens = Math.min(options.maxTokens, file.truncation?.max_length ?? options.maxTokens);
  const room = Math.max(1, maxTokens - before.length - after.length);
  return {
    padId: file.padding?.pad_id ?? options.padId,
    plainIds: (text) => plainIds(tokenizer, text),
    encode(text) {
      const ids = plainIds(tokenizer, text);
      const parts = Array.from({ length: Math.max(1, Math.ceil(ids.length / room)) }, (_, index) =>
        ids.slice(index * room, (index + 1) * room),
      );
      return parts.map((part) => [...before, ...part, ...after]);
    },
  };
}

async function textOf(path: string): Promise<string> {
  await assertPlainFile(path, MAX_TEXT_BYTES);
  return await readFile(path, "utf8");
}

/** What the model expects around a text. */
function specialTokens(tokenizer: Tokenizer): { before: number[]; after: number[] } {
  const plain = plainIds(tokenizer, "a");
  const whole = tokenizer.encode("a").ids;
  const at = whole.findIndex((_, index) => plain.every((id, offset) => whole[index + offset] === id));
  return { before: whole.slice(0, Math.max(0, at)), after: whole.slice(Math.max(0, at) + plain.length) };
}

function plainIds(tokenizer: Tokenizer, text: string): number[] {
  return tokenizer.encode(text, { add_special_tokens: false }).ids;
}
