/** Who may import whom; the reasons are in docs/architecture.md. */
import { Visitor } from "@swc/core/Visitor.js";

// swc parses `using`, but its visitor, which dependency-cruiser walks the tree with, does not know the node yet.
const { visitStatement } = Visitor.prototype;
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

/** The files that define a command; what begins with `_` belongs to the commands beside it. */
const COMMANDS = "^commands/[^/]+/(|[^/_][^/]*/)[^/_][^/]*\\.ts$";
const NODE_MODULES = "(^|/)node_modules/";
/** Leaves at the root that every folder may import. */
const LEAVES = "^(errors|abort|wording)\\.ts$";
/** Rooms of each folder, from the ground up: what stands in one runs without those after it. */
const ROOMS = {
  security: ["content", "files", "urls", "tokens", "process", "tunnel", "policy", "secrets", "states"],
  skills: ["store", "notes", "run", "making"],
  rpc: ["line", "events", "gate", "lifecycle", "methods", "wire"],
  browser: [
    "driver",
    "install",
    "process",
    "navigation",
    "emulation",
    "load_guard",
    "limits",
    "capture",
    "tabs",
    "download",
    "sessions",
  ],
  refs: ["page", "frames", "find", "snapshot", "effects", "act", "read"],
  "refs/page": ["dom", "aria", "act", "find", "snapshot", "effects", "read", "extract"],
};

/** @param {string} name */
const npm = (name) => `${NODE_MODULES}${name}/`;
/** Imports that run; types are gone before anything runs. */
const runs = { dependencyTypesNot: ["type-only"] };

const roomRules = Object.entries(ROOMS).flatMap(([folder, rooms]) =>
  rooms.slice(0, -1).map((room, index) => ({
    name: `${folder}/${room}-stands-below`,
    comment: `In ${folder}/, rooms import only from those before them in ROOMS`,
    severity: "error",
    from: { path: `^${folder}/${room}/` },
    to: { path: `^${folder}/(${rooms.slice(index + 1).join("|")})/`, ...runs },
  })),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...roomRules,
    {
      name: "leaves-import-no-room",
      severity: "error",
      from: { path: LEAVES },
      to: { path: "/", pathNot: NODE_MODULES },
    },
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
      to: {
        pathNot: "^(bin/cli/|security/(files/own_file|process/process_identity)\\.ts$|(node:)?(net|fs|path|os)$)",
        ...runs,
      },
    },
    {
      name: "leaves-of-the-cli-stand-alone",
      comment: "What the client takes along takes nothing along itself",
      severity: "error",
      from: { path: "^security/(files/own_file|process/process_identity)\\.ts$" },
      to: { pathNot: "^(node:)?fs$", ...runs },
    },
    {
      name: "only-the-cli-uses-the-cli",
      severity: "error",
      from: { pathNot: "^(bin/browse\\.ts$|bin/(cli/|lifecycle/|(ask|given|lifecycle|repl|resume)\\.ts$)|spec/)" },
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
      to: { path: `^rpc/|${npm("(ws|json-rpc-2\\.0)")}`, pathNot: LEAVES, ...runs },
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
      comment: "And the driver's own side, by which the reader is asked",
      severity: "error",
      from: { path: "^refs/" },
      to: {
        path: "^(browser|commands|rpc|skills|bin)/|^daemon\\.ts$",
        pathNot: "^browser/driver/",
        ...runs,
      },
    },
    {
      name: "reader-stands-alone",
      comment:
        "It is one script that runs in every document; of ours it takes along which names mean a secret and which texts read like orders",
      severity: "error",
      from: { path: "^refs/page/" },
      to: { pathNot: "^refs/page/|^security/(secrets/secret_names|content/orders)\\.ts$", ...runs },
    },
    {
      name: "files-of-a-category-are-its-own",
      comment: "A `_name.ts` serves the commands beside it, and those in rooms of its category",
      severity: "error",
      from: { path: "^commands/([^/]+)/(?:([^/_][^/]*)/|)" },
      to: { path: "^commands/.+/_", pathNot: "^commands/$1/(_|$2/_)" },
    },
    {
      name: "nobody-else-uses-them",
      severity: "error",
      from: { pathNot: "^(commands|spec)/" },
      to: { path: "^commands/.+/_" },
    },
    {
      name: "browser-knows-no-caller",
      severity: "error",
      from: { path: "^browser/" },
      to: { path: "^(commands|refs|rpc|skills|bin)/|^daemon\\.ts$", ...runs },
    },
    {
      name: "security-knows-nobody",
      comment: "It must be possible to review it on its own",
      severity: "error",
      from: { path: "^security/" },
      to: { path: "^(commands|rpc|skills|browser|refs|bin)/|^daemon\\.ts$", pathNot: LEAVES },
    },
    {
      name: "skills-know-no-caller",
      comment: "Commands and the wire reach them by the daemon that builds them",
      severity: "error",
      from: { path: "^skills/(?!bundled/)" },
      to: { path: "^(commands|rpc|browser|refs|bin)/|^(daemon|client)\\.ts$|^skills/bundled/", ...runs },
    },
    {
      name: "nobody-imports-the-root",
      severity: "error",
      from: { pathNot: "^spec/" },
      to: { path: "^(daemon|bin/(browse|test|build|demo|docs))\\.ts$" },
    },
    {
      name: "product-knows-no-tests",
      comment: "spec/refs_diff/refs_diff.ts compares the pages of both; it is not part of the product",
      severity: "error",
      from: { pathNot: "^(spec|bench|campaign)/" },
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
