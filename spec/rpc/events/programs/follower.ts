/** Follows `page` after the number given, and writes down each number it gets: `follower.ts <url> <token> <file> <since>`. */
import { appendFileSync } from "node:fs";
import { connect } from "../../../../client.ts";

const [url = "", token = "", file = "", since = "0"] = process.argv.slice(2);
const browse = await connect({ url, token });
for await (const item of browse.events(["page"], { since: Number(since) })) {
  appendFileSync(file, `${item.type === "event" ? item.seq : item.type}\n`);
}
