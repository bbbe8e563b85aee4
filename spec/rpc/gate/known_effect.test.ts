import { expect, test } from "vitest";
import type { EffectReport } from "../../../browser/effect_report.ts";
import { knownEffect } from "../../../rpc/gate/known_effect.ts";
import { DomainRules } from "../../../security/urls/domain_rules.ts";

const at = (host: string) => ({ method: "GET", url: `http://${host}/account` });

test("an agent is not told of requests to hosts outside its domains, but that there were some", () => {
  const effect: EffectReport = {
    changed: 1,
    waiting: [at("own.example"), at("bank.example")],
    moreWaiting: 2,
    brokenOff: [at("bank.example")],
    emptyAnswers: [{ ...at("own.example"), status: 204 }],
    failed: [{ id: 3, ...at("bank.example") }],
    failedFrames: [
      { url: at("bank.example").url, status: 404 },
      { url: at("own.example").url, status: 404 },
    ],
    navigatingFrames: [at("bank.example").url],
    downloading: at("bank.example").url,
    downloadsLost: [at("bank.example").url, at("own.example").url],
    before: { opened: ["t2"], failed: [{ id: 1, ...at("bank.example") }], moreFailed: 1 },
  };
  expect(knownEffect(effect, { domains: new DomainRules(["own.example"]) })).toEqual({
    changed: 1,
    waiting: [at("own.example")],
    moreWaiting: 3,
    emptyAnswers: [{ ...at("own.example"), status: 204 }],
    moreFailed: 1,
    failedFrames: [{ url: at("own.example").url, status: 404 }],
    downloadsLost: [at("own.example").url],
    before: { opened: ["t2"], moreFailed: 2 },
  });
  expect(knownEffect(effect, {})).toBe(effect);
});
