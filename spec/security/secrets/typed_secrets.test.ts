import { beforeEach, describe, expect, it, vi } from "vitest";

beforeEach(() => void vi.resetModules());

async function load() {
  const { noteTypedSecret } = await import("../../../security/secrets/typed_secrets.ts");
  const { redactParams, redactText, redactUrl } = await import("../../../security/secrets/redact.ts");
  return { noteTypedSecret, redactParams, redactText, redactUrl };
}

describe("What was typed into a field that hides it", () => {
  it("is masked under any name, however it travels", async () => {
    const { noteTypedSecret, redactText, redactUrl } = await load();
    noteTypedSecret('hunter & "B2"');
    expect(redactText("pw=hunter+%26+%22B2%22&plain=x")).toBe("pw=[redacted]&plain=x");
    expect(redactText("user%5Bpass%5D=hunter%20%26%20%22B2%22")).toBe("user%5Bpass%5D=[redacted]");
    expect(redactText('{"k":"hunter & \\"B2\\""}')).toBe('{"k":"[redacted]"}');
    expect(redactText('got hunter & "B2" here')).toBe("got [redacted] here");
    expect(redactUrl("http://shop.example/?q=hunter%20%26%20%22B2%22")).toBe("http://shop.example/?q=[redacted]");
  });

  it("is masked only as the whole of a value when it is short, and not at all when very short", async () => {
    const { noteTypedSecret, redactText, redactParams } = await load();
    noteTypedSecret("1234");
    noteTypedSecret("ab");
    expect(redactText('{"n":"1234"} 12345 order=1234&x=ab')).toBe('{"n":"[redacted]"} 12345 order=[redacted]&x=ab');
    expect(redactParams({ text: "1234", count: 1234 }, [])).toEqual({ text: "[redacted]", count: 1234 });
  });

  it("is masked whole, though a part of it was typed before", async () => {
    const { noteTypedSecret, redactText } = await load();
    noteTypedSecret("hunter");
    noteTypedSecret("hunter22");
    noteTypedSecret("secret", "");
    noteTypedSecret("secret99", "secret");
    expect(redactText("a hunter22 b hunter c secret99 d secret")).toBe(
      "a [redacted] b [redacted] c [redacted] d secret",
    );
  });

  it("is masked once, whatever it is", async () => {
    const { noteTypedSecret, redactText } = await load();
    noteTypedSecret("redacted");
    const once = redactText("it is redacted");
    expect(once).toBe("it is [redacted]");
    expect(redactText(once)).toBe(once);
  });

  it("is forgotten when fifty others came after it", async () => {
    const { noteTypedSecret, redactText } = await load();
    noteTypedSecret("first-password");
    for (let count = 0; count < 50; count++) noteTypedSecret(`other-password-${count}`);
    expect(redactText("first-password other-password-49")).toBe("first-password [redacted]");
  });
});
