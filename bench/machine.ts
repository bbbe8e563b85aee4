import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { chromiumExecutable } from "../browser/install/executable.ts";
import { runProcess } from "./run_process.ts";

/** What the figures were measured on. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGigabytes: number;
  system: string;
  node: string;
  chromium: string;
}

export async function describeMachine(): Promise<Machine> {
  const { path } = await chromiumExecutable(process.env.BROWSE_CHROMIUM);
  const version = await runProcess([path, "--version"], { cwd: process.cwd() });
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    chromium: /[\d.]+/.exec(version)?.[0] ?? version.trim(),
  };
}
