/** How an action's effect reads. What a page says ends where its quotes do, on the same line. */

import { frameFault, loadFault } from "../browser/driver/network_errors.ts";
import type {
  DialogRecord,
  DownloadRecord,
  EffectReport,
  EmptyAnswer,
  FailedFrame,
  FileChoice,
  TroubleReport,
  WaitingRequest,
} from "../browser/effect_report.ts";
import { changeLine } from "../refs/snapshot/render_diff.ts";
import { refusalForAll } from "../security/urls/url_policy.ts";

type Part = string | false | 0 | undefined;

/** The effect as an answer goes on with it. */
export interface EffectText {
  /** Starts with a space; empty when there is nothing to add. */
  line: string;
  /** Lines of the page that are others now, as a snapshot has them. */
  changes: readonly string[];
  /** What is left out of them. */
  more?: string;
}

export function effectText(effect: EffectReport): EffectText {
  const parts = [
    ...whereTo(effect),
    ...besides(effect),
    ...inFields(effect),
    ...troubles(effect),
    ...onTheWay(effect),
    focus(effect),
    effect.title !== undefined && `the title is now ${quoted(effect.title)}`,
    changes(effect),
    before(effect),
  ].filter((part) => typeof part === "string");
  if (parts.length === 0) return { line: "", changes: [] };
  const text = parts.join("; ");
  const { changes: shown = [], moreChanges } = effect;
  return {
    line: text.startsWith("→") ? ` ${text}` : ` → ${text}`,
    changes: shown.map(changeLine),
    ...(moreChanges && { more: `… and ${moreChanges} more: browse snapshot shows all` }),
  };
}

/** `dialog: confirm "Delete?" (accepted)`. */
export function dialogText(dialog: DialogRecord): string {
  const answer = dialog.answer === undefined ? "" : `, answered ${JSON.stringify(dialog.answer)}`;
  return `dialog: ${dialog.type} ${JSON.stringify(dialog.message)} (${dialog.outcome}${answer})`;
}

function whereTo(effect: EffectReport): Part[] {
  const { navigated, status, unloaded, navigating, brokenOff = [], notOpened = [], ...rest } = effect;
  const answered = status === undefined ? "" : ` (${status})`;
  return [
    navigated && `→ navigated to ${navigated}${answered}`,
    unloaded && `→ could not load ${unloaded.url}: ${loadFault(unloaded)}`,
    navigating && `→ navigating to ${navigating} (not there yet)`,
    ...brokenOff.map(brokenOffText),
    ...notOpened.map((url) => `nothing was opened for ${url}: the browser hands it to no other program`),
    ...inFrames(rest),
  ];
}

function inFrames({ frames = [], failedFrames = [], navigatingFrames = [] }: EffectReport): Part[] {
  const statusOf = (url: string) => failedFrames.find((each) => each.url === url)?.status;
  return [
    ...frames.map((url) => `a frame navigated to ${url}${statusOf(url) === undefined ? "" : ` (${statusOf(url)})`}`),
    ...failedFrames.filter(({ url }) => !frames.includes(url)).map(failedFrameText),
    ...navigatingFrames.map((url) => `a frame is navigating to ${url} (not there yet)`),
  ];
}

function failedFrameText(failed: FailedFrame): string {
  return `a frame could not load ${failed.url}: ${frameFault(failed)}`;
}

export function brokenOffText({ method, url }: WaitingRequest): string {
  return method === "GET"
    ? `the load of ${url} was broken off`
    : `${method} ${url} was broken off before it was answered: it may have been carried out`;
}

function besides(effect: Omit<EffectReport, "changed" | "navigated">): Part[] {
  return [
    ...(effect.dialogs ?? []).map(dialogText),
    effect.moreDialogs && `${effect.moreDialogs} more dialogs`,
    ...(effect.opened ?? []).map((id, index) => openedText(id, effect.openedUrls?.[index], index === 0)),
    effect.closedAgain &&
      (effect.closedAgain === 1
        ? "a tab opened and closed again"
        : `${effect.closedAgain} tabs opened and closed again`),
    effect.opening && `opening a tab for ${effect.opening} (not there yet)`,
    ...(effect.emptyAnswers ?? []).map(emptyAnswerText),
    effect.popUpsClosed && `${effect.popUpsClosed} more pop-ups closed at once`,
    ...(effect.downloads ?? []).map(downloadText),
    effect.choosing && choosingText(effect.choosing),
    effect.downloading && `a download of ${effect.downloading} is asked for (not begun yet)`,
    ...(effect.downloadsLost ?? []).map(lostText),
    ...(effect.refused ?? []).map(refusedText),
    effect.closed && "the tab closed",
  ];
}

/** Other addresses are refused by rules of their owner, who knows them. */
function refusedText(url: string): string {
  const why = refusalForAll(url);
  return `kept from ${url}${why === undefined ? "" : `: ${why}`}`;
}

function choosingText({ multiple, ref = "<ref>" }: FileChoice): string {
  const [what, paths] = multiple ? ["files", "<paths…>"] : ["a file", "<path>"];
  return `the page asks for ${what}: \`browse upload ${ref} ${paths}\` gives ${multiple ? "them" : "it"}`;
}

/** Commands go on in the tab that they were in. */
function openedText(id: string, url: string | undefined, isFirst: boolean): string {
  const way = isFirst ? `(\`browse tab ${id}\` goes there)` : undefined;
  return ["opened", id, url, way].filter((part) => part !== undefined).join(" ");
}

function emptyAnswerText({ method, url, status }: EmptyAnswer): string {
  return `${method} ${url} was answered with ${status}, which has nothing to show`;
}

function downloadText({ name, path, failure }: DownloadRecord): string {
  const file = JSON.stringify(name);
  if (path !== undefined) return `download ${file} (${path}${/\.pdf$/i.test(path) ? "; `browse text` reads it" : ""})`;
  return failure === undefined ? `download ${file} (not complete yet)` : `download ${file} failed: ${failure}`;
}

/** Of one that what has been ended does not end. */
export function goesOnText({ name }: Pick<DownloadRecord, "name">): string {
  return `download ${JSON.stringify(name)} goes on: \`browse events download --since 0 --for 1s\` tells whether it has ended, and where it is`;
}

export function lostText(url: string): string {
  return `the download of ${url} had not begun, and goes with its page`;
}

function inFields({ refusedFields = [], rewritten = [] }: EffectReport): string[] {
  return [
    ...refusedFields.map(({ field, message }) => `${quoted(field)} is not valid: ${quoted(message)}`),
    ...rewritten.map(rewrittenText),
  ];
}

function rewrittenText({ field, value, checked }: NonNullable<EffectReport["rewritten"]>[number]): string {
  if (checked !== undefined) return `${quoted(field)} is ${checked ? "checked" : "not checked"} now`;
  if (value === undefined) return `${quoted(field)} holds another value than the one given`;
  return `${quoted(field)} now holds ${value === "" ? "nothing" : quoted(value)}`;
}

function troubles({ errors = [], moreErrors, failed = [], moreFailed }: TroubleReport): Part[] {
  return [
    ...errors.map(({ text, at }) => `uncaught ${quoted(text)}${at === undefined ? "" : ` (${at})`}`),
    moreErrors && `${moreErrors} more errors`,
    ...failed.map(({ method, url, status, failure }) => `${method} ${url} failed: ${status ?? failure}`),
    moreFailed && `${moreFailed} more failed requests`,
  ];
}

function onTheWay({ waiting = [], moreWaiting, answering = [] }: EffectReport): Part[] {
  return [
    ...waiting.map(({ method, url }) => `${method} ${url} not answered yet`),
    moreWaiting && `${moreWaiting} more requests not answered yet`,
    ...answering.map(({ method, url }) => `${method} ${url} not answered to the end yet`),
  ];
}

function focus({ focused }: EffectReport): Part {
  return focused && `focus on ${focused.ref} [${focused.role}] ${quoted(focused.name)}`;
}

function changes({ changed, changes: shown = [], nothing, watchedMs, unsettled }: EffectReport): Part {
  if (changed) return nodesChanged(changed);
  if (shown.length > 0) return "what is shown changed";
  if (nothing) return `no change within ${watchedMs ?? 0} ms`;
  return unsettled && "not waited for";
}

/** Last, since it is no effect of this action. */
function before({ before: later }: EffectReport): Part {
  if (!later) return undefined;
  const parts = [
    later.navigated && `navigated to ${later.navigated}`,
    ...besides(later),
    ...troubles(later),
    later.changed && nodesChanged(later.changed),
  ].filter((part) => typeof part === "string");
  return `before that, since the last action: ${parts.join(", ")}`;
}

function nodesChanged(count: number): string {
  return `${count} ${count === 1 ? "node" : "nodes"} changed`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
