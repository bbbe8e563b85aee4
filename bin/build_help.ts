/** What `browse help` says, as a file: whoever asks for it need not have a daemon. */
import { allCommands, commandNames, findCommand } from "../commands/command.ts";
import "../commands/mod.ts";
import { helpNamed, helpOverview } from "../rpc/line/help.ts";

/** Read by `bin/lifecycle/help.ts`, whose `WrittenHelp` it is. */
export function helpText(): string {
  const families = allCommands().flatMap(({ name }) => (name.includes(".") ? (name.split(".")[0] ?? []) : []));
  const names = [...new Set([...commandNames(), ...families])];
  return JSON.stringify({
    overview: helpOverview(),
    pages: Object.fromEntries(names.map((name) => [name, helpNamed(name)])),
    raw: names.filter((name) => findCommand(name)?.cli?.raw),
  });
}
