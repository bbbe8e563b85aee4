/** The tests of a command are found by its name: `load-html` in load_html.test.ts, `state save` in state.test.ts. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allCommands } from "../../commands/command.ts";
import "../../commands/mod.ts";

const SPEC = join(import.meta.dirname, "..");

/** Files that are named otherwise, since they test a few commands by one page, or what is larger than the command. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  "bin/confirm": ["confirm"],
  "bin/tunnel_lifetime": ["security.status", "tunnel.start", "tunnel.status", "tunnel.stop"],
  "commands/daemon/stop": ["restart"],
  "commands/inspect/cookie_header": ["cookie", "header"],
  "commands/inspect/cookies_storage": ["cookies", "storage", "storage.set"],
  "commands/inspect/elements": ["attrs", "count", "css", "is", "value"],
  "commands/interact/dialogs": ["dialog", "dialog-accept", "dialog-dismiss"],
  "commands/interact/fields": ["check", "fill", "uncheck"],
  "commands/interact/type": ["focus"],
  "commands/look/pictures": ["prettyscreenshot", "responsive"],
  "commands/navigate/goto": ["title", "url"],
  "commands/navigate/history": ["back", "forward"],
  "commands/tabs/sessions": ["session.close", "session.new"],
  "commands/tabs/tabs": ["newtab", "tab"],
  "core/lasting_sessions": ["session.forget", "session.persist"],
  "core/lifecycle": ["start"],
  "core/pairing": ["agents", "pair", "security.log", "unpair"],
};

const commands = allCommands();
const listed = Object.values(OTHERS).flat();

/** In the folder of its category; commands that have a noun in common share the noun's file, or have one each. */
function fileOf({ name, category }: (typeof commands)[number]): string {
  const own = `commands/${category}/${name.replaceAll(/[-.]/g, "_")}`;
  return exists(own) ? own : `commands/${category}/${(name.split(".")[0] ?? name).replaceAll("-", "_")}`;
}

const exists = (file: string) => existsSync(join(SPEC, `${file}.test.ts`));

it.each(commands)("$name has a test file", (command) => {
  const places = [fileOf(command), ...Object.keys(OTHERS).filter((file) => OTHERS[file]?.includes(command.name))];
  expect(places.filter(exists), `tests of ${command.name} in spec/${fileOf(command)}.test.ts`).toHaveLength(1);
});

it("lists nothing that does not exist", () => {
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(listed));
  expect(Object.keys(OTHERS).filter((file) => !exists(file))).toEqual([]);
});
