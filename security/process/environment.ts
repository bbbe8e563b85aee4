/** The settings that come from the environment, each declared once: validated here, documented from here. */
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { SESSION_NAME_WORDS, SessionName } from "../tokens/session_name.ts";
import { PROXY_FORMS, proxyUrl } from "../urls/proxy.ts";

interface Variable {
  name: `BROWSE_${string}`;
  /** One line for the reference, no period. */
  summary: string;
  /** What is accepted, as the error and the reference say it. */
  accepts: string;
  /** The default, as the reference says it; absent when there is none. */
  default?: string;
  /** True when the value must not be shown. */
  isSecret?: boolean;
  /** From the trimmed, non-empty text to the setting. */
  schema: v.GenericSchema<string, unknown>;
}

const HALF_AN_HOUR_MS = 30 * 60 * 1000;
const FIFTY_MEGABYTES = 50 * 1024 * 1024;

function integer(minimum: number, maximum: number) {
  return v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number), v.minValue(minimum), v.maxValue(maximum));
}

function url(...schemes: string[]) {
  const fits = (text: string) =>
    schemes.includes(URL.parse(text)?.protocol.slice(0, -1) ?? "") && URL.parse(text)?.hostname !== "";
  return v.pipe(v.string(), v.check(fits));
}

const path = v.pipe(
  v.string(),
  v.check((text) => !text.includes("\0")),
  v.transform((text) => resolve(/^~(?:[\\/]|$)/.test(text) ? join(homedir(), text.slice(1)) : text)),
);

const paths = v.pipe(
  v.string(),
  v.transform((text) => text.split(delimiter).filter((part) => part.trim() !== "")),
  v.array(path),
  v.maxLength(8),
);

const yesOrNo = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(["1", "true", "yes", "on", "0", "false", "no", "off"]),
  v.transform((text) => ["1", "true", "yes", "on"].includes(text)),
);
const YES_OR_NO = "1, true, yes, on, 0, false, no or off";

/** Every variable, by the name of its setting. */
export const ENVIRONMENT = {
  port: {
    name: "BROWSE_PORT",
    summary: "Port the daemon listens on",
    accepts: "a port from 0 to 65535; 0 takes a random one from 10000 to 49151",
    default: "0",
    schema: integer(0, 65535),
  },
  idleTimeoutMs: {
    name: "BROWSE_IDLE_TIMEOUT",
    summary: "Milliseconds without a call after which the daemon ends",
    accepts: "whole milliseconds; 0 is never",
    default: String(HALF_AN_HOUR_MS),
    schema: integer(0, Number.MAX_SAFE_INTEGER),
  },
  stateDir: {
    name: "BROWSE_STATE_DIR",
    summary: "Folder of the project's state",
    accepts: "a path",
    default: ".browse in the project's root",
    schema: path,
  },
  home: {
    name: "BROWSE_HOME",
    summary: "Folder of the user's state",
    accepts: "a path",
    default: "~/.browse",
    schema: path,
  },
  session: {
    name: "BROWSE_SESSION",
    summary: "Session for calls that name none",
    accepts: SESSION_NAME_WORDS,
    default: "default",
    schema: SessionName,
  },
  token: {
    name: "BROWSE_TOKEN",
    summary: "Token for the daemon at BROWSE_URL",
    accepts: "a token as `browse pair` or daemon.json give it, without spaces",
    isSecret: true,
    schema: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,512}$/)),
  },
  url: {
    name: "BROWSE_URL",
    summary: "A running daemon to talk to, instead of the project's own",
    accepts: "a ws or http URL",
    schema: url("ws", "http"),
  },
  chromium: {
    name: "BROWSE_CHROMIUM",
    summary: "Chromium to start. Without it a headless shell comes first, which has no PDF viewer",
    accepts: "the path of an executable",
    schema: path,
  },
  headed: {
    name: "BROWSE_HEADED",
    summary: "Show the browser's window",
    accepts: YES_OR_NO,
    default: "no",
    schema: yesOrNo,
  },
  proxy: {
    name: "BROWSE_PROXY",
    summary: "Proxy for all pages",
    accepts: PROXY_FORMS,
    schema: v.pipe(
      v.string(),
      v.check((text) => proxyUrl(text) !== undefined),
      v.transform((text) => proxyUrl(text) ?? text),
    ),
  },
  noSandbox: {
    name: "BROWSE_NO_SANDBOX",
    summary: "Start Chromium without its sandbox",
    accepts: YES_OR_NO,
    default: "no",
    schema: yesOrNo,
  },
  maxHtmlBytes: {
    name: "BROWSE_MAX_HTML_BYTES",
    summary: "Largest document that `load-html` shows, in bytes",
    accepts: "whole bytes, at least 1",
    default: String(FIFTY_MEGABYTES),
    schema: integer(1, Number.MAX_SAFE_INTEGER),
  },
  security: {
    name: "BROWSE_SECURITY",
    summary: "`off` turns off the content classifier, and no other layer of the content guard",
    accepts: "on or off",
    default: "on",
    schema: v.pipe(v.string(), v.toLowerCase(), v.picklist(["on", "off"])),
  },
  stateKey: {
    name: "BROWSE_STATE_KEY",
    summary: "Secret that `state save --encrypt` and `state load` use instead of the system's keychain",
    accepts: "8 to 1024 characters",
    isSecret: true,
    schema: v.pipe(v.string(), v.minLength(8), v.maxLength(1024)),
  },
  modelDirs: {
    name: "BROWSE_MODEL_DIR",
    summary:
      "Models that the content classifier asks beside the one that is shipped. Each folder has config.json, tokenizer.json " +
      "and model.onnx (or onnx/model.onnx), as TestSavantAI and ProtectAI publish theirs; SHA256SUMS in it is checked",
    accepts: 'up to 8 folders, with ":" between them (";" on Windows)',
    default: "no other",
    schema: paths,
  },
} as const satisfies Record<string, Variable>;

type Setting = keyof typeof ENVIRONMENT;
type Given = { [S in Setting]?: v.InferOutput<(typeof ENVIRONMENT)[S]["schema"]> };
type WithDefault =
  | "port"
  | "idleTimeoutMs"
  | "home"
  | "session"
  | "headed"
  | "noSandbox"
  | "maxHtmlBytes"
  | "security"
  | "modelDirs";

/** The settings. Those without a default are absent when their variable is not set. */
export type Environment = Readonly<
  Given &
    Required<Pick<Given, WithDefault>> & { /** BROWSE_ names nobody knows, to warn of. */ unknown: readonly string[] }
>;

/**
 * Reads all of them at once. An empty variable counts as not set. Throws `invalid_params` naming the variable and what
 * it accepts.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const given: Record<string, unknown> = {};
  for (const [setting, variable] of Object.entries<Variable>(ENVIRONMENT)) {
    const text = env[variable.name]?.trim();
    if (text !== undefined && text !== "") given[setting] = parsed(variable, text);
  }
  const settings = given as Given;
  const home = settings.home ?? join(homedir(), ".browse");
  return Object.freeze({
    port: 0,
    idleTimeoutMs: HALF_AN_HOUR_MS,
    session: "default",
    headed: false,
    noSandbox: false,
    maxHtmlBytes: FIFTY_MEGABYTES,
    security: "on",
    modelDirs: [],
    ...settings,
    home,
    unknown: Object.freeze(unknownNames(env)),
  });
}

function parsed(variable: Variable, text: string): unknown {
  const result = v.safeParse(variable.schema, text);
  if (result.success) return result.output;
  const shown = variable.isSecret === true || URL.parse(text)?.username ? "" : ` is "${text.slice(0, 100)}", which`;
  throw new BrowseError("invalid_params", `${variable.name}${shown} is not ${variable.accepts}`, {
    hint: `Set ${variable.name} to ${variable.accepts}, or unset it`,
    details: { variable: variable.name },
  });
}

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set<string>(Object.values(ENVIRONMENT).map(({ name }) => name));
  return Object.keys(env)
    .filter((name) => name.startsWith("BROWSE_") && !known.has(name))
    .sort();
}
