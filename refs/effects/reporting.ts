/** What an answer tells of an action, out of what was seen of it. Nothing is waited for here, and no page is asked. */
import type { EffectReport } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { cutUrl, redactUrl } from "../../security/secrets/redact.ts";
import type { ActionEvents } from "./action_events.ts";
import type { Look } from "./changes_look.ts";
import type { ContentRequests } from "./content_requests.ts";

/** Dialogs that are told one by one. */
const MAX_DIALOGS = 10;
/** Requests, and addresses for other programs, that are told one by one. */
const MAX_REQUESTS = 3;

interface SeenBeside {
  /** Nodes of the page that have changed. */
  changed: number;
  /** What the page is called now, where that is something else than before. */
  title?: string;
  /** Of the last element that was acted on. */
  ref?: string;
  /** The address of a file that was asked for and of which nothing has come. */
  downloading?: string;
  /** Addresses of files that were asked for before, and whose page was left. */
  downloadsLost: readonly string[];
}

/** What the tab's events say, with what was seen beside them; empty when nothing was. */
export function reportOf(tab: Tab, events: ActionEvents, beside: SeenBeside): EffectReport {
  return {
    ...ofNavigation(tab, events),
    ...ofRequests(events),
    // Those of a page that has been left say nothing any more.
    ...(events.isNewDocument ? ofNewFrames(tab) : ofFrames(events)),
    ...ofDialogs(events),
    ...ofTabs(events),
    ...ofFiles(events, beside),
    ...(!tab.isOpen && !tab.hasCrashed && { closed: true }),
    ...(beside.title !== undefined && { title: beside.title }),
    ...(beside.changed > 0 && { changed: beside.changed }),
  };
}

/** Where the page has asked to go, which nobody has waited for. */
export function reportOfAsked({ asked }: ActionEvents): EffectReport {
  if (!asked) return {};
  return asked.inFrame ? { navigatingFrames: [cutUrl(asked.url)] } : { navigating: asked.url };
}

/** What scripts of the page still wait for. */
export function reportOfWaiting({ waiting, answering }: ContentRequests): EffectReport {
  const more = waiting.length - MAX_REQUESTS;
  return {
    ...(waiting.length > 0 && { waiting: waiting.slice(0, MAX_REQUESTS) }),
    ...(more > 0 && { moreWaiting: more }),
    ...(answering.length > 0 && { answering: answering.slice(0, MAX_REQUESTS) }),
  };
}

/** What the page says of its fields; the focus is told by the ref of what has it. */
export function reportOfFields(
  { refused, rewritten }: Look,
  focused: { id: string; role: string; name: string } | undefined,
): EffectReport {
  return {
    ...(refused && { refusedFields: refused }),
    ...(rewritten && { rewritten }),
    ...(focused && { focused: { ref: focused.id, role: focused.role, name: focused.name } }),
  };
}

/** Has anything come that a link to a file may have led to? */
export function hasCome({ downloads, emptyAnswers, opened, navigated, isNavigating }: ActionEvents): boolean {
  return navigated || isNavigating || downloads.length + emptyAnswers.length + opened.length > 0;
}

function ofNavigation(tab: Tab, { navigated, isNewDocument, requests, asked }: ActionEvents): EffectReport {
  const { unshown, status, url } = tab.pendingNavigation;
  const destination = (asked?.inFrame ? undefined : asked?.url) ?? url;
  const hasArrived = navigated && tab.isOpen;
  return {
    ...(hasArrived && unshown && { unloaded: { url: cutUrl(unshown.url), network: unshown.network } }),
    ...(hasArrived && !unshown && { navigated: tab.url }),
    ...(hasArrived && !unshown && isNewDocument && status !== undefined && { status }),
    ...(requests.isLeaving && destination !== undefined && { navigating: cutUrl(destination) }),
  };
}

/** Those that came to nothing. */
function ofRequests({ notOpened, emptyAnswers, brokenOff }: ActionEvents): EffectReport {
  const forOthers = [...notOpened].slice(0, MAX_REQUESTS).map((url) => cutUrl(redactUrl(url)));
  return {
    ...(forOthers.length > 0 && { notOpened: forOthers }),
    ...(emptyAnswers.length > 0 && { emptyAnswers: emptyAnswers.slice(0, MAX_REQUESTS) }),
    ...(brokenOff.length > 0 && { brokenOff: brokenOff.slice(0, MAX_REQUESTS) }),
  };
}

function ofFrames({ frameLoads: { urls, failed }, framesTo }: ActionEvents): EffectReport {
  return {
    ...(urls.size > 0 && { frames: [...urls].map(cutUrl) }),
    ...(failed.length > 0 && { failedFrames: failed.map((each) => ({ ...each, url: cutUrl(each.url) })) }),
    ...(framesTo.length > 0 && { navigatingFrames: framesTo.map(cutUrl) }),
  };
}

/** Of the page that has come. Where a rule of ours kept a frame from its server, that is told as such. */
function ofNewFrames({ page, frameFailures, isOpen }: Tab): EffectReport {
  const failed = isOpen ? frameFailures.in(page).filter(({ network }) => network !== "ERR_BLOCKED_BY_CLIENT") : [];
  return failed.length > 0 ? { failedFrames: failed.slice(0, MAX_REQUESTS) } : {};
}

function ofDialogs({ dialogs }: ActionEvents): EffectReport {
  return {
    ...(dialogs.size > 0 && { dialogs: [...dialogs].slice(0, MAX_DIALOGS) }),
    ...(dialogs.size > MAX_DIALOGS && { moreDialogs: dialogs.size - MAX_DIALOGS }),
  };
}

/** Those that the action opened, or asked for. */
function ofTabs({ opened, opening, popUpsClosed, closedAgain: unseen }: ActionEvents): EffectReport {
  const there = opened.filter(({ isOpen, hasCrashed }) => isOpen || hasCrashed);
  const closedAgain = unseen + opened.length - there.length;
  return {
    ...(there.length > 0 && { opened: there.map(({ id }) => id), openedUrls: there.map(shownUrl) }),
    ...(closedAgain > 0 && { closedAgain }),
    ...(opening !== undefined && { opening: cutUrl(opening) }),
    ...(popUpsClosed > 0 && { popUpsClosed }),
  };
}

/** What could not be loaded, or is on its way, is told before what the tab shows meanwhile. */
function shownUrl({ url, pendingNavigation: { unshown, url: next } }: Tab): string {
  return cutUrl(unshown?.url ?? next ?? url);
}

function ofFiles({ downloads, chooser }: ActionEvents, { ref, downloading, downloadsLost }: SeenBeside): EffectReport {
  return {
    ...(downloads.length > 0 && { downloads }),
    ...(chooser && { choosing: { multiple: chooser.isMultiple(), ...(ref !== undefined && { ref }) } }),
    ...(downloading !== undefined && { downloading: cutUrl(downloading) }),
    ...(downloadsLost.length > 0 && { downloadsLost: downloadsLost.map(cutUrl) }),
  };
}
