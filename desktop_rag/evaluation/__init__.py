"""Measuring retrieval and answers on collections with known answers."""

from desktop_rag.evaluation.measuring import evaluate

__all__ = ["evaluate"]
