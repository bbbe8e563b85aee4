/** Hosts that a connection is remembered to have been told of. */
const MAX_TOLD = 1_000;

/** What one connection, which asked for advice, has been told. */
export class ToldHosts {
  readonly #hosts = new Set<string>();

  /** It could not be told after all: the next time it is new again. */
  forget(host: string): void {
    this.#hosts.delete(host);
  }

  /** Was it told now for the first time? */
  isNew(host: string): boolean {
    if (this.#hosts.has(host) || this.#hosts.size >= MAX_TOLD) return false;
    this.#hosts.add(host);
    return true;
  }
}
