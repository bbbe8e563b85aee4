/**
 * Files that programs run, or take their settings from, without being asked to: who can write one of them runs code as the
 * user. What an agent was lent does not include them, wherever they lie; the user overwrites them with `--force`.
 */
import { sep } from "node:path";

interface StartupPlace {
  /** Folders and files, one below the other, anywhere on the way: the place itself and all that is in it. */
  at: readonly string[];
  /** Reads on from "Cannot write …: ". */
  why: string;
}

const GIT = "git runs what is set there";
const SHELL = "shells run it when they start";
const EDITOR = "editors run what is set there";
const PACKAGES = "package managers run what is set there";
const KEYS = "it decides who may log in, and with what";
const LOGIN = "it is run at the next login";
const ENTERED = "it is run when somebody enters the folder";
const AGENT = "agents follow what is written there";
const BUILD_SERVER = "build servers run what is set there";
const TOOL = "a program runs what is set there";

const PLACES: readonly StartupPlace[] = [
  ...places(GIT, [
    ".git",
    "git~1",
    ".gitconfig",
    ".gitmodules",
    ".gitattributes",
    ".config/git",
    ".husky",
    ".githooks",
  ]),
  ...places(GIT, [".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook", ".hg", ".hgrc", ".svn"]),
  ...places(SHELL, [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".inputrc",
  ]),
  ...places(SHELL, [
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".oh-my-zsh",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
  ]),
  ...places(SHELL, [".config/fish", ".config/nushell", "windowspowershell", ".config/powershell", ".tmux.conf"]),
  ...places(EDITOR, [".vscode", ".idea", ".fleet", ".zed", ".vim", ".vimrc", ".nvimrc", ".exrc", ".gvimrc"]),
  ...places(EDITOR, [".config/nvim", ".emacs", ".emacs.d", ".dir-locals.el", ".sublime-project"]),
  ...places(PACKAGES, [".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn", ".pnpmrc", ".pnpmfile.cjs", ".pnpmfile.mjs"]),
  // Its scripts run at the next install, and its "packageManager" names the program that does it.
  ...places(PACKAGES, [
    "package.json",
    "pnpm-workspace.yaml",
    "bunfig.toml",
    "node_modules/.bin",
    "pip.conf",
    ".pypirc",
  ]),
  ...places(PACKAGES, [".cargo", ".gemrc", ".bundle", ".m2", ".gradle", ".composer", "sitecustomize.py"]),
  ...places(ENTERED, [".envrc", ".env", ".mise.toml", "mise.toml", ".tool-versions", ".rtx.toml", ".autoenv"]),
  ...places(KEYS, [".ssh", ".gnupg", ".netrc", ".aws", ".kube", ".docker", ".pam_environment"]),
  ...places(LOGIN, [".config/autostart", ".local/share/applications", ".config/systemd", ".local/share/systemd"]),
  ...places(LOGIN, ["library/launchagents", "library/launchdaemons", "start menu/programs/startup", ".xprofile"]),
  ...places(LOGIN, [".xinitrc", ".xsession", ".xsessionrc", ".config/environment.d", "etc/cron.d", "var/spool/cron"]),
  ...places(AGENT, [
    ".claude",
    ".cursor",
    ".cursorrules",
    ".windsurf",
    ".codex",
    ".gemini",
    ".aider.conf.yml",
    ".mcp.json",
  ]),
  ...places(AGENT, ["agents.md", "claude.md", "gemini.md", ".github/copilot-instructions.md"]),
  ...places(BUILD_SERVER, [".github/workflows", ".github/actions", ".gitlab-ci.yml", ".circleci", ".buildkite"]),
  ...places(TOOL, [".devcontainer", ".devcontainer.json", ".gdbinit", ".lldbinit", ".curlrc", ".wgetrc", ".rprofile"]),
  ...places(TOOL, ["autorun.inf", "desktop.ini"]),
];

/** The same by how their names end. */
const ENDINGS: Readonly<Record<string, string>> = {
  ".desktop": "desktops run it with a click, or at login",
  ".lnk": "it starts what it leads to",
  ".pth": "Python runs it whenever it starts",
  ".code-workspace": EDITOR,
};

/**
 * Why nobody but the user may write there; undefined when there is no reason. `way` leads from the folder that was lent,
 * or where the user stands, to the file: what is above it is the choice of whoever named it.
 */
export function startupReason(way: string): string | undefined {
  const names = way.split(sep === "\\" ? /[\\/]/ : "/").map(plainName);
  const place = PLACES.find(({ at }) =>
    names.some((_, start) => at.every((name, index) => names[start + index] === name)),
  );
  if (place) return place.why;
  const last = names.at(-1) ?? "";
  return Object.entries(ENDINGS).find(([ending]) => last.endsWith(ending))?.[1];
}

/** No list of what programs read is complete, and nearly all of it begins with a dot. */
export function hiddenReason(way: string): string | undefined {
  const isHidden = way.split(sep === "\\" ? /[\\/]/ : "/").some((name) => plainName(name).startsWith("."));
  return isHidden ? "hidden files are settings of programs, which are not for agents" : undefined;
}

/** As a file system may take it: without regard to case, invisible characters, or dots and blanks at the end. */
function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/(?<=.)[. ]+$/, "")
    .toLowerCase();
}

function places(why: string, ways: readonly string[]): StartupPlace[] {
  return ways.map((way) => ({ at: way.split("/"), why }));
}
