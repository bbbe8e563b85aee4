"""The neural member: USE Lite with more pieces, a head over the text and a head over its tokens."""
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F
from tokenizers import Tokenizer

import tokenizer as pieces_of
import use_lite

MAX_TOKENS = 160


class Guard(nn.Module):
    def __init__(self, encoder: use_lite.UseLite):
        super().__init__()
        self.encoder = encoder
        self.norm = nn.LayerNorm(512)
        self.token = nn.Linear(512, 1)
        self.text = nn.Linear(512, 1)
        nn.init.zeros_(self.text.weight)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, drop: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
        """One logit for each row, and one for each token. The row's holds a soft maximum of its tokens'."""
        states, text = self.encoder(input_ids, attention_mask, drop)
        tokens = self.token(self.norm(states)).squeeze(-1)
        kept = attention_mask.float()
        weight = torch.softmax(tokens - (1.0 - kept) * 1e9, -1)
        return self.text(F.dropout(text, 2 * drop, self.training)).squeeze(-1) + (weight * tokens).sum(-1), tokens


def build(folder: Path, extra: list[list], target: Path) -> tuple[Guard, Tokenizer]:
    """The untrained guard and its tokenizer (written to target). A new piece starts as the mean of the pieces it is made of."""
    table = pieces_of.pieces(folder / "vocab.json")
    kept = pieces_of.kept(table)
    pieces_of.write([table[place] for place in kept], target)
    old = Tokenizer.from_file(str(target))
    pieces_of.write([table[place] for place in kept] + extra, target)
    encoder = use_lite.load(folder, MAX_TOKENS)
    known = encoder.embed.weight.data[kept]
    fresh = torch.randn(len(extra), 256) * known.std() * 0.5
    for number, (piece, _) in enumerate(extra):
        ids = [i for i in old.encode(piece.replace("▁", " ")).ids if i > 6]
        if ids:
            fresh[number] = known[ids].mean(0)
    encoder.embed = nn.Embedding.from_pretrained(torch.cat([known, fresh]), freeze=False)
    return Guard(encoder), Tokenizer.from_file(str(target))


def batch(encodings: list) -> tuple[torch.Tensor, torch.Tensor]:
    ids = [(e.ids or [0])[:MAX_TOKENS] for e in encodings]
    longest = max(len(row) for row in ids)
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in ids])
    return torch.tensor([row + [0] * (longest - len(row)) for row in ids]), mask


def token_labels(encoding, start: int, stop: int, longest: int) -> list[float]:
    marks = [1.0 if begin < stop and end > start else 0.0 for begin, end in (encoding.offsets or [(0, 0)])[:MAX_TOKENS]]
    return marks + [0.0] * (longest - len(marks))


@torch.no_grad()
def scores(model: Guard, tokens: Tokenizer, texts: list[str], rows: int = 64) -> list[float]:
    model.eval()
    encodings = tokens.encode_batch([text.lower() for text in texts])
    order = sorted(range(len(texts)), key=lambda i: len(encodings[i].ids))
    result = [0.0] * len(texts)
    for place in range(0, len(order), rows):
        chosen = order[place : place + rows]
        for i, value in zip(chosen, model(*batch([encodings[i] for i in chosen]))[0].tolist()):
            result[i] = value
    return result
