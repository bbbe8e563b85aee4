/** The page as its visitor meets it: whose site it is, how one gets around, what one can do, what there is to read. */
import { Describer } from "../aria/describe.ts";
import { isInteractive } from "../aria/interactive.ts";
import { Names } from "../aria/names.ts";
import { Reading } from "../aria/reading.ts";
import { LANDMARK_ROLES } from "../aria/role_table.ts";
import { isDisabled } from "../aria/states.ts";
import { Visibility } from "../aria/visibility.ts";
import { attributeOf, documentUrl, elementMatches, fold, queryAll, rectOf, rootElement, tagOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import { urlOf } from "../dom/url.ts";
import { queryAcross } from "../find/query.ts";
import { textsOf } from "../read/text.ts";
import { metadata } from "./metadata.ts";
import type { AuditedElement, AuditedList, PageAudit } from "./protocol.ts";

/** As many as the answer holds of each kind (commands.md). */
const MAX = { headings: 50, interactive: 200, text: 50, landmarks: 50, navigation: 20, links: 30, forms: 20 };
/** Characters of a text block that are shown. */
const MAX_EXCERPT = 120;
/** Less is no block of text. */
const MIN_WORDS = 8;

const TEXT_BLOCKS = "p, li, blockquote, dd, td, figcaption, pre";

export function audit(elements: Elements): PageAudit {
  return new Audit(elements).report();
}

class Audit {
  readonly #elements: Elements;
  readonly #reading = new Reading({ whole: true });
  readonly #visibility = new Visibility(this.#reading);
  readonly #describer: Describer;
  readonly #seen: { element: Element; role: string | undefined }[];

  constructor(elements: Elements) {
    this.#elements = elements;
    this.#describer = new Describer(elements, new Names(this.#reading));
    this.#seen = queryAcross(document, "body, body *")
      .filter((element) => this.#isSeen(element))
      .map((element) => ({ element, role: this.#describer.roleOf(element) }));
  }

  report(): PageAudit {
    const root = rootElement();
    const search = this.#seen.find(({ element, role }) => role === "searchbox" || isSearchField(element));
    return {
      doc: this.#elements.doc,
      ...this.#identity(),
      search: search ? this.#named(search.element) : null,
      viewport: { width: innerWidth, height: innerHeight },
      pageHeight: root ? Math.round(Math.max(root.scrollHeight, rectOf(root).height)) : 0,
      landmarks: this.#all(
        (role) => LANDMARK_ROLES.has(role),
        MAX.landmarks,
        (element) => this.#named(element),
      ),
      navigation: this.#all(
        (role) => role === "navigation",
        MAX.navigation,
        (element) => this.#navigation(element),
      ),
      headings: this.#all(
        (role) => role === "heading",
        MAX.headings,
        (element) => ({
          ...this.#named(element),
          level: levelOf(element),
        }),
      ),
      interactive: this.#interactive(),
      text: this.#text(),
      forms: this.#forms(),
    };
  }

  #isSeen(element: Element): boolean {
    if (!this.#reading.isShown(element)) return false;
    const reason = this.#visibility.hiddenReason(element);
    return reason === undefined || reason === "aria-hidden" || reason === "label-mismatch";
  }

  #named(element: Element): AuditedElement {
    const { n, role, name } = this.#describer.describe(element);
    return { n, role, name };
  }

  #all<T>(isWanted: (role: string) => boolean, max: number, tell: (element: Element) => T): AuditedList<T> {
    const found = this.#seen.filter(({ role }) => role !== undefined && isWanted(role));
    return { items: found.slice(0, max).map(({ element }) => tell(element)), total: found.length };
  }

  #identity(): Pick<PageAudit, "title" | "lang" | "description" | "siteName" | "home" | "logo"> {
    const { title, lang, meta } = metadata();
    const content = (name: string) => fold(meta.find((entry) => entry.name.toLowerCase() === name)?.content ?? "");
    const home = this.#seen.find(({ element }) => this.#leadsHome(element))?.element;
    const logo = this.#seen.find(({ element }) => isLogo(element, home))?.element;
    return {
      title,
      lang,
      description: content("description") || content("og:description"),
      siteName: content("og:site_name") || content("application-name"),
      home: home ? { text: this.#describer.nameOf(home, "link"), url: this.#urlOf(home) } : null,
      logo: logo ? { alt: fold(attributeOf(logo, "alt") ?? ""), url: pictureUrl(logo) } : null,
    };
  }

  #leadsHome(element: Element): boolean {
    if (tagOf(element) !== "a") return false;
    const url = URL.parse(this.#urlOf(element));
    const isRoot = url?.origin === URL.parse(documentUrl())?.origin && url?.pathname === "/" && url.hash === "";
    return isRoot || elementMatches(element, "[rel~=home]");
  }

  #urlOf(link: Element): string {
    return urlOf(link, this.#reading.base) ?? "";
  }

  #navigation(element: Element): PageAudit["navigation"]["items"][number] {
    const links = queryAcross(element, "a[href]").filter((link) => this.#isSeen(link));
    return {
      ...this.#named(element),
      links: links.slice(0, MAX.links).map((link) => ({
        text: this.#describer.nameOf(link, "link"),
        url: this.#urlOf(link),
        isCurrent: elementMatches(link, "[aria-current]:not([aria-current=false])"),
      })),
    };
  }

  #interactive(): PageAudit["interactive"] {
    const found = this.#seen.filter(({ element, role }) => isInteractive(element, role));
    const items = found.slice(0, MAX.interactive).map(({ element, role }) => {
      const { top, bottom, left, right, width, height } = rectOf(element);
      return {
        ...this.#named(element),
        width: Math.round(width),
        height: Math.round(height),
        isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
        isDisabled: isDisabled(element, role ?? "", this.#reading),
      };
    });
    return { items, total: found.length };
  }

  #text(): PageAudit["text"] {
    const blocks = this.#seen
      .filter(({ element }) => elementMatches(element, TEXT_BLOCKS))
      .map(({ element }) => element);
    const innermost = blocks.filter((block) => queryAll(block, TEXT_BLOCKS).length === 0);
    const texts = textsOf(this.#elements, innermost).texts.map(fold);
    const found = innermost
      .map((element, index) => ({ element, text: texts[index] ?? "" }))
      .filter(({ text }) => wordsIn(text) >= MIN_WORDS);
    const items = found.slice(0, MAX.text).map(({ element, text }) => ({
      words: wordsIn(text),
      excerpt: text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text,
      width: Math.round(rectOf(element).width),
      fontSize: Number.parseFloat(this.#reading.styleOf(element).fontSize),
    }));
    return { items, total: found.length };
  }

  #forms(): PageAudit["forms"] {
    const found = this.#seen.filter(({ element }) => element instanceof HTMLFormElement);
    return { items: found.slice(0, MAX.forms).map(({ element }) => this.#form(element)), total: found.length };
  }

  #form(form: Element): PageAudit["forms"]["items"][number] {
    const inside = (css: string) => queryAcross(form, css).filter((element) => this.#isSeen(element));
    const fields = inside(
      "input:not([type=hidden], [type=submit], [type=button], [type=reset], [type=image]), select, textarea",
    );
    const [submit] = inside("button:not([type=button], [type=reset]), input[type=submit], input[type=image]");
    return {
      name: this.#describer.nameOf(form, "form") || (attributeOf(form, "name") ?? attributeOf(form, "id") ?? ""),
      fields: fields.length,
      required: fields.filter((field) => elementMatches(field, ":required, [aria-required=true]")).length,
      unlabeled: fields.filter((field) => this.#describer.describe(field).name === "").length,
      submit: submit ? this.#describer.describe(submit).name : "",
    };
  }
}

/** A word in Chinese or Japanese has no spaces around it: a run of such letters counts by its length. */
function wordsIn(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return (text.match(/\S+/g)?.length ?? 0) + Math.floor(dense / 2);
}

function levelOf(heading: Element): number {
  const written = attributeOf(heading, "aria-level") ?? /^h([1-6])$/.exec(tagOf(heading))?.[1];
  return Number(written ?? 2) || 2;
}

function isSearchField(element: Element): boolean {
  return elementMatches(element, "input[type=search], [role=search] input, form[action*=search i] input[type=text]");
}

/** In the link home, or called so. */
function isLogo(element: Element, home: Element | undefined): boolean {
  if (!elementMatches(element, "img, svg")) return false;
  if (home?.contains(element)) return true;
  return ["alt", "class", "id", "src"].some((name) => /\blogo\b|logo[._-]/i.test(attributeOf(element, name) ?? ""));
}

function pictureUrl(element: Element): string {
  return element instanceof HTMLImageElement ? element.currentSrc || element.src : "";
}
