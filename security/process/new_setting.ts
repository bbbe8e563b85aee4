/**
 * How a running daemon comes to another environment: it keeps the one it was started with, and hands that on to its
 * successor when it is restarted. `change` says what to set.
 */
export function inNewDaemon(change: string): string {
  return `${change}, then run \`browse stop\`: the next command starts a daemon with it`;
}
