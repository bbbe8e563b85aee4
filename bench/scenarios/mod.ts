/** Every scenario, in the order in which they run. */
import type { Scenario } from "../scenario.ts";
import { clientSize } from "./client_size.ts";
import { coldPage } from "./cold/page.ts";
import { coldStatus } from "./cold/status.ts";
import { batchPages } from "./connection/batch_pages.ts";
import { multiClient } from "./connection/multi_client.ts";
import { openPipelined } from "./connection/pipelined.ts";
import { openUrl } from "./connection/url.ts";
import { eventsStorm } from "./events_storm.ts";
import { guard } from "./guard.ts";
import { memoryGrowth } from "./memory/growth.ts";
import { memoryIdle } from "./memory/idle.ts";
import { overheadClick } from "./overhead/click.ts";
import { overheadSnapshot } from "./overhead/snapshot.ts";
import { overheadText } from "./overhead/text.ts";
import { peerCold } from "./peers/cold.ts";
import { peerEpisode } from "./peers/episode.ts";
import { PEER_ROWS } from "./peers/rows.ts";
import { refsBlocking } from "./refs/blocking.ts";
import { refsPress } from "./refs/press.ts";
import { refsRefusals } from "./refs/refusals.ts";
import { refsSizes } from "./refs/sizes.ts";
import { refsTokens } from "./refs/tokens.ts";
import { skillCrawl } from "./skills/crawl.ts";
import { skillFrontpage } from "./skills/frontpage.ts";
import { storms } from "./storms.ts";
import { wholeTasks } from "./whole_tasks.ts";

export const SCENARIOS: readonly Scenario[] = [
  peerCold,
  ...PEER_ROWS,
  peerEpisode,
  openUrl,
  openPipelined,
  overheadClick,
  overheadText,
  overheadSnapshot,
  batchPages,
  multiClient,
  refsSizes,
  refsBlocking,
  refsTokens,
  refsPress,
  refsRefusals,
  coldPage,
  coldStatus,
  clientSize,
  memoryIdle,
  memoryGrowth,
  eventsStorm,
  storms,
  wholeTasks,
  guard,
  skillFrontpage,
  skillCrawl,
];
