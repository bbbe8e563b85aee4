/** Ways to a host that the agent is not let to. */
import type { Attempt, Way } from "../attempt.ts";

/** Pages that load a document from elsewhere. */
const DOCUMENTS: Readonly<Record<string, (url: string) => string>> = {
  iframe: (url) => `<iframe src="${url}"></iframe>`,
  "late iframe": (url) =>
    `<script>setTimeout(() => { document.body.innerHTML = "<iframe src='${url}'></iframe>" }, 100)</script>`,
  object: (url) => `<object data="${url}"></object>`,
  refresh: (url) => `<meta http-equiv=refresh content="0;url=${url}">`,
  location: (url) => `<script>location = "${url}"</script>`,
  "pop-up": (url) => `<script>open("${url}")</script>`,
  "pop-up without opener": (url) => `<script>open("${url}", "", "noopener")</script>`,
  "blank pop-up's frame": (url) =>
    `<script>w = open("about:blank"); w?.document.write("<iframe src='${url}'></iframe>"); w?.document.close()</script>`,
  "srcdoc's frame": (url) => `<iframe srcdoc="<iframe src='${url}'></iframe>"></iframe>`,
  form: (url) =>
    `<form action="${url}" method=post><input name=a value=b></form><script>document.forms[0].submit()</script>`,
  "form into a new tab": (url) =>
    `<form action="${url}" target=_blank></form><script>document.forms[0].submit()</script>`,
  link: (url) => `<a id=a href="${url}">a</a><script>a.click()</script>`,
  "download link": (url) => `<a id=a download href="${url}">a</a><script>a.click()</script>`,
  "script's navigation of a frame": (url) => `<iframe name=f></iframe><script>open("${url}", "f")</script>`,
  "blob's frame": (url) =>
    `<script>f = document.createElement("iframe"); f.src = URL.createObjectURL(new Blob(["<iframe src='${url}'></iframe>"], { type: "text/html" })); document.documentElement.append(f)</script>`,
};

/** Pages that load parts from elsewhere. */
const PARTS: Readonly<Record<string, (url: string) => string>> = {
  picture: (url) => `<img src="${url}">`,
  script: (url) => `<script src="${url}"></script>`,
  fetch: (url) => `<script>fetch("${url}", { mode: "no-cors" }).catch(() => {})</script>`,
  beacon: (url) => `<script>navigator.sendBeacon("${url}", "x")</script>`,
  WebSocket: (url) => `<script>new WebSocket("${url.replace("http", "ws")}")</script>`,
  prefetch: (url) => `<link rel=prefetch href="${url}"><link rel=preload as=image href="${url}">`,
};

const COMMANDS: readonly (readonly string[])[] = [
  ["goto", "URL"],
  ["newtab", "URL"],
  ["download", "URL", ".browse/artifacts/x.html"],
  ["diff", "URL", "URL"],
];

export function hostWays(): Way[] {
  const pages = (kinds: typeof DOCUMENTS, isPartOnly: boolean) =>
    Object.entries(kinds).flatMap(([how, html]) => pageWays(how, html, isPartOnly));
  return [...pages(DOCUMENTS, false), ...pages(PARTS, true), ...commandWays()];
}

function pageWays(how: string, html: (url: string) => string, isPartOnly: boolean): Way[] {
  const mark = isPartOnly ? { isPartOnly: true as const } : {};
  const target = ({ household }: Attempt) => `${household.forbidden.url}/`;
  return [
    {
      ...mark,
      kind: `${how} of a forbidden host`,
      name: `${how} of a forbidden host`,
      run: (attempt) => attempt.visit(attempt.page(html(target(attempt)))),
    },
    {
      ...mark,
      kind: `${how} of a forbidden host behind a redirect`,
      name: `${how} of a forbidden host behind a redirect`,
      run: (attempt) => attempt.visit(attempt.page(html(attempt.redirect(target(attempt))))),
    },
    {
      ...mark,
      kind: `${how} of a forbidden host in a pop-up of an allowed one`,
      name: `${how} of a forbidden host in a pop-up of an allowed one`,
      run: (attempt) => attempt.visit(attempt.page(`<script>open("${attempt.page(html(target(attempt)))}")</script>`)),
    },
    {
      ...mark,
      kind: `${how} of a forbidden host in given HTML`,
      name: `${how} of a forbidden host in given HTML`,
      door: "local",
      run: async (attempt) => {
        await attempt.open("about:blank");
        await attempt.line("load-html", "--html", html(target(attempt)));
        await attempt.lookAround();
      },
    },
    {
      ...mark,
      kind: `${how} of a forbidden host after a click`,
      name: `${how} of a forbidden host after a click`,
      run: async (attempt) => {
        const inner = attempt.page(html(target(attempt)));
        await attempt.visit(attempt.page(`<a id=go target=_blank href="${inner}">go</a>`), () =>
          attempt.line("click", "#go"),
        );
      },
    },
  ];
}

function commandWays(): Way[] {
  return COMMANDS.flatMap((argv): Way[] =>
    [false, true].map((isRedirected) => ({
      kind: argv.join(" "),
      name: `${argv.join(" ")}${isRedirected ? " behind a redirect" : ""}`,
      run: async (attempt: Attempt) => {
        const target = `${attempt.household.forbidden.url}/`;
        const url = isRedirected ? attempt.redirect(target) : target;
        await attempt.open("about:blank");
        await attempt.line(...argv.map((word) => (word === "URL" ? url : word)));
        await attempt.lookAround();
      },
    })),
  );
}
