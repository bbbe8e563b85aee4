import * as v from "valibot";
import { addressesOf } from "../../../security/urls/host_name.ts";
import { counted } from "../../../wording.ts";
import { defineCommand } from "../../command.ts";

const HostSchema = v.strictObject({
  host: v.string(),
  active: v.number(),
  quarantined: v.number(),
  foreignLines: v.exactOptional(
    v.pipe(v.number(), v.description("Lines that were not written on this device, or are damaged: they are not read")),
  ),
});

export default defineCommand({
  name: "note.list",
  category: "skills",
  summary: "List the hosts that there are notes about",
  aliases: ["domain-skill.list"],
  scope: "read",
  effect: "none",
  needs: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({}),
  result: v.strictObject({ hosts: v.array(HostSchema) }),
  examples: ["browse note list"],
  run({ daemon, mayKnow }) {
    const { notes } = daemon.skills;
    const hosts = notes.hosts().filter((host) => addressesOf(host).some(mayKnow));
    return {
      hosts: hosts.map((host) => {
        const { notes: kept, foreignLines } = notes.of(host);
        const active = kept.filter(({ state }) => state === "active").length;
        return { host, active, quarantined: kept.length - active, ...(foreignLines > 0 && { foreignLines }) };
      }),
    };
  },
  render: ({ hosts }) => (hosts.length === 0 ? "There are no notes" : hosts.map(hostText).join("\n")),
});

function hostText({ host, active, quarantined, foreignLines = 0 }: v.InferOutput<typeof HostSchema>): string {
  const counts = [
    ...(active > 0 ? [`${active} active`] : []),
    ...(quarantined > 0 ? [`${quarantined} in quarantine`] : []),
    ...(foreignLines > 0 ? [`${counted(foreignLines, "line")} not of this device`] : []),
  ];
  return `${host} ${counts.join(", ") || "none"}`;
}
