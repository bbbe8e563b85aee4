import { expect, test } from "vitest";
import { SharedLock } from "../../browser/tabs/tab_lock.ts";

const { signal } = new AbortController();

test("a shared lock is held by many together or by one alone, in the order in which they came", async () => {
  const lock = new SharedLock();
  const order: string[] = [];
  const noting = async (name: string, held: Promise<() => void>) => {
    const release = await held;
    order.push(name);
    return release;
  };
  const [first, second] = await Promise.all([noting("a", lock.share(signal)), noting("b", lock.share(signal))]);
  const alone = noting("alone", lock.acquire(signal));
  const later = noting("later", lock.share(signal));
  first!();
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(["a", "b"]);
  second!();
  const release = await alone;
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(["a", "b", "alone"]);
  release();
  await later;
  expect(order).toEqual(["a", "b", "alone", "later"]);
});

test("who gives up waiting for a shared lock holds up nobody", async () => {
  const lock = new SharedLock();
  const release = await lock.share(signal);
  const call = new AbortController();
  const alone = lock.acquire(call.signal);
  const later = lock.share(signal);
  call.abort();
  await expect(alone).rejects.toMatchObject({ kind: "cancelled" });
  release();
  expect(await later).toBeTypeOf("function");
});
