/** What a skill is: a folder with a script that replays a flow in one call, and a manifest that says what it may do. */
import * as v from "valibot";
import { DomainRules } from "../security/urls/domain_rules.ts";
import { durationMs } from "../wording.ts";

/** Where skills are looked for, in this order: the first of a name wins. */
export const SKILL_TIERS = ["project", "user", "bundled"] as const;
export type SkillTier = (typeof SKILL_TIERS)[number];

/** What a skill can be given of. Its token has no more of them than the caller's. */
export const SKILL_SCOPES = ["read", "write", "meta"] as const;

/** What every skill has in its folder. */
export const MANIFEST_FILE = "SKILL.md";
export const SCRIPT_FILE = "script.ts";
export const SDK_FILE = "client.ts";

const MAX_TIMEOUT_MS = 3_600_000;
/** Larger lists are somebody's mistake. */
const MAX_LISTED = 50;

export const SkillName = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be of lower-case letters, digits and hyphens, 64 at most"),
  v.description("The skill's name"),
);

const Line = (maxLength: number) =>
  v.pipe(
    v.string(),
    v.minLength(1, "must not be empty"),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "must be one line"),
  );

const ArgMembers = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, "must be a word of letters, digits, _ and -")),
  description: v.exactOptional(Line(300)),
  required: v.exactOptional(v.boolean(), false),
  default: v.exactOptional(v.union([v.pipe(v.string(), v.maxLength(10_000)), v.number(), v.boolean()])),
});

/** What an arg of a manifest may say. */
export const ARG_MEMBERS: readonly string[] = Object.keys(ArgMembers.entries);

const ArgSchema = v.pipe(
  ArgMembers,
  v.check(({ required, default: fallback }) => !required || fallback === undefined, "is required, and has a default"),
);

/** What stands between the two lines `---` of SKILL.md. */
export const SkillManifestSchema = v.strictObject({
  name: v.pipe(SkillName, v.description("As its folder is called: lower-case letters, digits and hyphens")),
  description: v.pipe(Line(300), v.description("What it does, in one line")),
  host: v.pipe(
    Line(260),
    v.check(isHost, 'must be a host such as example.com, or "*"'),
    v.description('The host that its runs are held to, with its subdomains; `"*"`: any'),
  ),
  triggers: v.exactOptional(
    v.pipe(v.array(Line(200)), v.maxLength(MAX_LISTED), v.description("Phrases by which agents find it")),
    [],
  ),
  args: v.exactOptional(
    v.pipe(
      v.array(ArgSchema),
      v.maxLength(MAX_LISTED),
      v.check((args) => areDistinct(args.map(({ name }) => name)), "has two of one name"),
      v.description("What it is given: `name`, `description`, `required`, `default`"),
    ),
    [],
  ),
  scopes: v.exactOptional(
    v.pipe(
      v.array(v.picklist(SKILL_SCOPES)),
      v.minLength(1, "must not be empty"),
      v.check((scopes) => areDistinct(scopes), "has one of them twice"),
      v.description("What it may do: of `read`, `write`, `meta`"),
    ),
    ["read"],
  ),
  tabs: v.exactOptional(
    v.pipe(
      v.picklist(["fresh", "shared"]),
      v.description("`fresh`: a tab of its own, closed at its end; `shared`: the tab that the call works on"),
    ),
    "fresh",
  ),
  trusted: v.exactOptional(
    v.pipe(v.boolean(), v.description("It asks to run outside the sandbox; a person has to agree")),
    false,
  ),
  version: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer("must be a whole number"),
      v.minValue(1, "must be 1 or more"),
      v.description("A whole number"),
    ),
    1,
  ),
  source: v.exactOptional(v.pipe(v.picklist(["human", "agent"]), v.description("Who wrote it")), "agent"),
  timeout: v.exactOptional(
    v.pipe(
      v.string(),
      v.check(isTimeout, "must be a time from 1ms to 1h, such as 60s"),
      v.description("How long a run may take, 1h at most"),
    ),
    "60s",
  ),
});

export type SkillManifest = v.InferOutput<typeof SkillManifestSchema>;
export type SkillArg = SkillManifest["args"][number];

/** A skill that can be used, as its folder was when it was read. */
export interface Skill {
  name: string;
  tier: SkillTier;
  /** Its folder, absolute. */
  dir: string;
  manifest: SkillManifest;
  /** Of every file in its folder: SHA-256, in hexadecimal. */
  hash: string;
  /** The tiers that have one of its name as well, which is not used. */
  shadows: SkillTier[];
  /** Is its copy of `client.ts` the one that this browse has? */
  sdk: "current" | "older";
  /** It asked to run outside the sandbox, and a person has agreed, to this very content. */
  trusted: boolean;
  /** A person has agreed that its actions run without being asked for one by one, to this very content. */
  approved: boolean;
}

/** A folder that should be a skill and cannot be used. */
export interface BrokenSkill {
  /** As the folder is called. */
  name: string;
  tier: SkillTier;
  dir: string;
  /** "SKILL.md: line 3: …" */
  reason: string;
}

/** Must each of its actions be asked for? A cloned repository can say that a person wrote its skills. */
export function asksFirst({ tier, manifest, approved }: Skill): boolean {
  if (!manifest.scopes.includes("write") || approved || tier === "bundled") return false;
  return manifest.source === "agent" || tier === "project";
}

const SHADOWED = {
  project: "another one of the project",
  user: "one of your own",
  bundled: "one that ships with browse",
} satisfies Record<SkillTier, string>;

/**
 * Why a run of it is asked for as a whole, as sentences without a beginning: a cloned repository's skill has a name under which
 * somebody's secrets are given to another, or may take what it is given anywhere. Going there is no action.
 */
export function doubtsAbout({ tier, manifest, shadows, approved }: Skill): string[] {
  if (tier !== "project" || approved) return [];
  return [
    ...(shadows.length > 0 ? [`takes the place of ${shadows.map((of) => SHADOWED[of]).join(" and ")}`] : []),
    ...(manifest.host === "*" ? ["may go to any host"] : []),
  ];
}

/** The hosts that its runs are held to, as a token has them; undefined for any. */
export function domainsOf({ host }: SkillManifest): string[] | undefined {
  if (host === "*") return undefined;
  return isAddress(host) ? [host] : [host, `*.${host}`];
}

/** How long a run may take unless its caller says otherwise. */
export function timeoutOf({ timeout }: SkillManifest): number {
  return durationMs(timeout);
}

function isTimeout(text: string): boolean {
  const ms = durationMs(text);
  return ms >= 1 && ms <= MAX_TIMEOUT_MS;
}

function isHost(host: string): boolean {
  if (host === "*") return true;
  if (host.startsWith("*")) return false;
  try {
    new DomainRules([host]);
    return true;
  } catch {
    return false;
  }
}

/** Nothing is below an address. */
function isAddress(host: string): boolean {
  return /^(\[.*\]|[\d.]+)(:\d+)?$/.test(host);
}

function areDistinct(names: string[]): boolean {
  return new Set(names).size === names.length;
}
