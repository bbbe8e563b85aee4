/** How the state of the content classifier is shown. */
import * as v from "valibot";
import type { ClassifierStatus } from "../security/content/classifier/classifier.ts";
import type { Token } from "../security/tokens/token.ts";

export const ClassifierSchema = v.strictObject({
  state: v.pipe(
    v.picklist(["idle", "ready", "degraded", "off"]),
    v.description("idle: it is loaded by the first text; degraded: it, or one of its models, does not work"),
  ),
  reason: v.exactOptional(v.pipe(v.string(), v.description("Why it is degraded or off; told to the user alone"))),
  models: v.pipe(v.array(v.string()), v.description("Those that are loaded")),
  scored: v.pipe(v.number(), v.description("Texts since the daemon started")),
});

/** A reason names folders, which are no agent's business. */
export function classifierResult(
  { state, reason, models, scored }: ClassifierStatus,
  holder: Token,
): v.InferOutput<typeof ClassifierSchema> {
  const isTold = reason !== undefined && holder.kind === "root";
  const names = models.filter(({ isLoaded }) => isLoaded).map(({ name }) => name);
  return { state, ...(isTold && { reason }), models: names, scored };
}

/** `classifier ready (browse-guard 1.0.0), 12 texts scored` */
export function classifierText({ state, reason, models, scored }: v.InferOutput<typeof ClassifierSchema>): string {
  const names = models.length === 0 ? "" : ` (${models.join(", ")})`;
  return `classifier ${state}${names}, ${scored} ${scored === 1 ? "text" : "texts"} scored${reason ? `: ${reason}` : ""}`;
}
