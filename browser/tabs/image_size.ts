/** How large an image is, by its own header. */

export interface ImageSize {
  width: number;
  height: number;
}

/** Of a PNG, JPEG or WebP, in pixels. Throws `RangeError` for data that is none of them. */
export function imageSize(data: Buffer): ImageSize {
  if (data.toString("latin1", 1, 4) === "PNG") return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
  return data.toString("latin1", 0, 4) === "RIFF" ? webpSize(data) : jpegSize(data);
}

/** The frame header is the first marker of C0…CF that is no table (ISO/IEC 10918-1, B.2.2). */
function jpegSize(data: Buffer): ImageSize {
  let at = 2;
  for (;;) {
    const marker = data.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) break;
    at += 2 + data.readUInt16BE(at + 2);
  }
  return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
}

/** Lossy (RFC 6386, 9.1), lossless (14 bits each less one), or extended (24 bits each less one). */
function webpSize(data: Buffer): ImageSize {
  switch (data.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const bits = data.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    default:
      return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
  }
}
