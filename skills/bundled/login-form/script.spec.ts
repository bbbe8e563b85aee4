import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  assertSafe,
  assertSends,
  type Field,
  type Form,
  findLogin,
  findUserStep,
  judged,
  type Node,
} from "./script.ts";

const fixture = new URL("fixtures/club.example-2026-10-01.forms.json", import.meta.url);
const { newsletter, login, signUp, userStep, code }: Record<string, Form> = JSON.parse(readFileSync(fixture, "utf8"));

function known(form: Form | undefined): Form {
  assert.ok(form);
  return form;
}

function shown(role: string, name: string): Node {
  return { depth: 0, role, name, ref: "@e1" };
}

const url = "https://club.example/session?token=abc";

test("finds the form with one password field, its user field and its button", () => {
  const found = findLogin([known(newsletter), known(signUp), known(login)]);
  assert.deepEqual([found?.user?.name, found?.password.name, found?.button?.label], ["email", "pass", "Log in"]);
  assert.equal(findLogin([known(newsletter)]), undefined);
});

test("gives no password to a form that asks for two", () => {
  assert.throws(() => findLogin([known(signUp)]), /asks for two passwords/);
});

test("finds the step that asks for the user alone, and takes no newsletter for it", () => {
  const step = findUserStep([known(newsletter), known(userStep)]);
  assert.deepEqual([step?.user.name, step?.button?.label], ["identifier", "Next"]);
});

test("sends to the asked host and its subdomains, encrypted or to this computer", () => {
  assertSafe("https://club.example/login", "https://club.example/login");
  assertSafe("www.club.example", "https://id.club.example/");
  assertSafe("http://localhost:3000", "http://localhost:3000/login");
  assertSafe("127.0.0.1:3000", "http://127.0.0.1:3000/login");
  assert.throws(() => assertSafe("https://club.example", "https://club.example.evil.example/"), /leads to a page of/);
  assert.throws(() => assertSafe("https://club.example", "https://notclub.example/"), /leads to a page of/);
  assert.throws(() => assertSafe("http://club.example", "http://club.example/"), /without encryption/);
});

test("sends no password in an address, nor to another host", () => {
  const form: Form = known(login);
  const page = { asked: "https://club.example/login", page: "https://club.example/login" };
  assertSends(form, page);
  assertSends({ ...form, method: "get", action: page.page }, page);
  assert.throws(() => assertSends({ ...form, method: "get" }, page), /part of an address/);
  assert.throws(() => assertSends({ ...form, action: "https://evil.example/" }, page), /leads to a page of evil/);
  assert.throws(() => assertSends({ ...form, action: "http://club.example/in" }, page), /without encryption/);
});

test("says that someone is logged in by a way to log out only", () => {
  const nodes = [shown("heading", "Welcome, Ida"), shown("link", "Log out")];
  assert.deepEqual(judged({ url, forms: [], nodes }, "pw"), {
    loggedIn: true,
    seen: ["A way to log out is on the page"],
    url: "https://club.example/session",
  });
  assert.equal(judged({ url, forms: [], nodes: [shown("heading", "Welcome")] }, "pw").loggedIn, null);
  assert.equal(judged({ url, forms: [], nodes: [shown("heading", "3 builds failed")] }, "pw").loggedIn, null);
  assert.equal(judged({ url, forms: [known(login)], nodes }, "pw").loggedIn, null);
});

test("says that nobody is while the page asks for a password or a code", () => {
  const again = judged({ url, forms: [known(login)], nodes: [shown("alert", "Wrong password")] }, "pw");
  assert.deepEqual(again.loggedIn, false);
  assert.deepEqual(again.seen, ["A password field is on the page", 'The page says "Wrong password"']);
  assert.equal(judged({ url, forms: [known(code)], nodes: [] }, "pw").loggedIn, false);
});

test("passes on no text of the page that has the password in it", () => {
  const { seen } = judged({ url, forms: [], nodes: [shown("alert", "Invalid: hunter2")] }, "hunter2");
  assert.deepEqual(seen, ["The page shows an error"]);
});

test("ignores fields that are disabled", () => {
  const form: Form = known(login);
  const fields: Field[] = form.fields.map((field) => ({ ...field, disabled: true }));
  assert.equal(findLogin([{ ...form, fields }]), undefined);
});
