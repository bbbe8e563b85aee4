/**
 * Calls to a daemon that may be absent, starting, busy or dying. A call is sent again exactly as far as that is safe:
 * freely until the daemon says `accepted`; after that only to the same daemon, which knows it by its id and answers
 * without running it twice.
 */
import { Failure, USE_A_FILE } from "./failure.ts";
import { BUSY_MS, GRACE_MS, MAX_MESSAGE_BYTES, MAX_SENDS, MAX_STARTS, PAUSE_MS } from "./limits.ts";
import { type Running, STOP, unreachable } from "./project.ts";
import { type ClientSocket, type Closing, openSocket } from "./socket.ts";

const SEE_LOG = "Run `browse doctor`, and see daemon.log";

/** Where daemons come from. */
export interface DaemonSource {
  /** The daemon that should be running now. */
  find(): Running | undefined;
  /** Starts one, or waits for one that is starting. `except` names one that took no connection, or answered wrongly. */
  start(except?: string): Promise<Running>;
  /** The version that its daemons must have; any when absent or empty. */
  version?: string;
}

export interface Reply {
  result?: unknown;
  error?: { code: number; message: string; data?: { kind?: string; hint?: string } };
}

export interface ExchangeOptions {
  clientId: string;
  source: DaemonSource;
  /** How long a call may take, if that was said: a daemon that says nothing for longer is not waited for. */
  limitMs?: number | undefined;
  /** Takes the notifications of the running call, all but `accepted`. */
  notice(method: string, params: Record<string, unknown>): void;
  /** Takes a sentence for stderr. */
  warn(text: string): void;
  /** The first call was sent by another process, under the same client's id: to this daemon, unless that is gone. */
  running?: Running | undefined;
  /** The daemon had accepted it. */
  isAccepted?: boolean;
}

/** One client's calls, one at a time, over one connection for as long as it lasts. */
export interface Exchange {
  /** Sends a call and resolves with its answer. `what` names it to the person should it get lost. Throws `Failure`. */
  call(method: string, params: object, what: string): Promise<Reply>;
  /** Answers what the running call asks; anything but text says that nobody is there. */
  reply(text: unknown): void;
  /** Tells the daemon to stop what runs; calls back when that is sent or cannot be. */
  cancel(done: () => void): void;
}

export function openExchange({ clientId, source, limitMs, notice, warn, ...earlier }: ExchangeOptions): Exchange {
  let { running, isAccepted = false } = earlier;
  let socket: ClientSocket | undefined;
  let lastId = 0;
  /** The id of the call that runs. */
  let ownId: string;
  let starts: number;
  /** Ends the wait of the call that runs. */
  let settle: ((outcome: Reply | Closing) => void) | undefined;
  /** Ends it without an answer. */
  let fail: (error: Failure) => void;
  let alarm: ReturnType<typeof setTimeout> | undefined;
  let ownWhat: string;

  async function call(method: string, params: object, what: string): Promise<Reply> {
    const [id, text] = request(method, params);
    let refusal: Failure | undefined;
    ownWhat = what;
    // No other than the first can have been sent before.
    isAccepted &&= lastId < 2;
    starts = 0;
    for (let sends = 1; sends <= MAX_SENDS; sends++) {
      const target = await targetOf();
      if (!target) break;
      const outcome = await send(target, id, text);
      if (!("reason" in outcome)) return outcome;
      if (!isAccepted) refusal = await recover(target, outcome);
      await pause(PAUSE_MS * 2 ** (sends - 1));
    }
    if (isAccepted) throw lost(what);
    throw refusal ?? new Failure("The daemon drops every connection", SEE_LOG);
  }

  /** The daemon to send to: any before acceptance, the one that accepted after it, undefined when that one is gone. */
  async function targetOf(): Promise<Running | undefined> {
    if (socket) return running;
    const found = source.find();
    if (isAccepted) return found?.identity === running?.identity ? found : undefined;
    if (!found) return await start();
    const { version } = source;
    if (!version || found.version === version) return found;
    const outcome = await send(found, ...request("daemon.handover", { version }));
    drop();
    const refusal = "reason" in outcome ? undefined : refusalOf(found, version, outcome);
    if (refusal) throw refusal;
    warn(`The daemon is of version ${found.version}; starting version ${version}`);
    return await start(found.identity);
  }

  function drop(): void {
    socket?.destroy();
    socket = undefined;
  }

  async function start(except?: string): Promise<Running> {
    if (++starts <= MAX_STARTS) return await source.start(except);
    throw new Failure(`The daemon died ${MAX_STARTS} times in a row`, SEE_LOG);
  }

  /**
   * After a send that was not accepted: makes sure that there is a daemon to send to. Gives what is wrong with one that
   * may yet write down another token.
   */
  async function recover({ identity, pid }: Running, { reason, status }: Closing): Promise<Failure | undefined> {
    if (reason === "closed") return undefined;
    if (status !== 401) await start(identity);
    else if (source.find()?.identity === identity) {
      const hint = pid ? `End it with ${STOP}` : "Check BROWSE_TOKEN";
      const refusal = new Failure("The daemon does not accept the token", hint, "unauthorized");
      if (pid) return refusal;
      throw refusal;
    }
    return undefined;
  }

  function send(target: Running, id: string, text: string): Promise<Reply | Closing> {
    return new Promise((resolve, reject) => {
      running = target;
      ownId = id;
      fail = reject;
      settle = (outcome) => {
        clearTimeout(alarm);
        resolve(outcome);
      };
      awaitWord();
      if (socket) socket.send(text);
      else socket = open(target, text, reject);
    });
  }

  /** Gives up when the daemon says nothing for longer than the call may take. */
  function awaitWord(): void {
    clearTimeout(alarm);
    if (limitMs === undefined) return;
    alarm = setTimeout(() => {
      // Should it go on, it is not to do what nobody waits for.
      api.cancel(() => {});
      fail(silent(running?.pid ?? 0, limitMs, ownWhat, isAccepted));
    }, limitMs + GRACE_MS);
  }

  function open({ address, pid }: Running, text: string, reject: (error: Failure) => void): ClientSocket {
    const busy = setTimeout(() => {
      if (opened.isConnected()) return warn(`The daemon (process ${pid}) is busy; still waiting`);
      reject(unreachable(pid));
      opened.destroy();
    }, BUSY_MS);
    const opened = openSocket(address, clientId, text, {
      open: () => clearTimeout(busy),
      message: take,
      close(closing) {
        clearTimeout(busy);
        if (socket !== opened) return;
        socket = undefined;
        settle?.(closing);
      },
    });
    return opened;
  }

  function request(method: string, params: object): [id: string, text: string] {
    const id = String(++lastId);
    const text = message(method, params, id);
    if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return [id, text];
    throw new Failure("The command and its input are over 16 MB", USE_A_FILE, "too_large");
  }

  function take(text: string): void {
    const { id, method, params, ...reply } = JSON.parse(text);
    if (method === undefined) {
      if (id === ownId || id === null) settle?.(reply);
    } else if (params?.id === ownId) {
      awaitWord();
      if (method === "accepted") isAccepted = true;
      else notice(method, params);
    }
  }

  const api: Exchange = {
    call,
    reply(text) {
      socket?.send(message("call.reply", { id: ownId, text }));
    },
    cancel(done) {
      if (!socket || !settle) return done();
      // What it answers now is not what the person waits for.
      settle = undefined;
      socket.send(message("call.cancel", { id: ownId }));
      socket.end(200, done);
    },
  };
  return api;
}

/** Why a daemon of another version stays, in its own words; undefined when it goes. */
function refusalOf(running: Running, version: string, { result, error }: Reply): Failure | undefined {
  const { restarting, reason, command } = (result ?? {}) as { restarting?: boolean; reason?: string; command?: string };
  if (restarting) return undefined;
  return new Failure(
    `The daemon is of version ${running.version}, not ${version}, and stays: ${reason ?? error?.message}`,
    `Run ${command ? `\`${command}\`` : STOP}, then the command again`,
    "unsupported",
  );
}

function message(method: string, params: object, id?: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function lost(what: string): Failure {
  return new Failure(
    `The daemon died while it ran \`${what}\`; it may or may not have happened`,
    "Its tabs are gone: open the page and look before you repeat it",
    "outcome_unknown",
  );
}

/** A daemon that hangs may go on, and then do what it was sent: it never counts as undone. */
export function silent(pid: number, limitMs: number, what: string, isAccepted: boolean): Failure {
  return new Failure(
    `The daemon${pid ? ` (process ${pid})` : ""} gave no answer in ${limitMs} ms: \`${what}\` may or may not have happened`,
    `Look before you repeat it${pid ? `; ${STOP} ends a daemon that hangs` : ""}`,
    isAccepted ? "outcome_unknown" : "timeout",
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
