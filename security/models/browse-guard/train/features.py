"""Text cleaning, windows and hashed n-grams. FEATURES.md says the same in words; the runtime repeats it exactly."""
import re
import unicodedata

import numpy as np

INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")
SPACE = re.compile("[\t\n\u000b\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
CHARACTERS = 192  # code points in one window
STEP = 96  # code points from one window's start to the next one's
PRIME = 16777619
BASIS = 2166136261
CHAR, WORD = 99, 119  # "c" and "w": the byte that starts every hashed n-gram


def clean(text: str) -> str:
    """NFKC, invisible characters removed, runs of white space made one space, ends trimmed."""
    return SPACE.sub(" ", INVISIBLE.sub("", unicodedata.normalize("NFKC", text))).strip(" ")


def windows(cleaned: str) -> list[str]:
    """Windows of CHARACTERS code points every STEP; the last one ends where the text ends. Never an empty list."""
    return [cleaned[s : s + CHARACTERS] for s in starts(len(cleaned))]


def starts(length: int, step: int | None = None) -> list[int]:
    if length <= CHARACTERS:
        return [0]
    inner = list(range(0, length - CHARACTERS, step or STEP))
    return inner + [length - CHARACTERS]


def fnv(data: bytes, state: int = BASIS) -> int:
    """FNV-1a, 32 bits."""
    for byte in data:
        state = ((state ^ byte) * PRIME) & 0xFFFFFFFF
    return state


_kind: dict[str, bool] = {}


def in_word(char: str) -> bool:
    known = _kind.get(char)
    if known is None:
        known = _kind[char] = unicodedata.category(char)[0] in "LNM"
    return known


def words(text: str) -> list[str]:
    """Runs of letters, numbers and marks; every other character except the space is a token of its own."""
    tokens, run = [], ""
    for char in text:
        if in_word(char):
            run += char
            continue
        if run:
            tokens.append(run)
            run = ""
        if char != " ":
            tokens.append(char)
    return tokens + [run] if run else tokens


def utf8(text: str) -> tuple[np.ndarray, np.ndarray]:
    """The UTF-8 bytes of each character (one row, four columns) and how many it has."""
    code = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    data = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
    count = 1 + (code > 0x7F).astype(np.int64) + (code > 0x7FF) + (code > 0xFFFF)
    start = np.concatenate([[0], np.cumsum(count)[:-1]]) if len(code) else np.zeros(0, np.int64)
    place = np.minimum(start[:, None] + np.arange(4), max(len(data) - 1, 0))
    return data[place].astype(np.uint32), count


_words: dict[str, tuple[int, int]] = {}


def word_states(token: str) -> int:
    state = _words.get(token)
    if state is None:
        state = fnv(token.encode("utf-8"), fnv(bytes([WORD])))
        if len(_words) < 500_000:
            _words[token] = state
    return state


def buckets(window: str, bits: int) -> np.ndarray:
    """Sorted distinct buckets of the window's n-grams: characters 2-5, words 1-2."""
    text = window.lower()
    data, count = utf8(text)
    hashes = []
    state = np.full(len(text), fnv(bytes([CHAR])), dtype=np.uint32)
    with np.errstate(over="ignore"):
        for size in range(1, 6):
            left = len(text) - size + 1
            if left <= 0:
                break
            state = state[:left]
            for byte in range(4):
                step = (state ^ data[size - 1 : size - 1 + left, byte]) * np.uint32(PRIME)
                state = step if byte == 0 else np.where(count[size - 1 : size - 1 + left] > byte, step, state)
            if size >= 2:
                hashes.append(state)
    tokens = words(text)
    single = [word_states(t) for t in tokens]
    pairs = [fnv((" " + b).encode("utf-8"), h) for h, b in zip(single, tokens[1:])]
    hashes.append(np.array(single + pairs, dtype=np.uint32))
    return np.unique(np.concatenate(hashes) & np.uint32((1 << bits) - 1))


def raw_score(window: str, weights: np.ndarray, bias: float, bits: int) -> float:
    """Dot product of the weights and the l2-normalised binary features, plus the bias: a logit."""
    found = buckets(window, bits)
    if not len(found):
        return bias
    return float(weights[found].sum() / np.sqrt(len(found)) + bias)
