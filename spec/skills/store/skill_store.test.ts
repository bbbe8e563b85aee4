import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SkillStore } from "../../../skills/store/skill_store.ts";
import { FRONT, writeSkill } from "./skill_folders.ts";

let root: string;
let store: SkillStore;
let project: string;
let user: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "browse-skills-")));
  store = new SkillStore({ stateDir: join(root, "state"), home: join(root, "home") });
  ({ project, user } = store.folders);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Those that we make, without those that ship. */
async function listed() {
  const { skills, broken, problems } = await store.list();
  const own = skills.filter(({ tier }) => tier !== "bundled");
  return {
    skills: own.map(({ name, tier }) => [name, tier]),
    broken: broken.map(({ name, reason }) => [name, reason]),
    problems,
  };
}

describe("the tiers", () => {
  it("has none where there are no folders", async () => {
    expect(await listed()).toEqual({ skills: [], broken: [], problems: [] });
  });

  it("takes the first of a name, and says which it shadows", async () => {
    writeSkill(user, "shop");
    writeSkill(user, "mail");
    writeSkill(project, "shop");
    expect((await listed()).skills).toEqual([
      ["mail", "user"],
      ["shop", "project"],
    ]);
    expect(store.find("shop")).toMatchObject({ tier: "project", shadows: ["user"], dir: join(project, "shop") });
    expect(store.find("mail")).toMatchObject({
      tier: "user",
      shadows: [],
      sdk: "current",
      trusted: false,
      approved: false,
    });
  });

  it("does not go on to the next tier where the first one is broken", async () => {
    writeSkill(user, "shop");
    writeSkill(project, "shop", { "script.ts": undefined });
    expect(await listed()).toMatchObject({ skills: [], broken: [["shop", "it has no script.ts"]] });
    expect(() => store.find("shop")).toThrow('The skill "shop" is broken: it has no script.ts');
  });

  it("names the nearest for a name that is none", () => {
    writeSkill(user, "stories");
    expect(() => store.find("storys")).toThrow('There is no skill "storys" (did you mean "stories"?)');
    for (const name of ["", "..", ".tombstones", "../user/shop", "a/b", "."])
      expect(() => store.find(name)).toThrow("There is no skill");
  });
});

describe("a broken skill", () => {
  it.each<[string, Record<string, string | Buffer | undefined>, string]>([
    ["no manifest", { "SKILL.md": undefined }, "it has no SKILL.md"],
    ["no script", { "script.ts": undefined }, "it has no script.ts"],
    ["another name", { "SKILL.md": `---\nname: other\n${FRONT}\n---\n` }, 'SKILL.md calls it "other"'],
    [
      "a huge manifest",
      { "SKILL.md": `---\nname: shop\n${FRONT}\n---\n${"x".repeat(65_536)}` },
      "SKILL.md is over 65536 bytes",
    ],
    ["too many bytes", { "fixtures/big.html": Buffer.alloc(5_000_001) }, "its files are over 5000000 bytes"],
    ["a manifest of other bytes", { "SKILL.md": Buffer.of(0xff, 0xfe, 0x2d) }, "SKILL.md is not UTF-8"],
  ])("is told for %s", async (_, files, reason) => {
    writeSkill(project, "shop", files);
    expect((await listed()).broken).toEqual([["shop", reason]]);
  });

  it("is told for too many files, and for folders in folders", async () => {
    writeSkill(project, "many", Object.fromEntries(Array.from({ length: 198 }, (_, index) => [`f/${index}`, ""])));
    writeSkill(project, "deep", { [`${"d/".repeat(20)}x`]: "" });
    expect((await listed()).broken).toEqual([
      ["deep", "its folders are nested too deep"],
      ["many", "it has over 200 files"],
    ]);
  });

  it("is told for a folder that is called as no skill is", async () => {
    mkdirSync(join(project, "My Skill"), { recursive: true });
    const [[name, reason] = []] = (await listed()).broken;
    expect([name, reason]).toEqual(["My Skill", expect.stringContaining("the name of its folder")]);
  });

  it.skipIf(process.getuid?.() === 0)("is told for a folder that cannot be read", async () => {
    const dir = writeSkill(project, "shop");
    chmodSync(dir, 0);
    expect((await listed()).broken).toEqual([["shop", "it cannot be read (EACCES)"]]);
    chmodSync(dir, 0o700);
  });
});

describe("what a cloned repository brings along", () => {
  it("leads nowhere else by a link, wherever that is", async () => {
    const outside = writeSkill(join(root, "outside"), "shop");
    writeFileSync(join(root, "secret"), "a secret");
    mkdirSync(project, { recursive: true });
    symlinkSync(outside, join(project, "shop"));
    writeSkill(project, "file");
    rmSync(join(project, "file/script.ts"));
    symlinkSync(join(root, "secret"), join(project, "file/script.ts"));
    writeSkill(project, "folder");
    symlinkSync(outside, join(project, "folder/fixtures"));
    expect(await listed()).toMatchObject({
      skills: [],
      broken: [
        ["file", '"script.ts" is a link'],
        ["folder", '"fixtures" is a link'],
        ["shop", "it is a link"],
      ],
    });
  });

  it("is not looked at where the folder of all skills is a link, or a file", async () => {
    writeSkill(join(root, "outside"), "shop");
    mkdirSync(join(root, "state"));
    symlinkSync(join(root, "outside"), project);
    expect(await listed()).toEqual({ skills: [], broken: [], problems: [`${project}: it is a link`] });
    expect(() => store.find("shop")).toThrow("There is no skill");
    expect(() => store.remove("shop")).toThrow("There is no skill");
    await expect(store.make("project", "mine", {})).rejects.toThrow(
      `Cannot use "${project}": it is a link, or no folder`,
    );
    rmSync(project);
    writeFileSync(project, "");
    expect((await listed()).problems).toEqual([`${project}: it is not a folder`]);
  });

  it("waits for no pipe, and reads no more of a sparse file than it has to", async () => {
    const pipe = join(writeSkill(project, "pipe"), "fixtures");
    execFileSync("mkfifo", [pipe]);
    const manifest = join(writeSkill(project, "sparse"), "SKILL.md");
    truncateSync(manifest, 1e12);
    expect((await listed()).broken).toEqual([
      ["pipe", '"fixtures" is no file'],
      ["sparse", "its files are over 5000000 bytes"],
    ]);
  });

  it("has at most 500 folders looked at, and is told of the rest; one is found by its name all the same", async () => {
    for (let index = 0; index < 600; index++) mkdirSync(join(project, `s${index}`), { recursive: true });
    writeSkill(project, "zebra");
    const { broken, problems } = await listed();
    expect(broken).toHaveLength(500);
    expect(problems).toEqual([`${project}: it has 601 folders: only the first 500 are listed`]);
    expect(store.find("zebra").name).toBe("zebra");
  });
});

describe("the hash", () => {
  it("is another with every byte and every name, and the same for the same", () => {
    const dir = writeSkill(project, "shop", { "fixtures/a.html": "ab", "fixtures/b.html": "c" });
    const hashes = new Set([store.find("shop").hash]);
    const changes = [
      () => writeFileSync(join(dir, "fixtures/a.html"), "aB"),
      () => writeSkill(project, "shop", { "fixtures/a.html": "a", "fixtures/b.html": "bc" }),
      () => writeFileSync(join(dir, "fixtures/c.html"), ""),
      () => writeFileSync(join(dir, ".hidden"), ""),
      () => writeFileSync(join(dir, "script.ts"), "export const main = () => 2;\n"),
    ];
    for (const [index, change] of changes.entries()) {
      change();
      hashes.add(store.find("shop").hash);
      expect(hashes.size).toBe(index + 2);
    }
    writeFileSync(join(dir, "fx"), "y1");
    const parted = store.find("shop").hash;
    rmSync(join(dir, "fx"));
    writeFileSync(join(dir, "fxy"), "1");
    expect(store.find("shop").hash).not.toBe(parted);
    const before = store.find("shop").hash;
    writeSkill(user, "shop");
    expect(store.find("shop").hash).toBe(before);
  });

  it("is of what is there now, in lists too", async () => {
    const dir = writeSkill(project, "shop");
    const hash = async () => (await store.list()).skills.find(({ name }) => name === "shop")?.hash;
    const first = await hash();
    writeFileSync(join(dir, "script.ts"), "export const main = () => 2;\n");
    expect(await hash()).toBe(store.find("shop").hash);
    expect(await hash()).not.toBe(first);
  });

  it("gives the files that it is of", () => {
    writeSkill(project, "shop", { "fixtures/a.html": "ab" });
    const { files } = store.read("shop");
    expect(files.map(({ name }) => name)).toEqual(["SKILL.md", "client.ts", "fixtures/a.html", "script.ts"]);
    expect(files.find(({ name }) => name === "fixtures/a.html")?.bytes.toString()).toBe("ab");
  });
});
