/** A console line as the browser sends it (Runtime.consoleAPICalled), as the driver would have written it. */
import type { ConsoleLine } from "./console.ts";

/** https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#event-consoleAPICalled */
export interface Said {
  type: string;
  /** 0 when no page said it. */
  executionContextId: number;
  args: readonly RemoteObject[];
  stackTrace?: { callFrames: readonly CallFrame[] };
}

interface RemoteObject {
  type: string;
  subtype?: string;
  description?: string;
  value?: unknown;
  unserializableValue?: string;
  preview?: { properties: readonly { name: string; value?: string }[] };
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

const NOWHERE = { url: "", lineNumber: 0, columnNumber: 0 };

export function lineOf({ type, args, stackTrace }: Said): ConsoleLine {
  const previews = args.map(previewOf);
  return {
    type: () => type,
    text: () => previews.join(" "),
    location: () => stackTrace?.callFrames[0] ?? NOWHERE,
    args: () => previews,
  };
}

/** Undefined when the browser told none. */
export function stackOf({ stackTrace }: Said): string | undefined {
  const frames = stackTrace?.callFrames ?? [];
  return frames.length === 0 ? undefined : frames.map(frameText).join("\n");
}

function frameText({ functionName, url, lineNumber, columnNumber }: CallFrame): string {
  return `at ${functionName || "(anonymous)"} (${url}:${lineNumber + 1}:${columnNumber + 1})`;
}

/** As `renderPreview` in playwright-core 1.65. */
function previewOf(object: RemoteObject): string {
  const { type, subtype, value, unserializableValue, description, preview } = object;
  if (type === "undefined") return "undefined";
  if ("value" in object) return String(value);
  if (unserializableValue) return unserializableValue;
  if (preview && description === "Object") {
    return `{${preview.properties.map((property) => `${property.name}: ${property.value}`).join(", ")}}`;
  }
  if (preview && subtype === "array") return arrayText(preview.properties);
  return description ?? `JSHandle@${subtype ?? type}`;
}

/** `[1, empty x 2, 4]`. */
function arrayText(properties: readonly { name: string; value?: string }[]): string {
  const tokens: string[] = [];
  let next = 0;
  for (const { name, value } of properties) {
    const index = Number(name);
    if (!Number.isInteger(index) || index < next) continue;
    const holes = index - next;
    if (holes > 0) tokens.push(holes === 1 ? "empty" : `empty x ${holes}`);
    tokens.push(String(value));
    next = index + 1;
  }
  return `[${tokens.join(", ")}]`;
}
