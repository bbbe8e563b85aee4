import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const FORM = `<!doctype html><title>Form</title>
<form action="/order" method="post" name="order">
  <label>Email <input name="email" type="email" required value="ann@shop.example"></label>
  <label>Password <input name="password" type="password" value="hunter2"></label>
  <label>Access token <input name="access_token" value="tok-in-a-text-field"></label>
  <label>Size <select name="size"><option value="s">Small</option><option value="l" selected>Large</option></select></label>
  <label><input type="checkbox" name="gift" checked> Gift</label>
  <button>Send</button>
</form>`;

const ENDLESS_FORM = `<!doctype html><title>Endless</title><form><select id=s></select><textarea id=t></textarea></form><script>
  s.name = "x".repeat(1e5);
  t.value = "t".repeat(1e5);
  for (let i = 0; i < 1_500; i++) s.add(new Option("l".repeat(i ? 1 : 1e5), "v".repeat(i ? 1 : 1e5)));
</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/form": FORM,
    "/endless-form": ENDLESS_FORM,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("forms", () => {
  it("lists fields with labels, values and options, secrets masked", async () => {
    await project.run("goto", `${site.url}/form`);
    const { forms } = await project.json("forms");
    expect(forms).toEqual([
      expect.objectContaining({
        action: `${site.url}/order`,
        method: "post",
        name: "order",
        fields: expect.arrayContaining([
          expect.objectContaining({
            name: "email",
            type: "email",
            label: "Email",
            required: true,
            value: "ann@shop.example",
          }),
          expect.objectContaining({ name: "gift", checked: true }),
          expect.objectContaining({
            name: "size",
            value: "l",
            options: [
              { value: "s", label: "Small", selected: false },
              { value: "l", label: "Large", selected: true },
            ],
          }),
        ]),
      }),
    ]);
    expect(JSON.stringify(forms)).not.toContain("hunter2");
    expect(JSON.stringify(forms)).not.toContain("tok-in-a-text-field");
  });

  it("gives each field a ref that works", async () => {
    await project.run("goto", `${site.url}/form`);
    const { forms } = (await project.json("forms")) as { forms: { fields: { name: string; ref: string }[] }[] };
    const email = forms[0]!.fields.find(({ name }) => name === "email")!;
    await project.run("fill", email.ref, "bob@shop.example");
    expect(await project.run("value", "[name=email]")).toBe("bob@shop.example");
  });

  it("cuts what a page says in them without end", async () => {
    await project.run("goto", `${site.url}/endless-form`);
    const { forms } = await project.json("forms");
    const [{ fields: [field, text] = [] } = {}] = forms as { fields?: Record<string, unknown>[] }[];
    const options = field?.options as { value: string; label: string }[];
    expect(options).toHaveLength(1_000);
    expect(field).toMatchObject({ moreOptions: 500, name: expect.stringMatching(/^x{10000}…$/) });
    expect(options[0]).toMatchObject({ value: "v".repeat(1_000), label: "l".repeat(1_000) });
    expect(text?.value).toMatch(/^t{10000}…$/);
  });
});
