/** What commands may ask of the daemon about those who are let in from elsewhere. Built in `rpc/wire/doors.ts`. */
import type { TunnelStatus } from "../rpc/wire/tunnel.ts";
import type { DenialLine } from "../security/tokens/denials.ts";
import type { GrantRequest } from "../security/tokens/grant.ts";
import type { Token } from "../security/tokens/token.ts";

export type { DenialLine, TunnelStatus };

export interface RemoteAccess {
  /** Makes a pairing key. Throws `invalid_params`, `forbidden` and `tab_gone` before it changes anything. */
  pair(request: PairRequest, options: PairOptions): Promise<Pairing>;
  /** Those whose token holds now. */
  agents(): Agent[];
  /** Those who have not used their key yet. */
  waiting(): WaitingKey[];
  /** Ends the token and the keys of that name at once; false when there are none. */
  unpair(name: string): boolean;
  openTunnel(signal: AbortSignal): Promise<TunnelStatus>;
  /** False when it is not open. */
  closeTunnel(): Promise<boolean>;
  tunnel(): TunnelStatus;
  /** The newest of the user's record of denials, in order of time. */
  denials(last: number): DenialLine[];
  /** How many were refused since the daemon started. */
  readonly denialCount: number;
}

/** Without a name it gets one. */
export interface PairRequest extends Omit<GrantRequest, "name" | "fileRoots">, Partial<Pick<GrantRequest, "name">> {
  /** Folders that it may read and write, as they were typed. */
  files?: readonly string[];
}

export interface PairOptions {
  /** Who pairs: nobody can give more than they have. */
  by: Token;
  /** Where relative paths start. */
  cwd: string;
  signal: AbortSignal;
}

/** What an agent was granted. */
export interface Authority {
  name: string;
  scopes: string[];
  tabs: "own" | "all";
  /** Tabs of others that it may use. */
  shared: string[];
  /** Any host when absent. */
  domains?: string[];
  /** May it open addresses of this machine and its network? */
  isPrivateGranted: boolean;
  /** Folders that it may read and write, beside artifacts of its own. */
  files: string[];
  /** Is it let in by the tunnel? */
  isTunnelled: boolean;
  perSecond?: number;
}

export interface WaitingKey {
  name: string;
  /** ISO 8601. */
  keyExpiresAt: string;
}

export interface Agent extends Authority {
  /** ISO 8601. */
  expiresAt?: string;
}

export interface Pairing extends Authority {
  key: string;
  /** Of the key; ISO 8601. */
  keyExpiresAt: string;
  /** How long the token will hold. */
  ttlMs: number;
  /** The origin to use the key at. */
  url: string;
  /** A wider or longer grant that this name had ended with this call. */
  isNarrowed: boolean;
}
