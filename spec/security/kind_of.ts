import { BrowseError } from "../../errors.ts";

/** The kind of error that the action is refused with; `allowed` when it is not. */
export function kindOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof BrowseError) return error.kind;
    throw error;
  }
  return "allowed";
}
