/** The effect that dispatch joins to an action's answer, on the wire. */

import * as v from "valibot";
import { ChangeSchema } from "./change_shape.ts";

export const DialogSchema = v.strictObject({
  id: v.number(),
  type: v.picklist(["alert", "confirm", "prompt", "beforeunload"]),
  message: v.string(),
  outcome: v.picklist(["accepted", "dismissed", "open"]),
  answer: v.exactOptional(v.string()),
  time: v.string(),
});

const DownloadSchema = v.strictObject({
  name: v.string(),
  url: v.string(),
  path: v.exactOptional(v.string()),
  failure: v.exactOptional(v.string()),
});

const PageErrorSchema = v.strictObject({
  text: v.string(),
  at: v.exactOptional(v.pipe(v.string(), v.description("File, line and column"))),
});

const FailedRequestSchema = v.strictObject({
  id: v.pipe(v.number(), v.description("What `network <id>` shows it by")),
  method: v.string(),
  url: v.string(),
  status: v.exactOptional(v.number()),
  failure: v.exactOptional(v.pipe(v.string(), v.description("Chromium's name for the fault"))),
});

const TROUBLES = {
  errors: v.exactOptional(
    v.pipe(v.array(PageErrorSchema), v.description("Errors that no script of the page caught: the first 3")),
  ),
  moreErrors: v.exactOptional(v.number()),
  failed: v.exactOptional(
    v.pipe(
      v.array(FailedRequestSchema),
      v.description("Requests of scripts that failed or were answered with a status from 400 on: the first 3"),
    ),
  ),
  moreFailed: v.exactOptional(v.number()),
};

const LaterSchema = v.strictObject({
  navigated: v.exactOptional(v.string()),
  dialogs: v.exactOptional(v.pipe(v.array(DialogSchema), v.description("The first 3"))),
  moreDialogs: v.exactOptional(v.pipe(v.number(), v.description("How many opened beside them"))),
  opened: v.exactOptional(v.array(v.string())),
  downloads: v.exactOptional(v.array(DownloadSchema)),
  ...TROUBLES,
  changed: v.exactOptional(v.number()),
});

export const EffectSchema = v.strictObject({
  before: v.exactOptional(
    v.pipe(LaterSchema, v.description("What happened before it, since the answer to the last action in the tab")),
  ),
  navigated: v.exactOptional(v.pipe(v.string(), v.description("Address the tab went to"))),
  status: v.exactOptional(v.pipe(v.number(), v.description("What the server answered that with"))),
  unloaded: v.exactOptional(
    v.pipe(
      v.strictObject({ url: v.string(), network: v.pipe(v.string(), v.description("Chromium's name for the fault")) }),
      v.description("Address that it went to and that could not be loaded: the browser shows a page of its own"),
    ),
  ),
  navigating: v.exactOptional(v.pipe(v.string(), v.description("Address of a navigation that has not committed yet"))),
  brokenOff: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ method: v.string(), url: v.string() })),
      v.description(
        "Loads, and requests that send something, which were broken off before they were answered: the first 3. " +
          "What they asked for may have been carried out",
      ),
    ),
  ),
  notOpened: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.description("Addresses for other programs (mailto:, tel:), which the browser hands to none: the first 3"),
    ),
  ),
  frames: v.exactOptional(v.pipe(v.array(v.string()), v.description("Addresses that frames of the page went to"))),
  failedFrames: v.exactOptional(
    v.pipe(
      v.array(
        v.strictObject({
          url: v.string(),
          status: v.exactOptional(v.number()),
          network: v.exactOptional(v.pipe(v.string(), v.description("Chromium's name for the fault"))),
        }),
      ),
      v.description("Addresses that were answered in frames with a status from 400 on, or could not be loaded there"),
    ),
  ),
  navigatingFrames: v.exactOptional(
    v.pipe(v.array(v.string()), v.description("Addresses that frames were on their way to, and had not come to")),
  ),
  dialogs: v.exactOptional(v.pipe(v.array(DialogSchema), v.description("The first 10"))),
  moreDialogs: v.exactOptional(v.pipe(v.number(), v.description("How many dialogs there were beside them"))),
  opened: v.exactOptional(v.pipe(v.array(v.string()), v.description("Ids of tabs it opened"))),
  openedUrls: v.exactOptional(v.pipe(v.array(v.string()), v.description("Their addresses, in the same order"))),
  closedAgain: v.exactOptional(v.pipe(v.number(), v.description("How many tabs it opened that have closed again"))),
  opening: v.exactOptional(
    v.pipe(v.string(), v.description("Address of a tab that it asked for and that was not there yet after 3 s")),
  ),
  emptyAnswers: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ method: v.string(), url: v.string(), status: v.number() })),
      v.description(
        "Loads, of the tab or of one that it asked for, that were answered with nothing to show: the first 3",
      ),
    ),
  ),
  popUpsClosed: v.exactOptional(
    v.pipe(
      v.number(),
      v.description("How many more tabs it opened, which were closed at once: a page may open 20 a minute"),
    ),
  ),
  downloads: v.exactOptional(v.array(DownloadSchema)),
  choosing: v.exactOptional(
    v.pipe(
      v.strictObject({
        multiple: v.pipe(v.boolean(), v.description("More than one may be given")),
        ref: v.exactOptional(v.pipe(v.string(), v.description("What `upload` can be given to answer it"))),
      }),
      v.description("The page asked for files"),
    ),
  ),
  downloading: v.exactOptional(
    v.pipe(v.string(), v.description("Address of a file that it asked for and of which nothing had come after 2 s")),
  ),
  downloadsLost: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.description("Addresses of files that were asked for, and of which nothing had come when their page was left"),
    ),
  ),
  refused: v.exactOptional(
    v.pipe(v.array(v.string()), v.description("Addresses that the rules of the tab's owner kept it from")),
  ),
  closed: v.exactOptional(v.boolean()),
  ...TROUBLES,
  refusedFields: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ field: v.string(), message: v.string() })),
      v.description("Fields that the browser does not send as they are, and why: the first 5"),
    ),
  ),
  rewritten: v.exactOptional(
    v.pipe(
      v.array(
        v.strictObject({
          field: v.string(),
          value: v.exactOptional(v.string()),
          checked: v.exactOptional(v.pipe(v.boolean(), v.description("Of one that was checked or unchecked"))),
        }),
      ),
      v.description(
        "Controls that hold something else than the action gave them; without the value where it is secret",
      ),
    ),
  ),
  focused: v.exactOptional(
    v.pipe(
      v.strictObject({ ref: v.string(), role: v.string(), name: v.string() }),
      v.description("What has come to have the focus, other than what was acted on"),
    ),
  ),
  waiting: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ method: v.string(), url: v.string() })),
      v.description("Requests of scripts that are not answered yet: the first 3"),
    ),
  ),
  moreWaiting: v.exactOptional(v.number()),
  answering: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ method: v.string(), url: v.string() })),
      v.description("Requests of scripts whose answers have begun and not ended: the first 3"),
    ),
  ),
  title: v.exactOptional(
    v.pipe(v.string(), v.description("What the page is called now, where it was called something else")),
  ),
  changed: v.exactOptional(v.pipe(v.number(), v.description("DOM nodes added, removed or changed"))),
  changes: v.exactOptional(
    v.pipe(
      v.array(ChangeSchema),
      v.description("Lines that are others now, be it by a style alone: those that tell most, up to 12"),
    ),
  ),
  moreChanges: v.exactOptional(v.pipe(v.number(), v.description("How many lines changed beside those"))),
  nothing: v.exactOptional(v.pipe(v.boolean(), v.description("Nothing was seen to change"))),
  watchedMs: v.exactOptional(v.pipe(v.number(), v.description("For how long that was looked for, in milliseconds"))),
  unsettled: v.exactOptional(v.pipe(v.boolean(), v.description("It was not waited for: more may come"))),
});
