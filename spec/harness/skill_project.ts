/** Skills made and run as a person at the user's terminal does, in a project of their own. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SkillStore } from "../../skills/store/skill_store.ts";
import { TrustFile } from "../../skills/store/trust_file.ts";
import { atTerminal } from "./person_at_terminal.ts";
import { Project } from "./project.ts";

/** The real client, without a terminal. */
const ALONE = { env: { LANG: "C" } };

export class SkillProject extends Project {
  get home(): string {
    return join(this.dir, "home");
  }

  skillDir(name: string): string {
    return join(this.stateDir, "skills", name);
  }

  script(name: string): string {
    return readFileSync(join(this.skillDir(name), "script.ts"), "utf8");
  }

  /** The commands that its script calls, in order. */
  callsOf(name: string): string[] {
    return [...this.script(name).matchAll(/await browse\.(\w+)/g)].map(([, command = ""]) => command);
  }

  /** With a person who says yes. Gives what the terminal showed. */
  async codify(name: string, ...argv: string[]): Promise<string> {
    const shown = await this.atTerminal(["skill", "codify", name, ...argv], "y");
    if (!existsSync(this.skillDir(name))) throw new Error(`No skill was made: ${shown}`);
    return shown;
  }

  async atTerminal(argv: readonly string[], answer: string): Promise<string> {
    const env = { BROWSE_STATE_DIR: this.stateDir, BROWSE_HOME: this.home };
    return await atTerminal(argv, { cwd: this.dir, env, answer });
  }

  /** What a run of it gives, its actions approved. */
  async resultOf(name: string, ...argv: string[]): Promise<unknown> {
    const { hash } = new SkillStore({ stateDir: this.stateDir, home: this.home }).find(name);
    await new TrustFile(join(this.home, "skills")).agree(hash, name, { trusted: false, approved: true });
    const { stdout, stderr, exitCode } = await this.cli(["skill", "run", name, ...argv, "--json"], ALONE);
    if (exitCode !== 0)
      throw new Error(`${stderr}\n${this.script(name)}\n${await this.run("journal", "--last", "15")}`);
    return (JSON.parse(stdout) as { value: unknown }).value;
  }

  /** Why nothing is made of it. */
  async cannotCodify(...argv: string[]): Promise<string> {
    const { stderr, exitCode } = await this.cli(["skill", "codify", ...argv], ALONE);
    if (exitCode === 0) throw new Error("A skill was made");
    return stderr;
  }
}
