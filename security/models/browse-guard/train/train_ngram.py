"""Train the linear member.

    python train_ngram.py --data DATA --benign benign.jsonl --out ngram.npz
"""
import argparse
from pathlib import Path

import numpy as np

import dataset
from features import CHARACTERS
from ngram import fit, matrix


def window_weights(windows: list, rows: int) -> np.ndarray:
    """Attacks count half as much again; a long page's windows count less each."""
    owner = np.array([window.row for window in windows])
    label = np.array([window.label for window in windows])
    many = np.bincount(owner, minlength=rows)[owner]
    return np.where(label == 1, 1.5, 1.0) * np.where(many > 4, np.sqrt(4 / many), 1.0)


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--data", "--benign", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--bits", type=int, default=19)
    parser.add_argument("--alpha", type=float, default=1e-6)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--composed", type=int, default=74000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rows = dataset.training_rows(options.data, options.benign, options.seed, options.composed)
    windows = dataset.thinned(dataset.training_windows(rows, CHARACTERS), 5, options.seed)
    features = matrix([window.text for window in windows], options.bits)
    labels = np.array([window.label for window in windows])
    weights, bias = fit(features, labels, window_weights(windows, len(rows)), options.alpha, options.epochs, options.seed)
    np.savez(options.out, weights=weights, bias=bias)


if __name__ == "__main__":
    main()
