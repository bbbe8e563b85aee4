/** The user's own `config.json`, in the user's state folder. */
import { join } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../rpc/errors.ts";
import { readJsonFile } from "./private_file.ts";
import { TunnelConfigSchema } from "./tunnel/config.ts";

const ConfigSchema = v.strictObject({
  tunnel: v.exactOptional(TunnelConfigSchema),
});

type Config = v.InferOutput<typeof ConfigSchema>;

/** What the file says; nothing when there is none. Throws `invalid_params` for one that cannot be used. */
export function readConfig(home: string): Config {
  const path = join(home, "config.json");
  const read = readJsonFile(path, ConfigSchema);
  if (!read) return {};
  if ("value" in read) return read.value;
  throw new BrowseError("invalid_params", `Cannot use "${path}": ${read.corrupt}`, {
    hint: "Correct it, or remove it",
  });
}
