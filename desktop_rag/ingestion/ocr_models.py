"""Where the models lie that recognise text on pictures: in rapidocr's wheel, if it is there.

Of rapidocr only the models are used. Its own code would download what it does not find, and
needs 200 MB of libraries that they do not.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

_MODELS = "rapidocr"
_PICTURES = "PIL"
_DETECTION = "PP-OCRv*_det_*.onnx"
_RECOGNITION = "PP-OCRv*_rec_*.onnx"


@dataclass(frozen=True, slots=True)
class OcrModels:
    """The two models: one finds the lines of a page, the other reads a line."""

    detection: Path
    recognition: Path


def find_ocr_models() -> OcrModels | None:
    """Return the models, None when the part "ocr" of the program is not installed."""
    if importlib.util.find_spec(_PICTURES) is None:
        return None
    found = importlib.util.find_spec(_MODELS)
    folders = found.submodule_search_locations if found is not None else None
    for folder in map(Path, folders or ()):
        detection = sorted(folder.glob(f"models/{_DETECTION}"))
        recognition = sorted(folder.glob(f"models/{_RECOGNITION}"))
        if detection and recognition:
            return OcrModels(detection[-1], recognition[-1])
    return None


def require_ocr_models() -> OcrModels:
    """Return the models.

    Raises:
        RuntimeError: they are not installed.
    """
    models = find_ocr_models()
    if models is None:
        raise RuntimeError("the models that recognise text are not installed")
    return models
