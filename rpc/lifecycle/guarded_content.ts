/** The content guard as the daemon has it: the layers that judge what pages say, what joins them, and who is told. */
import type { Environment } from "../../security/process/environment.ts";
import { ContentGuard } from "../gate/guard/content_guard.ts";
import { ContentLog, type ContentLogPorts } from "../gate/guard/content_log.ts";
import { readingLayers } from "../gate/guard/layers.ts";
import { contentLayers, type OpenContentLayers } from "./content_layers.ts";
import type { DaemonLog } from "./daemon_log.ts";

export interface GuardedContent {
  layers: OpenContentLayers;
  guard: ContentGuard;
  /** Counts what the guard meets with, and tells of it. */
  log: ContentLog;
}

interface GuardedContentPorts extends ContentLogPorts {
  /** Of the daemon: what is wrong with a layer is written there. */
  log: DaemonLog;
}

/** None of its parts does anything before the first answer that it is to judge. */
export function guardContent(settings: Environment, { log, publish, record }: GuardedContentPorts): GuardedContent {
  const layers = contentLayers(settings, log);
  const contentLog = new ContentLog({ publish, record });
  const guard = new ContentGuard({ layers: readingLayers(layers), onMet: contentLog.tell });
  return { layers, guard, log: contentLog };
}
