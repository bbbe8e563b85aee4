/** What a call would send, looked through for what nothing is meant to send. */
import type { Command } from "../../../commands/command.ts";
import type { Outgoing } from "../../../security/content/canary.ts";
import { canaryBlocked, leakFinding } from "../../../security/content/canary_leak.ts";
import { smallFile } from "../../../security/files/small_file.ts";
import type { Canaries, ToldLeak } from "../../../security/secrets/canaries.ts";
import type { Token } from "../../../security/tokens/token.ts";

/** Of an upload that is looked into. Bytes. */
const MAX_FILE = 1_000_000;
/** Deeper than any param is. */
const MAX_DEPTH = 32;

export interface OutgoingPorts {
  canaries: Canaries;
  /** Told of each canary that was kept back. */
  onLeak?: (leak: ToldLeak) => void;
}

/** A call as far as it is known before it runs. */
export interface OutgoingCall {
  command: Command;
  /** With paths resolved. */
  params: Record<string, unknown>;
  token: Token;
  place: { session?: string; tab?: string };
}

/** Throws `blocked_content` when the caller's canary is in what the call would send. */
export function assertNoCanary(
  { command, params, token, place }: OutgoingCall,
  { canaries, onLeak }: OutgoingPorts,
): void {
  const canary = canaries.of(token);
  if (!canary) return;
  const leak = canary.leakIn([...sentTexts(command, params), ...sentFiles(command, params)]);
  if (!leak) return;
  onLeak?.({ ...leak, finding: leakFinding(leak), token: token.id, ...place });
  throw canaryBlocked(leak);
}

/** Every text in the params, and the names they have, but of files that are written: those stay here. */
export function sentTexts({ name, paths }: Command, params: Record<string, unknown>): Outgoing[] {
  const written = new Set(paths.flatMap(({ param, access }) => (access === "write" ? [param] : [])));
  return Object.entries(params).flatMap(([param, value]) =>
    written.has(param) ? [] : textsIn(value).map((text) => ({ where: `${name} ${param}`, text })),
  );
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1));
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsIn(item, depth + 1)]);
}

/** What the files say that the call takes into a page. */
function sentFiles({ paths, effect }: Command, params: Record<string, unknown>): Outgoing[] {
  if (effect === "none") return [];
  const read = paths.filter(({ access }) => access === "read").flatMap(({ param }) => params[param] ?? []);
  return read.flatMap((path) => {
    const content = smallFile(String(path), MAX_FILE);
    return content === undefined ? [] : [{ where: "a file", text: content.toString("latin1") }];
  });
}
