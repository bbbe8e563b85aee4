/** What a tab's page said, fetched and asked, as far as the caller may see it. */
import { BrowseError } from "../../errors.ts";
import { type Happened, isInSight, isLent } from "../../security/tokens/sight.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { DialogRecord } from "../effect_report.ts";
import type { Tab } from "../tabs/tab.ts";
import type { Capture } from "./capture.ts";
import type { ConsoleEntry } from "./console_capture.ts";
import type { NetworkEntry } from "./network_capture.ts";
import type { Ring } from "./ring.ts";

type Entries<T> = Pick<Ring<T>, "total" | "at" | "since" | "clear">;

export interface SeenCapture extends Pick<Capture, "requestOf" | "earlier"> {
  readonly console: Entries<ConsoleEntry>;
  readonly network: Entries<NetworkEntry>;
  readonly dialogs: Entries<DialogRecord>;
}

/** All of it; of a tab that was lent, what has happened since, and is of the hosts that the token may see. */
export function captureFor(tab: Tab, token: Token): SeenCapture {
  const { capture } = tab;
  if (!isLent(token, tab)) return capture;
  return {
    console: inSight(capture.console, token, ({ time, location }) => ({ time, urls: location ? [location] : [] })),
    network: inSight(capture.network, token, ({ time, url }) => ({ time, urls: [url] })),
    dialogs: inSight(capture.dialogs, token, ({ time }) => ({ time, urls: [] })),
    requestOf: (id) => capture.requestOf(id),
    earlier: capture.earlier,
  };
}

function inSight<T>(ring: Ring<T>, token: Token, happened: (entry: T) => Happened): Entries<T> {
  const isSeen = (entry: T) => isInSight(token, happened(entry));
  return {
    get total() {
      return ring.total;
    },
    at: (seq) => {
      const entry = ring.at(seq);
      return entry !== undefined && isSeen(entry) ? entry : undefined;
    },
    since: (seq) => ring.since(seq).filter(({ value }) => isSeen(value)),
    clear: () => {
      throw new BrowseError("not_owner", "Only the owner of a shared tab can clear what it recorded", {
        hint: "Leave --clear out",
      });
    },
  };
}
