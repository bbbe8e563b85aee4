"""The training windows: the data set, composed attacks and their benign counterparts, harvested pages with and without attacks."""
import random
from pathlib import Path

import augment
from data import Window, read_lines, read_rows, row_windows

# Sources that no member sees in training: the honest figures come from them, and from the harvested packages marked "held".
HELD_ATTACKS = {"compose_asb", "promptfuzz_mutations", "hinglish_stealth"}
HELD_BENIGN = {"plainlanguage_gov", "github_site_policy", "playwright_docs", "stagehand_docs", "xstest_safe", "nemo_guardrails_docs", "gpteacher_codegen", "based_cooking"}


def is_held(row: dict) -> bool:
    return row["source"] in HELD_ATTACKS or row["source"] in HELD_BENIGN or row.get("carrier") in HELD_BENIGN


def composed_rows(pages: list[dict], seed: int, count: int) -> list[dict]:
    """Attacks alone and inside harvested pages, and benign sentences alone and inside the same kind of page."""
    r = random.Random(seed)
    rows = []
    for label, texts in ((1, augment.attacks(count, seed)), (0, augment.benign(count // 2, seed + 1))):
        for text, language in texts:
            if r.random() < 0.5:
                row = {"text": text, "start": 0, "end": len(text)}
            else:
                page, start, end = augment.put_into(r, r.choice(pages)["text"], text)
                row = {"text": page, "start": start, "end": end}
            rows.append(row | {"label": label, "source": "composed_" + language, "kind": "composed", "carrier": ""})
    return rows


def training_rows(data: Path, benign: Path, seed: int, composed: int, leave_out=is_held) -> list[dict]:
    rows = [row for row in read_rows(data, "train") if not leave_out(row)]
    pages = [page for page in read_lines(benign) if not page["held"]]
    return rows + pages + composed_rows(pages, seed, composed)


def training_windows(rows: list[dict], step: int | None = None) -> list[Window]:
    return [window for number, row in enumerate(rows) for window in row_windows(row, number, step)]


def thinned(windows: list[Window], most: int, seed: int) -> list[Window]:
    """All attacks, and at most so many benign windows of one row."""
    shuffled = random.Random(seed).sample(windows, len(windows))
    taken: dict[int, int] = {}
    kept = []
    for window in shuffled:
        taken[window.row] = taken.get(window.row, 0) + (window.label == 0)
        if window.label or taken[window.row] <= most:
            kept.append(window)
    return kept


def probe_rows(benign: Path, attacks: list[str], seed: int = 11, each: int = 4) -> list[dict]:
    """Held harvested pages, clean, and the probe's attacks inside some of them."""
    r = random.Random(seed)
    pages = [page for page in read_lines(benign) if page["held"]]
    clean = [page | {"source": "probe_" + page["source"]} for page in pages]
    injected = []
    for number, text in enumerate(attacks):
        for _ in range(each):
            page, start, end = augment.put_into(r, r.choice(pages)["text"][:3000], text)
            row = {"text": page, "label": 1, "start": start, "end": end, "source": "probe_attacks", "kind": "probe", "carrier": "", "attack": number}
            injected.append(row)
    return clean + injected
