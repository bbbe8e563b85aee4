/** The layers of the content guard that take time, as the daemon's settings ask for them. */
import { Classifier } from "../../security/content/classifier/classifier.ts";
import { TranscriptCheck } from "../../security/content/transcript_check.ts";
import { readConfig } from "../../security/policy/config.ts";
import type { Environment } from "../../security/process/environment.ts";
import { redactText } from "../../security/secrets/redact.ts";
import { withoutTypedSecrets } from "../../security/secrets/typed_secrets.ts";
import type { DaemonLog } from "./daemon_log.ts";

export interface OpenContentLayers {
  classifier: Classifier;
  transcriptCheck: TranscriptCheck;
}

/** Neither does anything before it is asked for a score. The user's config is read for each. */
export function contentLayers({ security, modelDirs, home }: Environment, log: DaemonLog): OpenContentLayers {
  return {
    classifier: new Classifier({
      isOff: security === "off",
      added: modelDirs,
      onTrouble: (message) => log.write("warning", message),
    }),
    transcriptCheck: new TranscriptCheck({
      config: () => readConfig(home).transcriptCheck,
      redact: (text) => redactText(withoutTypedSecrets(text)),
    }),
  };
}
