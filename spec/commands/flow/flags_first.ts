/** Calls whose own flags stand before the name, since all that follows it belongs to another command. */
import type { Project } from "../../harness/project.ts";

export async function json<T>(
  project: Project,
  argv: readonly string[],
  stdin?: string,
): Promise<T & { exitCode: number }> {
  const { stdout, stderr, exitCode } = await called(project, argv, stdin);
  if (stdout === "") throw new Error(stderr);
  return { ...(JSON.parse(stdout) as T), exitCode };
}

export async function refusal(project: Project, argv: readonly string[], stdin?: string) {
  const { stderr, exitCode } = await called(project, argv, stdin);
  return { ...(JSON.parse(stderr) as { error: { kind: string; message: string } }).error, exitCode };
}

async function called(project: Project, argv: readonly string[], stdin?: string) {
  return await project.cli(["--json", ...argv], stdin === undefined ? {} : { stdin });
}
