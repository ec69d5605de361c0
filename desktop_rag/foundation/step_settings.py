"""The settings of what a language model does before an answer; without one they do nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from desktop_rag.foundation.setting import Setting


def _step(key: str, default: bool, en: tuple[str, str], zh: tuple[str, str]) -> Setting[bool]:
    return Setting(f"step_{key}", default, en[0], zh[0], en[1], zh[1])


STEP_REWRITING: Final = _step(
    "rewriting",
    True,
    ("Rewrite follow-up questions", "So that “and the other one?” is searched as it is meant."),
    ("改写追问", "让“那另一个呢？”按其本意搜索。"),
)
STEP_TRANSLATION: Final = _step(
    "translation",
    True,
    ("Translate questions", "Where the library has files in the other language."),
    ("翻译问题", "当资料库中有另一种语言的文件时使用。"),
)
STEP_EXPANDING: Final = _step(
    "expanding",
    False,
    ("Ask in other ways too", "Finds more where words differ; each question takes longer."),
    ("换几种说法提问", "用词不同时能找到更多；每个问题耗时更长。"),
)
STEP_HYDE: Final = _step(
    "hyde",
    False,
    ("Search an imagined answer too", "It is nearer to passages than a question is."),
    ("同时搜索设想的答案", "设想的答案比问题更接近原文。"),
)
STEP_BACK: Final = _step(
    "step_back",
    False,
    ("Ask a more general question too", "Helps with questions about a very special case."),
    ("同时提出更一般的问题", "有助于非常具体的问题。"),
)
STEP_INTENT: Final = _step(
    "intent",
    False,
    ("Let the model tell what is asked for", "Where the words of the question do not."),
    ("由模型判断提问意图", "当问题的用词无法判断时使用。"),
)
STEP_FILTERING: Final = _step(
    "filtering",
    False,
    ("Limit files by the question", "“In the PDFs of last year …” searches those alone."),
    ("按问题限定文件", "“在去年的 PDF 中……”只搜索这些文件。"),
)
STEP_RANKING: Final = _step(
    "ranking",
    False,
    ("Let the model judge passages", "Slower, often a better order."),
    ("由模型判断段落", "较慢，排序往往更好。"),
)
STEP_COMPRESSION: Final = _step(
    "compression",
    False,
    ("Shorten passages for the model", "It reads only the sentences that matter."),
    ("为模型精简段落", "模型只读有关的句子。"),
)

RERANK_FOLDER: Final = Setting(
    key="rerank_folder",
    default="",
    label_en="Folder of a re-ranking model",
    label_zh="重排模型的文件夹",
    help_en="Optional: a cross-encoder that you have (tokenizer.json and model.onnx) judges which "
    "passages fit best. Slower, often better. Nothing is downloaded.",
    help_zh="可选：用您已有的交叉编码模型（tokenizer.json 和 model.onnx）判断哪些段落最合适。"
    "较慢，往往更准。不会下载任何内容。",
)

STEP_SETTINGS: Final[tuple[Setting[Any], ...]] = (
    STEP_REWRITING,
    STEP_TRANSLATION,
    STEP_EXPANDING,
    STEP_HYDE,
    STEP_BACK,
    STEP_INTENT,
    STEP_FILTERING,
    STEP_RANKING,
    STEP_COMPRESSION,
)


def wanted_steps(get: Callable[[Setting[bool]], bool]) -> frozenset[str]:
    """Return the names of the steps that are on, without "step_"."""
    on = (one.key for one in STEP_SETTINGS if get(one))
    return frozenset(key.removeprefix("step_") for key in on)
