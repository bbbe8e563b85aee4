/** A process that makes skills one after another, agrees to many, or holds one in the making, until it is killed: for tests. */
import { SkillStore } from "../../../../skills/store/skill_store.ts";
import { Staging } from "../../../../skills/store/staging.ts";

const [root = "", what, first = "0", count = "1000000"] = process.argv.slice(2);
if (what === "hold") {
  const staging = Staging.open(`${root}/home`);
  await staging.write("SKILL.md", "half");
  process.stdout.write("staged\n");
  await new Promise(() => setInterval(() => {}, 60_000));
}

const store = new SkillStore({ stateDir: `${root}/state`, home: `${root}/home` });

for (let index = Number(first); index < Number(first) + Number(count); index++) {
  if (what === "skills") await store.make("project", `s${index}`, filesOf(`s${index}`));
  else await store.trust.agree(index.toString(16).padStart(64, "0"), `s${index}`, { trusted: false, approved: true });
  process.stdout.write(`${index}\n`);
}

function filesOf(name: string): Record<string, string> {
  const fixtures = Array.from({ length: 6 }, (_, index) => [`fixtures/${index}.html`, "x".repeat(10_000)]);
  return {
    "SKILL.md": `---\nname: ${name}\ndescription: A skill\nhost: shop.example\n---\n`,
    "script.ts": "export const main = () => 1;\n",
    ...Object.fromEntries(fixtures),
  };
}
