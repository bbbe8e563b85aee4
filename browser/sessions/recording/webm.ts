/** Encoded images as a WebM file, which browsers and players open. */
import type { VideoPacket, VideoSize } from "./frame_encoder.ts";

const US_PER_S = 1_000_000;

/** `endUs`: when the last image goes. At least one packet. */
export async function webmOf(packets: readonly VideoPacket[], size: VideoSize, endUs: number): Promise<Buffer> {
  const { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } = await import(
    "mediabunny"
  );
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new EncodedVideoPacketSource("vp8");
  output.addVideoTrack(source);
  await output.start();
  const decoderConfig = { codec: "vp8", codedWidth: size.width, codedHeight: size.height };
  for (const [index, { data, isKey, timeUs }] of packets.entries()) {
    const next = packets[index + 1]?.timeUs ?? Math.max(endUs, timeUs);
    const packet = new EncodedPacket(data, isKey ? "key" : "delta", timeUs / US_PER_S, (next - timeUs) / US_PER_S);
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}
