import { describe, expect, it } from "vitest";
import { parseSkillText } from "../../../skills/store/manifest.ts";

const FRONT = "name: shop\ndescription: Read the shop\nhost: shop.example";
const parse = (front: string, prose = "") => parseSkillText(Buffer.from(`---\n${front}\n---\n${prose}`));
const reasonOf = (front: string) => {
  try {
    parse(front);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It was taken");
};

describe("SKILL.md", () => {
  it("fills in what may be absent, and keeps the prose", () => {
    expect(parse(FRONT, "\nUse it so.\n")).toEqual({
      prose: "Use it so.",
      manifest: {
        name: "shop",
        description: "Read the shop",
        host: "shop.example",
        triggers: [],
        args: [],
        scopes: ["read"],
        tabs: "fresh",
        trusted: false,
        version: 1,
        source: "agent",
        timeout: "60s",
      },
    });
  });

  it("takes all members, and hosts of every kind", () => {
    const { manifest } = parse(`name: shop
description: "Read: the shop"
host: "*"
triggers: [the shop]
args:
  - name: q
    description: What for
    required: true
  - { name: n, default: 3 }
scopes: [read, write, meta]
tabs: shared
trusted: true
version: 7
source: human
timeout: 1h`);
    expect(manifest).toMatchObject({ host: "*", tabs: "shared", trusted: true, version: 7, timeout: "1h" });
    expect(manifest.args).toEqual([
      { name: "q", description: "What for", required: true },
      { name: "n", required: false, default: 3 },
    ]);
    for (const host of ["localhost:3000", "127.0.0.1", '"[::1]:80"', "bücher.example"]) {
      expect(parse(FRONT.replace("shop.example", host)).manifest.host).toBe(host.replaceAll('"', ""));
    }
  });

  it("does not mind lines that end as on Windows, nor a byte order mark", () => {
    const text = `\ufeff---\r\n${FRONT.replaceAll("\n", "\r\n")}\r\n---\r\nHow\r\n`;
    expect(parseSkillText(Buffer.from(text))).toMatchObject({ prose: "How", manifest: { host: "shop.example" } });
  });

  it.each([
    [
      "an unknown member",
      `${FRONT}\nscope: [read]`,
      'SKILL.md: scope: is not a known key (did you mean "scopes"?); the known keys are name, description, host',
    ],
    ["a name twice", `${FRONT}\nname: shop`, "SKILL.md: line 5: Map keys must be unique"],
    ["a missing member", "name: shop\nhost: a.example", "SKILL.md: description: is missing"],
    ["another type", `${FRONT}\nversion: one`, "SKILL.md: version: Invalid type"],
    ["a time of more than an hour", `${FRONT}\ntimeout: 2h`, "SKILL.md: timeout: must be a time from 1ms to 1h"],
    ["a time without end", `${FRONT}\ntimeout: .inf`, "SKILL.md: timeout:"],
    ["a pattern for a host", FRONT.replace("shop.example", '"*.example"'), "SKILL.md: host: must be a host"],
    ["an address for a host", FRONT.replace("shop.example", "https://shop.example/"), "SKILL.md: host: must be a host"],
    ["a scope that skills have not", `${FRONT}\nscopes: [admin]`, "SKILL.md: scopes.0: Invalid type"],
    ["no scope", `${FRONT}\nscopes: []`, "SKILL.md: scopes: must not be empty"],
    ["a name that is none", FRONT.replace("shop", "../shop"), "SKILL.md: name: must be of lower-case letters"],
    ["two lines for one", FRONT.replace("Read the shop", '"Read\\nIgnore"'), "SKILL.md: description: must be one line"],
    ["two args of one name", `${FRONT}\nargs: [{name: a}, {name: a}]`, "SKILL.md: args: has two of one name"],
    [
      "an arg required with a default",
      `${FRONT}\nargs: [{name: a, required: true, default: 1}]`,
      "SKILL.md: args.0: is required",
    ],
    ["an alias", `${FRONT}\ntriggers: [&a x, *a]`, "SKILL.md: its YAML uses an alias"],
    ["a tag of its own", `${FRONT}\nsource: !!js/function x`, "SKILL.md: line 5: Unresolved tag"],
    ["a member of every object", `${FRONT}\n__proto__: {trusted: true}`, "SKILL.md: __proto__: is not a known key"],
    ["a key that is a list", `${FRONT}\n? [a]\n: b`, "SKILL.md: its YAML has a key that is no plain word"],
    ["a list for it all", "- a", "SKILL.md: name: is missing"],
    ["what is no YAML", "name: [", "SKILL.md: line"],
  ])("refuses %s", (_, front, reason) => {
    expect(reasonOf(front)).toContain(reason);
  });

  it("refuses what does not begin or end as it has to, and what is no UTF-8", () => {
    const reason = (bytes: Buffer) => expect(() => parseSkillText(bytes));
    reason(Buffer.from("name: shop")).toThrow("does not begin with a line `---`");
    reason(Buffer.from(`---\n${FRONT}\n`)).toThrow("has no second line `---`");
    reason(Buffer.concat([Buffer.from(`---\n${FRONT}\n`), Buffer.of(0xff, 0xfe)])).toThrow("is not UTF-8");
    reason(Buffer.from(`---\n${"#\n".repeat(5_000)}---\n`)).toThrow("has over 8192 characters");
  });

  it.each([
    ["aliases of aliases", `${FRONT}\na: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]`],
    ["keys in keys", `${FRONT}\n${"? ".repeat(2_000)}`],
    ["keys in lists in keys", "[? ".repeat(2_500)],
    ["brackets", "[".repeat(8_000)],
    ["lists in lists", "- ".repeat(4_000)],
    ["maps in lists", "- a: ".repeat(1_600)],
    ["colons", "a: ".repeat(2_500)],
    ["levels", Array.from({ length: 120 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
    ["members", Array.from({ length: 1_200 }, (_, index) => `k${index}: `).join("\n")],
  ])("has an end with thousands of %s", (_, front) => {
    expect(reasonOf(front)).toContain("SKILL.md");
  });
});
