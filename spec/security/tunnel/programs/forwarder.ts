/** A program that forwards a port, as `cloudflared` or `ssh -R` do: `node forwarder.ts PORT`. Says in its output where it is. */
import { type AddressInfo, connect, createServer } from "node:net";

const [, , port] = process.argv;

const server = createServer((client) => {
  const daemon = connect(Number(port), "127.0.0.1");
  client.on("error", () => daemon.destroy());
  daemon.on("error", () => client.destroy());
  client.pipe(daemon).pipe(client);
});

server.listen(0, "127.0.0.1", () => {
  const { port: own } = server.address() as AddressInfo;
  console.error("By using this you agree to https://terms.example/of-use, see https://docs.example");
  console.error(`|  http://127.0.0.1:${own}/  |`);
});
