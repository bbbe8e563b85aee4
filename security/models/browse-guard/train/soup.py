"""The mean of two runs' weights: better on held pages than either.

    python soup.py second/model.pt third/model.pt --out encoder/model.pt
"""
import argparse
from pathlib import Path

import torch

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("states", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    states = [torch.load(path, map_location="cpu") for path in options.states]
    torch.save({name: sum(state[name] for state in states) / len(states) for name in states[0]}, options.out)
