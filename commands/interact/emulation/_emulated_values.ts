/** Typed words as what `emulate` sets. Each throws `invalid_params` and says what it takes. */
import type { Geolocation, NetworkConditions } from "../../../browser/emulation/emulation.ts";
import { BrowseError } from "../../../errors.ts";

/** As Chromium's DevTools have them, of the links' nominal figures. */
const PROFILES: Readonly<Record<string, NetworkConditions>> = {
  "slow-3g": { downKbps: 400, upKbps: 400, latencyMs: 2000 },
  "fast-3g": { downKbps: 1440, upKbps: 675, latencyMs: 563 },
  "4g": { downKbps: 8100, upKbps: 1350, latencyMs: 165 },
};

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;

export function geolocationFrom(text: string): Geolocation {
  const match = new RegExp(`^(${NUMBER}),\\s*(${NUMBER})(?:,\\s*(${NUMBER}))?$`).exec(text);
  const [, latitude, longitude, accuracy] = (match ?? []).map(Number);
  const fits =
    latitude !== undefined && longitude !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  if (!fits || (match?.[3] !== undefined && !(accuracy !== undefined && accuracy >= 0))) {
    throw refused("geolocation", "LATITUDE,LONGITUDE within 90 and 180 degrees, such as 38.72,-9.14", text);
  }
  return { latitude, longitude, ...(match?.[3] !== undefined && accuracy !== undefined && { accuracy }) };
}

export function localeFrom(text: string): string {
  try {
    const [locale] = Intl.getCanonicalLocales(text);
    if (locale !== undefined) return locale;
  } catch {
    // It is said below what one looks like.
  }
  throw refused("locale", "a language tag such as pt-PT", text);
}

export function timezoneFrom(text: string): string {
  try {
    // Offsets such as +01:00 are none to Chromium.
    if (/^[a-z]/i.test(text)) return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    // It is said below what one looks like.
  }
  throw refused("timezone", "a time zone such as Europe/Lisbon", text);
}

export function networkFrom(text: string): NetworkConditions {
  const known = PROFILES[text.toLowerCase()];
  if (known) return known;
  const match = /^(\d+),\s*(\d+),\s*(\d+)$/.exec(text);
  const [, downKbps = 0, upKbps = 0, latencyMs = 0] = (match ?? []).map(Number);
  if (match && downKbps > 0 && upKbps > 0) return { downKbps, upKbps, latencyMs };
  throw refused("network", `${Object.keys(PROFILES).join(", ")}, or DOWN,UP,LATENCY such as 1600,750,150`, text);
}

function refused(param: string, accepted: string, text: string): BrowseError {
  return new BrowseError("invalid_params", `--${param} takes ${accepted}, not ${JSON.stringify(text)}`, {
    details: { param, flag: `--${param}` },
  });
}
