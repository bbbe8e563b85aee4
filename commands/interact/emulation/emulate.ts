import * as v from "valibot";
import type { Emulation } from "../../../browser/emulation/emulation.ts";
import { BrowseError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";
import { geolocationFrom, localeFrom, networkFrom, timezoneFrom } from "./_emulated_values.ts";

/** What takes a setting away. */
const DEFAULT = "default";

const choice = <const Choices extends readonly string[]>(choices: Choices, description: string) =>
  v.exactOptional(v.pipe(v.picklist([...choices, DEFAULT]), v.description(`${description}; "default" takes it away`)));
const text = (description: string) =>
  v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(100), v.description(description)),
  );

const Params = v.strictObject({
  media: choice(["screen", "print"], "Media type of style sheets"),
  colorScheme: choice(["light", "dark", "no-preference"], "What prefers-color-scheme matches"),
  reducedMotion: choice(["reduce", "no-preference"], "What prefers-reduced-motion matches"),
  contrast: choice(["more", "no-preference"], "What prefers-contrast matches"),
  forcedColors: choice(["active", "none"], "What forced-colors matches"),
  geolocation: text("LATITUDE,LONGITUDE or LATITUDE,LONGITUDE,METRES of accuracy; pages may ask for it then"),
  locale: text("Language tag, such as pt-PT"),
  timezone: text("Time zone, such as Europe/Lisbon"),
  offline: v.exactOptional(v.pipe(v.boolean(), v.description("No network; --no-offline ends it"))),
  cpu: v.exactOptional(
    v.pipe(v.number(), v.minValue(1), v.maxValue(100), v.description("CPU slowdown factor (1 = none)")),
  ),
  network: text("slow-3g, fast-3g, 4g, or DOWN,UP,LATENCY in kilobits per second and milliseconds"),
  reset: v.exactOptional(v.pipe(v.boolean(), v.description("Clear all of them"))),
});

type EmulateParams = v.InferOutput<typeof Params>;

const SettingsSchema = v.strictObject({
  media: v.exactOptional(v.string()),
  colorScheme: v.exactOptional(v.string()),
  reducedMotion: v.exactOptional(v.string()),
  contrast: v.exactOptional(v.string()),
  forcedColors: v.exactOptional(v.string()),
  geolocation: v.exactOptional(
    v.strictObject({ latitude: v.number(), longitude: v.number(), accuracy: v.exactOptional(v.number()) }),
  ),
  locale: v.exactOptional(v.string()),
  timezone: v.exactOptional(v.string()),
  offline: v.exactOptional(v.boolean()),
  cpu: v.exactOptional(v.number()),
  network: v.exactOptional(v.strictObject({ downKbps: v.number(), upKbps: v.number(), latencyMs: v.number() })),
  device: v.exactOptional(v.string()),
  scale: v.exactOptional(v.number()),
  userAgent: v.exactOptional(v.string()),
});

/** These have commands of their own, which take them away, too. */
const KEPT = ["device", "metrics", "size", "userAgent"] as const;

export default defineCommand({
  name: "emulate",
  category: "interact",
  summary: "Show or set emulation: media, geolocation, locale, time zone, network, CPU",
  description:
    "Without flags it shows what is set. It is for all tabs of the session, also later ones, and nothing is loaded again, " +
    'so refs stay valid. The value "default" clears one setting, --reset all of them.',
  scope: "write",
  effect: "browser",
  needs: "session",
  locksSession: true,
  output: "plain",
  fromPage: "nothing",
  params: Params,
  result: v.strictObject({ settings: SettingsSchema }),
  examples: [
    "browse emulate",
    "browse emulate --color-scheme dark --reduced-motion reduce",
    "browse emulate --geolocation 38.72,-9.14 --locale pt-PT --timezone Europe/Lisbon",
    "browse emulate --network 4g --cpu 2",
    "browse emulate --reset",
  ],
  async run({ session, signal }, params) {
    if (Object.keys(params).length > 0) {
      await session.emulation.change((now) => wantedEmulation(now, params), signal);
    }
    return { settings: shownSettings(session.emulation.settings) };
  },
  render({ settings: { geolocation, network, ...plain } }) {
    const lines = Object.entries(plain).map(([name, value]) => `${words(name)}: ${value === true ? "yes" : value}`);
    if (geolocation) lines.push(`geolocation: ${Object.values(geolocation).join(", ")}`);
    if (network) {
      lines.push(`network: ${network.downKbps} kbit/s down, ${network.upKbps} up, ${network.latencyMs} ms latency`);
    }
    return lines.length === 0 ? "Nothing is emulated" : lines.join("\n");
  },
});

function wantedEmulation(now: Emulation, { reset, ...params }: EmulateParams): Emulation {
  if (reset && Object.keys(params).length > 0)
    throw new BrowseError("invalid_params", "--reset cannot be combined with other flags");
  if (reset) return Object.fromEntries(KEPT.flatMap((name) => (now[name] === undefined ? [] : [[name, now[name]]])));
  const { geolocation, locale, timezone, network, offline, cpu, ...media } = params;
  const given: Record<string, unknown> = {
    ...media,
    ...parsed("geolocation", geolocation, geolocationFrom),
    ...parsed("locale", locale, localeFrom),
    ...parsed("timezone", timezone, timezoneFrom),
    ...parsed("network", network, networkFrom),
    ...(offline !== undefined && { offline: offline || DEFAULT }),
    ...(cpu !== undefined && { cpu: cpu === 1 ? DEFAULT : cpu }),
  };
  return Object.fromEntries(Object.entries({ ...now, ...given }).filter(([, value]) => value !== DEFAULT));
}

function parsed(name: string, value: string | undefined, from: (value: string) => unknown): Record<string, unknown> {
  if (value === undefined) return {};
  return { [name]: value === DEFAULT ? DEFAULT : from(value) };
}

function shownSettings({ metrics, size: _, ...settings }: Emulation): v.InferOutput<typeof SettingsSchema> {
  return { ...settings, ...(metrics && metrics.scale !== 1 && { scale: metrics.scale }) };
}

/** `colorScheme` as `color scheme`. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
