"""The shipped files: ngram.bin, model.onnx (int8), config.json and golden.json.

    python export.py --data DATA --weights combination.json --ngram ngram.npz --encoder encoder --out browse-guard
"""
import argparse
import hashlib
import json
import math
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process
from tokenizers import Tokenizer

import encoder
import use_lite
from features import CHARACTERS, STEP, clean, raw_score, windows
from golden_texts import TEXTS
from ngram import to_int16


class RowLogits(torch.nn.Module):
    def __init__(self, guard: encoder.Guard):
        super().__init__()
        self.guard = guard

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        return self.guard(input_ids, attention_mask)[0]


def read_guard(folder: Path) -> encoder.Guard:
    state = torch.load(folder / "model.pt", map_location="cpu")
    guard = encoder.Guard(use_lite.UseLite(len(state["encoder.embed.weight"]), encoder.MAX_TOKENS))
    guard.load_state_dict(state)
    return guard.eval()


def write_onnx(folder: Path, target: Path) -> None:
    ids, mask = torch.tensor([[8, 9, 10, 0], [8, 9, 10, 11]]), torch.tensor([[1, 1, 1, 0], [1, 1, 1, 1]])
    with tempfile.TemporaryDirectory() as place:
        whole, ready = Path(place) / "whole.onnx", Path(place) / "ready.onnx"
        axes = {"input_ids": {0: "batch", 1: "length"}, "attention_mask": {0: "batch", 1: "length"}, "logits": {0: "batch"}}
        torch.onnx.export(RowLogits(read_guard(folder)), (ids, mask), str(whole), input_names=["input_ids", "attention_mask"], output_names=["logits"], dynamic_axes=axes, opset_version=17, dynamo=False)
        quant_pre_process(str(whole), str(ready), skip_symbolic_shape=True)
        quantize_dynamic(str(ready), str(target), weight_type=QuantType.QInt8, per_channel=True)
    with_unsigned_weights(target)


def with_unsigned_weights(path: Path) -> None:
    """The same numbers, counted from 128: unsigned times signed saturates at 16 bits on processors without VNNI, which scores up to 0.07 otherwise there."""
    model = onnx.load(path)
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type != "MatMulInteger":
            continue
        for name in (node.input[1], node.input[3]):
            signed = numpy_helper.to_array(tensors[name])
            if signed.dtype == np.int8:
                tensors[name].CopyFrom(numpy_helper.from_array((signed.astype(np.int16) + 128).astype(np.uint8), name))
    onnx.save(model, path)


class Encoder:
    """The shipped model, one window at a time: int8 activations share one scale within a run, so rows are kept apart."""

    def __init__(self, folder: Path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
        self.tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))

    def raw(self, window: str) -> float:
        ids = (self.tokens.encode(window.lower(), add_special_tokens=False).ids or [0])[: encoder.MAX_TOKENS]
        feed = {"input_ids": np.array([ids], np.int64), "attention_mask": np.ones((1, len(ids)), np.int64)}
        return float(self.session.run(["logits"], feed)[0][0])


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def golden(texts: list[str], config: dict, weights: np.ndarray, shipped: Encoder) -> list[dict]:
    first, second = config["members"]
    a, b = config["calibration"]["a"], config["calibration"]["b"]
    rows = []
    for text in texts:
        parts = windows(clean(text))
        ngram = [raw_score(part, weights, first["bias"], first["bits"]) for part in parts]
        skip = second["skip"]
        neural = [skip["value"] if x < skip["below"] else shipped.raw(part) for x, part in zip(ngram, parts)]
        combined = [config["combination"]["intercept"] + first["weight"] * x + second["weight"] * y for x, y in zip(ngram, neural)]
        best = int(np.argmax(combined))
        score = 1 / (1 + math.exp(-(a * combined[best] + b)))
        members = {"ngram": [round(v, 5) for v in ngram], "onnx": [round(v, 5) for v in neural]}
        rows.append({"text": text, "windows": len(parts), "best": best, "members": members, "combined": round(combined[best], 5), "score": round(score, 5)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--data", "--weights", "--ngram", "--encoder", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--version", default="1.0.0")
    options = parser.parse_args()
    out = options.out
    out.mkdir(parents=True, exist_ok=True)
    chosen = json.loads(options.weights.read_text())
    saved = np.load(options.ngram)
    packed, scale = to_int16(saved["weights"])
    bias, bits = float(saved["bias"]), int(math.log2(len(packed)))
    (out / "ngram.bin").write_bytes(packed.tobytes())
    write_onnx(options.encoder, out / "model.onnx")
    (out / "tokenizer.json").write_bytes((options.encoder / "tokenizer.json").read_bytes())
    linear = {"kind": "ngram", "weights": "ngram.bin", "bits": bits, "dtype": "int16", "scale": scale, "bias": bias, "characters": [2, 5], "words": [1, 2], "weight": chosen["ngram"]}
    neural = {"kind": "onnx", "model": "model.onnx", "tokenizer": "tokenizer.json", "inputs": ["input_ids", "attention_mask"], "output": "logits",
              "maxTokens": encoder.MAX_TOKENS, "padId": 0, "batch": 1, "weight": chosen["onnx"],
              "skip": {"member": "ngram", "below": chosen["skip"]["below"], "value": chosen["skip"]["value"]}}
    config = {
        "name": "browse-guard", "version": options.version, "labels": ["benign", "injection"],
        "window": {"characters": CHARACTERS, "step": STEP, "overlap": CHARACTERS - STEP, "unit": "code points"},
        "members": [linear, neural], "combination": {"kind": "linear", "intercept": 0.0}, "calibration": {"kind": "platt", "a": chosen["a"], "b": chosen["b"]},
        "thresholds": chosen["thresholds"], "seed": chosen["seed"], "dataHash": digest(options.data / "train.jsonl"),
        "files": {name: {"sha256": digest(out / name), "bytes": (out / name).stat().st_size} for name in ("ngram.bin", "model.onnx", "tokenizer.json")},
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    rows = golden(TEXTS, config, packed.astype(np.float64) * scale, Encoder(out))
    (out / "golden.json").write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
