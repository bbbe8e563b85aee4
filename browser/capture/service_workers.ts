/** The service workers of a session: they belong to no tab, so what they do is told of the session. */
import type { BrowserContext } from "playwright";
import { redactUrl } from "../../security/secrets/redact.ts";
import type { ReportTopic } from "../event_sink.ts";
import { ConsoleCapture } from "./console_capture.ts";
import { NetworkCapture } from "./network_capture.ts";
import type { HeaderFields } from "./own_headers.ts";

export interface ServiceWorkersOptions {
  ownHeaders: () => HeaderFields;
  report: (topic: ReportTopic, data: Record<string, unknown>) => void;
}

export class ServiceWorkers {
  readonly #options: ServiceWorkersOptions;
  readonly #console: ConsoleCapture;
  readonly #network: NetworkCapture;
  #count = 0;

  constructor(options: ServiceWorkersOptions) {
    const { ownHeaders, report } = options;
    const marked = { serviceWorker: true };
    this.#options = options;
    this.#console = new ConsoleCapture({ report: (data) => report("console", { ...marked, ...data }) });
    this.#network = new NetworkCapture({ ownHeaders, report: (data) => report("network", { ...marked, ...data }) });
  }

  /** A session that was rebuilt has another context, and other workers. */
  follow(context: BrowserContext): void {
    this.#console.followServiceWorkers(context);
    this.#network.followServiceWorkers(context);
    context.on("serviceworker", (worker) => {
      const data = { serviceWorker: true, worker: ++this.#count, url: redactUrl(worker.url()) };
      this.#options.report("page", { event: "workerStarted", ...data });
      worker.once("close", () => this.#options.report("page", { event: "workerStopped", ...data }));
    });
  }
}
