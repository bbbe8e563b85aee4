/** What a paired agent is to do, as shell lines that work as they stand. */
import type { Pairing } from "../remote_access.ts";

type Given = Pick<Pairing, "url" | "key" | "domains">;

/** With nothing but `curl`, or a WebSocket. */
export function tunnelInstructions({ url, key, domains }: Given): string {
  return `# 1. Trade the key for a token. Keep the token to yourself.
URL=${url}
KEY=${key}
TOKEN=$(curl -fsS -H 'Accept: text/plain' -d "$KEY" "$URL/pair")

# 2. Call commands. Open a tab of your own first: later calls mean that one, or name another with "tab".
curl -fsS -H "Authorization: Bearer $TOKEN" -d '{"jsonrpc":"2.0","id":1,"method":"newtab","params":{"url":"${pageOf(domains)}"}}' "$URL/rpc"
curl -fsS -H "Authorization: Bearer $TOKEN" -d '{"jsonrpc":"2.0","id":2,"method":"snapshot","params":{"interactive":true}}' "$URL/rpc"

# 3. See what else you can call.
curl -fsS -H "Authorization: Bearer $TOKEN" -d '{"jsonrpc":"2.0","id":3,"method":"rpc.discover"}' "$URL/rpc"

# The same as a WebSocket: ${url.replace(/^http/, "ws")}/rpc with that header, or with the subprotocols "browse.v1" and "bearer.TOKEN".`;
}

/** On this machine the client is at hand. */
export function localInstructions({ url, key, domains }: Given): string {
  return `# 1. Trade the key for a token. Keep the token to yourself.
KEY=${key}
export BROWSE_URL=${url}
export BROWSE_TOKEN=$(curl -fsS -H 'Accept: text/plain' -d "$KEY" "$BROWSE_URL/pair")

# 2. Use the command line as ever. Open a tab of your own first: later commands mean that one.
browse newtab ${pageOf(domains)}
browse snapshot -i

# Or a WebSocket: ${url.replace(/^http/, "ws")}/rpc with the header "Authorization: Bearer TOKEN".`;
}

/** A page that it may open. */
function pageOf([domain = "example.com"]: readonly string[] = []): string {
  return `http://${domain.replace(/^\*\./, "")}/`;
}
