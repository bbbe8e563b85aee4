/**
 * What params are, beside their types: an address, a file, a tab, a session, a secret. It stands in the schema of the
 * param, where dispatch reads it; no command says it a second time. Each mark is an action for `v.pipe`.
 */
import * as v from "valibot";

/** A param that names a file, or a list of files. Dispatch resolves it against the caller's folder and asks the path policy. */
export interface FileParam {
  access: "read" | "write";
  /** Accepted file name endings with the dot; any when absent. */
  extensions?: readonly string[];
  /** Only this user may read the file: what is in it would let others in as them. */
  holdsSecrets?: true;
  /** The param is how names begin, and these are how they end: each of them is a file to be written. */
  suffixes?: readonly string[];
  /**
   * True when what the command is called for goes into this file: `--out` is refused, it would take no more than the
   * line that says so. With a param: not in calls that set it.
   */
  isAnswer?: boolean | { unless: string };
}

export interface PathParam extends FileParam {
  param: string;
}

/** A type and not an interface, since metadata are records. */
type Marks = {
  readonly address?: boolean;
  readonly tab?: boolean;
  readonly session?: boolean;
  readonly secret?: boolean;
  readonly host?: boolean;
  readonly file?: FileParam;
};

/** An address to load: dispatch completes it and asks the URL policy. */
const isAddress = v.metadata<string, Marks>({ address: true });
/** Names a tab: dispatch asks whose it is, and takes the call's `tab` where it is absent. */
const isTab = v.metadata<string, Marks>({ tab: true });
/** Names a session: dispatch takes it for the caller's own of that name. */
export const isSession = v.metadata<string, Marks>({ session: true });
/** Names a host: dispatch writes it as it is known here, and asks whether the caller may know of it. */
const isHost = v.metadata<string, Marks>({ host: true });
/** Never logged, journaled or echoed. */
export function isSecret<Input>(): v.MetadataAction<Input, Marks> {
  return v.metadata({ secret: true });
}

/** Names a file that is read. */
export function readsFile(file: Pick<FileParam, "extensions"> = {}): v.MetadataAction<string, Marks> {
  return v.metadata({ file: { access: "read", ...file } });
}

/** Names a file that is written. */
export function writesFile(file: Omit<FileParam, "access"> = {}): v.MetadataAction<string, Marks> {
  return v.metadata({ file: { access: "write", ...file } });
}

/** A selector, a `@ref`, or one of the `role=`, `text=`, `label=`, `placeholder=`, `testid=` forms. */
export const Target = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.maxLength(10_000),
  v.description('A @ref, a CSS selector, or role=button[name="Save"], text=…, label=…, placeholder=…, testid=…'),
);

export const Address = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.maxLength(100_000),
  v.description("Address; https:// is added to a bare host, http:// to localhost"),
  isAddress,
);

export const TabId = v.pipe(
  v.string(),
  v.regex(/^t\d+$/, "must be a tab id such as t2"),
  v.description("Tab id such as t2"),
  isTab,
);

export const Host = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.maxLength(10_000),
  v.description("One host, such as example.com or localhost:3000, or an address there"),
  isHost,
);

/** Beside a param that names a file to be written. */
export const Force = v.exactOptional(v.pipe(v.boolean(), v.description("Overwrite a file that browse did not make")));

/** A file name; pipe `readsFile` or `writesFile` behind it. */
export const FileName = v.pipe(v.string(), v.minLength(1, "must not be empty"));

/** What the gate has to know of a command's params, by name. */
export interface MarkedParams {
  paths: readonly PathParam[];
  urls: readonly string[];
  tabParams: readonly string[];
  sessionParams: readonly string[];
  hosts: readonly string[];
  secrets: readonly string[];
}

/** The marks in a schema of params, found once for each command. */
export function markedParams(schema: object): MarkedParams {
  const entries = Object.entries("entries" in schema ? (schema.entries as Record<string, object>) : {});
  const marked = entries.map(([param, entry]) => [param, marksOf(entry)] as const);
  const those = (mark: "address" | "tab" | "session" | "secret" | "host") =>
    marked.filter(([, marks]) => marks[mark]).map(([param]) => param);
  return {
    paths: marked.flatMap(([param, { file }]) => (file ? [{ param, ...file }] : [])),
    urls: those("address"),
    tabParams: those("tab"),
    sessionParams: those("session"),
    hosts: those("host"),
    secrets: those("secret"),
  };
}

interface AnySchema {
  wrapped?: AnySchema;
  item?: AnySchema;
  pipe?: readonly { type: string; metadata?: Marks }[];
}

/** Those of an optional param are its schema's, those of a list its items', too. */
function marksOf(schema: AnySchema): Marks {
  const own = (schema.pipe ?? []).filter(({ type }) => type === "metadata").map(({ metadata }) => metadata);
  const nested = (schema.pipe ?? []).slice(0, 1) as AnySchema[];
  const inner = [schema.wrapped, schema.item, ...nested].flatMap((each) =>
    each && each !== schema ? [marksOf(each)] : [],
  );
  return Object.assign({}, ...inner, ...own);
}
