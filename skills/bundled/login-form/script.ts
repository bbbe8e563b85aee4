/** Logs in with a form of user name and password, and tells what is seen then. */
import type { Browse, Commands } from "./client.ts";

export interface Login {
  /** Null: what was seen does not tell. */
  loggedIn: boolean | null;
  seen: string[];
  /** Without query and fragment. */
  url: string;
}

interface Args {
  url: string;
  user: string;
  password: string;
}

export type Form = Commands["forms"]["result"]["forms"][number];
export type Field = Form["fields"][number];
export type Node = Commands["snapshot"]["result"]["nodes"][number];

const MAX_NODES = 20_000;
/** Of what a page says of an error. */
const MAX_MESSAGE = 300;

export async function main(browse: Browse, args: Args, { log }: { log: (message: string) => void }): Promise<Login> {
  try {
    return await logIn(browse, args, log);
  } catch (error) {
    // Whatever it is that says the password, nobody is told.
    if (!(error instanceof Error) || !error.message.includes(args.password)) throw error;
    throw new Error("Logging in failed, for a reason that is not told since it has the password in it");
  }
}

async function logIn(browse: Browse, { url, user, password }: Args, log: (message: string) => void): Promise<Login> {
  const arrived = await browse.goto({ url, wait: "load" });
  assertSafe(url, arrived.url);
  const before = await look(browse);
  const known = findLogin(before.forms);
  if (!known && logOutIn(before.nodes)) {
    const seen = ["A way to log out is on the page, and no form: nothing was filled in"];
    return { loggedIn: true, seen, url: plain(before.url) };
  }
  const login = known ? { ...known, page: before.url } : await afterUserName(browse, before.forms, { url, user });
  assertSends(login.form, { asked: url, page: login.page });
  if (login.user) await browse.fill({ target: login.user.ref, value: user });
  await browse.fill({ target: login.password.ref, value: password });
  log("Sending the form");
  await send(browse, login);
  return judged(await look(browse), password);
}

/** What the page shows. */
interface Look {
  url: string;
  forms: readonly Form[];
  nodes: readonly Node[];
}

async function look(browse: Browse): Promise<Look> {
  const { url, nodes } = await browse.snapshot({ max: MAX_NODES });
  const { forms } = await browse.forms();
  return { url, forms, nodes };
}

/** The form that some sites show after the user name only. */
async function afterUserName(
  browse: Browse,
  forms: readonly Form[],
  { url, user }: { url: string; user: string },
): Promise<LoginFields & { page: string }> {
  const first = findUserStep(forms);
  if (!first) throw new Error("No login form was seen on the page");
  await browse.fill({ target: first.user.ref, value: user });
  await send(browse, first);
  const next = await look(browse);
  assertSafe(url, next.url);
  const second = findLogin(next.forms);
  if (!second) throw new Error("No password field was seen, not after the user name was sent either");
  // What it shows of the user is what was sent.
  return { ...second, user: undefined, page: next.url };
}

async function send(browse: Browse, { button, user, password }: Partial<LoginFields>): Promise<void> {
  if (button) {
    await browse.click({ target: button.ref });
  } else {
    await browse.focus({ target: (password ?? user)?.ref ?? "" });
    await browse.press({ key: "Enter" });
  }
  // A page that never comes to rest shows what it has.
  await browse.wait({ idle: true }, { timeoutMs: 10_000 }).catch(() => undefined);
}

export interface LoginFields {
  form: Form;
  user: Field | undefined;
  password: Field;
  button: Field | undefined;
}

/** The form with one password field. Throws where each of them has more. */
export function findLogin(forms: readonly Form[]): LoginFields | undefined {
  const asking = forms
    .map((form) => ({ form, passwords: form.fields.filter(isPassword) }))
    .filter(({ passwords }) => passwords.length > 0);
  const found = asking.find(({ passwords }) => passwords.length === 1);
  if (!found && asking.length > 0) {
    throw new Error("The form asks for two passwords: it is for signing up, or for changing one");
  }
  const password = found?.passwords[0];
  if (!found || !password) return undefined;
  const { form } = found;
  const at = form.fields.indexOf(password);
  return { form, user: form.fields.slice(0, at).findLast(isUserField), password, button: buttonOf(form, at) };
}

/** A form that asks for the user's name alone, before the password. */
export function findUserStep(forms: readonly Form[]): { user: Field; button: Field } | undefined {
  for (const form of forms) {
    const user = form.fields.find((field) => isUserField(field) && meansUser(field));
    const button = user && buttonOf(form, form.fields.indexOf(user));
    // A newsletter asks for an address too.
    if (user && button && isSubmit(button)) return { user, button };
  }
  return undefined;
}

function isPassword({ type, disabled }: Field): boolean {
  return type === "password" && !disabled;
}

function isUserField({ type, disabled, role }: Field): boolean {
  return !disabled && ["text", "email", "tel"].includes(type) && role !== "searchbox";
}

const USER_WORDS = [
  "user",
  "login",
  "e-mail",
  "email",
  "mail",
  "benutzer",
  "utilisateur",
  "usuario",
  "account",
  "konto",
  "identifi",
];

function meansUser({ type, name, label }: Field): boolean {
  const words = `${name} ${label}`.toLowerCase();
  return type === "email" || USER_WORDS.some((word) => words.includes(word));
}

/** Throws for a form that sends the password elsewhere, or in an address. */
export function assertSends({ method, action }: Form, { asked, page }: { asked: string; page: string }): void {
  // A form that names no action is sent by a script, which nobody can see into.
  if (action === "" || plain(action) === plain(page)) return;
  if (method === "get") throw new Error("The form would send the password as part of an address");
  assertSafe(asked, action);
}

const SUBMIT_WORDS =
  /\b(?:log ?-?in|sign ?-?in|continue|next|submit|anmelden|einloggen|weiter|connexion|se connecter|entrar|iniciar|accedi|enviar)\b/i;

/** What sends the form: its submit button after the field, else one that says so. Absent: Enter does. */
function buttonOf({ fields }: Form, at: number): Field | undefined {
  const after = fields.slice(at + 1).filter(({ disabled }) => !disabled);
  const submit = after.filter(({ type }) => type === "submit");
  return submit.find(isSubmit) ?? submit[0] ?? after.find((field) => field.type === "button" && isSubmit(field));
}

function isSubmit({ label, value }: Field): boolean {
  return SUBMIT_WORDS.test(label || value);
}

/** What was seen, and what that tells. The password is in none of it. */
export function judged({ url, forms, nodes }: Look, password: string): Login {
  const asksAgain = forms.some(({ fields }) => fields.some(isPassword));
  const asksCode = forms.some(({ fields }) => fields.some(isCodeField));
  const logOut = logOutIn(nodes);
  const error = errorIn(nodes);
  const seen = [
    ...(asksAgain ? ["A password field is on the page"] : []),
    ...(asksCode ? ["The page asks for a code: a second factor"] : []),
    ...(logOut ? ["A way to log out is on the page"] : []),
    ...(error === undefined ? [] : [errorText(error, password)]),
  ];
  if (seen.length === 0) seen.push("Neither a password field, nor a way to log out, nor an error is on the page");
  const isAsked = asksAgain || asksCode;
  // Both may be on a page of settings.
  return { loggedIn: isAsked === logOut ? null : logOut, seen, url: plain(url) };
}

function errorText(error: string, password: string): string {
  return error.includes(password) ? "The page shows an error" : `The page says ${JSON.stringify(error)}`;
}

const CODE_WORDS =
  /\b(?:otp|totp|2fa|mfa|one[- ]time|verification code|security code|authenticat\w{0,6} code|einmal\w{0,4})\b/i;

function isCodeField({ type, name, label, disabled }: Field): boolean {
  return (
    !disabled && ["text", "tel", "number"].includes(type) && CODE_WORDS.test(`${name} ${label}`.replaceAll("_", " "))
  );
}

const LOG_OUT = [
  ...[
    "log out",
    "logout",
    "log-out",
    "sign out",
    "signout",
    "sign-out",
    "log off",
    "abmelden",
    "ausloggen",
    "logga ut",
  ],
  ...["log ud", "logg ut", "uitloggen", "wyloguj", "esci", "disconnetti", "sair", "salir", "cerrar sesión"],
  ...["déconnexion", "se déconnecter", "выйти", "ログアウト", "退出", "登出", "로그아웃"],
];

/** Does the page show a button or link that logs out? */
function logOutIn(nodes: readonly Node[]): boolean {
  const names = nodes
    .filter(({ role, hidden }) => ["button", "link", "menuitem"].includes(role) && !hidden)
    .map(({ name }) => name.toLowerCase());
  return names.some((name) => LOG_OUT.some((words) => name.startsWith(words)));
}

const ERROR_WORDS =
  /\b(?:incorrect|invalid|wrong|failed|denied|locked|try again|not (?:recognized|recognised|found|match|correct)|do(?:es)?n['’]t match|unknown user|too many|falsch|ungültig|fehlgeschlagen|incorrecto|incorrect[ea]?|invalide|errat[oa])\b/i;

/** What the page says went wrong: an alert, or a short text with a word for it. */
function errorIn(nodes: readonly Node[]): string | undefined {
  const told = nodes
    .filter(({ hidden }) => !hidden)
    .map(({ role, name, text }) => ({ role, said: text || name }))
    .filter(({ role, said }) => said !== "" && said.length <= MAX_MESSAGE && !["button", "link"].includes(role));
  const alert = told.find(({ role, said }) => role === "alert" && ERROR_WORDS.test(said));
  return (alert ?? told.find(({ said }) => ERROR_WORDS.test(said)))?.said;
}

/** Throws unless a password for `asked` may be given to the page at `found`. */
export function assertSafe(asked: string, found: string): void {
  const [from, to] = [hostOf(withScheme(asked)), hostOf(found)];
  const base = from.startsWith("www.") ? from.slice("www.".length) : from;
  if (to !== base && !to.endsWith(`.${base}`)) {
    throw new Error(`${from} leads to a page of ${to}: give that as "url" if the password is meant for it`);
  }
  const isOwn = to === "localhost" || to === "[::1]" || to.endsWith(".localhost") || /^127(?:\.\d{1,3}){3}$/.test(to);
  if (!found.startsWith("https:") && !isOwn) throw new Error(`${to} would be sent the password without encryption`);
}

function withScheme(url: string): string {
  return /^[a-z]+:\/\//i.test(url) ? url : `https://${url}`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}

function plain(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}${new URL(url).pathname}` : "";
}
