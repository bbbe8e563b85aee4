"""The linear member: logistic regression over hashed n-grams."""
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier

from features import buckets


def matrix(texts: list[str], bits: int) -> csr_matrix:
    found = [buckets(text, bits) for text in texts]
    sizes = np.array([len(f) for f in found])
    values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes).astype(np.float32)
    pointer = np.concatenate([[0], np.cumsum(sizes)])
    return csr_matrix((values, np.concatenate(found).astype(np.int32), pointer), shape=(len(texts), 1 << bits))


def fit(features: csr_matrix, labels: np.ndarray, weights: np.ndarray, alpha: float, epochs: int, seed: int):
    """Weights and bias of a logistic regression."""
    model = SGDClassifier(loss="log_loss", alpha=alpha, max_iter=epochs, tol=None, average=True, random_state=seed)
    model.fit(features, labels, sample_weight=weights)
    return model.coef_[0].astype(np.float32), float(model.intercept_[0])


def to_int16(weights: np.ndarray) -> tuple[np.ndarray, float]:
    scale = float(np.abs(weights).max() / 32767)
    return np.round(weights / scale).astype("<i2"), scale
