/** What Chromium is started with beside the driver's own flags, and which of those it is started without. */
import { METADATA_PATTERNS } from "../../security/urls/host.ts";

/** No calls home, no updates: an agent's browser talks to the pages it is sent to (facts.md, flags for closed networks). */
const QUIET_FLAGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
  // Its own errors alone: the headless shell writes down what pages say, and the driver keeps what it writes.
  "--enable-logging=stderr",
  "--log-level=2",
];

/** The headless shell draws frames of other sites in their page's process unless it is told; the whole browser never does. */
const ISOLATED_SITES = "--site-per-process";

/**
 * What a page asks Chromium to fetch in case it is wanted (speculation rules) is paused for nobody and shown without
 * another request, so that no rule would see it. It is queued; a queue from which nothing is taken sends nothing.
 */
const NO_PREFETCH =
  "PrefetchSchedulerTesting:kPrefetchSchedulerTestingActiveSetSizeLimitForBase/0/kPrefetchSchedulerTestingActiveSetSizeLimitForBurst/0";
/** The driver's own, of which ours would take the place: Chromium reads the last list only. */
export const DRIVER_FEATURES = ["CDPScreenshotNewSurface", "SkipListAccountsWithoutGaiaCookies"];
const FEATURES = `--enable-features=${[...DRIVER_FEATURES, NO_PREFETCH].join(",")}`;

/**
 * The whole browser loads two pages into each window for what drops down from its address bar, with or without a window
 * to be seen: 0.7 s of a processor and 42 MB for each session (Chromium 156). Without them it draws that list itself.
 */
const ADDRESS_BAR_PAGES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];
/** The driver's own list, for the same reason. */
export const DRIVER_FEATURES_OFF = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "msForceBrowserSignIn",
  "msEdgeUpdateLaunchServicesPreferredVersion",
];
const FEATURES_OFF = `--disable-features=${[...DRIVER_FEATURES_OFF, ...ADDRESS_BAR_PAGES].join(",")}`;

/**
 * The driver switches off what holds a page back that changes its address without end (200 times in 10 s): such a page
 * then stops the browser for all others.
 */
export const DRIVER_FLAGS_LEFT_OUT = ["--disable-ipc-flooding-protection"];

/** Whatever loads them, and however they are spelled: such hosts do not exist for this browser. */
const UNREACHABLE = `--host-resolver-rules=${METADATA_PATTERNS.map((pattern) => `MAP ${pattern} ~NOTFOUND`).join(",")}`;

/** Beside the driver's own. */
export const FLAGS = [...QUIET_FLAGS, ISOLATED_SITES, FEATURES, FEATURES_OFF, UNREACHABLE];
