import { documentShell } from "./document_shell.ts";

/** Logs 1,000 lines while it loads; `storm(count)` logs as many more, as fast as it can, and gives the milliseconds. */
export function chattyConsolePage(): string {
  return documentShell(
    "Chatty console",
    `<h1>Chatty console</h1><button type="button" onclick="storm(1000)">Log</button><script>
function storm(count) {
  const started = performance.now();
  for (let line = 1; line <= count; line++) console.log("line", line, { of: count });
  return performance.now() - started;
}
storm(1000);
</script>`,
  );
}
