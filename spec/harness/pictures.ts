/** Pictures for pages of tests, made on the spot. */
import { PNG } from "pngjs";

/** A PNG of one color; `noise` makes it as large as its pixels are many. */
export function pngOf(
  width: number,
  height: number,
  options: { color?: [number, number, number]; noise?: true } = {},
): Buffer {
  const png = new PNG({ width, height });
  const [red, green, blue] = options.color ?? [255, 0, 0];
  let state = 1;
  for (let at = 0; at < png.data.length; at += 4) {
    // A linear congruential generator (Numerical Recipes): what it gives cannot be compressed.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    png.data.set(options.noise ? [state >>> 24, state >>> 16, state >>> 8, 255] : [red, green, blue, 255], at);
  }
  return PNG.sync.write(png);
}
