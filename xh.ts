import { Gate } from "./spec/harness/gate.ts";
import { Site } from "./spec/harness/site.ts";
process.env.PLAYWRIGHT_SKIP_NAVIGATION_CHECK = "1";
const gate = await Gate.open(); const site = await Site.serve({ "/": "home" });
const { port } = new URL(site.url); const granted = `http://granted.localhost:${port}`; const other = `http://other.localhost:${port}`;
const token = gate.pair({ name: "bob", domains: ["granted.localhost"], perSecond: 1000, privateGranted: true });
const tab = String((await gate.call(token, "newtab", { url: "about:blank" })).id);
const pages: [string, string][] = [["script", `<p>x</p><script>location = "${other}/"</script>`], ["form", `<form action="${other}/" method=post></form><script>document.forms[0].submit()</script>`], ["download", `<a id=a href="${other}/f" download>x</a><script>a.click()</script>`], ["refresh", `<meta http-equiv=refresh content="0;url=${other}/">`]];
for (const [k, html] of pages) { site.set("/p", html); const t = performance.now();
  for (const wait of ["dom", "load"]) console.log(k, wait, await gate.call(token, "goto", { url: `${granted}/p`, wait }, { tab }).then((a) => JSON.stringify(a), (e) => `${e.kind} ${e.message}`), Math.round(performance.now() - t)); }
await gate[Symbol.asyncDispose](); await site[Symbol.asyncDispose](); process.exit();
