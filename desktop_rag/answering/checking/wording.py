"""Why a sentence is not supported, in the question's language."""

from __future__ import annotations

from desktop_rag.foundation.language import CHINESE

_REASONS = {
    "missing": ("“{}” is not in the source.", "来源中没有“{}”。"),
    "doubtful": (
        "In the source “{}” seems to belong to something else.",
        "来源中的“{}”说的似乎是另一件事。",
    ),
    "turned": (
        "The source seems to say the opposite: a “not” differs.",
        "来源的说法似乎相反：肯定与否定不一致。",
    ),
    "little": ("The source says little of this.", "来源中很少提到这一点。"),
    "nothing": ("None of the sources says this.", "没有任何来源提到这一点。"),
    "language": (
        "The source is in another language; only numbers and names were compared.",
        "来源是另一种语言，只核对了数字和名称。",
    ),
    "elsewhere": (
        "Source {} does not say this, but source {} does.",
        "来源 {} 没有这样说，来源 {} 这样说了。",
    ),
    "instruction": (
        "The source has these words as an instruction, not as a statement.",
        "来源中的这句话是一条指示，而不是陈述。",
    ),
}


def reason(name: str, language: str, *values: object) -> str:
    """Return one of the reasons; ``values`` are what it names."""
    return _REASONS[name][int(language == CHINESE)].format(*values)
