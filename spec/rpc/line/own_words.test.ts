import { describe, expect, test } from "vitest";
import "../../../commands/mod.ts";
import { BrowseError } from "../../../errors.ts";
import { parseArgv } from "../../../rpc/line/argv.ts";
import { helpNamed } from "../../../rpc/line/help.ts";
import { HABITS, type Habit } from "../../../rpc/line/other_tools.ts";
import { splitWords } from "../../../wording.ts";

const SAMPLES: Record<string, string> = {
  n: "3",
  n2: "600",
  target: "@e1",
  selector: "li",
  url: "https://shop.example/",
  url2: "https://shop.example/about",
  state: "load",
  path: "shop.png",
  file: "shop.html",
  length: "10mm",
  html: "Shop",
  script: "document.title",
  key: "Enter",
  value: "dark",
  text: "lamp",
  name: "work",
  scheme: "dark",
  latitude: "38.72",
  longitude: "-9.14",
};

function filledLine(line: string): string {
  return line.replace(/<([a-z]+\d?)>/g, (_, name: string) => SAMPLES[name] ?? expect.fail(name));
}

function filled(line: string): string[] {
  return splitWords(line).lines[0]!.map(filledLine);
}

function errorOf(words: readonly string[]): BrowseError {
  try {
    parseArgv(words);
  } catch (error) {
    if (error instanceof BrowseError) return error;
  }
  return expect.fail(`${words.join(" ")} is understood`);
}

const running = HABITS.filter(({ because }) => because === undefined);
const answered = HABITS.filter(({ because }) => because !== undefined);
const named = (habits: Habit[]) => habits.map((habit) => [habit.typed, habit] as const);

test.each(named(running))("%s does what browse has it as", (_, { typed, own }) => {
  expect(parseArgv(filled(typed))).toEqual(parseArgv(filled(own)));
});

test.each(named(answered))("%s is answered with browse's spelling", (_, { typed, own }) => {
  const spelled = own.replace(/<[a-z]+\d?>/g, (place) => (typed.includes(place) ? filledLine(place) : place));
  expect(errorOf(filled(typed)).hint).toContain(`\`browse ${spelled}\``);
  if (!own.startsWith("--")) expect(parseArgv(filled(own)).command).toBe(own.split(" ")[0]);
});

describe("A habit", () => {
  test("keeps the words around it, global flags too", () => {
    expect(parseArgv(["--json", "get", "text", "#id", "--tab", "t2"])).toEqual({
      command: "text",
      params: { target: "#id" },
      globals: { json: true, tab: "t2" },
    });
    expect(parseArgv(["click", "--button=right", "@e1", "--modifiers", "Shift"]).params).toEqual({
      target: "@e1",
      right: true,
      modifiers: ["Shift"],
    });
  });

  test("is not looked for behind --, nor in what is typed into the page", () => {
    expect(parseArgv(["fill", "@e1", "--", "--full-page"]).params).toEqual({ target: "@e1", value: "--full-page" });
    expect(parseArgv(["type", "scroll", "down"]).params).toEqual({ text: "scroll down" });
  });

  test("does not hide what is wrong with the rest of the line", () => {
    expect(errorOf(["screenshot", "--full-page", "--no-such-flag"]).message).toContain("--no-such-flag");
    expect(errorOf(["tab", "one"]).message).toContain("tab id");
    expect(errorOf(["dblclick"]).hint).toBe("Write `browse click --double <target>`");
  });

  test("is spelled out with what was typed, as a shell takes it", () => {
    expect(errorOf(["eval", "document.title + ' it\\'s'"]).hint).toMatch(/^Write `browse js 'document\.title .*`: /);
    const { hint } = errorOf(["get", "attr", "a b's"]);
    expect(splitWords(/`browse (.*)`: /.exec(hint)?.[1] ?? "").lines[0]).toEqual(["attrs", "a b's"]);
    expect(errorOf(["eval", "x".repeat(1000)]).hint).toContain("`browse js <script>`");
  });

  test("of which only the first word was typed says nothing", () => {
    expect(errorOf(["set", "headers", "{}"]).hint).not.toContain("viewport");
    expect(errorOf(["keyboard", "press", "Enter"]).hint).not.toContain("type");
  });

  test("leaves a file to eval", () => {
    expect(parseArgv(["eval", "count-links.js"]).params).toEqual({ file: "count-links.js" });
  });
});

test("Help shows the words that an argument takes, and what may be piped", () => {
  expect(helpNamed("is")).toContain(
    "The state to check; one of visible, hidden, enabled, disabled, checked, editable, focused",
  );
  expect(helpNamed("completion")).toContain("The shell to teach; one of bash, zsh, fish");
  expect(helpNamed("js")).toContain("- reads it from standard input");
});

test("A number is a tab's id in --tab as well", () => {
  expect(parseArgv(["url", "--tab", "2"]).globals).toEqual({ tab: "t2" });
});

test("What is piped into a command that has nothing else to run is its text", () => {
  expect(parseArgv(["chain", "--keep-going"], { stdin: "url | title" }).params).toEqual({
    commands: "url | title",
    keepGoing: true,
  });
  expect(parseArgv(["batch"], { stdin: "url\ntitle" }).params).toEqual({ commands: "url\ntitle" });
  expect(parseArgv(["batch", "look.txt"], { stdin: "url" }).params).toEqual({ file: "look.txt" });
});
