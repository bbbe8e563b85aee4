/** The `code` of a system error (`ENOENT`), or "unknown" for anything else that was thrown. */
export function errorCode(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string") {
    return error.code;
  }
  return "unknown";
}
