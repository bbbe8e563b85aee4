import * as metaSchemaModule from "@open-rpc/meta-schema";
import { Ajv } from "ajv";
import draft07 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };
import { expect, test } from "vitest";
import { startWire } from "../wire/wire.ts";

test("rpc.discover gives a document that the OpenRPC meta-schema accepts", async () => {
  await using wire = await startWire();
  const client = await wire.connect();
  const { result } = await client.call("rpc.discover");
  const ajv = new Ajv({ strict: false, validateFormats: false });
  // The meta-schema leans on a schema of JSON Schema itself that is published elsewhere: draft 7, cut up in another way.
  const { $schema: _, ...draft } = draft07;
  const definitions = { ...draft.definitions, JSONSchemaObject: { properties: { $ref: { type: "string" } } } };
  const draftId = "https://json-schema.example/draft-07";
  ajv.addSchema({ ...draft, $id: draftId, definitions } as object);
  // The package's types describe documents and leave out the schema itself.
  const { openrpcDocument } = metaSchemaModule as unknown as { openrpcDocument: object };
  const text = JSON.stringify(openrpcDocument).replaceAll(/https:\/\/meta\.json-schema\.tools\/?/g, draftId);
  const schema = JSON.parse(text);
  delete schema.$schema;
  const validate = ajv.compile(schema);
  expect(validate(result), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...result, methods: [{ name: "x" }] })).toBe(false);
});

test("each method says what it takes, needs, touches and can end with", async () => {
  await using wire = await startWire();
  const client = await wire.connect();
  const { result } = await client.call("rpc.discover");
  const methods = result?.methods as {
    name: string;
    params: { name: string; required: boolean }[];
    errors: { $ref: string }[];
  }[];
  const named = (name: string) => methods.find((method) => method.name === name);
  expect(named("act")).toMatchObject({
    "x-scope": "write",
    "x-effect": "page",
    "x-retry-safe": false,
    paramStructure: "by-name",
  });
  expect(named("echo")).toMatchObject({ "x-scope": "read", "x-effect": "none", "x-retry-safe": true });
  expect(named("echo")?.params.map(({ name, required }) => [name, required])).toEqual([
    ["text", true],
    ["times", false],
    ["tab", false],
    ["session", false],
    ["timeoutMs", false],
    ["maxBytes", false],
    ["unsafe", false],
  ]);
  expect(named("act")?.errors).toContainEqual({ $ref: "#/components/errors/outcome_unknown" });
  for (const name of ["session.hello", "cli.exec", "events.subscribe", "call.cancel", "rpc.discover"])
    expect(named(name)).toBeDefined();
});
