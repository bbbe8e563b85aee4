/** Who may import whom; the reasons are in docs/architecture.md. */
import { readFileSync } from "node:fs";
import { Visitor } from "@swc/core/Visitor.js";

// swc parses `using`, but its visitor, which dependency-cruiser walks the tree with, does not know the node yet.
const { visitStatement } = Visitor.prototype;
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

/** The files that define a command: those that commands/mod.ts lists. Others beside them are what commands share. */
const commands = [...readFileSync("commands/mod.ts", "utf8").matchAll(/"\.\/(\w+\/\w+)\.ts"/g)].map(([, path]) => path);
const COMMANDS = `^commands/(${commands.join("|")})\\.ts$`;
/** Leaves of browser/ that need nothing else of it. */
const BROWSER_LEAVES =
  "^browser/(tab_lock|driver_errors|driver_inside|driver_world|navigated_frame|page_timers|troubles|wait_for)\\.ts$";
const NODE_MODULES = "(^|/)node_modules/";
/** A leaf that every folder may import. */
const ERRORS = "^rpc/errors\\.ts$";

/** @param {string} name */
const npm = (name) => `${NODE_MODULES}${name}/`;
/** Imports that run; types are gone before anything runs. */
const runs = { dependencyTypesNot: ["type-only"] };

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "A cycle of imports that run has no order in which it can be understood",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: runs },
    },
    {
      name: "sdk-stands-alone",
      comment: "client.ts runs in browsers, Deno, Bun and the sandbox",
      severity: "error",
      from: { path: "^client\\.ts$" },
      to: { path: ".", ...runs },
    },
    {
      name: "cli-stays-small",
      comment: "The client is read and compiled by every command: its own files, two leaves, and Node's, nothing else",
      severity: "error",
      from: { path: "^bin/(browse\\.ts$|cli/)" },
      to: { pathNot: "^(bin/cli/|security/(own_file|process_identity)\\.ts$|(node:)?(net|fs|path|os)$)", ...runs },
    },
    {
      name: "leaves-of-the-cli-stand-alone",
      comment: "What the client takes along takes nothing along itself",
      severity: "error",
      from: { path: "^security/(own_file|process_identity)\\.ts$" },
      to: { pathNot: "^(node:)?fs$", ...runs },
    },
    {
      name: "only-the-cli-uses-the-cli",
      severity: "error",
      from: { pathNot: "^(bin/browse\\.ts$|bin/(cli/|lifecycle/|(given|lifecycle|repl)\\.ts$)|spec/)" },
      to: { path: "^bin/(cli/|lifecycle)" },
    },
    {
      name: "rpc-knows-no-command",
      comment: "The wire is the same whatever the commands are",
      severity: "error",
      from: { path: "^rpc/" },
      to: { path: "^(commands/(.*/|mod\\.ts$)|refs/|skills/|bin/|daemon\\.ts$)", ...runs },
    },
    {
      name: "rpc-knows-no-browser",
      severity: "error",
      from: { path: "^rpc/" },
      to: { path: npm("playwright(-core)?") },
    },
    {
      name: "commands-know-no-wire",
      comment: "A command answers the same to every client",
      severity: "error",
      from: { path: "^commands/" },
      to: { path: `^rpc/|${npm("(ws|json-rpc-2\\.0)")}`, pathNot: ERRORS, ...runs },
    },
    {
      name: "commands-stand-alone",
      comment: "A command that needs another calls it through the gate: context.call",
      severity: "error",
      from: { path: "^commands/.+/" },
      to: { path: COMMANDS, ...runs },
    },
    {
      name: "refs-know-browser-types-only",
      severity: "error",
      from: { path: "^refs/" },
      to: {
        path: "^(browser|commands|rpc|skills|bin)/|^daemon\\.ts$",
        pathNot: `${ERRORS}|${BROWSER_LEAVES}`,
        ...runs,
      },
    },
    {
      name: "browser-knows-no-caller",
      severity: "error",
      from: { path: "^browser/" },
      to: { path: "^(commands|rpc|skills|bin)/|^daemon\\.ts$", pathNot: ERRORS, ...runs },
    },
    {
      name: "security-knows-nobody",
      comment: "It must be possible to review it on its own",
      severity: "error",
      from: { path: "^security/" },
      to: { path: "^(commands|rpc|skills|browser|refs|bin)/|^daemon\\.ts$", pathNot: ERRORS },
    },
    {
      name: "nobody-imports-the-root",
      severity: "error",
      from: { pathNot: "^spec/" },
      to: { path: "^(daemon|bin/(browse|test|build|demo|docs|refs_diff))\\.ts$" },
    },
    {
      name: "only-the-root-imports-its-parts",
      severity: "error",
      from: { pathNot: "^(daemon\\.ts$|spec/)" },
      to: { path: "^(listeners|watched_browser|version)\\.ts$" },
    },
    {
      name: "product-knows-no-tests",
      comment: "bin/refs_diff.ts compares the pages of both; it is not part of the product",
      severity: "error",
      from: { pathNot: "^(spec|bench|campaign|bin/refs_diff)/|^bin/refs_diff\\.ts$" },
      to: { path: "^(spec|bench|campaign)/" },
    },
    {
      name: "resolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "declared",
      comment: "What runs is in package.json",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|docs)/" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
