/** Every scenario, in the order in which they run. */
import type { Scenario } from "../scenario.ts";
import { batchPages } from "./batch_pages.ts";
import { clientSize } from "./client_size.ts";
import { coldPage } from "./cold_page.ts";
import { coldStatus } from "./cold_status.ts";
import { eventsStorm } from "./events_storm.ts";
import { memoryGrowth } from "./memory_growth.ts";
import { memoryIdle } from "./memory_idle.ts";
import { multiClient } from "./multi_client.ts";
import { openPipelined } from "./open_pipelined.ts";
import { openUrl } from "./open_url.ts";
import { overheadClick } from "./overhead_click.ts";
import { overheadSnapshot } from "./overhead_snapshot.ts";
import { overheadText } from "./overhead_text.ts";
import { peerCold } from "./peer_cold.ts";
import { peerEpisode } from "./peer_episode.ts";
import { PEER_ROWS } from "./peer_rows.ts";
import { refsBlocking } from "./refs_blocking.ts";
import { refsPress } from "./refs_press.ts";
import { refsRefusals } from "./refs_refusals.ts";
import { refsSizes } from "./refs_sizes.ts";
import { refsTokens } from "./refs_tokens.ts";
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
];
