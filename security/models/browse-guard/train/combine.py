"""Weigh the members, calibrate the score and choose the thresholds, on pages whose sources no member was trained on.

    python combine.py --data DATA --benign benign.jsonl --ngram ngram.npz --onnx folder-with-model-and-tokenizer \\
        --out combination.json --metrics metrics.json
"""
import argparse
import json
import random
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

import dataset
from data import all_windows, read_lines, read_rows
from evaluate import page_scores, recall_at, share_above
from export import Encoder
from features import raw_score
from probe_texts import PROBE

WEIGHTS = (0.15, 0.3, 0.5, 0.8, 1.2)
SKIP_VALUE = -4.0  # what the encoder counts as where the n-grams alone say "benign"
RATES = {"log": 0.05, "warn": 0.03, "block": 0.01}


def pages(data: Path, benign: Path, seed: int) -> list[dict]:
    """The dev set, rows of the held sources, held harvested pages and the probe: `set` says which."""
    r = random.Random(seed)
    held = [row for row in read_rows(data, "train") if dataset.is_held(row)]
    r.shuffle(held)
    clean = [row for row in held if not row["label"]][:450]
    attacks = [row for row in held if row["source"] in dataset.HELD_ATTACKS][:250]
    return (
        [row | {"set": "dev"} for row in read_rows(data, "dev")]
        + [row | {"set": "held"} for row in clean + attacks]
        + [row | {"set": "pages"} for row in dataset.probe_rows(benign, PROBE, seed)]
    )


def score(rows: list[dict], ngram: np.ndarray, bias: float, encoder: Encoder) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row number, n-gram logit and encoder logit of every window."""
    bits = int(np.log2(len(ngram)))
    windows = [(number, text) for number, row in enumerate(rows) for text in all_windows(row)]
    first = np.array([raw_score(text, ngram, bias, bits) for _, text in windows])
    second = np.array([encoder.raw(text) for _, text in windows])
    return np.array([number for number, _ in windows]), first, second


def is_web(row: dict) -> bool:
    return row["kind"] == "benign_web"


def choose_weight(rows: list[dict], owner: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """The n-gram's weight (the encoder's is 1) with the best mean recall at 1, 3 and 5 % on held sources and harvested pages."""
    labels = np.array([row["label"] for row in rows])
    fresh = np.array([row["set"] != "dev" for row in rows])

    def worth(weight: float) -> float:
        result = page_scores(weight * first + second, owner, len(rows))
        clean, attacks = result[fresh & (labels == 0)], result[fresh & (labels == 1)]
        return float(np.mean([recall_at(clean, attacks, rate)[0] for rate in (0.01, 0.03, 0.05)]))

    return max(WEIGHTS, key=worth)


def calibrate(result: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    model = LogisticRegression(C=1e4, class_weight="balanced").fit(result[:, None], labels)
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def figures(rows: list[dict], result: np.ndarray) -> dict:
    """Recall per set at 1, 3 and 5 % false positives on that set's benign web pages, and what the 3 % threshold does elsewhere."""
    labels, sets = np.array([row["label"] for row in rows]), np.array([row["set"] for row in rows])
    web = np.array([is_web(row) for row in rows])
    table = {}
    for name in ("dev", "held", "pages"):
        clean, attacks = result[(sets == name) & web & (labels == 0)], result[(sets == name) & (labels == 1)]
        table[name] = {f"{rate:.0%}": round(recall_at(clean, attacks, rate)[0], 3) for rate in (0.01, 0.03, 0.05)} | {"clean": len(clean), "attacks": len(attacks)}
    return table


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--data", "--benign", "--ngram", "--onnx", "--out", "--metrics"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    saved = np.load(options.ngram)
    rows = pages(options.data, options.benign, options.seed)
    owner, first, second = score(rows, saved["weights"], float(saved["bias"]), Encoder(options.onnx))
    harvested = np.array([row["set"] == "pages" and not row["label"] for row in rows])[owner]
    below = round(float(np.quantile(first[harvested], 0.8)), 2)
    second = np.where(first < below, SKIP_VALUE, second)
    weight = choose_weight(rows, owner, first, second)
    result = page_scores(weight * first + second, owner, len(rows))
    labels = np.array([row["label"] for row in rows])
    a, b = calibrate(result, labels)
    probability = 1 / (1 + np.exp(-(a * result + b)))
    fresh_web = np.array([row["set"] != "dev" and is_web(row) and not row["label"] for row in rows])
    thresholds = {name: round(float(np.quantile(probability[fresh_web], 1 - rate)), 4) for name, rate in RATES.items()}
    chosen = {"ngram": weight, "onnx": 1.0, "a": a, "b": b, "thresholds": thresholds, "seed": options.seed, "skip": {"below": below, "value": SKIP_VALUE}}
    options.out.write_text(json.dumps(chosen, indent=2))
    ways = {"ngram": (1.0, 0.0), "encoder": (0.0, 1.0), "both": (weight, 1.0)}
    metrics = {name: figures(rows, page_scores(x * first + y * second, owner, len(rows))) for name, (x, y) in ways.items()}
    for key in ("kind", "source"):
        metrics["above_warn_by_" + key] = share_above(rows, probability, thresholds["warn"], key)
    options.metrics.write_text(json.dumps(metrics, indent=1))


if __name__ == "__main__":
    main()
