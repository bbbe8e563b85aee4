"""Figures per page: recall at fixed false-positive rates, per kind, per source."""
import numpy as np


def page_scores(window_scores: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """Each page's largest window."""
    pages = np.full(count, -1e9)
    np.maximum.at(pages, rows, window_scores)
    return pages


def recall_at(clean: np.ndarray, attacks: np.ndarray, rate: float) -> tuple[float, float]:
    """Share of attacks above the threshold that lets `rate` of the clean pages through, and the threshold."""
    threshold = float(np.quantile(clean, 1 - rate))
    return float((attacks > threshold).mean()), threshold


def share_above(rows: list[dict], scores: np.ndarray, threshold: float, key: str) -> dict[str, list]:
    groups: dict[str, list[bool]] = {}
    for row, score in zip(rows, scores):
        groups.setdefault(row[key], []).append(bool(score > threshold))
    return {name: [round(float(np.mean(hits)), 3), len(hits)] for name, hits in sorted(groups.items())}
