/** A child process that uses the SDK over its IPC channel, as skills do; run by spec/client.test.ts. */
import { connect } from "../../client.ts";

await using browse = await connect();
const { url } = await browse.call("url", { tab: "t1" });
process.stdout.write(`${url}\n`);
