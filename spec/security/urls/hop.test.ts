/** The policy for each hop of what is fetched: by its text, and by what its name resolves to. */
import { lookup } from "node:dns/promises";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { BrowseError } from "../../../errors.ts";
import { checkHop } from "../../../security/urls/hop.ts";

vi.mock("node:dns/promises");

const LOCAL = { privateAllowed: true, resolvedElsewhere: false };

function resolvesTo(...addresses: string[]): void {
  vi.mocked(lookup).mockResolvedValue(addresses.map((address) => ({ address, family: 4 })) as never);
}

async function kindOf(url: string, options = LOCAL): Promise<string> {
  try {
    await checkHop(url, options);
    return "passes";
  } catch (error) {
    return error instanceof BrowseError ? error.kind : String(error);
  }
}

beforeEach(() => {
  vi.mocked(lookup).mockReset();
});

describe("a hop", () => {
  test("passes when neither its text nor its addresses are forbidden", async () => {
    resolvesTo("93.184.216.34");
    expect(await kindOf("https://example.com/x")).toBe("passes");
  });

  test.each([
    "http://169.254.169.254/",
    "http://0xa9fea9fe/",
    "http://[fd00:ec2::254]/",
    "file:///etc/passwd",
    "ftp://x.example/",
  ])("%s is refused by its text, without a look-up", async (url) => {
    expect(await kindOf(url)).toBe("blocked_url");
    expect(lookup).not.toHaveBeenCalled();
  });

  test("is refused when one of its addresses is a metadata service", async () => {
    resolvesTo("93.184.216.34", "169.254.169.254");
    expect(await kindOf("http://harmless.example/")).toBe("blocked_url");
  });

  test("may be on a private network for local callers only", async () => {
    resolvesTo("192.168.1.5");
    expect(await kindOf("http://router.example/")).toBe("passes");
    expect(await kindOf("http://router.example/", { ...LOCAL, privateAllowed: false })).toBe("blocked_url");
  });

  test("passes when its name does not resolve: the browser tells that better", async () => {
    vi.mocked(lookup).mockImplementation(async () => {
      throw new Error("ENOTFOUND");
    });
    expect(await kindOf("http://no.such.example/")).toBe("passes");
  });

  test("is not looked up when a proxy does that, but its text still counts", async () => {
    resolvesTo("169.254.169.254");
    expect(await kindOf("http://harmless.example/", { ...LOCAL, resolvedElsewhere: true })).toBe("passes");
    expect(await kindOf("http://metadata.google.internal/", { ...LOCAL, resolvedElsewhere: true })).toBe("blocked_url");
    expect(lookup).not.toHaveBeenCalled();
  });
});
