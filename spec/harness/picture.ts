/** What a picture's own header says of it. */

export interface PictureHeader {
  format: "png" | "jpeg" | "webp";
  width: number;
  height: number;
}

/** Throws for data that is none of the three. */
export function pictureHeader(data: Buffer): PictureHeader {
  if (data.subarray(1, 4).toString() === "PNG") {
    return { format: "png", width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
  }
  if (data.subarray(0, 4).toString() === "RIFF") return { format: "webp", ...webpSize(data) };
  if (data.readUInt16BE(0) === 0xffd8) return { format: "jpeg", ...jpegSize(data) };
  throw new Error(`Not a picture: ${data.subarray(0, 8).toString("hex")}`);
}

/** The frame header is the first marker of C0…CF that is no table (ISO/IEC 10918-1, B.2.2). */
function jpegSize(data: Buffer): { width: number; height: number } {
  let at = 2;
  while (!(data[at + 1]! >= 0xc0 && data[at + 1]! <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(data[at + 1]!))) {
    at += 2 + data.readUInt16BE(at + 2);
  }
  return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
}

/** Of a lossy file: 14 bits each after the start code (RFC 6386, 9.1); of an extended one, 24 bits less one. */
function webpSize(data: Buffer): { width: number; height: number } {
  if (data.subarray(12, 16).toString() === "VP8X") {
    return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
  }
  return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
}
