/** An error as the JSON of a response. */
import type { BrowseError } from "../../errors.ts";
import { wellFormedJson } from "../line/terminal.ts";
import type { RequestId, RpcFailure } from "../protocol.ts";

export function failure(id: RequestId, { code, message, data }: BrowseError): string {
  const response: RpcFailure = { jsonrpc: "2.0", id, error: { code, message, data } };
  return wellFormedJson(response);
}
