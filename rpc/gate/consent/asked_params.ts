/** What a person at the terminal is asked about: with what is typed, which no record has, as far as they have to see it. */
import { sensitiveOf } from "../../../commands/command.ts";
import { RECORDED, redactParams } from "../../../security/secrets/redact.ts";
import { isSecretName } from "../../../security/secrets/secret_names.ts";
import { REDACTED } from "../../../security/secrets/secret_shapes.ts";
import type { Approval } from "../call.ts";
import type { ReadyCall } from "../call_gate.ts";

/**
 * The params, for the eyes of whoever runs the skill. A text that is typed is told unless it is a secret: by its shape, by the
 * name of the argument that has it, or by what its field is called. Of such a one the argument's name is told.
 */
export function askedParams({ command, params, shownParams }: ReadyCall, approval: Approval): unknown {
  const typed = sensitiveOf(command, params).filter((name) => typeof params[name] === "string");
  const others = Object.entries(params).filter(([name]) => !typed.includes(name));
  const isSecretField = others.some(([, value]) => typeof value === "string" && isSecretName(value));
  const shown = typed.map((name) => {
    const value = params[name] as string;
    const argument = approval.argumentWith(value);
    const plain = redactParams({ [name]: value }, [], RECORDED)[name];
    const isSecret = isSecretField || (argument !== undefined && isSecretName(argument)) || plain === REDACTED;
    if (!isSecret) return [name, plain];
    return [name, argument === undefined ? REDACTED : `<argument ${argument}>`];
  });
  return { ...(shownParams as object), ...Object.fromEntries(shown) };
}
