/** Effects as an agent with domains may know them: a tab that was lent to it asks for what is its owner's. */
import type { EffectReport, TroubleReport } from "../../browser/effect_report.ts";
import type { Token } from "../../security/tokens/token.ts";
import { isInDomains } from "../../security/urls/load_rules.ts";

/** Without requests to hosts outside the domains; those that are listed are counted with the rest. */
export function knownEffect(effect: EffectReport, { domains }: Pick<Token, "domains">): EffectReport {
  if (domains === undefined) return effect;
  const mayKnow = ({ url }: { url: string }) => isInDomains(url, domains);
  const { waiting, moreWaiting, brokenOff, emptyAnswers, failed: _, moreFailed: __, before, ...others } = effect;
  const { downloading, downloadsLost, failedFrames, navigatingFrames, ...rest } = others;
  const loads = { downloading, downloadsLost, failedFrames, navigatingFrames };
  const [awaited, more] = parted(waiting, moreWaiting, mayKnow);
  return {
    ...rest,
    ...knownFailures(effect, mayKnow),
    ...(awaited.length > 0 && { waiting: awaited }),
    ...(more > 0 && { moreWaiting: more }),
    ...(brokenOff?.some(mayKnow) && { brokenOff: brokenOff.filter(mayKnow) }),
    ...(emptyAnswers?.some(mayKnow) && { emptyAnswers: emptyAnswers.filter(mayKnow) }),
    ...knownLoads(loads, (url) => mayKnow({ url })),
    ...(before && { before: { ...without(before), ...knownFailures(before, mayKnow) } }),
  };
}

type MayKnow = (request: { url: string }) => boolean;

type Loads = {
  [Name in "downloading" | "downloadsLost" | "failedFrames" | "navigatingFrames"]: EffectReport[Name] | undefined;
};

function knownLoads(loads: Loads, mayKnow: (url: string) => boolean): EffectReport {
  const { downloading, downloadsLost: all = [], failedFrames = [], navigatingFrames = [] } = loads;
  const lost = all.filter(mayKnow);
  const failed = failedFrames.filter(({ url }) => mayKnow(url));
  const navigating = navigatingFrames.filter(mayKnow);
  return {
    ...(downloading !== undefined && mayKnow(downloading) && { downloading }),
    ...(lost.length > 0 && { downloadsLost: lost }),
    ...(failed.length > 0 && { failedFrames: failed }),
    ...(navigating.length > 0 && { navigatingFrames: navigating }),
  };
}

function knownFailures({ failed, moreFailed }: TroubleReport, mayKnow: MayKnow): TroubleReport {
  const [known, more] = parted(failed, moreFailed, mayKnow);
  return { ...(known.length > 0 && { failed: known }), ...(more > 0 && { moreFailed: more }) };
}

function without<Report extends TroubleReport>({ failed: _, moreFailed: __, ...rest }: Report) {
  return rest;
}

/** Those that may be known, and how many there are beside them. */
function parted<Item extends { url: string }>(all: Item[] = [], more = 0, mayKnow: MayKnow): [Item[], number] {
  const known = all.filter(mayKnow);
  return [known, more + all.length - known.length];
}
