/** Programs that load a skill's TypeScript wherever it is: below `node_modules`, where those that ship are, Node itself strips no types. */
import { pathToFileURL } from "node:url";

/** Begins such a program. */
export const STRIPPING = `
process.getBuiltinModule("node:module").registerHooks({
  load(url, context, next) {
    if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
    const text = process.getBuiltinModule("node:fs").readFileSync(new URL(url), "utf8");
    const source = process.getBuiltinModule("node:module").stripTypeScriptTypes(text);
    return { format: "module", source, shortCircuit: true };
  },
});
`;

/** The words that have Node run the file. */
export function typeScriptProgram(file: string, flags: readonly string[] = []): string[] {
  return [...flags, "--eval", `${STRIPPING}import(process.argv[1]);`, pathToFileURL(file).href];
}
