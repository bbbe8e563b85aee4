/**
 * Descriptors that the daemon itself was started with, by a shell or an agent, and that its children would get too: Node closes
 * those of low numbers only.
 */
import { readdirSync, readFileSync } from "node:fs";

/** As in Linux's fcntl.h. */
const CLOSE_ON_EXEC = 0o2000000;
/** A list with a place for each is made of them. */
const HIGHEST = 4_096;

/** Their numbers, beside the first three; none where the system does not say. */
export function inheritedDescriptors(): number[] {
  return listed()
    .map(Number)
    .filter((descriptor) => descriptor > 2 && descriptor <= HIGHEST && isInherited(descriptor));
}

function listed(): string[] {
  try {
    return readdirSync("/proc/self/fd");
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was the list's own.
    return false;
  }
}
