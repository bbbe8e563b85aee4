/** The tour through the demo shop: what an agent would do, with the refs that its snapshots give. */

/** Runs one command and gives its output. */
export type Browse = (...argv: string[]) => Promise<string>;

/** Resolves to the path of the image it took. */
export async function shopTour(browse: Browse, url: string, image: string): Promise<string> {
  await browse("goto", url);
  const shop = await browse("snapshot", "-i");
  await browse("fill", refOf(shop, '"Search lamps"'), "moon");
  await browse("click", refOf(shop, '[button] "Search"'));
  const found = await browse("snapshot", "-i");
  await browse("click", refOf(found, '"Add Bedside lamp'));
  await browse("fill", refOf(found, '"Your city"'), "Lisbon");
  await browse("click", refOf(found, '"Check delivery"'));
  await browse("screenshot", image);
  await browse("click", refOf(found, '[link] "About"'));
  await browse("back");
  await browse("click", 'role=link[name="Checkout"]');
  const checkout = await browse("snapshot", "-i");
  await browse("fill", refOf(checkout, '"Name"'), "Ada");
  await browse("fill", refOf(checkout, '"Email"'), "ada");
  await browse("select", refOf(checkout, '"Delivery"'), "Tomorrow (+5 €)");
  await browse("check", refOf(checkout, '"I accept the terms"'));
  await browse("click", refOf(checkout, '"Place order"'));
  await browse("text", "#email-error");
  await browse("fill", refOf(checkout, '"Email"'), "ada@example.com");
  await browse("click", refOf(checkout, '"Place order"'));
  await browse("text", "#done");
  return image;
}

/** The ref on the first snapshot line that holds `text`. */
function refOf(snapshot: string, text: string): string {
  const line = snapshot.split("\n").find((candidate) => candidate.includes(text));
  const ref = line && /@[ec]\d+/.exec(line)?.[0];
  if (!ref) throw new Error(`The snapshot shows no ${text}`);
  return ref;
}
