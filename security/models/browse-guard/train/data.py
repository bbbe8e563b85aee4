"""Rows of the data set as labelled windows."""
import json
from dataclasses import dataclass
from pathlib import Path

from features import CHARACTERS, clean, starts


@dataclass
class Window:
    text: str
    label: int  # 1: holds the attack or a large part of it, 0: holds nothing of it
    row: int
    start: int = 0  # where the attack stands in the window
    stop: int = 0


def read_lines(path: Path) -> list[dict]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def read_rows(folder: Path, split: str) -> list[dict]:
    """Rows with their attack's span and carrier, where they have one."""
    rows = read_lines(folder / f"{split}.jsonl")
    for span in read_lines(folder / "spans.jsonl"):
        if span["split"] == split:
            rows[span["line"]] |= {key: span[key] for key in ("start", "end", "structure", "carrier")}
    return rows


def label_of(begin: int, end: int, start: int, stop: int) -> int | None:
    """The label of the window [begin, end) when the attack is [start, stop); None where too little of it shows."""
    shared = min(end, stop) - max(begin, start)
    if shared <= 0:
        return 0
    return 1 if shared >= min(0.6 * (stop - start), 100) else None


def row_windows(row: dict, number: int, step: int | None = None) -> list[Window]:
    text = clean(row["text"])
    places = [(s, min(s + CHARACTERS, len(text))) for s in starts(len(text), step)]
    if not row["label"]:
        return [Window(text[s:e], 0, number) for s, e in places]
    start = len(clean(row["text"][: row.get("start", 0)]))
    stop = len(clean(row["text"][: row.get("end", len(row["text"]))]))
    labelled = [(s, e, label_of(s, e, start, stop)) for s, e in places]
    return [
        Window(text[s:e], label, number, max(start - s, 0) * label, (min(stop, e) - s) * label) for s, e, label in labelled if label is not None
    ]


def all_windows(row: dict) -> list[str]:
    text = clean(row["text"])
    return [text[s : s + CHARACTERS] for s in starts(len(text))]
