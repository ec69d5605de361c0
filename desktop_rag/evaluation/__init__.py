"""Measuring retrieval and answers on collections with known answers."""

from desktop_rag.evaluation.measuring import Choices, evaluate

__all__ = ["Choices", "evaluate"]
