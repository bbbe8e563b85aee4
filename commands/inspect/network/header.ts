import * as v from "valibot";
import { BrowseError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";
import type { SessionContext } from "../../context.ts";
import { isSecret } from "../../params.ts";

/** What the browser decides by itself, or another command sets. */
const NOT_OURS = new Map([
  ["host", "the browser sets it from the address"],
  ["connection", "the browser sets it"],
  ["content-length", "the browser sets it"],
  ["transfer-encoding", "the browser sets it"],
  ["upgrade", "the browser sets it"],
  ["cookie", "use `browse cookie`"],
  ["user-agent", "use `browse useragent`"],
]);

const ParamsSchema = v.strictObject({
  // RFC 9110, 5.6.2 and 5.5.
  name: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, "is not a header's name"),
      v.description("Its name; all are listed when absent"),
      v.check(
        (name) => !NOT_OURS.has(name.toLowerCase()),
        (issue) => `cannot be ${issue.input}: ${NOT_OURS.get(issue.input.toLowerCase())}`,
      ),
    ),
  ),
  value: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must be one line of plain characters"),
      v.maxLength(8_192),
      v.description("Its value; never echoed"),
      isSecret(),
    ),
  ),
  remove: v.exactOptional(v.pipe(v.boolean(), v.description("Stop sending it"))),
});

type Params = v.InferOutput<typeof ParamsSchema>;

export default defineCommand({
  name: "header",
  category: "inspect",
  summary: "Send a header with every later request of the session",
  description:
    "Typed as name: value. It goes to every host that the session's tabs ask for anything. The value is shown nowhere: not here, not in `network` or its archives, not in the journal. Without a header it lists the names.",
  scope: "admin",
  effect: "none",
  needs: "session",
  output: "secret",
  fromPage: "nothing",
  params: ParamsSchema,
  cli: { positional: ["name", "value"], place: placeWords },
  raises: [
    { param: "value", scope: "admin", effect: "browser" },
    { param: "remove", scope: "admin", effect: "browser" },
  ],
  result: v.strictObject({ names: v.pipe(v.array(v.string()), v.description("Of all headers that are sent now")) }),
  examples: ["browse header 'X-Team: shop'", "browse header X-Team --remove", "browse header"],
  async run(context, params) {
    checkTogether(params);
    const { name, value } = params;
    const { emulation, lock } = context.session;
    if (name !== undefined) {
      // Two of these at once would otherwise each put back what the other has changed.
      const release = await lock.acquire(context.signal);
      await emulation.setHeaders(changed(context, name, value)).finally(release);
    }
    return { names: Object.keys(emulation.headers) };
  },
  render: ({ names }) => (names.length === 0 ? "No headers are set" : `Sent with every request: ${names.join(", ")}`),
});

/** What is wrong is told without the words: they may be the secret. */
function placeWords(words: readonly string[]): Record<string, string> {
  if (words.length === 0) return {};
  const line = words.join(" ");
  const colon = line.indexOf(":");
  if (/^[^\s:]+$/.test(line)) return { name: line };
  if (colon > 0) return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
  throw new BrowseError("invalid_params", "`header` takes one name: value", { hint: "browse header 'X-Team: shop'" });
}

function checkTogether({ name, value, remove }: Params): void {
  if (name === undefined && (value !== undefined || remove)) {
    throw new BrowseError("invalid_params", "Missing <name>", { hint: "browse header <name> --remove" });
  }
  if (name === undefined || (value === undefined) === (remove === true)) return;
  throw new BrowseError("invalid_params", "`header` takes a value, or --remove", {
    hint: "browse header 'X-Team: shop', or browse header X-Team --remove",
  });
}

function changed({ session }: SessionContext, name: string, value: string | undefined): Record<string, string> {
  const others = Object.entries(session.emulation.headers).filter(
    ([known]) => known.toLowerCase() !== name.toLowerCase(),
  );
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}
