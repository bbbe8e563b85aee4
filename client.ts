/**
 * The SDK: one file without imports, for Node, Deno, Bun, extension pages and skill scripts.
 *
 * ```ts
 * await using browse = await connect();
 * await browse.goto({ url: "https://example.com" });
 * for await (const item of browse.events(["console"])) console.log(item);
 * ```
 */

/** Protocol that this client speaks; a daemon of the same major version understands it. */
const PROTOCOL = "1.0.0";
/** Times a lost connection is tried again, each after a longer pause than before. */
const RECONNECTS = 6;
const FIRST_PAUSE_MS = 25;
const MAX_BATCH = 50;
/** Characters; the daemon takes messages up to 16 MB. */
const MAX_MESSAGE = 16 * 1024 * 1024;
/** Events that may wait for a slow reader before the oldest are dropped. */
const MAX_WAITING_EVENTS = 10_000;
/** Daemons started for one connection before giving up. */
const MAX_STARTS = 3;
/** How much longer than a call may take a daemon that says nothing at all is waited for. */
const GRACE_MS = 2_000;
/** Asked for by promises and by `JSON.stringify`, of whatever they are given. */
const NO_COMMANDS = new Set(["then", "toJSON"]);
/** Timers take no more. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Of the daemon's state file, which is far smaller. */
const MAX_STATE_BYTES = 65_536;

// <generated commands>
/** What an action did; absent members did not happen. */
// biome-ignore format: generated, one command a line
export interface EffectReport { before?: { navigated?: string; dialogs?: ({ id: number; type: "alert" | "confirm" | "prompt" | "beforeunload"; message: string; outcome: "accepted" | "dismissed" | "open"; answer?: string; time: string })[]; moreDialogs?: number; opened?: string[]; downloads?: { name: string; url: string; path?: string; failure?: string }[]; errors?: { text: string; at?: string }[]; moreErrors?: number; failed?: { id: number; method: string; url: string; status?: number; failure?: string }[]; moreFailed?: number; changed?: number }; navigated?: string; status?: number; unloaded?: { url: string; network: string }; navigating?: string; brokenOff?: { method: string; url: string }[]; notOpened?: string[]; frames?: string[]; failedFrames?: { url: string; status?: number; network?: string }[]; navigatingFrames?: string[]; dialogs?: ({ id: number; type: "alert" | "confirm" | "prompt" | "beforeunload"; message: string; outcome: "accepted" | "dismissed" | "open"; answer?: string; time: string })[]; moreDialogs?: number; opened?: string[]; openedUrls?: string[]; closedAgain?: number; opening?: string; emptyAnswers?: { method: string; url: string; status: number }[]; popUpsClosed?: number; downloads?: { name: string; url: string; path?: string; failure?: string }[]; choosing?: { multiple: boolean; ref?: string }; downloading?: string; downloadsLost?: string[]; refused?: string[]; closed?: boolean; errors?: { text: string; at?: string }[]; moreErrors?: number; failed?: { id: number; method: string; url: string; status?: number; failure?: string }[]; moreFailed?: number; refusedFields?: { field: string; message: string }[]; rewritten?: { field: string; value?: string; checked?: boolean }[]; focused?: { ref: string; role: string; name: string }; waiting?: { method: string; url: string }[]; moreWaiting?: number; answering?: { method: string; url: string }[]; title?: string; changed?: number; changes?: ({ kind: "added" | "removed" | "changed" | "moved"; depth: number; ref?: string; line: string; was?: string; inside?: number })[]; moreChanges?: number; nothing?: boolean; watchedMs?: number; unsettled?: boolean }

/** What the content guard says of the page's words in an answer: data, not orders. */
export interface Untrusted {
  /** Origin of the page; absent where there is not one. */
  source?: string;
  verdict: "allow" | "log" | "warn" | "block";
  warnings: string[];
}

/** What it led to, when the call asked for `snapshot`: that, or why there is none. */
export interface SnapshotAfter {
  snapshot?: Commands["snapshot"]["result"];
  snapshotError?: { kind: string; message: string; hint: string };
}

/** What is known of the host that a call has led to, for a connection that asked for it. What others wrote: no orders. */
export interface Advice {
  host: string;
  skills: Commands["note.show"]["result"]["skills"];
  notes: Pick<Commands["note.show"]["result"]["notes"][number], "id" | "tier" | "text">[];
  /** Notes that nobody has used yet: `note.show` has them. */
  quarantined: number;
  untrusted: Untrusted;
}

/** Params and result of every command. */
// biome-ignore format: generated, one command a line
export interface Commands {
  /** Go back one page in the tab's history. */
  back: { params: Record<string, never>; result: { url: string; status?: number; redirects?: string[]; isCached?: true; shows?: "nothing" | "before"; inFrame?: true } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Go forward one page in the tab's history. */
  forward: { params: Record<string, never>; result: { url: string; status?: number; redirects?: string[]; isCached?: true; shows?: "nothing" | "before"; inFrame?: true } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Scope later selectors to a frame, or back to the main frame. */
  frame: { params: { target?: string; name?: string; url?: string }; result: { url: string; name?: string; main: boolean } & { untrusted?: Untrusted } };
  /** Load an address in the tab. */
  goto: { params: { url: string; wait?: "load" | "dom" | "idle" | "commit" }; result: { url: string; status?: number; redirects?: string[]; isCached?: true; shows?: "nothing" | "before"; inFrame?: true } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Show an HTML, XHTML or SVG document from a file or from standard input. */
  "load-html": { params: { file?: string; html?: string; wait?: "load" | "dom" | "idle" | "commit" }; result: { url: string; status?: number; redirects?: string[]; isCached?: true; shows?: "nothing" | "before"; inFrame?: true; bytes: number } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Reload the tab's page. */
  reload: { params: { hard?: boolean; resend?: boolean; wait?: "load" | "dom" | "idle" | "commit" }; result: { url: string; status?: number; redirects?: string[]; isCached?: true; shows?: "nothing" | "before"; inFrame?: true } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Break off what the tab is loading. */
  "stop-loading": { params: Record<string, never>; result: { url: string; stopped?: { method: string; url: string }; requests?: { method: string; url: string }[]; moreRequests?: number; downloads?: { name: string; url: string }[]; downloading?: string[]; closed?: string[] } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Print the page's title. */
  title: { params: Record<string, never>; result: { title: string } & { untrusted?: Untrusted } };
  /** Print the tab's address. */
  url: { params: Record<string, never>; result: { url: string; failed?: string } };
  /** Wait for an element, a text, an address, a page state, or a length of time. */
  wait: { params: { what?: string; text?: string; url?: string; load?: boolean; idle?: boolean; fn?: string; gone?: string }; result: { waitedMs: number } & { untrusted?: Untrusted } };
  /** Read the whole accessibility tree as the browser computes it. */
  accessibility: { params: Record<string, never>; result: { nodes: ({ depth: number; role: string; name: string; description?: string; properties?: Record<string, string | number | boolean> })[] } & { untrusted: Untrusted } };
  /** Read the page's machine-readable data: JSON-LD, Open Graph, Twitter card, meta elements. */
  data: { params: { jsonld?: boolean; og?: boolean; twitter?: boolean; meta?: boolean }; result: { jsonld?: ({ value: unknown } | { error: string; text: string })[]; og?: Record<string, string | string[]>; twitter?: Record<string, string | string[]>; meta?: Record<string, string | string[]>; links?: { rel: string; href: string; type?: string; title?: string; hreflang?: string; sizes?: string }[]; page?: { url: string; title: string; lang: string; charset: string } } & { untrusted: Untrusted } };
  /** Find text on the page: the matching snapshot lines with their refs. */
  find: { params: { text: string; context?: number }; result: { matches: number; shown?: number; searched?: number; text: string } & { untrusted: Untrusted } };
  /** List forms with their fields, labels and values. */
  forms: { params: Record<string, never>; result: { forms: { action: string; method: string; name: string; fields: { ref: string; role: string; tag: string; type: string; name: string; label: string; required: boolean; disabled: boolean; value: string; checked?: boolean; options?: { value: string; label: string; selected: boolean }[]; moreOptions?: number }[] }[] } & { untrusted: Untrusted } };
  /** Read the HTML of the page or an element. */
  html: { params: { target?: string; outer?: boolean }; result: { html: string } & { untrusted: Untrusted } };
  /** List links: text and absolute address. */
  links: { params: { target?: string }; result: { links: { text: string; url: string }[] } & { untrusted: Untrusted } };
  /** Read the page or an element as Markdown. */
  markdown: { params: { target?: string; article?: boolean; file?: string }; result: { markdown: string } & { untrusted: Untrusted } };
  /** List images, videos and audio: address, size, type, alternative text. */
  media: { params: { target?: string; images?: boolean; videos?: boolean; audio?: boolean }; result: { media: ({ kind: "image" | "video" | "audio"; as: "element" | "background" | "poster"; url: string; type?: string; alt?: string; width?: number; height?: number; durationS?: number; bytes?: number; shown: { width: number; height: number }; isVisible: boolean; isLazy?: true; sources?: { url: string; type?: string; for?: string }[]; stream?: "hls" | "dash" | "pieces"; frame?: string })[] } & { untrusted: Untrusted } };
  /** Read the text a person sees. */
  text: { params: { target?: string; file?: string }; result: { text: string } & { untrusted: Untrusted } };
  /** Describe the page as its visitor meets it: identity, navigation, headings, controls, text, forms. */
  "ux-audit": { params: Record<string, never>; result: { url: string; title: string; lang: string; description: string; siteName: string; home: { text: string; url: string } | null; logo: { alt: string; url: string } | null; search: { ref: string; role: string; name: string } | null; viewport: { width: number; height: number }; pageHeight: number; landmarks: { items: { ref: string; role: string; name: string }[]; total: number }; navigation: { items: { ref: string; role: string; name: string; links: { text: string; url: string; isCurrent: boolean }[] }[]; total: number }; headings: { items: { ref: string; role: string; name: string; level: number }[]; total: number }; interactive: { items: { ref: string; role: string; name: string; width: number; height: number; isInView: boolean; isDisabled: boolean }[]; total: number }; text: { items: { words: number; excerpt: string; width: number; fontSize: number }[]; total: number }; forms: { items: { name: string; fields: number; required: number; unlabeled: number; submit: string }[]; total: number } } & { untrusted: Untrusted } };
  /** Test the page, or an element, against accessibility rules. */
  a11y: { params: { target?: string; tags?: string }; result: { violations: ({ id: string; impact: string | null; help: string; helpUrl: string; tags: string[]; elements: { ref?: string; selector: string; html: string; summary: string; frames?: string[] }[] })[]; incomplete: ({ id: string; impact: string | null; help: string; helpUrl: string; tags: string[]; elements: { ref?: string; selector: string; html: string; summary: string; frames?: string[] }[] })[]; passes: string[] } & { untrusted: Untrusted } };
  /** List an element's attributes. */
  attrs: { params: { target: string }; result: { attributes: Record<string, string> } & { untrusted: Untrusted } };
  /** Show an element's position and size. */
  box: { params: { target: string }; result: { x: number; y: number; width: number; height: number } & { untrusted?: Untrusted } };
  /** Call an allowed method of the Chrome DevTools Protocol. */
  cdp: { params: { method?: string; params?: Record<string, unknown>; target?: string; list?: boolean }; result: { result?: unknown; methods?: ({ method: string; scope: "read" | "write" | "admin" | "control" | "meta"; effect: "none" | "page" | "navigation" | "browser" | "disk" | "code" | "process"; output: "plain" | "page" | "secret"; takesElement: boolean; reason: string })[] } & { untrusted: Untrusted } };
  /** Show what the page wrote to its console, and its uncaught errors. */
  console: { params: { errors?: boolean; warnings?: boolean; all?: boolean; since?: number; last?: number; clear?: boolean }; result: { entries: ({ id: number; level: "log" | "debug" | "info" | "warning" | "error"; text: string; arguments?: string[]; location?: string; uncaught?: boolean; stack?: string; time: string })[]; total: number; before?: number; earlier?: number } & { untrusted: Untrusted } };
  /** Set a cookie of the current page. */
  cookie: { params: { name: string; value: string; domain?: string; path?: string; maxAge?: number; httpOnly?: boolean; secure?: boolean; sameSite?: "Strict" | "Lax" | "None" }; result: { set: string; domain: string } };
  /** Set cookies from a file: JSON, Netscape's cookies.txt, or a cURL command. */
  "cookie-import": { params: { file: string; domain?: string[] }; result: { format: "json" | "netscape" | "curl"; count: number; domains: string[] } };
  /** List the session's cookies, secrets redacted. */
  cookies: { params: { domain?: string }; result: { cookies: ({ name: string; value: string; domain: string; path: string; expires: number; httpOnly: boolean; secure: boolean; sameSite: "Strict" | "Lax" | "None" })[] } & { untrusted: Untrusted } };
  /** Count the elements that match a selector. */
  count: { params: { target: string }; result: { count: number } };
  /** Show an element's computed style. */
  css: { params: { target: string; property?: string }; result: { style: Record<string, string> } & { untrusted: Untrusted } };
  /** Show the dialogs that the page opened and how they were answered. */
  dialog: { params: { last?: number; clear?: boolean }; result: { dialogs: ({ id: number; type: "alert" | "confirm" | "prompt" | "beforeunload"; message: string; outcome: "accepted" | "dismissed" | "open"; answer?: string; time: string })[]; before?: number } & { untrusted?: Untrusted } };
  /** Run a JavaScript file in the page and print its value. */
  eval: { params: { file: string; out?: string; raw?: boolean; force?: boolean }; result: { value?: unknown; file?: string; bytes?: number } & { untrusted: Untrusted } };
  /** Send a header with every later request of the session. */
  header: { params: { name?: string; value?: string; remove?: boolean }; result: { names: string[] } };
  /** Show which CSS rules style an element, and which of them win. */
  inspect: { params: { target?: string; all?: boolean; history?: boolean }; result: { element?: { ref: string; role: string; name: string; text?: string }; box?: { x: number; y: number; width: number; height: number; margin: { top: number; right: number; bottom: number; left: number }; border: { top: number; right: number; bottom: number; left: number }; padding: { top: number; right: number; bottom: number; left: number } }; rules?: ({ kind: "rule" | "style-attribute" | "attributes" | "animation" | "transition"; origin: "user-agent" | "user" | "author"; selector: string; specificity?: unknown[]; source?: string; conditions: string[]; declarations: ({ name: string; value: string; important?: true; state: "applies" | "partly" | "overridden" | "reverts" | "invalid" })[] })[]; inherited?: ({ from: string; rules: ({ kind: "rule" | "style-attribute" | "attributes" | "animation" | "transition"; origin: "user-agent" | "user" | "author"; selector: string; specificity?: unknown[]; source?: string; conditions: string[]; declarations: ({ name: string; value: string; important?: true; state: "applies" | "partly" | "overridden" | "reverts" | "invalid" })[] })[] })[]; pseudoElements?: ({ name: string; rules: ({ kind: "rule" | "style-attribute" | "attributes" | "animation" | "transition"; origin: "user-agent" | "user" | "author"; selector: string; specificity?: unknown[]; source?: string; conditions: string[]; declarations: ({ name: string; value: string; important?: true; state: "applies" | "partly" | "overridden" | "reverts" | "invalid" })[] })[] })[]; applied?: Record<string, { value: string; from: string }>; computed?: Record<string, string>; history?: { id: number; element: string; property: string; before: string; after: string }[] } & { untrusted: Untrusted } };
  /** Check an element's state: visible, enabled, checked and so on. */
  is: { params: { state: "visible" | "hidden" | "enabled" | "disabled" | "checked" | "editable" | "focused"; target: string }; result: { state: "visible" | "hidden" | "enabled" | "disabled" | "checked" | "editable" | "focused"; is: boolean; missing?: boolean } };
  /** Run JavaScript in the page and print its value. */
  js: { params: { code: string; out?: string; raw?: boolean; force?: boolean }; result: { value?: unknown; file?: string; bytes?: number } & { untrusted: Untrusted } };
  /** Show the memory use of the daemon, the browser's processes and each tab. */
  memory: { params: Record<string, never>; result: { daemon: { pid: number; rss: number; heapUsed: number; external: number }; processes: { pid: number; type: string; rss?: number }[]; tabs: { tab: string; session: string; url: string; heapUsed?: number; heapTotal?: number; documents?: number; nodes?: number; listeners?: number; buffers: { console: number; network: number; dialogs: number } }[]; debuggerSessions?: number } };
  /** Show the requests the page made, or one of them with its headers and bodies. */
  network: { params: { id?: number; bodyOffset?: number; filter?: string; failed?: boolean; type?: string; method?: string; status?: string; all?: boolean; last?: number; clear?: boolean; har?: string; force?: boolean }; result: { entries: { id: number; method: string; url: string; resourceType: string; status?: number; statusText?: string; bytes?: number; durationMs?: number; waitMs?: number; failure?: string; redirectedFrom?: number; frames?: { sent: number; received: number; sentBytes: number; receivedBytes: number }; requestHeaders?: Record<string, string>; responseHeaders?: Record<string, string>; requestBody?: { text?: string; offset?: number; characters?: number; missing?: string }; responseBody?: { text?: string; offset?: number; characters?: number; missing?: string }; time: string }[]; total: number; before?: number; static?: Record<string, number>; earlier?: number; file?: string; bytes?: number } & { untrusted: Untrusted } };
  /** Show how fast the page loaded, and its web vitals. */
  perf: { params: { vitals?: boolean }; result: { timing?: { type: string; redirectMs: number; dnsMs: number; connectMs: number; requestMs: number; responseMs: number; domInteractiveMs: number; domContentLoadedMs: number; loadMs?: number; transferBytes: number; resources: { count: number; transferBytes: number } }; vitals?: { ttfbMs?: number; firstContentfulPaintMs?: number; largestContentfulPaintMs?: number; largestElement?: string; cumulativeLayoutShift: number; interactionToNextPaintMs?: number; interactions: number } } & { untrusted: Untrusted } };
  /** List the page's local and session storage. */
  storage: { params: { localStorage?: boolean; sessionStorage?: boolean }; result: { local?: Record<string, string>; session?: Record<string, string> } & { untrusted: Untrusted } };
  /** Set one item of the page's local storage, or with --session of its session storage. */
  "storage.set": { params: { key: string; value: string; localStorage?: boolean; sessionStorage?: boolean }; result: { set: string } };
  /** Set a property in an element's style attribute, or undo such changes. */
  style: { params: { target?: string; property?: string; value?: string; undo?: boolean; steps?: number }; result: { changed?: { id: number; element: string; property: string; before: string; after: string }; undone?: { id: number; element: string; property: string; before: string; after: string }[]; gone?: { id: number; element: string; property: string; before: string; after: string }[] } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Show or set the session's user agent. */
  useragent: { params: { userAgent?: string; reset?: boolean }; result: { userAgent: string } };
  /** Print a field's current value. */
  value: { params: { target: string }; result: { value: string | string[]; masked: boolean } & { untrusted: Untrusted } };
  /** Check a checkbox, radio or switch. */
  check: { params: { target: string }; result: { element: { ref: string; role: string; name: string; text?: string }; already?: true } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Hide clutter on the page: ads, cookie banners, overlays, sticky bars, share buttons. */
  cleanup: { params: { ads?: boolean; cookies?: boolean; overlays?: boolean; sticky?: boolean; social?: boolean; undo?: boolean }; result: { cleared: ({ kind: "ads" | "cookies" | "overlays" | "sticky" | "social"; how: "hidden" | "unpinned" | "unlocked"; ref: string; role: string; name: string })[]; kept: number; restored?: number } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Click an element. */
  click: { params: { target: string; double?: boolean; right?: boolean; newTab?: boolean; modifiers?: ("Alt" | "Control" | "Meta" | "Shift")[] }; result: { element: { ref: string; role: string; name: string; text?: string } } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Accept the open dialog, or the next one. */
  "dialog-accept": { params: { text?: string }; result: { dialog?: { id: number; type: "alert" | "confirm" | "prompt" | "beforeunload"; message: string; outcome: "accepted" | "dismissed" | "open"; answer?: string; time: string } } & { untrusted?: Untrusted } };
  /** Dismiss the open dialog, or the next one. */
  "dialog-dismiss": { params: Record<string, never>; result: { dialog?: { id: number; type: "alert" | "confirm" | "prompt" | "beforeunload"; message: string; outcome: "accepted" | "dismissed" | "open"; answer?: string; time: string } } & { untrusted?: Untrusted } };
  /** Show or set what happens to dialogs by default. */
  "dialog-policy": { params: { policy?: "accept" | "dismiss" | "ask" }; result: { policy: "accept" | "dismiss" | "ask" } };
  /** Drag one element onto another. */
  drag: { params: { target: string; onto: string }; result: { element: { ref: string; role: string; name: string; text?: string }; onto: { ref: string; role: string; name: string; text?: string }; place?: { moved: boolean; position: number; of: number; holder?: { ref: string; role: string; name: string; text?: string } } } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Drop files on an element, as from a file manager. */
  drop: { params: { target: string; files: string[] }; result: { element: { ref: string; role: string; name: string; text?: string }; files: string[] } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Show or set emulation: media, geolocation, locale, time zone, network, CPU. */
  emulate: { params: { media?: "screen" | "print" | "default"; colorScheme?: "light" | "dark" | "no-preference" | "default"; reducedMotion?: "reduce" | "no-preference" | "default"; contrast?: "more" | "no-preference" | "default"; forcedColors?: "active" | "none" | "default"; geolocation?: string; locale?: string; timezone?: string; offline?: boolean; cpu?: number; network?: string; reset?: boolean }; result: { settings: { media?: string; colorScheme?: string; reducedMotion?: string; contrast?: string; forcedColors?: string; geolocation?: { latitude: number; longitude: number; accuracy?: number }; locale?: string; timezone?: string; offline?: boolean; cpu?: number; network?: { downKbps: number; upKbps: number; latencyMs: number }; device?: string; scale?: number; userAgent?: string } } };
  /** Replace a field's value. */
  fill: { params: { target: string; value: string }; result: { element: { ref: string; role: string; name: string; text?: string } } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Fill many fields at once, or none if one of them cannot be filled. */
  "fill-form": { params: { fields: ({ target: string; value: string | number | boolean | string[] })[] | Record<string, string | number | boolean | string[]> }; result: { filled: { ref: string; role: string; name: string; text?: string }[] } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Give an element the keyboard focus. */
  focus: { params: { target: string }; result: { element: { ref: string; role: string; name: string; text?: string } } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Move the mouse over an element. */
  hover: { params: { target: string }; result: { element: { ref: string; role: string; name: string; text?: string } } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Press a mouse button where the mouse is. */
  "mouse.down": { params: { button?: "left" | "middle" | "right" }; result: { x: number; y: number } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Move the mouse to a point of the viewport. */
  "mouse.move": { params: { x: number; y: number }; result: { x: number; y: number } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Release a mouse button where the mouse is. */
  "mouse.up": { params: { button?: "left" | "middle" | "right" }; result: { x: number; y: number } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Turn the mouse wheel where the mouse is. */
  "mouse.wheel": { params: { by: number[] }; result: { x: number; y: number } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Press a key or a key combination. */
  press: { params: { key: string }; result: { key: string } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Scroll the page, or an element into view or within itself. */
  scroll: { params: { target?: string; by?: number; to?: "top" | "bottom"; times?: number }; result: { movedBy: number; top: number; atEnd: boolean } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Choose options from a list by value, label or text. */
  select: { params: { target: string; values: string[] }; result: { element: { ref: string; role: string; name: string; text?: string }; selected: string[] } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Type text where the focus is, or into an element. */
  type: { params: { text: string; into?: string }; result: { characters: number; sent?: number; into?: { ref: string; role: string; name: string; text?: string } } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Uncheck a checkbox or switch. */
  uncheck: { params: { target: string }; result: { element: { ref: string; role: string; name: string; text?: string }; already?: true } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Upload files through a file field, or through a button that opens a file chooser. */
  upload: { params: { target: string; files: string[] }; result: { element: { ref: string; role: string; name: string; text?: string }; files: string[] } & { untrusted?: Untrusted } & { effect: EffectReport } & SnapshotAfter & { advice?: Advice } };
  /** Show or set the size of the tab's viewport, and the screen or device of the session. */
  viewport: { params: { size?: string; scale?: number; device?: string; reset?: boolean }; result: { width: number; height: number; scale: number; device?: string } };
  /** Compare two pages: their text, or with --screenshot their looks. */
  diff: { params: { url1: string; url2: string; screenshot?: boolean }; result: { first: { url: string; status?: number }; second: { url: string; status?: number }; same: boolean; added?: number; removed?: number; diff?: string; path?: string; width?: number; height?: number; mismatched?: number; mismatch?: number } & { untrusted: Untrusted } };
  /** Print the page to PDF. */
  pdf: { params: { path?: string; format?: "letter" | "legal" | "tabloid" | "ledger" | "a0" | "a1" | "a2" | "a3" | "a4" | "a5" | "a6"; width?: string; height?: string; margin?: string; marginTop?: string; marginRight?: string; marginBottom?: string; marginLeft?: string; header?: string; footer?: string; pageNumbers?: boolean; toc?: boolean; outline?: boolean; tagged?: boolean; background?: boolean; fromFile?: string; force?: boolean }; result: { path: string; bytes: number; paper: { width: number; height: number } } & { untrusted?: Untrusted } };
  /** Take a clean screenshot of the whole page, without banners and pop-ups. */
  prettyscreenshot: { params: { path?: string; hide?: string[]; width?: number; format?: "png" | "jpeg" | "webp"; maxSide?: number; force?: boolean }; result: { path: string; width: number; height: number; bytes: number; scale: number; hidden: string[] } & { untrusted?: Untrusted } };
  /** Start recording a video of the tab. */
  "record.start": { params: Record<string, never>; result: { tab: string } & { untrusted?: Untrusted } };
  /** Stop recording the tab, and write the video. */
  "record.stop": { params: { path?: string; force?: boolean }; result: { tab: string; path: string; bytes: number; width: number; height: number; durationMs: number; frames: number; ended?: string } & { untrusted?: Untrusted } };
  /** Take screenshots of the whole page at phone, tablet and desktop widths. */
  responsive: { params: { prefix?: string; maxSide?: number; force?: boolean }; result: { images: ({ screen: "mobile" | "tablet" | "desktop"; viewport: { width: number; height: number }; path: string; width: number; height: number; bytes: number; scale: number })[] } };
  /** Take a screenshot of the page, the viewport, an element or an area. */
  screenshot: { params: { target?: string; path?: string; selector?: string; viewport?: boolean; clip?: string; base64?: boolean; format?: "png" | "jpeg" | "webp"; maxSide?: number; force?: boolean }; result: { path?: string; base64?: string; width: number; height: number; bytes: number; scale: number } & { untrusted?: Untrusted } };
  /** Show the page as a tree of elements with refs. */
  snapshot: { params: { interactive?: boolean; compact?: boolean; depth?: number; selector?: string; viewport?: boolean; modal?: boolean; clickable?: boolean; noClickable?: boolean; diff?: boolean; annotate?: boolean; output?: string; max?: number; force?: boolean }; result: { title: string; url: string; tab: string; frame?: string; scope?: string; modal?: boolean; pdf?: true; shown: number; total: number; nodes: ({ depth: number; ref?: string; role: string; name: string; quiet?: true; text?: string; type?: string; value?: string; url?: string; placeholder?: string; description?: string; markup?: string; within?: string; states?: { checked?: boolean | "mixed"; pressed?: boolean | "mixed"; selected?: boolean; expanded?: boolean; disabled?: boolean; required?: boolean; readonly?: boolean; editable?: boolean; invalid?: boolean; active?: boolean; current?: string; level?: number }; hidden?: "display" | "visibility" | "opacity" | "zero-size" | "clipped" | "off-screen" | "mask" | "filter" | "same-color" | "covered" | "aria-hidden" | "label-mismatch"; interactive?: true; clickable?: string; unreachable?: string; failed?: string })[]; comparison?: { outcome: "first" | "elsewhere" | "unchanged" | "changed"; from?: string; flags: string; changes: ({ kind: "added" | "removed" | "changed" | "moved"; depth: number; ref?: string; line: string; was?: string; inside?: number })[] }; annotated?: { path: string; width: number; height: number; bytes: number; drawn: string[]; unmeasured: string[] } } & { untrusted: Untrusted } };
  /** Start a Playwright trace of the session. */
  "trace.start": { params: Record<string, never>; result: { session: string } & { untrusted?: Untrusted } };
  /** Stop the session's trace, and write it. */
  "trace.stop": { params: { path?: string; force?: boolean }; result: { session: string; path: string; bytes: number; ended?: string } & { untrusted?: Untrusted } };
  /** Save the page as it is now in one file (MHTML), with its images, styles and frames. */
  archive: { params: { path?: string; force?: boolean }; result: { path: string; bytes: number; url: string } & { untrusted?: Untrusted } };
  /** Download a file with the browser's cookies: from an address, or what an element shows or links to. */
  download: { params: { url?: string; target?: string; path?: string; navigate?: boolean; maxMegabytes?: number; force?: boolean }; result: { path: string; bytes: number; type: string; url: string; redirects: string[] } & { untrusted?: Untrusted } };
  /** Download the page's images, videos, or all media into a folder, with a manifest.json. */
  scrape: { params: { what: "images" | "videos" | "media"; dir?: string; limit?: number; selector?: string; maxMegabytes?: number; force?: boolean }; result: { dir: string; manifest: string; saved: number; failed: number; left: number; items: ({ url: string; kind: "image" | "video" | "audio"; file?: string; bytes?: number; type?: string; width?: number; height?: number; alt?: string; error?: { kind: string; message: string; hint: string } })[] } & { untrusted?: Untrusted } };
  /** Read an HTML table as JSON or CSV. */
  table: { params: { target: string; csv?: boolean }; result: { caption: string; columns: string[]; rows: string[][]; csv?: string } & { untrusted: Untrusted } };
  /** Close the current tab, the named one, or all others. */
  closetab: { params: { id?: string; others?: boolean }; result: { closed?: string; others?: string[]; current?: string; brokenOff?: { method: string; url: string }[]; downloads?: { name: string; url: string }[]; downloadsLost?: string[]; dialogs?: ({ id: number; type: "alert" | "confirm" | "prompt" | "beforeunload"; message: string; outcome: "accepted" | "dismissed" | "open"; answer?: string; time: string })[]; left?: string[] } & { untrusted?: Untrusted } };
  /** Open a tab, make it current, and load an address in it. */
  newtab: { params: { url?: string }; result: { id: string; url: string; status?: number; redirects?: string[]; isCached?: true; shows?: "nothing" | "before"; inFrame?: true; effect?: { before?: { navigated?: string; dialogs?: ({ id: number; type: "alert" | "confirm" | "prompt" | "beforeunload"; message: string; outcome: "accepted" | "dismissed" | "open"; answer?: string; time: string })[]; moreDialogs?: number; opened?: string[]; downloads?: { name: string; url: string; path?: string; failure?: string }[]; errors?: { text: string; at?: string }[]; moreErrors?: number; failed?: { id: number; method: string; url: string; status?: number; failure?: string }[]; moreFailed?: number; changed?: number }; navigated?: string; status?: number; unloaded?: { url: string; network: string }; navigating?: string; brokenOff?: { method: string; url: string }[]; notOpened?: string[]; frames?: string[]; failedFrames?: { url: string; status?: number; network?: string }[]; navigatingFrames?: string[]; dialogs?: ({ id: number; type: "alert" | "confirm" | "prompt" | "beforeunload"; message: string; outcome: "accepted" | "dismissed" | "open"; answer?: string; time: string })[]; moreDialogs?: number; opened?: string[]; openedUrls?: string[]; closedAgain?: number; opening?: string; emptyAnswers?: { method: string; url: string; status: number }[]; popUpsClosed?: number; downloads?: { name: string; url: string; path?: string; failure?: string }[]; choosing?: { multiple: boolean; ref?: string }; downloading?: string; downloadsLost?: string[]; refused?: string[]; closed?: boolean; errors?: { text: string; at?: string }[]; moreErrors?: number; failed?: { id: number; method: string; url: string; status?: number; failure?: string }[]; moreFailed?: number; refusedFields?: { field: string; message: string }[]; rewritten?: { field: string; value?: string; checked?: boolean }[]; focused?: { ref: string; role: string; name: string }; waiting?: { method: string; url: string }[]; moreWaiting?: number; answering?: { method: string; url: string }[]; title?: string; changed?: number; changes?: ({ kind: "added" | "removed" | "changed" | "moved"; depth: number; ref?: string; line: string; was?: string; inside?: number })[]; moreChanges?: number; nothing?: boolean; watchedMs?: number; unsettled?: boolean } } & { untrusted?: Untrusted } & SnapshotAfter & { advice?: Advice } };
  /** Close a session with its tabs, and remove what was kept of it. */
  "session.close": { params: { name: string }; result: { closed: string; tabs: number } };
  /** Have a session persist no more, and remove what was kept of it. */
  "session.forget": { params: { name: string }; result: { forgotten: string } };
  /** Open a session with a cookie jar and tabs of its own. */
  "session.new": { params: { name: string; state?: string; persist?: boolean }; result: { opened: string; persisting?: string; loaded?: { cookieCount: number; domains: string[]; origins: string[]; databaseCount: number; tabs: string[]; dropped?: string[]; failed?: { url: string; reason: string }[] } } };
  /** Have a session outlive a stop and a crash. */
  "session.persist": { params: { name: string }; result: { persisting: string } };
  /** List the sessions, each with a cookie jar and tabs of its own. */
  sessions: { params: Record<string, never>; result: { sessions: { name: string; tabs: string[]; current?: string; persists?: boolean }[]; notOpen?: string[] } };
  /** List the saved states. */
  "state.list": { params: Record<string, never>; result: { states: { name: string; savedAt: string; encrypted: boolean; bytes: number }[] } };
  /** Replace what the session holds by a saved state. */
  "state.load": { params: { name: string }; result: { loaded: { name: string; cookieCount: number; domains: string[]; origins: string[]; databaseCount: number; tabs: string[]; dropped?: string[]; failed?: { url: string; reason: string }[] } } };
  /** Remove a saved state. */
  "state.rm": { params: { name: string }; result: { removed: string } };
  /** Save what the session holds: cookies, storage, databases, and the addresses of its tabs. */
  "state.save": { params: { name: string; encrypt?: boolean }; result: { saved: { name: string; savedAt: string; encrypted: boolean; bytes: number; cookieCount: number; domains: string[]; origins: string[]; databaseCount: number; tabs: string[] }; missing?: string[] } };
  /** Show what a saved state holds, without its values. */
  "state.show": { params: { name: string }; result: { shown: { name: string; savedAt: string; encrypted: boolean; cookieCount: number; domains: string[]; origins: string[]; databaseCount: number; tabs: string[] } } & { untrusted: Untrusted } };
  /** Make a tab the session's current one. */
  tab: { params: { id: string }; result: { id: string; url: string; failed?: string; current: boolean; crashed?: boolean } & { untrusted?: Untrusted } & SnapshotAfter & { advice?: Advice } };
  /** List the session's tabs. */
  tabs: { params: Record<string, never>; result: { tabs: { id: string; url?: string; failed?: string; current: boolean; crashed?: boolean; title?: string; loading?: string; opening?: string[]; agent?: string }[] } & { untrusted?: Untrusted } };
  /** Run the commands of a file, those on different tabs in parallel. */
  batch: { params: { file?: string; commands?: string }; result: { steps: { command: string; outcome: string; result?: Record<string, unknown>; text: string }[]; failed: number } };
  /** Run several commands in one call. */
  chain: { params: { commands: string; keepGoing?: boolean }; result: { steps: { command: string; outcome: string; result?: Record<string, unknown>; text: string }[]; failed: number } };
  /** Follow what happens, as it happens. */
  events: { params: { topics?: string[]; filter?: string[]; since?: number; history?: boolean; for?: string }; result: { ended: "time is over" | "the daemon has ended" } };
  /** Show the record of calls, secrets redacted. */
  journal: { params: { since?: string; session?: string; last?: number }; result: { entries: { id?: string; parent?: string; time: string; command: string; params: unknown; client: string; by?: string; session?: string; tab?: string; page?: string; outcome: string; refused?: string; ms: number; effect?: unknown; elements?: { ref: string; role: string; name: string; locators: string[]; words?: string[]; frame?: string }[]; result?: { shape: string; digest: string }; from?: { param: string; call: string; path: string }[]; hidden?: { param: string; digest?: string }[] }[]; before?: number } & { untrusted: Untrusted } };
  /** Run one command in every tab of the session. */
  "tab-each": { params: { command: string[] }; result: { tabs: { tab: string; url: string; command: string; outcome: string; result?: Record<string, unknown>; text: string }[]; failed: number } };
  /** Watch the tab, and report what changed since the last report. */
  watch: { params: { every?: string }; result: { watching: boolean; started?: boolean; everyMs: number; looks: number; entries: ({ time: string; url: string; kind: "changed" | "elsewhere" | "problem" | "ended"; changes?: ({ kind: "added" | "removed" | "changed" | "moved"; depth: number; ref?: string; line: string; was?: string; inside?: number })[]; problem?: string })[]; dropped: number } & { untrusted: Untrusted } };
  /** Report what changed since the last report, and watch the tab no longer. */
  "watch.stop": { params: Record<string, never>; result: { watching: false; looks: number; entries: ({ time: string; url: string; kind: "changed" | "elsewhere" | "problem" | "ended"; changes?: ({ kind: "added" | "removed" | "changed" | "moved"; depth: number; ref?: string; line: string; was?: string; inside?: number })[]; problem?: string })[]; dropped: number } & { untrusted: Untrusted } };
  /** Give a note another text. */
  "note.edit": { params: { host: string; text: string; id?: string }; result: { host: string; note: { id: string; tier: "project" | "user"; text: string; state: "quarantined" | "active"; version: number; uses: number; savedAt: string; by: string } } };
  /** List the hosts that there are notes about. */
  "note.list": { params: Record<string, never>; result: { hosts: { host: string; active: number; quarantined: number; foreignLines?: number }[] } };
  /** Take an active note from the project to all projects of the user. */
  "note.promote": { params: { host: string; id?: string }; result: { host: string; note: { id: string; tier: "project" | "user"; text: string; state: "quarantined" | "active"; version: number; uses: number; savedAt: string; by: string } } };
  /** Remove a note. */
  "note.rm": { params: { host: string; id?: string }; result: { host: string; removed: string } };
  /** Give a note an older text again, as a new version. */
  "note.rollback": { params: { host: string; id?: string; to?: number }; result: { host: string; note: { id: string; tier: "project" | "user"; text: string; state: "quarantined" | "active"; version: number; uses: number; savedAt: string; by: string } } };
  /** Leave advice about a host for whoever comes there next. */
  "note.save": { params: { host: string; text: string }; result: { host: string; note: { id: string; tier: "project" | "user"; text: string; state: "quarantined" | "active"; version: number; uses: number; savedAt: string; by: string } } };
  /** Show what is known of a host: notes that agents left, and skills that work there. */
  "note.show": { params: { host: string }; result: { notes: ({ id: string; tier: "project" | "user"; text: string; state: "quarantined" | "active"; version: number; uses: number; savedAt: string; by: string })[]; skills: ({ name: string; description: string; args: ({ name: string; description?: string; required: boolean; default?: string | number | boolean })[] })[]; withheld?: number; foreignLines?: number } & { untrusted: Untrusted } };
  /** Test skills, and tell which of them a page has outgrown. */
  "skill.check": { params: { name?: string; live?: boolean }; result: { skills: ({ name: string; test: "passed" | "failed" | "none"; fixture?: string; ageDays?: number; url?: string; isStale?: boolean; needsSteps?: boolean; diff?: string[]; problem?: string })[]; broken: ({ name: string; tier: "project" | "user" | "bundled"; path: string; reason: string })[] } & { untrusted: Untrusted } };
  /** Make a skill of the calls that led to the last read. */
  "skill.codify": { params: { name: string; from?: string; host?: string; description?: string; arg?: string[]; user?: boolean }; result: { name: string; dir: string; host: string; scopes: string[]; args: { name: string; default?: string }[]; steps: string[]; dropped: { id: string; command: string; why: string }[]; warnings: string[]; script: string } & { untrusted: Untrusted } };
  /** List the skills there are, broken ones too. */
  "skill.list": { params: Record<string, never>; result: { skills: ({ name: string; tier: "project" | "user" | "bundled"; description: string; host: string; scopes: string[]; shadows: ("project" | "user" | "bundled")[]; sdk: "current" | "older"; trusted: boolean; approved: boolean; asks: boolean })[]; broken: ({ name: string; tier: "project" | "user" | "bundled"; path: string; reason: string })[]; problems: string[] } & { untrusted?: Untrusted } };
  /** Make a skill to begin with: manifest, script, test and fixture. */
  "skill.new": { params: { name: string; host?: string; description?: string; user?: boolean }; result: { name: string; tier: "project" | "user" | "bundled"; dir: string; shadowedBy: ("project" | "user" | "bundled")[]; shadows: ("project" | "user" | "bundled")[] } };
  /** Bring back a skill that was removed. */
  "skill.restore": { params: { name: string }; result: { restored: string; tier: "project" | "user" | "bundled" } };
  /** Remove a skill; `skill restore` brings it back. */
  "skill.rm": { params: { name: string }; result: { removed: string; tier: "project" | "user" | "bundled"; now?: "project" | "user" | "bundled" } & { untrusted?: Untrusted } };
  /** Run a skill, and print the value that it gives. */
  "skill.run": { params: { name: string; arg?: string[]; each?: string; concurrency?: number; resume?: string; tab?: string }; result: { skill: string; value: unknown; ms: number } | { skill: string; done: number; failed: number; left: number; skipped: number; repeated: number; results: string; ms: number } & { untrusted: Untrusted } };
  /** Show what a skill does, takes and may do. */
  "skill.show": { params: { name: string }; result: { name: string; tier: "project" | "user" | "bundled"; description: string; host: string; scopes: string[]; shadows: ("project" | "user" | "bundled")[]; sdk: "current" | "older"; trusted: boolean; approved: boolean; asks: boolean; dir: string; triggers: string[]; args: ({ name: string; description?: string; required: boolean; default?: string | number | boolean })[]; tabs: "fresh" | "shared"; wantsTrust: boolean; version: number; source: "human" | "agent"; timeout: string; hash: string; walls: { name: string; holds: boolean; detail: string }[]; contents: { name: string; bytes: number }[] } & { untrusted?: Untrusted } };
  /** Run a skill's tests of its parsers. */
  "skill.test": { params: { name: string }; result: { skill: string; passed: number; failed: number; ok: boolean; output?: string } & { untrusted: Untrusted } };
  /** Agree to what a skill does, as its files are now. */
  "skill.trust": { params: { name: string; revoke?: boolean }; result: { name: string; hash: string; outcome: "agreed" | "already" | "refused" | "revoked" | "nothing"; trusted: boolean; approved: boolean } & { untrusted?: Untrusted } };
  /** Give skills the SDK of this browse. */
  "skill.upgrade": { params: { name?: string }; result: { upgraded: ({ name: string; tier: "project" | "user" | "bundled"; asksAgain: boolean })[] } };
  /** Print a script that completes commands and flags in a shell. */
  completion: { params: { shell: "bash" | "zsh" | "fish" }; result: { script: string } };
  /** Print a machine-readable description of every command. */
  docs: { params: { openrpc?: boolean }; result: { document: unknown } };
  /** Check the browser, the runtime, ports, the state folder, left-over processes, the keychain and the content classifier. */
  doctor: { params: { fix?: boolean }; result: { checks: { check: string; ok: boolean; detail: string; fix?: string }[]; ok: boolean } };
  /** Show all commands, or one of them with its flags and examples. */
  help: { params: { command?: string }; result: { text: string } };
  /** Restart the daemon with the same settings. */
  restart: { params: { headed?: boolean; proxy?: string }; result: { replacedPid: number } };
  /** Find a Chromium for browse, or install one. */
  setup: { params: { native?: boolean }; result: { path: string; source: "BROWSE_CHROMIUM" | "playwright" | "system"; installed: boolean; native?: { program: string; links: string[]; isOnPath: boolean } } };
  /** Start the daemon and its browser now. */
  start: { params: Record<string, never>; result: { pid: number; port: number; browserVersion: string } };
  /** Show the status of the daemon and its browser. */
  status: { params: Record<string, never>; result: { pid?: number; version: string; protocol: string; uptimeMs: number; port?: number; stateDir?: string; browser: "none" | "starting" | "running" | "gone"; browserVersion?: string; headed: boolean; proxy?: string; isUnwatched?: true; connections?: number; sessions: { name: string; tabs: number }[]; memoryBytes?: number; calls: { command: string; outcomes: Record<string, number>; p50: number; p95: number; p99: number; max: number }[]; events?: { subscriptions: number; queued: number; dropped: number }; runningCalls?: number; classifier?: { state: "idle" | "ready" | "degraded" | "off"; reason?: string; models: string[]; scored: number }; faults?: { count: number; lastAt?: string } } };
  /** Stop the daemon and its browser. */
  stop: { params: Record<string, never>; result: { pid: number | null; killed?: true } };
  /** List the agents that are paired with this browser. */
  agents: { params: Record<string, never>; result: { agents: ({ name: string; scopes: string[]; tabs: "own" | "all"; shared: string[]; domains?: string[]; isPrivateGranted: boolean; files: string[]; isTunnelled: boolean; perSecond?: number; expiresAt?: string })[]; waiting: { name: string; keyExpiresAt: string }[] } };
  /** Approve or deny a call that the policy is holding. */
  confirm: { params: { id: string; deny?: boolean }; result: { command: string; allowed: boolean } };
  /** Let an agent use this browser: make a key for it, with instructions. */
  pair: { params: { name?: string; tunnel?: boolean; scopes?: string; domains?: string; tabs?: "own" | "all"; share?: string; files?: string; ttl?: string; private?: boolean; rate?: number }; result: { name: string; scopes: string[]; tabs: "own" | "all"; shared: string[]; domains?: string[]; isPrivateGranted: boolean; files: string[]; isTunnelled: boolean; perSecond?: number; key: string; keyExpiresAt: string; ttlMs: number; url: string; isNarrowed: boolean } };
  /** Check a text for hidden content and injected orders: run the content guard on a file or standard input. */
  scan: { params: { file?: string; text?: string; jsonl?: boolean; source?: string }; result: { verdict: "allow" | "log" | "warn" | "block"; score: number; layers: ({ layer: "structure" | "classifier" | "transcript"; status: "ran" | "missing"; score: number; findings: { kind: string; count: number; score: number; says?: string }[]; reason?: string; span?: unknown[]; covered?: number })[]; warnings: string[] } | { scanned: number; unreadable: number; results: ({ verdict: "allow" | "log" | "warn" | "block"; score: number; layers: ({ layer: "structure" | "classifier" | "transcript"; status: "ran" | "missing"; score: number; findings: { kind: string; count: number; score: number; says?: string }[]; reason?: string; span?: unknown[]; covered?: number })[]; warnings: string[] } | { error: string })[] } };
  /** Show the log of refused calls. */
  "security.log": { params: { last?: number }; result: { denials: { time: string; reason: string; command?: string; source?: string; domain?: string; dropped?: number }[] } };
  /** Show the security status: tunnel, paired agents, refused calls, content guard. */
  "security.status": { params: Record<string, never>; result: { tunnel: { isOpen: boolean; url?: string; provider?: "ngrok" | "command" | "none"; port?: number; openedAt?: string; idleMs?: number; closed?: string }; agents: number; refused: number; classifier: { state: "idle" | "ready" | "degraded" | "off"; reason?: string; models: string[]; scored: number }; content: { log: number; warn: number; block: number } } };
  /** Open a tunnel to this browser for paired agents elsewhere. */
  "tunnel.start": { params: Record<string, never>; result: { isOpen: boolean; url?: string; provider?: "ngrok" | "command" | "none"; port?: number; openedAt?: string; idleMs?: number; closed?: string } };
  /** Show whether the tunnel is open, and where it is reachable. */
  "tunnel.status": { params: Record<string, never>; result: { isOpen: boolean; url?: string; provider?: "ngrok" | "command" | "none"; port?: number; openedAt?: string; idleMs?: number; closed?: string } };
  /** Close the tunnel. */
  "tunnel.stop": { params: Record<string, never>; result: { isOpen: boolean; url?: string; provider?: "ngrok" | "command" | "none"; port?: number; openedAt?: string; idleMs?: number; closed?: string } };
  /** Revoke a paired agent's access. */
  unpair: { params: { name: string }; result: { name: string } };
}
// </generated commands>

export interface ConnectOptions {
  /** `ws://127.0.0.1:PORT/rpc`. Default: `BROWSE_URL`, else the daemon of the project that the process stands in. */
  url?: string;
  /** Default: `BROWSE_TOKEN`, else the token of the project's daemon. */
  token?: string;
  /** Session of every call that names none. */
  session?: string;
  /** False: do not start a daemon where the project has none. */
  start?: boolean;
  /** Closes the connection. */
  signal?: AbortSignal;
  /** Talk to the parent process over its IPC channel instead. Default: whether `BROWSE_IPC` is set. */
  ipc?: boolean;
  /** Name of the client, for the daemon's journal. */
  client?: string;
  /** Asks for a `canary`. */
  canary?: boolean;
  /** Asks for `advice`, here and beside the result of each call that leads to another host. */
  advice?: boolean;
}

export interface CallOptions {
  /** Cancels the call in the daemon too. */
  signal?: AbortSignal;
  timeoutMs?: number;
  /** `"t3"`; the session's current tab when absent. */
  tab?: string;
  session?: string;
  maxBytes?: number;
  /** Of an action: answers without waiting for what it starts. */
  noSettle?: boolean;
  /** Of an action: answers with the number of changed nodes alone, without their lines. */
  noChanges?: boolean;
  /** Of an action, or of what leads elsewhere: its result goes on with a `snapshot`, the whole one or with these params. */
  snapshot?: true | Omit<Commands["snapshot"]["params"], "annotate" | "output" | "force">;
  onLog?: (line: { level: string; message: string }) => void;
  onProgress?: (progress: { done: number; total?: number; unit?: string }) => void;
}

export interface EventOptions {
  /** Members that events must have: `tab`, `session`, `level`, `url`, `type`, `command`, `status`. */
  filter?: Record<string, string | number>;
  /** Replay what came after this `seq`. */
  since?: number | Record<string, number>;
  signal?: AbortSignal;
}

/** `gap`: that many events are lost. `restart`: the daemon is a new one, which counts from 1 again. */
export type EventItem = ({ type: "event" } & EventRecord) | ({ type: "gap" } & Gap) | { type: "restart" };

interface EventRecord {
  seq: number;
  topic: string;
  time: string;
  untrusted?: true;
  data: Record<string, unknown>;
}

interface Gap {
  topic: string;
  dropped: number;
  from: number;
  to: number;
}

/** What the daemon, or the way to it, reports. `kind` is stable; `hint` says what to do next. */
export class BrowseError extends Error {
  override readonly name = "BrowseError";
  readonly kind: string;
  readonly hint: string;
  /** More about it, by kind. */
  readonly details: Record<string, unknown>;

  constructor(kind: string, message: string, hint = "", details: Record<string, unknown> = {}) {
    super(message);
    this.kind = kind;
    this.hint = hint;
    this.details = details;
  }
}

type Camel<Name extends string> = Name extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : Name;
type Params<Name extends keyof Commands> = Commands[Name]["params"];
type Result<Name extends keyof Commands> = Commands[Name]["result"];
type Settled = { result: Record<string, unknown>; error?: never } | { error: BrowseError; result?: never };

type Method<Name extends keyof Commands> = (params?: Params<Name>, options?: CallOptions) => Promise<Result<Name>>;
type Families<Name = keyof Commands> = Name extends `${infer Family}.${string}` ? Family : never;
type Verbs<Family extends string> = {
  [Name in keyof Commands as Name extends `${Family}.${infer Verb}` ? Verb : never]: Method<Name>;
};

/** Every command as a method: `dialog-accept` is `dialogAccept`, `state save` is `state.save`. */
export type Browse = Client & {
  [Name in keyof Commands as Name extends `${string}.${string}` ? never : Camel<Name & string>]: Method<Name>;
} & { [Family in Families]: Verbs<Family> };

/**
 * Connects to the project's daemon, which it starts when there is none, as the command line does. Rejects with
 * `BrowseError`: `no_daemon` where none can be started, `unauthorized`, `unsupported`.
 */
export async function connect(options: ConnectOptions = {}): Promise<Browse> {
  const client = new Client(options);
  await startAndOpen(client, options);
  return new Proxy(client, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target);
      if (typeof own === "function") return own.bind(target);
      if (typeof name !== "string" || name in target || NO_COMMANDS.has(name)) return own;
      const command = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return methodOf(target, command);
    },
  }) as Browse;
}

/** `why` there is one to be started before all else. */
async function startAndOpen(client: Client, options: ConnectOptions, why?: BrowseError): Promise<void> {
  for (let starts = 0, failure = why; ; starts++) {
    try {
      if (failure) for (const warning of await startDaemon(failure)) client.warn(warning);
      return await client.open();
    } catch (error) {
      if (starts === MAX_STARTS || !(error instanceof BrowseError) || !isStartable(options, error)) throw error;
      failure = error;
    }
  }
}

/** The command as a method, which has those that are typed with it before a verb for its own. */
function methodOf(client: Client, command: string): unknown {
  const method = (params?: Record<string, unknown>, more?: CallOptions) => client.call(command, params, more);
  return new Proxy(method, {
    get: (own, verb) =>
      typeof verb === "string" && !(verb in own) ? methodOf(client, `${command}.${verb}`) : Reflect.get(own, verb),
  });
}

/** One that is missing, or just ending, or about to mend its state file: whoever starts one waits for that. */
function isStartable({ start = true, url = env("BROWSE_URL"), ipc }: ConnectOptions, { kind }: BrowseError): boolean {
  if (!start || url || (ipc ?? Boolean(env("BROWSE_IPC")))) return false;
  return kind === "no_daemon" || kind === "browser_gone" || kind === "unauthorized";
}

interface AskOptions extends CallOptions {
  /** Sends the text, when it is not to go out by itself. */
  send?: (text: string) => void;
  onResult?: (result: Record<string, unknown>) => void;
}

interface Pending {
  text: string;
  isAccepted: boolean;
  sends: number;
  options: AskOptions;
  settle(outcome: Settled): void;
}

interface Subscription {
  topics: readonly string[];
  /** The last `seq` seen of each topic. */
  cursor: Record<string, number>;
  filter: EventOptions["filter"];
  /** Its reader has left. */
  isOver: boolean;
  waiting: EventItem[];
  wake: () => void;
  error?: BrowseError;
}

/** Anything from the daemon: an answer, or a notification with `params`. */
interface Message {
  id?: string | null;
  result?: Record<string, unknown>;
  error?: { message: string; data?: { kind?: string; hint?: string } };
  method?: string;
  params?: { id: string; subscription: string } & Notice;
}
type Notice = Parameters<Required<CallOptions>["onLog"]>[0] &
  Parameters<Required<CallOptions>["onProgress"]>[0] &
  EventRecord &
  Gap;

interface Transport {
  send(text: string): void;
  close(): void;
}

interface TransportEvents {
  message(text: string): void;
  close(): void;
}

interface Daemon {
  url: string;
  token: string;
  /** By its address, and not by the project's state file. */
  isNamed?: true;
}

interface UnderWay {
  answer?: Promise<Record<string, unknown>>;
  /** Its stack says where the call was made. */
  madeAt: Error;
}

class Client {
  /**
   * A value to keep among what an agent knows, and never to use: a call or a page that is about to send it is blocked
   * (`blocked_content`). Empty unless `connect` asked for it; a new daemon has a new one.
   */
  canary = "";
  /** When `connect` asked for it: what is known of the host that the session showed when the connection was made. */
  advice: Advice | undefined;
  readonly #options: ConnectOptions;
  readonly #instance = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36)).join("");
  readonly #pending = new Map<string, Pending>();
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #calls = new Set<UnderWay>();
  #transport: Transport | undefined;
  #daemon: Daemon | undefined;
  #reconnecting: Promise<void> | undefined;
  /** A call was made since the connection was lost: who calls wants a daemon, as who connects does. */
  #isWanted = false;
  #lastId = 0;
  #isClosed = false;
  /** When the daemon last said anything. */
  #heardAt = 0;
  /** What the start of the daemon told, for the first call that listens. */
  readonly #warnings: string[] = [];

  constructor(options: ConnectOptions) {
    this.#options = options;
    options.signal?.addEventListener("abort", () => void this.close(), { once: true });
  }

  /** Runs a command, or any other method of the protocol, by its name. `params` may have `tab` and the like, as on the wire. */
  call<Name extends keyof Commands & string>(
    name: Name,
    params?: Params<Name>,
    options?: CallOptions,
  ): Promise<Result<Name>>;
  call(name: string, params?: Record<string, unknown>, options?: CallOptions): Promise<Record<string, unknown>>;
  call(name: string, params: Record<string, unknown> = {}, options: CallOptions = {}) {
    const call: UnderWay = { madeAt: new Error() };
    this.#calls.add(call);
    call.answer = this.#answer(call, name, params, options);
    return call.answer;
  }

  async #answer(call: UnderWay, name: string, params: Record<string, unknown>, options: CallOptions) {
    try {
      return unwrap(await this.#ask(name, params, options));
    } catch (error) {
      throw madeAt(call.madeAt, error);
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Runs up to 50 calls as one message: in order on one tab, side by side on several. One failure stops no other. */
  async batch(
    calls: readonly { method: string; params?: Record<string, unknown> }[],
    options: CallOptions = {},
  ): Promise<Settled[]> {
    if (calls.length > MAX_BATCH) throw new BrowseError("invalid_params", `A batch has at most ${MAX_BATCH} calls`);
    const texts: string[] = [];
    const answers = calls.map(({ method, params = {} }) =>
      this.#ask(method, params, { ...options, send: (text) => void texts.push(text) }),
    );
    if (texts.length > 0) this.#transport?.send(`[${texts.join(",")}]`);
    return await Promise.all(answers);
  }

  /** What happens, as it happens. Goes on where it was after a lost connection, and says what is lost for good. */
  async *events(topics: readonly string[], options: EventOptions = {}): AsyncGenerator<EventItem> {
    const { signal, filter, since } = options;
    const subscription: Subscription = { topics, filter, isOver: false, cursor: {}, waiting: [], wake: () => {} };
    const stop = () => subscription.wake();
    signal?.addEventListener("abort", stop);
    try {
      await this.#subscribe(subscription, since);
      while (!signal?.aborted) {
        const item = subscription.waiting.shift();
        if (item) yield item;
        else if (subscription.error) throw subscription.error;
        else if (this.#isClosed) return;
        else {
          await new Promise<void>((resolve) => {
            subscription.wake = resolve;
          });
        }
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#unsubscribe(subscription);
    }
  }

  /**
   * Closes the connection. Reads that run are stopped; actions that have begun end by themselves, with an outcome that
   * nobody is told.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#transport?.close();
    // Who closes with calls under way that nobody waits for has no use for their answers, and must not end by them.
    for (const { answer } of this.#calls) answer?.catch(() => {});
    const closed = "The connection was closed by its owner";
    const unheard = new BrowseError("outcome_unknown", `${closed} after the call had begun`, LOOK_FIRST);
    this.#fail(new BrowseError("cancelled", closed), unheard);
    for (const { wake } of this.#subscriptions.values()) wake();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @internal Used by `connect`. */
  warn(message: string): void {
    this.#warnings.push(message);
  }

  /** @internal Used by `connect`, and after a lost connection. */
  async open(): Promise<void> {
    const isIpc = this.#options.ipc ?? Boolean(env("BROWSE_IPC"));
    const daemon = isIpc ? { url: "ipc", token: "" } : findDaemon(this.#options);
    let greeted = (_: Settled) => {};
    let transport: Transport | undefined;
    const events: TransportEvents = {
      message: (text) => this.#take(text),
      close: () => {
        greeted({ error: daemonGone(daemon) });
        if (transport && this.#transport === transport) this.#lost();
      },
    };
    const opened = isIpc ? openIpc(events) : await openWebSocket(daemon, this.#instance, events);
    transport = opened;
    const { client = "browse-client", session = env("BROWSE_SESSION"), canary, advice } = this.#options;
    const cwd = globalThis.process?.cwd?.();
    const [id, text] = this.#request("session.hello", { client, version: PROTOCOL, session, cwd, canary, advice });
    const answer = await new Promise<Settled>((settle) => {
      greeted = settle;
      this.#pending.set(id, { text, isAccepted: false, sends: 1, options: {}, settle });
      opened.send(text);
    });
    this.#pending.delete(id);
    const refusal = answer.error ?? refusalOf(answer.result.protocol);
    if (refusal || this.#isClosed) opened.close();
    if (refusal) throw refusal;
    this.canary = String(answer.result?.canary ?? "");
    this.advice = answer.result?.advice as Advice | undefined;
    const isAnother = this.#daemon !== undefined && this.#daemon.token !== daemon.token;
    this.#daemon = daemon;
    this.#transport = opened;
    this.#isWanted = false;
    this.#resume(isAnother);
  }

  /** Sends again what is unanswered: to the same daemon all of it, to another only what cannot have begun. */
  #resume(isAnother: boolean): void {
    for (const [id, pending] of this.#pending) {
      if ((isAnother && pending.isAccepted) || pending.sends > RECONNECTS) {
        this.#settle(id, { error: pending.isAccepted ? outcomeUnknown() : daemonGone(this.#daemon) });
      } else {
        pending.sends++;
        this.#transport?.send(pending.text);
      }
    }
    const lost = [...this.#subscriptions.values()];
    this.#subscriptions.clear();
    for (const subscription of lost) {
      const since = isAnother ? 0 : subscription.cursor;
      if (isAnother) {
        subscription.cursor = {};
        deliver(subscription, { type: "restart" });
      }
      this.#subscribe(subscription, since).catch((error: BrowseError) => {
        subscription.error = error;
        subscription.wake();
      });
    }
  }

  #lost(): void {
    this.#transport = undefined;
    if (this.#pending.size + this.#subscriptions.size > 0) this.#reconnect();
  }

  #reconnect(): void {
    if (this.#isClosed) return;
    this.#reconnecting ??= this.#tryAgain().finally(() => {
      this.#reconnecting = undefined;
    });
  }

  async #tryAgain(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS, tries = 1; !this.#isClosed; pauseMs *= 2, tries++) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      try {
        return await this.open();
      } catch (error) {
        if (tries < RECONNECTS) continue;
        const known = error instanceof BrowseError ? error : daemonGone(this.#daemon);
        const failure = this.#isWanted && isStartable(this.#options, known) ? await this.#startAnother(known) : known;
        if (failure) this.#fail(failure);
        return;
      }
    }
  }

  /** Undefined once it is connected to one. */
  async #startAnother(why: BrowseError): Promise<BrowseError | undefined> {
    try {
      await startAndOpen(this, this.#options, why);
      return undefined;
    } catch (error) {
      return error instanceof BrowseError ? error : why;
    }
  }

  /** Everything that waits for the daemon ends with this error, or with the outcome unknown where it had begun. */
  #fail(error: BrowseError, ofBegun: BrowseError = outcomeUnknown()): void {
    for (const [id, { isAccepted }] of this.#pending) this.#settle(id, { error: isAccepted ? ofBegun : error });
    for (const subscription of this.#subscriptions.values()) {
      if (!this.#isClosed) subscription.error = error;
      subscription.wake();
    }
  }

  #request(method: string, params: object): [id: string, text: string] {
    const id = String(++this.#lastId);
    return [id, JSON.stringify({ jsonrpc: "2.0", id, method, params })];
  }

  /** Resolves with the answer, never rejects. What cannot be sent now is sent when the connection is there again. */
  #ask(method: string, params: object, options: AskOptions = {}): Promise<Settled> {
    const { signal, timeoutMs, tab, session, maxBytes, noSettle, noChanges, snapshot } = options;
    const cancelled = () => new BrowseError("cancelled", `"${method}" was cancelled`);
    if (signal?.aborted || this.#isClosed) return Promise.resolve({ error: cancelled() });
    const [id, text] = this.#request(method, {
      timeoutMs,
      tab,
      session,
      maxBytes,
      noSettle,
      noChanges,
      snapshot,
      ...params,
    });
    if (text.length > MAX_MESSAGE)
      return Promise.resolve({ error: new BrowseError("too_large", "The call is over 16 MB") });
    if (options.onLog) for (const message of this.#warnings.splice(0)) options.onLog({ level: "warning", message });
    return new Promise((resolve) => {
      const abort = () => this.#cancel(id, cancelled());
      signal?.addEventListener("abort", abort);
      // The calls of a batch take their turns.
      const isTimed = timeoutMs !== undefined && !options.send;
      const stopWaiting = isTimed ? this.#awaitWord(id, method, timeoutMs) : () => {};
      const settle = (outcome: Settled) => {
        signal?.removeEventListener("abort", abort);
        stopWaiting();
        if (outcome.result) options.onResult?.(outcome.result);
        resolve(outcome);
      };
      this.#pending.set(id, { text, isAccepted: false, sends: 1, options, settle });
      if (!this.#transport) {
        this.#isWanted = true;
        this.#reconnect();
      } else if (options.send) options.send(text);
      else this.#transport.send(text);
    });
  }

  /** Gives up on a daemon that says nothing at all for longer than the call may take. What it returns ends that. */
  #awaitWord(id: string, method: string, timeoutMs: number): () => void {
    const limitMs = timeoutMs + GRACE_MS;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (ms: number) => {
      timer = setTimeout(
        () => {
          const leftMs = this.#heardAt + limitMs - performance.now();
          if (leftMs > 0) return wait(leftMs);
          const error = silent(method, timeoutMs, this.#pending.get(id)?.isAccepted);
          // Should it go on, it is not to do what nobody waits for.
          this.#cancel(id, error);
        },
        Math.min(ms, MAX_TIMER_MS),
      );
    };
    wait(limitMs);
    return () => clearTimeout(timer);
  }

  #cancel(id: string, error: BrowseError): void {
    this.#transport?.send(JSON.stringify({ jsonrpc: "2.0", method: "call.cancel", params: { id } }));
    this.#settle(id, { error });
  }

  #settle(id: string, outcome: Settled): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.settle(outcome);
  }

  async #subscribe(subscription: Subscription, since: EventOptions["since"]): Promise<void> {
    const { topics, filter } = subscription;
    // At once, and not when the caller hears of it: the first event may be in the same packet as this answer.
    const onResult = ({ subscription: id, cursor }: Record<string, unknown>) => {
      if (since === undefined) subscription.cursor = cursor as Record<string, number>;
      this.#subscriptions.set(String(id), subscription);
    };
    unwrap(await this.#ask("events.subscribe", { topics, filter, since }, { onResult }));
    if (subscription.isOver) this.#unsubscribe(subscription);
  }

  #unsubscribe(subscription: Subscription): void {
    subscription.isOver = true;
    for (const [id, other] of this.#subscriptions) {
      if (other !== subscription) continue;
      this.#subscriptions.delete(id);
      if (!this.#isClosed) void this.#ask("events.unsubscribe", { subscription: id });
    }
  }

  #take(text: string): void {
    this.#heardAt = performance.now();
    const message: unknown = JSON.parse(text);
    for (const one of Array.isArray(message) ? message : [message]) this.#handle(one);
  }

  #handle({ id = "", method, params, result = {}, error }: Message): void {
    if (!params) {
      this.#settle(id ?? "", error ? { error: errorFrom(error) } : { result });
      return;
    }
    const pending = this.#pending.get(params.id);
    if (method === "accepted" && pending) pending.isAccepted = true;
    else if (method === "log") pending?.options.onLog?.(params);
    else if (method === "progress") pending?.options.onProgress?.(params);
    else if (method === "event" || method === "gap") {
      const { subscription: name, id: _, ...rest } = params;
      const subscription = this.#subscriptions.get(name);
      if (subscription) deliver(subscription, { ...rest, type: method });
    }
  }
}

/** Adds to what a reader has not read yet; the oldest of too much gives way to the word that it is gone. */
function deliver(subscription: Subscription, item: EventItem): void {
  const { waiting, cursor } = subscription;
  if (item.type === "event") cursor[item.topic] = item.seq;
  else if (item.type === "gap") cursor[item.topic] = item.to;
  waiting.push(item);
  if (waiting.length > MAX_WAITING_EVENTS) dropOldest(waiting);
  subscription.wake();
}

function dropOldest(waiting: EventItem[]): void {
  const at = waiting.findIndex(({ type }) => type === "event");
  const [event] = waiting.splice(at, 1);
  if (event?.type !== "event") return;
  const { topic, seq } = event;
  const gap = waiting.slice(0, at).find((item) => item.type === "gap" && item.topic === topic);
  if (gap?.type === "gap") Object.assign(gap, { dropped: gap.dropped + 1, to: seq });
  else waiting.splice(at, 0, { type: "gap", topic, dropped: 1, from: seq, to: seq });
}

function unwrap({ result, error }: Settled): Record<string, unknown> {
  if (error) throw error;
  return result;
}

/** Protocols of one major version understand each other. */
function refusalOf(protocol: unknown): BrowseError | undefined {
  if (Number.parseInt(String(protocol), 10) === Number.parseInt(PROTOCOL, 10)) return undefined;
  const message = `The daemon speaks protocol ${protocol}, this client ${PROTOCOL}`;
  return new BrowseError("unsupported", message, "Update the older of the two");
}

function errorFrom({ message, data = {} }: Required<Message>["error"]): BrowseError {
  const { kind = "internal", hint, ...details } = data;
  return new BrowseError(kind, message, hint, details);
}

/** The error as one of the call: it came over the socket, whose stack tells nobody which call has failed. */
function madeAt({ stack = "" }: Error, error: unknown): unknown {
  if (error instanceof BrowseError) error.stack = stack.replace(/^Error\b.*/, () => `${error.name}: ${error.message}`);
  return error;
}

/** One that was named by its address is not looked for anywhere else: the next has another address and token. */
function daemonGone({ isNamed }: Partial<Daemon> = {}): BrowseError {
  const hint = isNamed
    ? "Run `browse start`, and connect again with the `port` and `token` in .browse/daemon.json, or without a url"
    : "Run `browse start`, and call again";
  return new BrowseError("browser_gone", "The browser daemon is gone", hint);
}

function noDaemon(): BrowseError {
  return new BrowseError("no_daemon", "No browser daemon runs here", "Run `browse start` in the project's folder");
}

function outcomeUnknown(): BrowseError {
  const message = "The browser daemon died after it had accepted the call; it may or may not have happened";
  return new BrowseError("outcome_unknown", message, LOOK_FIRST);
}

/** A daemon that hangs may go on, and then do what it was sent: it never counts as undone. */
function silent(method: string, timeoutMs: number, isAccepted = false): BrowseError {
  const message = `The browser daemon gave no answer in ${timeoutMs} ms: "${method}" may or may not have happened`;
  return new BrowseError(isAccepted ? "outcome_unknown" : "timeout", message, LOOK_FIRST);
}

const LOOK_FIRST = "Look at the page before you repeat it";

/** By the command line, which knows how; `why` there was need to. Resolves to what it warned of, such as lost tabs. */
async function startDaemon(why: BrowseError): Promise<string[]> {
  const { process } = globalThis;
  const fs = process.getBuiltinModule("node:fs");
  // Beside us where we are installed.
  const script = ["./browse.mjs", "./dist/browse.mjs"]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => url.protocol === "file:" && fs.existsSync(url));
  if (!script) throw why;
  const isNode = !("deno" in process.versions || "bun" in process.versions);
  const { execFile } = process.getBuiltinModule("node:child_process");
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  const words = [fileURLToPath(script), "start", "--json"];
  return await new Promise((resolve, reject) => {
    execFile(isNode ? process.execPath : "node", words, (error, _stdout, stderr) => {
      const failure = error ? (startFailure(stderr) ?? why) : undefined;
      // One that died when it was there: another start does no harm.
      if (failure && failure.kind !== "outcome_unknown") reject(failure);
      else resolve(Array.from(stderr.matchAll(/^Warning: (.*)$/gm), ([, warning = ""]) => warning));
    });
  });
}

/** What the command line said of it, the last line, as JSON. */
function startFailure(stderr: string): BrowseError | undefined {
  try {
    const { kind, message, hint } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error;
    return new BrowseError(kind, message, hint);
  } catch {
    return undefined;
  }
}

function env(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined;
}

/** The daemon that was named, else the one that the state file of the project names. */
function findDaemon({ url = env("BROWSE_URL"), token = env("BROWSE_TOKEN") }: ConnectOptions): Daemon {
  if (url && token) return { url: url.replace(/^http/, "ws").replace(/(:\d+)\/?$/, "$1/rpc"), token, isNamed: true };
  // Another daemon than the one that is meant would do as it is told.
  if (url) throw new BrowseError("invalid_params", "The daemon's URL is given without its token", "Give both");
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  if (!fs)
    throw new BrowseError("invalid_params", "The daemon's URL and token are needed here", "Pass both to `connect`");
  const folder =
    env("BROWSE_STATE_DIR")
      ?.trim()
      .replace(/^~(?=[\\/]|$)/, homeFolder) || stateFolder(fs);
  let state: Record<string, unknown>;
  try {
    state = JSON.parse(readOwnFile(fs, folder, "daemon.json"));
  } catch {
    throw noDaemon();
  }
  if (!isItself(fs, state)) throw noDaemon();
  return { url: `ws://127.0.0.1:${state.port}/rpc`, token: String(state.token) };
}

/** Of the project that the process stands in, as the command line finds it: bin/cli/project.ts. */
function stateFolder(fs: Fs): string {
  const cwd = process.cwd();
  const folders = [cwd];
  for (let at = above(cwd); at !== folders.at(-1); at = above(at)) folders.push(at);
  const shared = env("BROWSE_HOME") ?? `${homeFolder()}/.browse`;
  const isState = (path: string) => fs.existsSync(path) && isOwnFolder(fs, path) && path !== shared;
  const root =
    folders.find((folder) => fs.existsSync(`${folder}/.git`)) ??
    folders.find((folder) => isState(`${folder}/.browse`)) ??
    cwd;
  return `${root}/.browse`;
}

function above(folder: string): string {
  return folder.replace(/[\\/][^\\/]*$/, "");
}

function homeFolder(): string {
  return process.getBuiltinModule("node:os").homedir();
}

type Fs = typeof import("node:fs");

/** Follows no link, and believes nothing that others could have written. As the daemon does: security/files/own_file.ts. */
function readOwnFile(fs: Fs, folder: string, name: string): string {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  const file = fs.openSync(`${folder}/${name}`, O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fs.fstatSync(file);
    if (!stats.isFile() || stats.size > MAX_STATE_BYTES || isOthers(stats, 0o077)) throw noDaemon();
    if (!isOwnFolder(fs, folder)) throw noDaemon();
    return fs.readFileSync(file, "utf8");
  } finally {
    fs.closeSync(file);
  }
}

function isOwnFolder(fs: Fs, folder: string): boolean {
  const place = fs.lstatSync(folder);
  return place.isDirectory() && !isOthers(place, 0o022);
}

function isOthers({ uid, mode }: { uid: number; mode: number }, forbidden: number): boolean {
  return process.getuid !== undefined && ((uid !== process.getuid() && uid !== 0) || (mode & forbidden) !== 0);
}

/** On Linux, only the process that wrote the file is there under its pid with that start time. */
function isItself(fs: Fs, { pid, startTime }: Record<string, unknown>): boolean {
  if (process.platform !== "linux") return true;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return startTime === `${fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${started}`;
  } catch (error) {
    // Deno lets nobody look there who may not do everything: the file has to be enough then, as on other systems.
    return error instanceof Error && error.name === "NotCapable";
  }
}

function openWebSocket(daemon: Daemon, instance: string, events: TransportEvents): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const { url, token } = daemon;
    const socket = new WebSocket(url, [`browse.v1`, `bearer.${token}`, `client.${instance}`]);
    let isOpen = false;
    socket.onopen = () => {
      isOpen = true;
      resolve({ send: (text) => socket.send(text), close: () => socket.close() });
    };
    socket.onmessage = ({ data }) => events.message(String(data));
    socket.onclose = () => {
      if (!isOpen) void whyUnopened(daemon).then(reject);
      events.close();
    };
  });
}

/** How long a daemon that is there may take to say so. */
const ANSWER_MS = 2_000;

/** A socket does not tell why it was not opened; how the daemon answers a plain request does. */
async function whyUnopened(daemon: Daemon): Promise<BrowseError> {
  const { url } = daemon;
  const health = url.replace(/^ws/, "http").replace(/\/rpc$/, "/health");
  const signal = AbortSignal.timeout(ANSWER_MS);
  const status = await fetch(health, { signal }).then(
    (response) => response.status,
    () => undefined,
  );
  if (status === 403) {
    const message = `The browser daemon takes no connections by the address "${url}"`;
    return new BrowseError("forbidden", message, "Forward its port under the number that its daemon.json names");
  }
  if (status !== 200) return daemonGone(daemon);
  const message = `The browser daemon at "${url}" refused the connection`;
  return new BrowseError("unauthorized", message, "Use the token in the project's daemon.json, or pair again");
}

function openIpc(events: TransportEvents): Transport {
  const { process } = globalThis;
  if (!process?.send) throw new BrowseError("unsupported", "This process has no IPC channel", "Leave out `ipc`");
  process.on("message", events.message);
  process.once("disconnect", events.close);
  const close = () => {
    process.off("message", events.message);
    process.off("disconnect", events.close);
  };
  return { send: (text) => void process.send?.(text), close };
}
