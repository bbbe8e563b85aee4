/** What on a page is clutter: banners, pop-ups, bars and widgets around what people came for. */

import { attributeOf, elementMatches, fold, has, isElement, queryAll, rectOf, tagOf } from "../dom/dom.ts";
import { windowBox } from "../dom/geometry.ts";
import type { ClutterKind } from "./cleanup_protocol.ts";

/** Elements that well-known scripts make. */
const KNOWN: Readonly<Record<Exclude<ClutterKind, "sticky">, string>> = {
  ads: [
    "ins.adsbygoogle",
    "[id^='google_ads_']",
    "[id^='div-gpt-ad']",
    "[data-ad-slot]",
    "[data-google-query-id]",
    "[aria-label='Advertisement' i]",
    "[id^='taboola-']",
    ".OUTBRAIN",
    "amp-ad",
  ].join(),
  cookies: [
    "#onetrust-consent-sdk",
    "#onetrust-banner-sdk",
    "#CybotCookiebotDialog",
    "#CybotCookiebotDialogBodyUnderlay",
    "#didomi-host",
    "#usercentrics-root",
    "#truste-consent-track",
    ".qc-cmp2-container",
    ".fc-consent-root",
    ".cc-window",
    ".cky-consent-container",
    ".osano-cm-window",
    "[id^='sp_message_container_']",
  ].join(),
  overlays: "[aria-modal='true'],dialog[open]",
  social: [
    ".addthis_toolbox",
    ".a2a_kit",
    ".sharethis-inline-share-buttons",
    ".shareaholic-canvas",
    ".fb-like",
    ".fb-share-button",
    ".twitter-share-button",
    "[class^='at-share']",
  ].join(),
};

/** Hosts whose frames are nothing else, with their subdomains. */
const FRAME_HOSTS: Readonly<Partial<Record<ClutterKind, RegExp>>> = {
  ads: /(?:^|\.)(?:doubleclick\.net|googlesyndication\.com|adnxs\.com|amazon-adsystem\.com|criteo\.(?:com|net)|taboola\.com|outbrain\.com|adform\.net|rubiconproject\.com)$/,
  social: /(?:^|\.)(?:addthis\.com|sharethis\.com|platform\.twitter\.com)$/,
};

/** Words in ids and classes; each is one whole part of a name, so that `download` and `header` hold no `ad`. */
const AD_WORDS = new Set(["ad", "ads", "adslot", "adbox", "adunit", "advert", "adverts", "advertisement", "sponsored"]);
const COOKIE_WORDS = new Set(["cookie", "cookies", "consent", "gdpr", "ccpa"]);
const SHARE_WORDS = new Set(["share", "sharing", "social", "socials"]);
/** What a cookie or share word has to stand beside to name a thing, not a topic. */
const BOX_WORDS = new Set(
  "banner bar box buttons container dialog icons links list modal notice overlay panel popup prompt toolbar widget wall".split(
    " ",
  ),
);

const CONSENT =
  /\b(?:cookies?|gdpr|consent|datenschutz|einwilligung|cookie-richtlinie|privacidad|confidentialité|consentement|privacybeleid|informativa)\b/i;
/** Longer than a link to the page about cookies, shorter than that page. Characters. */
const MIN_CONSENT_TEXT = 40;
const MAX_CONSENT_TEXT = 4_000;
/** Share of the window from which something that lies over the page is in the way. */
const OVERLAY_SHARE = 0.3;

/** How an element stands in the page, as far as clutter is told by it. */
export interface Standing {
  element: Element;
  style: CSSStyleDeclaration;
  text: string;
}

/** The first of the kinds that it is. */
export function clutterKind(standing: Standing, kinds: ReadonlySet<ClutterKind>): ClutterKind | undefined {
  return ORDER.find((kind) => kinds.has(kind) && IS[kind](standing));
}

/** All elements that could be clutter: cheap to ask, so that styles are computed for these only. */
export function candidates(): Element[] {
  return queryAll(document, "body *").filter((element) => isElement(element) && !NEVER.has(tagOf(element)));
}

const NEVER = new Set(["script", "style", "link", "template", "meta", "br", "option", "source", "track", "path"]);

const ORDER: readonly ClutterKind[] = ["cookies", "ads", "social", "overlays", "sticky"];

const IS: Readonly<Record<ClutterKind, (standing: Standing) => boolean>> = {
  cookies: (standing) =>
    isKnown(standing, "cookies") ||
    (isNamed(standing, COOKIE_WORDS, BOX_WORDS) && isOver(standing)) ||
    asksForConsent(standing),
  ads: (standing) => isKnown(standing, "ads") || isNamed(standing, AD_WORDS),
  social: (standing) => isKnown(standing, "social") || isNamed(standing, SHARE_WORDS, BOX_WORDS),
  overlays: (standing) => isKnown(standing, "overlays") || (isOver(standing) && coversMuch(standing)),
  sticky: ({ style: { position } }) => position === "fixed" || position === "sticky",
};

function isKnown({ element }: Standing, kind: Exclude<ClutterKind, "sticky">): boolean {
  if (elementMatches(element, KNOWN[kind])) return true;
  const hosts = FRAME_HOSTS[kind];
  return tagOf(element) === "iframe" && hosts !== undefined && hosts.test(hostOf(attributeOf(element, "src")));
}

function isNamed({ element }: Standing, words: ReadonlySet<string>, beside?: ReadonlySet<string>): boolean {
  const names = [attributeOf(element, "id"), ...(attributeOf(element, "class") ?? "").split(/\s+/)];
  return names.some((name) => {
    const parts = partsOf(name ?? "");
    return parts.some((part) => words.has(part)) && (!beside || parts.some((part) => beside.has(part)));
  });
}

/** `topAdBanner_2` as top, ad, banner, 2. */
function partsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z]+/);
}

/** Lies over the page, and does not go away when it is scrolled. */
function isOver({ element, style }: Standing): boolean {
  if (style.position === "fixed" || style.position === "sticky") return true;
  return has(element, "open") && tagOf(element) === "dialog";
}

function asksForConsent(standing: Standing): boolean {
  if (!isOver(standing) && attributeOf(standing.element, "role") !== "dialog") return false;
  const { text, element } = standing;
  const isNotice = text.length >= MIN_CONSENT_TEXT && text.length <= MAX_CONSENT_TEXT && CONSENT.test(text);
  return (
    isNotice &&
    queryAll(element, "button,[role=button],a[href],input").length > 0 &&
    queryAll(element, "nav").length === 0
  );
}

function coversMuch({ element }: Standing): boolean {
  const { width, height } = rectOf(element);
  const view = windowBox();
  return width * height >= OVERLAY_SHARE * view.width * view.height;
}

function hostOf(src: string | null): string {
  return src === null ? "" : (URL.parse(src, location.href)?.hostname ?? "");
}

/** Text of an element as clutter is told by it. */
export function textOf(element: Element): string {
  return fold(element instanceof HTMLElement ? innerTextOf(element) : "");
}

const innerText = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText")?.get;

function innerTextOf(element: HTMLElement): string {
  return String(innerText?.call(element) ?? "");
}
