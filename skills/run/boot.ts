/** What runs first in the process of a skill: it takes away what no wall stops, and then runs what it is sent. */

export interface BootOptions {
  isSandboxed: boolean;
  /** Does Node keep it off the network? */
  hasNetworkWall: boolean;
}

/**
 * The program as text for `node -e`: that way it is the same from source and from a bundle, and the process needs leave to
 * read nothing but the skill's own folder.
 */
export function bootSource({ isSandboxed, hasNetworkWall }: BootOptions): string {
  return `(${boot})(${isSandboxed}, ${hasNetworkWall}, (url) => import(url))`;
}

/** As in `rpc/protocol.ts`. */
interface Told {
  id?: unknown;
  method?: string;
  params?: {
    id: string;
    args: unknown;
    script: string;
    client: string;
    sources: Record<string, string>;
    answers: unknown[];
  };
  error?: { message: string };
}

interface SkillModule {
  main: (browse: unknown, args: unknown, own: { log: (...words: unknown[]) => void }) => unknown;
  parse?: (answer: unknown) => unknown;
}

interface Sdk {
  connect: (options: { ipc: boolean; client: string }) => Promise<unknown>;
}

/**
 * Stands alone: no imports, `load` in the place of those that are written down, since tests and bundlers have their own; and no named functions inside but methods, since bundlers that keep names would wrap those in a
 * call of something that is not here.
 */
function boot(isSandboxed: boolean, hasNetworkWall: boolean, load: (url: string) => Promise<unknown>): void {
  const nodeModule = process.getBuiltinModule("node:module");
  const { fileURLToPath, pathToFileURL } = process.getBuiltinModule("node:url");
  const send = process.send?.bind(process);
  const program = {
    /** By address: all that is imported of the skill's folder. */
    sources: new Map<string, string>(),
    /** Address of the skill's folder. */
    folder: "",
    ready: undefined as Promise<[SkillModule, unknown]> | undefined,
    records: ["Any", "4", "6", "Caa", "Cname", "Mx", "Naptr", "Ns", "Ptr", "Soa", "Srv", "Tlsa", "Txt"].map(
      (type) => `resolve${type}`,
    ),
    /** Of the job that runs. */
    job: "",
    take(this: void, text: unknown): void {
      const { id, method, params, error } = JSON.parse(String(text)) as Told;
      if (method === "skill.load" && params) {
        program.keep(params.script, params.sources);
        program.ready = program.load(params.script, params.client);
        // Each job tells of it.
        program.ready.catch(() => undefined);
      }
      if (method === "skill.job" && params) void program.run(params.id, params.args);
      if (method === "skill.parse" && params) {
        program.keep(params.script, params.sources);
        void program.parse(params.id, params.script, params.answers);
      }
      if (method === "skill.test" && params) {
        program.keep(params.script, params.sources);
        // They are done when nothing of theirs is left to do.
        process.channel?.unref();
        void load(params.script);
      }
      // The daemon could not read what was sent last: a result that is nested too deep.
      if (id === null && error) void program.tell(program.job, { error: { message: error.message } });
    },
    keep(script: string, sources: Record<string, string>): void {
      program.sources = new Map(Object.entries(sources));
      program.folder = script.slice(0, script.lastIndexOf("/") + 1);
    },
    async load(script: string, client: string): Promise<[SkillModule, unknown]> {
      const { connect } = (await load(client)) as Sdk;
      const connected = connect({ ipc: isSandboxed, client: "skill" });
      const [loaded, browse] = await Promise.all([load(script) as Promise<SkillModule>, connected]);
      if (typeof loaded.main !== "function") throw new TypeError("script.ts exports no function `main`");
      return [loaded, browse];
    },
    async run(id: string, args: unknown): Promise<void> {
      program.job = id;
      try {
        const [{ main }, browse] = await (program.ready ?? Promise.reject(new Error("Nothing is loaded")));
        const value = await main(browse, args, { log: console.error.bind(console) });
        await program.tell(id, { value: value === undefined ? null : value });
      } catch (error) {
        await program.tell(id, { error: program.described(error) });
      }
    },
    async parse(id: string, script: string, answers: unknown[]): Promise<void> {
      try {
        const { parse } = (await load(script)) as SkillModule;
        if (typeof parse !== "function") throw new TypeError("script.ts exports no function `parse`");
        await program.tell(id, { value: await Promise.all(answers.map((answer) => parse(answer))) });
      } catch (error) {
        await program.tell(id, { error: program.described(error) });
      }
    },
    /** However the script spells it: the address as `sources` have it, or nothing for what is no file. */
    plain(specifier: string, from?: string): string {
      const url = URL.parse(specifier, from);
      if (url?.protocol !== "file:") return "";
      url.search = url.hash = "";
      try {
        return pathToFileURL(fileURLToPath(url)).href;
      } catch {
        return url.href;
      }
    },
    /** Behind the walls there is no other file to import; a trusted script has the rest of the disk. */
    isOurs(address: string): boolean {
      return isSandboxed ? address !== "" : program.folder !== "" && address.startsWith(program.folder);
    },
    refuse(address: string): never {
      throw Object.assign(new Error(`Skills import only what was read with them, and not ${JSON.stringify(address)}`), {
        code: "ERR_ACCESS_DENIED",
      });
    },
    formatOf(address: string): string {
      if (address.endsWith(".json")) return "json";
      return address.endsWith(".cjs") || address.endsWith(".cts") ? "commonjs" : "module";
    },
    described(error: unknown): object {
      if (!(error instanceof Error)) return { message: `It threw ${String(error)}` };
      const { message, kind, hint, stack } = error as Error & { kind?: unknown; hint?: unknown };
      return {
        message: String(message),
        stack: String(stack),
        ...(typeof kind === "string" && { kind }),
        ...(typeof hint === "string" && { hint }),
      };
    },
    async tell(id: string, outcome: object): Promise<void> {
      // What was printed comes first: with the result, the process is ended.
      for (const stream of [process.stdout, process.stderr]) {
        if (stream.writableLength > 0) await new Promise((resolve) => stream.write("", resolve));
      }
      send?.(JSON.stringify({ jsonrpc: "2.0", method: "skill.result", params: { id, ...outcome } }));
    },
    /** Of what the permission model leaves, what reaches other processes, or files by the way of V8. */
    takeAway(): void {
      const os = process.getBuiltinModule("node:os");
      const v8 = process.getBuiltinModule("node:v8");
      const processes = [
        "kill",
        "_kill",
        "_debugProcess",
        "_debugEnd",
        "execve",
        "dlopen",
        "binding",
        "_linkedBinding",
      ];
      const users = ["setuid", "setgid", "seteuid", "setegid", "setgroups", "initgroups"];
      for (const name of [...processes, ...users]) program.forbid(process, name);
      program.forbid(os, "setPriority");
      for (const name of ["setFlagsFromString", "writeHeapSnapshot", "setHeapSnapshotNearHeapLimit"])
        program.forbid(v8, name);
      if (!hasNetworkWall) program.takeNetwork();
      nodeModule.syncBuiltinESMExports();
    },
    takeNetwork(): void {
      const { Socket, Server } = process.getBuiltinModule("node:net");
      const { Socket: Datagrams } = process.getBuiltinModule("node:dgram");
      const dns = process.getBuiltinModule("node:dns");
      program.forbid(Socket.prototype, "connect");
      program.forbid(Server.prototype, "listen");
      for (const name of ["bind", "connect", "send", "sendto"]) program.forbid(Datagrams.prototype, name);
      for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
        for (const name of ["lookup", "lookupService", "reverse", "resolve", ...program.records])
          program.forbid(owner, name);
      }
    },
    forbid(owner: object, name: string): void {
      if (!(name in owner)) return;
      const value = () => {
        throw Object.assign(new Error(`Skills may not use "${name}"`), { code: "ERR_ACCESS_DENIED" });
      };
      Object.defineProperty(owner, name, { value, configurable: false, writable: false });
    },
  };
  if (isSandboxed) program.takeAway();
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      const isPath = /^(?:\.{0,2}\/|file:)/.test(specifier);
      const wanted = isPath ? program.plain(specifier, context.parentURL) : "";
      // The disk is not asked whether it is there: by now it may be something else.
      if (program.sources.has(wanted)) {
        return { url: URL.parse(specifier, context.parentURL)?.href ?? wanted, shortCircuit: true };
      }
      const found = next(specifier, context);
      // Such as a link that has come to be there, and leads elsewhere.
      if (program.isOurs(wanted) && !program.sources.has(program.plain(found.url))) program.refuse(wanted);
      return found;
    },
    load: (url, context, next) => {
      const address = program.plain(url);
      const source = program.sources.get(address);
      if (source !== undefined) return { format: program.formatOf(address), source, shortCircuit: true };
      return program.isOurs(address) ? program.refuse(address) : next(url, context);
    },
  });
  // Nothing is left to do where nobody is left to hear of it.
  process.once("disconnect", () => process.exit());
  process.on("message", program.take);
}
