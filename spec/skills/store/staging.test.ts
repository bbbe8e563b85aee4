import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SkillStore } from "../../../skills/store/skill_store.ts";
import { Staging } from "../../../skills/store/staging.ts";

let root: string;
let home: string;
let to: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "browse-staging-")));
  home = join(root, "home");
  to = join(root, "state/skills/shop");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const staged = () => readdirSync(join(home, ".tmp")).filter((name) => name !== ".gitignore");

describe("staging", () => {
  it("becomes the skill by a rename, readable by this user alone", async () => {
    using staging = Staging.open(home);
    await staging.write("SKILL.md", "a");
    await staging.write("fixtures/a.html", "b");
    expect(existsSync(to)).toBe(false);
    staging.commit(to);
    expect(readFileSync(join(to, "fixtures/a.html"), "utf8")).toBe("b");
    expect([to, join(to, "SKILL.md")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(staged()).toEqual([]);
  });

  it("leaves nothing when it is given up", async () => {
    {
      using staging = Staging.open(home);
      await staging.write("SKILL.md", "a");
    }
    expect(staged()).toEqual([]);
  });

  it.each(["../x", "/etc/x", "a/../../x", "", ".", "a//b", ".hidden", "a\\..\\b", "a\nb", "a/b/c/d/e"])(
    "writes nothing under the name %j",
    async (name) => {
      using staging = Staging.open(home);
      await expect(staging.write(name, "x")).rejects.toMatchObject({ kind: "invalid_params" });
      expect(readdirSync(staging.dir)).toEqual([]);
    },
  );

  it("writes no name twice, and no more than a skill has", async () => {
    using staging = Staging.open(home);
    await staging.write("a", "1");
    await expect(staging.write("a", "2")).rejects.toThrow('Cannot write "a": there is one already');
    await expect(staging.write("b", Buffer.alloc(5_000_001))).rejects.toMatchObject({ kind: "too_large" });
  });

  it("takes the place of nothing that is there: a skill, an empty folder, a file, a link", async () => {
    mkdirSync(join(root, "state/skills"), { recursive: true });
    const there = [
      () => mkdirSync(to),
      () => writeFileSync(to, "mine"),
      () => symlinkSync(home, to),
      () => symlinkSync(join(root, "nowhere"), to),
    ];
    for (const make of there) {
      make();
      using staging = Staging.open(home);
      await staging.write("SKILL.md", "a");
      expect(() => staging.commit(to)).toThrow(`Cannot use "${to}": there is one already`);
      rmSync(to, { recursive: true });
    }
  });

  it("is won by one of two that commit at once", async () => {
    const both = [Staging.open(home), Staging.open(home)];
    for (const staging of both) await staging.write("SKILL.md", "a");
    const outcomes = both.map((staging) => {
      try {
        staging.commit(to);
        return "made";
      } catch {
        return "refused";
      }
    });
    expect(outcomes).toEqual(["made", "refused"]);
  });

  it("keeps what another live process has staged, and clears what a dead one has", async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "programs/writer.ts"), root, "hold"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    const own = Staging.open(home);
    const ofChild = () => staged().filter((name) => name.startsWith(`${child.pid}-`)).length;
    expect(ofChild()).toBe(1);
    child.kill("SIGKILL");
    await once(child, "close");
    expect(ofChild()).toBe(1);
    Staging.open(home).discard();
    expect(ofChild()).toBe(0);
    expect(existsSync(own.dir)).toBe(true);
  });
});

/** Numbers from 0 to 1 (mulberry32). */
function* drawn(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}

describe("a process that is killed while it makes skills", () => {
  it("leaves whole ones only, whenever that is", { timeout: 60_000 }, async () => {
    const draw = drawn(20261125);
    const store = new SkillStore({ stateDir: join(root, "state"), home });
    let made = 0;
    let cutShort = 0;
    for (let kill = 0; kill < 8; kill++) {
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, "programs/writer.ts"), root, "skills", String(made)],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      await once(child.stdout, "data");
      await delay(draw.next().value * 20);
      child.kill("SIGKILL");
      await once(child, "close");
      cutShort += staged().length > 0 ? 1 : 0;
      const { skills, broken, problems } = await store.list();
      expect([broken, problems]).toEqual([[], []]);
      made = skills.filter(({ tier }) => tier === "project").length;
      expect(readdirSync(store.folders.project)).toHaveLength(made);
    }
    // Else nothing was tested.
    expect(cutShort).toBeGreaterThan(0);
    Staging.open(home).discard();
    expect(staged()).toEqual([]);
  });
});
