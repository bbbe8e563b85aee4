import * as v from "valibot";
import { isSecretPair } from "../../security/secrets/secret_names.ts";
import { defineCommand } from "../command.ts";
import { jsonLines } from "../json_lines.ts";
import { type MetaValues, readMetadata } from "./_metadata.ts";

/** As the page's reader masks passwords. */
const MASK = "•••";

const Flag = (description: string) => v.exactOptional(v.pipe(v.boolean(), v.description(description)));

const ValuesSchema = v.record(v.string(), v.union([v.string(), v.array(v.string())]));

const JsonLdSchema = v.union([
  v.strictObject({ value: v.unknown() }),
  v.strictObject({
    error: v.pipe(v.string(), v.description("Why the script is not valid JSON")),
    text: v.pipe(v.string(), v.description("How it begins")),
  }),
]);

const LinkSchema = v.strictObject({
  rel: v.string(),
  href: v.string(),
  type: v.exactOptional(v.string()),
  title: v.exactOptional(v.string()),
  hreflang: v.exactOptional(v.string()),
  sizes: v.exactOptional(v.string()),
});

const PageSchema = v.strictObject({ url: v.string(), title: v.string(), lang: v.string(), charset: v.string() });

const PARTS = ["jsonld", "og", "twitter", "meta"] as const;

export default defineCommand({
  name: "data",
  category: "read",
  summary: "Read the page's machine-readable data: JSON-LD, Open Graph, Twitter card, meta elements",
  description:
    "JSON. JSON-LD that is not valid is listed with what is wrong with it. Without a flag, all of it is read.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "whole",
  params: v.strictObject({
    jsonld: Flag("JSON-LD scripts"),
    og: Flag("Open Graph properties"),
    twitter: Flag("Twitter card"),
    meta: Flag("Other meta elements, links such as canonical and icon, title and language"),
  }),
  result: v.strictObject({
    jsonld: v.exactOptional(v.array(JsonLdSchema)),
    og: v.exactOptional(ValuesSchema),
    twitter: v.exactOptional(ValuesSchema),
    meta: v.exactOptional(ValuesSchema),
    links: v.exactOptional(v.array(LinkSchema)),
    page: v.exactOptional(PageSchema),
  }),
  examples: ["browse data", "browse data --jsonld", "browse data --og --twitter"],
  async run({ tab, signal }, params) {
    const { jsonld, og, twitter, meta, links, page } = await readMetadata(tab, { signal });
    const wanted = PARTS.filter((part) => params[part]);
    const wants = (part: (typeof PARTS)[number]) => wanted.length === 0 || wanted.includes(part);
    return {
      ...(wants("jsonld") && { jsonld }),
      ...(wants("og") && { og: masked(og) }),
      ...(wants("twitter") && { twitter: masked(twitter) }),
      ...(wants("meta") && { meta: masked(meta), links, page }),
    };
  },
  render: (result) => jsonLines(result) ?? "",
});

/** Frameworks put their request tokens into meta elements. */
function masked(values: MetaValues): MetaValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const hide = (text: string) => (text !== "" && isSecretPair(name, text) ? MASK : text);
      return [name, typeof value === "string" ? hide(value) : value.map(hide)];
    }),
  );
}
