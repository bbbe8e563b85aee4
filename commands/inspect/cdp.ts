import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { withDebugNode } from "../../refs/find/debug_node.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand, EFFECTS, type Raise, SCOPES } from "../command.ts";
import type { TabContext } from "../context.ts";
import { jsonLines } from "../json_lines.ts";
import { Target } from "../params.ts";
import { callCdp, namesElement } from "./_cdp_call.ts";
import { CDP_METHODS, type CdpMethod } from "./_cdp_methods.ts";

const MethodSchema = v.strictObject({
  method: v.string(),
  scope: v.picklist(SCOPES),
  effect: v.picklist(EFFECTS),
  output: v.picklist(["plain", "page", "secret"]),
  takesElement: v.boolean(),
  reason: v.string(),
});

const ParamsSchema = v.strictObject({
  method: v.exactOptional(
    v.pipe(
      v.string(),
      v.check(
        (name) => CDP_METHODS.has(name),
        ({ input }) => `takes an allowed CDP method (browse cdp --list), not ${JSON.stringify(input)}`,
      ),
      v.description("Domain.method"),
    ),
  ),
  params: v.exactOptional(v.pipe(v.record(v.string(), v.unknown()), v.description("The method's params, as JSON"))),
  target: v.exactOptional(v.pipe(Target, v.description("The element to call it on, instead of a node id"))),
  list: v.exactOptional(v.pipe(v.boolean(), v.description("List the allowed methods"))),
});

/** Each method has a scope, an effect and a kind of answer of its own. */
const raises: Raise[] = [...CDP_METHODS.values()].map(({ name, scope, effect, output }) => {
  return { param: "method", equals: name, scope, effect, output };
});

export default defineCommand({
  name: "cdp",
  category: "inspect",
  summary: "Call an allowed method of the Chrome DevTools Protocol",
  description:
    "Domains are enabled and the document is requested as the method needs it. An element is given by selector or @ref; node ids in answers are valid until the page navigates.",
  scope: "admin",
  effect: "none",
  needs: "tab",
  browserless: ({ list }) => list === true,
  output: "page",
  fromPage: "whole",
  params: ParamsSchema,
  cli: { positional: ["method", "target", "params"], place: placeWords, stdin: "params" },
  raises: [{ param: "list", equals: true, scope: "read", effect: "none", output: "plain" }, ...raises],
  result: v.strictObject({
    result: v.exactOptional(v.pipe(v.unknown(), v.description("As Chromium gives it"))),
    methods: v.exactOptional(v.array(MethodSchema)),
  }),
  examples: [
    "browse cdp --list",
    "browse cdp DOM.getBoxModel @e3",
    "browse cdp Performance.getMetrics",
    `browse cdp DOM.getDocument '{"depth": 2}'`,
  ],
  async run(context, { method: name, params = {}, target, list }) {
    if (list ? name !== undefined || target !== undefined : name === undefined) {
      throw new BrowseError("invalid_params", "`cdp` takes a method or --list", {
        hint: "browse cdp <Domain.method> [selector] [json], or browse cdp --list",
      });
    }
    const method = CDP_METHODS.get(name ?? "");
    if (!method) return { methods: [...CDP_METHODS.values()].map(listed) };
    return { result: await call(context, method, params, target) };
  },
  render({ methods, result }) {
    if (!methods) return jsonLines(result) ?? "";
    return methods.map(methodLine).join("\n");
  },
});

/** A word that begins like JSON is the params; the other one is the element. */
function placeWords(words: readonly string[]): Record<string, string> {
  const [method, ...others] = words;
  const placed: Record<string, string> = method === undefined ? {} : { method };
  for (const word of others) {
    const param = word.startsWith("{") ? "params" : "target";
    if (placed[param] !== undefined) {
      throw new BrowseError("invalid_params", `"cdp" takes one <${param}>, not "${placed[param]}" and "${word}"`);
    }
    placed[param] = word;
  }
  return placed;
}

async function call(
  { tab, signal }: TabContext,
  method: CdpMethod,
  params: Record<string, unknown>,
  target: string | undefined,
): Promise<Record<string, unknown>> {
  if (target === undefined) return await callCdp(tab, method, { params, frame: tab.frame });
  if (!method.element || namesElement(params)) {
    throw new BrowseError(
      "invalid_params",
      `"${method.name}" takes no <target>${method.element ? " beside an id" : ""}`,
    );
  }
  const ref = await resolve(tab, target, { signal });
  const backendNodeId = await withDebugNode(tab, ref, async (node) => node.backendNodeId);
  return await callCdp(tab, method, { params, frame: ref.frame, backendNodeId });
}

function listed({ name, scope, effect, output, element, reason }: CdpMethod): v.InferOutput<typeof MethodSchema> {
  return { method: name, scope, effect, output, takesElement: element !== undefined, reason };
}

function methodLine({ method, scope, effect, takesElement, reason }: v.InferOutput<typeof MethodSchema>): string {
  const touches = effect === "none" ? scope : `${scope}, ${effect}`;
  return `${method}${takesElement ? " [sel]" : ""}  (${touches})  ${reason}`;
}
