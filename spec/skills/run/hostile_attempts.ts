// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are scripts as text
/** What a script may try that has nothing but Node: each attempt by name, as the body of a function. */

/** Given to the attempts: files outside of the skill's folder, one of which is there. */
export interface Targets {
  secret: string;
  free: string;
  port: number;
}

/** Why an attempt fails that is denied: by the permission model or ours, by a flag, or by there being no such thing. */
export const DENIED: ReadonlySet<string> = new Set([
  "ERR_ACCESS_DENIED",
  "ERR_DLOPEN_DISABLED",
  "ERR_UNKNOWN_BUILTIN_MODULE",
  "ERR_MODULE_NOT_FOUND",
  "MODULE_NOT_FOUND",
]);

/** Reading what is not its own. */
export const READS: Record<string, string> = {
  "a file": "fs.readFileSync(t.secret)",
  "a file by another spelling": "fs.readFileSync(t.own + '/../' + t.secret.split('/').at(-1))",
  "a file by its bytes": "fs.readFileSync(Buffer.from(t.secret))",
  "a file by its URL": "fs.readFileSync(url.pathToFileURL(t.secret))",
  "a file by promise": "await fs.promises.readFile(t.secret)",
  "a file by a stream": "await events.once(fs.createReadStream(t.secret), 'data')",
  "a file by its descriptor": "fs.openSync(t.secret)",
  "a file as a blob": "await (await fs.openAsBlob(t.secret)).text()",
  "a file as a module": "await import(t.secret, { with: { type: 'json' } })",
  "a file by require": "nodeModule.createRequire(t.own + '/x.js')(t.secret)",
  "a file as settings": "process.loadEnvFile(t.secret)",
  "a folder whose name begins as its own": "fs.readFileSync(t.own + '-beside/secret.txt')",
  "whether a file is there": "fs.statSync(t.secret)",
  "a listing": "fs.readdirSync('/')",
  "a copy": "fs.cpSync(t.secret, t.own + '/copy')",
  "a link's target": "fs.readlinkSync('/proc/self/exe')",
  "its own environment as it was": "fs.readFileSync('/proc/self/environ')",
  "its parent's environment": "fs.readFileSync(`/proc/${process.ppid}/environ`)",
  "its descriptors": "fs.readdirSync('/proc/self/fd')",
  "the disk's size": "fs.statfsSync('/')",
  "a watch": "fs.watch(t.secret)",
  "a database": "new (await import('node:sqlite')).DatabaseSync(t.secret)",
  "an attached database":
    "new (await import('node:sqlite')).DatabaseSync(':memory:').exec(`attach '${t.free}' as a; create table a.b(c)`)",
};

/** Leaving something on the disk. */
export const WRITES: Record<string, string> = {
  "a file": "fs.writeFileSync(t.free, 'x')",
  "its own folder": "fs.writeFileSync(t.own + '/mine', 'x')",
  "its own script": "fs.appendFileSync(t.own + '/script.ts', '//')",
  "a temporary folder": "fs.mkdtempSync('/tmp/browse-hostile-')",
  "a link": "fs.symlinkSync(t.secret, t.own + '/link')",
  "a hard link": "fs.linkSync(t.secret, t.own + '/link')",
  "a removal": "fs.rmSync(t.own + '/client.ts')",
  "a rename": "fs.renameSync(t.own + '/client.ts', t.own + '/c.ts')",
  "a mode": "fs.chmodSync(t.own + '/client.ts', 0o777)",
  "a time": "fs.utimesSync(t.own + '/client.ts', 1, 1)",
  "a report": "process.report.writeReport(t.free)",
  "a heap snapshot": "v8.writeHeapSnapshot(t.free)",
  "a trace": "process.getBuiltinModule('node:trace_events').createTracing({ categories: ['node'] }).enable()",
  "a flag of V8 that writes": "v8.setFlagsFromString('--trace-turbo-path=/tmp')",
};

/** Starting something, or running what is no script. */
export const STARTS: Record<string, string> = {
  "a process": "child.spawnSync('/bin/true').error ? (() => { throw child.spawnSync('/bin/true').error })() : 1",
  "a shell": "child.execSync('true')",
  "a fork": "child.fork(t.own + '/script.ts')",
  "a cluster":
    "const c = process.getBuiltinModule('node:cluster'); c.setupPrimary({ exec: t.own + '/script.ts' }); c.fork()",
  "a worker": "new (process.getBuiltinModule('node:worker_threads').Worker)('1', { eval: true })",
  "another program in its place": "process.execve('/bin/true', ['true'])",
  "an addon": "process.dlopen({ exports: {} }, t.secret)",
  "a binding": "process.binding('spawn_sync')",
  "a linked binding": "process._linkedBinding('spawn_sync')",
  "an inspector": "process.getBuiltinModule('node:inspector').open(0)",
  "an inspector's session": "new (process.getBuiltinModule('node:inspector').Session)().connect()",
  WASI: "new (process.getBuiltinModule('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } })",
  "foreign functions": "(await import('node:ffi')).dlopen('libc.so.6')",
};

/** Reaching other processes. */
export const SIGNALS: Record<string, string> = {
  "a signal to its parent": "process.kill(process.ppid, 0)",
  "a signal by the inner way": "if (process._kill(process.ppid, 0) === 0) return 1; else throw denied()",
  "a debugger in its parent": "process._debugProcess(process.ppid)",
  "its parent's priority": "os.setPriority(process.ppid, 5)",
  "its parent's priority, by import": "(await import('node:os')).setPriority(process.ppid, 5)",
  "another user": "process.setuid(1)",
};

/** Speaking to anybody but the daemon. */
export const CONNECTIONS: Record<string, string> = {
  "a connection": "await events.once(net.connect(t.port, '127.0.0.1'), 'connect')",
  "a request": "await fetch(`http://127.0.0.1:${t.port}/`)",
  "a request by http":
    "await events.once(process.getBuiltinModule('node:http').get(`http://127.0.0.1:${t.port}/`), 'response')",
  "a WebSocket":
    "const s = new WebSocket(`ws://127.0.0.1:${t.port}/`); await new Promise((done, fail) => { s.onopen = done; s.onerror = () => fail(denied()) })",
  "a datagram":
    "const s = process.getBuiltinModule('node:dgram').createSocket('udp4'); await new Promise((done, fail) => { s.on('error', fail); s.send('x', t.port, '127.0.0.1', (e) => (e ? fail(e) : done())) })",
  "a listener":
    "const s = net.createServer(); await new Promise((done, fail) => { s.on('error', fail); s.listen(0, done) })",
  "a name": "await process.getBuiltinModule('node:dns').promises.lookup('localhost')",
  "a name by a query": "await process.getBuiltinModule('node:dns').promises.resolve4('example.com')",
  "a socket in the file system": "await events.once(net.connect('/tmp/nowhere.sock'), 'connect')",
};

/** The script's body: gives, of each attempt, what it got or why it got nothing. */
export function trying(attempts: Record<string, string>, targets: Targets): string {
  const each = Object.entries(attempts).map(
    ([name, body]) =>
      `  ${JSON.stringify(name)}: async () => { ${/^(?:if|const) /.test(body) ? body : `return ${body}`} },`,
  );
  return `
const [fs, os, v8, net, url, events, child, nodeModule] = ["fs", "os", "v8", "net", "url", "events", "child_process", "module"].map((n) => process.getBuiltinModule("node:" + n));
const t = { ...${JSON.stringify(targets)}, own: process.cwd() };
const denied = () => Object.assign(new Error("denied"), { code: "ERR_ACCESS_DENIED" });
process.on("uncaughtException", () => {});
const attempts = {
${each.join("\n")}
};
const outcomes = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try { await attempt(); outcomes[name] = "got through"; }
  catch (error) { outcomes[name] = error?.cause?.code ?? error?.code ?? String(error); }
}
return outcomes;`;
}
