/** For what the headless shell does not have: PDF viewer, pages of its own for errors, windows. */
import { chromiumExecutable } from "../../browser/install/executable.ts";

/** The environment of a daemon that drives a Chromium which could show windows. */
export const FULL_CHROMIUM = { BROWSE_CHROMIUM: (await chromiumExecutable(undefined, { headed: true })).path };
