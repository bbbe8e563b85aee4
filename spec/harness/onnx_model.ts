/**
 * Writes small classifiers as ONNX: each token of the vocabulary has a weight, and the logits of a sequence are their
 * sums. By hand, since the format is a few nested protobuf messages
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3).
 */

interface TinyModel {
  /** For each token id its weight for each label. */
  weights: readonly (readonly number[])[];
  /** Beside `input_ids`: as exports have them, read or not. */
  inputs?: readonly string[];
  /** The name of what it answers with. */
  output?: string;
}

const FLOAT = 1;
const INT64 = 7;

/** logits[batch, labels] = sum over the sequence of weights[input_ids], of those that `attention_mask` lets through */
export function tinyOnnx({ weights, inputs = ["attention_mask"], output = "logits" }: TinyModel): Uint8Array {
  const width = weights[0]?.length ?? 0;
  const graph = message(
    bytes(1, node("Gather", ["weights", "input_ids"], "gathered")),
    ...(inputs.includes("attention_mask") ? MASKING : []).map((each) => bytes(1, each)),
    bytes(
      1,
      node("ReduceSum", [inputs.includes("attention_mask") ? "masked" : "gathered"], output, [
        ints("axes", [1]),
        int("keepdims", 0),
      ]),
    ),
    text(2, "tiny"),
    bytes(5, tensor("weights", [weights.length, width], weights.flat())),
    ...["input_ids", ...inputs].map((name) => bytes(11, valueInfo(name, INT64, ["batch", "sequence"]))),
    bytes(12, valueInfo(output, FLOAT, ["batch", width])),
  );
  return message(varint(1, 7), bytes(7, graph), bytes(8, message(text(1, ""), varint(2, 11))));
}

function node(type: string, from: string[], to: string, attributes: Uint8Array[] = []): Uint8Array {
  return message(
    ...from.map((name) => text(1, name)),
    text(2, to),
    text(4, type),
    ...attributes.map((a) => bytes(5, a)),
  );
}

const MASKING = [
  node("Cast", ["attention_mask"], "mask", [int("to", FLOAT)]),
  node("Unsqueeze", ["mask"], "spread", [ints("axes", [2])]),
  node("Mul", ["gathered", "spread"], "masked"),
];

function int(name: string, value: number): Uint8Array {
  return message(text(1, name), varint(3, value), varint(20, 2));
}

function ints(name: string, values: number[]): Uint8Array {
  return message(text(1, name), ...values.map((value) => varint(8, value)), varint(20, 7));
}

function tensor(name: string, dims: number[], values: number[]): Uint8Array {
  const data = new Uint8Array(Float32Array.from(values).buffer);
  return message(...dims.map((dim) => varint(1, dim)), varint(2, FLOAT), text(8, name), bytes(9, data));
}

function valueInfo(name: string, type: number, dims: (string | number)[]): Uint8Array {
  const shape = message(
    ...dims.map((dim) => bytes(1, typeof dim === "string" ? message(text(2, dim)) : message(varint(1, dim)))),
  );
  return message(text(1, name), bytes(2, message(bytes(1, message(varint(1, type), bytes(2, shape))))));
}

function message(...fields: Uint8Array[]): Uint8Array {
  return Buffer.concat(fields);
}

function varint(field: number, value: number): Uint8Array {
  return Uint8Array.from([...encoded(field << 3), ...encoded(value)]);
}

function text(field: number, value: string): Uint8Array {
  return bytes(field, new TextEncoder().encode(value));
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.from([...encoded((field << 3) | 2), ...encoded(value.length)]), value]);
}

function encoded(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encoded(value >>> 7)];
}
