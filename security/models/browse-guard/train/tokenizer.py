"""The tokenizer of USE Lite as a Hugging Face `tokenizer.json` (Unigram)."""
import json
from pathlib import Path


def pieces(vocab: Path) -> list[list]:
    """Pieces and scores; a piece whose score is missing takes its neighbour's."""
    table = json.loads(vocab.read_text())
    for place, entry in enumerate(table):
        if entry[1] is None:
            entry[1] = table[place - 1][1]
    for entry in table[:6]:
        entry[1] = -100.0
    table[0][0] = "<unk>"
    for place, entry in enumerate(table[6:], 6):
        if entry[1] == 0:
            entry[1] = table[place - 1][1]
    return table


def kept(table: list[list]) -> list[int]:
    """The pieces without a capital letter: the text is lower-cased, so the others never occur."""
    return [place for place, (piece, _) in enumerate(table) if piece == piece.lower() or place < 6]


def write(table: list[list], target: Path) -> None:
    model = {"type": "Unigram", "unk_id": 0, "vocab": table, "byte_fallback": False}
    space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    whole = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "post_processor": None}
    whole |= {"normalizer": {"type": "Lowercase"}, "pre_tokenizer": space, "decoder": space, "model": model}
    target.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
