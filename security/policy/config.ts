/** The user's own `config.json`, in the user's state folder. What it says of calls is read by `policy/files.ts`. */
import { join } from "node:path";
import * as v from "valibot";
import { TranscriptCheckSchema } from "../content/transcript_check.ts";
import { TunnelConfigSchema } from "../tunnel/config.ts";
import { readConfigFile } from "./config_file.ts";

const ConfigSchema = v.strictObject({
  tunnel: v.exactOptional(TunnelConfigSchema),
  policy: v.exactOptional(v.unknown()),
  /** Asks a program or a service of the user's about texts of pages. */
  transcriptCheck: v.exactOptional(TranscriptCheckSchema),
  /** All sessions of the user's own outlive a stop and a crash. */
  persist: v.exactOptional(v.boolean()),
});

type Config = v.InferOutput<typeof ConfigSchema>;

/** Do all sessions of the user's own outlive a stop and a crash? What is wrong with the file is told by the calls that it rules. */
export function persistsAll(home: string): boolean {
  try {
    return readConfig(home).persist ?? false;
  } catch {
    return false;
  }
}

/** What the file says; nothing when there is none. Throws `invalid_params` for one that cannot be used. */
export function readConfig(home: string): Config {
  return readConfigFile(join(home, "config.json"), ConfigSchema) ?? {};
}
