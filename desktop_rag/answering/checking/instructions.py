"""Sentences of a document that speak to whoever answers, instead of stating something."""

from __future__ import annotations

import re

_TO_READER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:questions?|instructions?|prompts?|rules|sources?|above|previous|everything|all)\b"
    r"|\b(?:reply|respond|answer|output|print|say|write)\b\s+(?:only|exactly|just|instead|with|that|nothing|to\s+(?:every|the|any))\b"
    r"|\b(?:tell|inform|assure|convince)\s+(?:the\s+)?(?:users?|readers?|them)\b"
    r"|\byou\s+are\s+now\b|\byou\s+are\s+(?:an?\s+)?(?:\w+\s+)?(?:ai|assistant|model|chatbot|dan|unrestricted|free)\b"
    r"|\b(?:system|developer|assistant|user)\s*(?:message|prompt|note|override)?\s*[:>\]]"
    r"|\b(?:call|invoke|run|execute|use)\s+(?:the\s+|this\s+)?(?:\w+\s+)?(?:function|tool|api|command|plugin|script)\b"
    r"|\b(?:new|important|updated|hidden)\s+instructions?\b"
    r"|\b(?:do\s+not|don't|never)\s+(?:cite|mention|reveal|use\s+the\s+sources?|answer)\b"
    r"|\bcite\s+(?:this|source|it|only|\[|as)\b"
    r"|\b(?:reveal|repeat|show|leak)\b.{0,30}\b(?:system\s+prompt|instructions|prompt|password|api\s+keys?)\b"
    r"|<\s*\|?\s*(?:im_start|im_end|system|endoftext|eot_id|start_header_id)|\[/?INST\]|<</?SYS>>|</?s>|</?(?:sources?|instructions?|system)>"
    r"|忽略|无视|無視|不要理会|忘记(?:以上|之前|上述|所有|问题)|(?:请|請|必须|务必|只能?|直接)\s*(?:只\s*)?(?:回答|回复|回覆|输出|輸出|打印|说出?)"
    r"|你现在是|你現在是|从现在起你|(?:系统|系統|开发者)\s*(?:消息|提示|指令|讯息)?\s*[:：]|(?:调用|運行|运行|执行)\s*(?:\w{0,6})(?:函数|工具|接口|命令|脚本)"
    r"|告诉用户|告訴用戶|(?:新的|隐藏|重要)指令|不要(?:引用|提及|使用(?:来源|资料))|引用(?:来源)?\s*[\[【(（]?\d|(?:泄露|显示|重复).{0,8}(?:提示词|系统提示|密码)",
    re.IGNORECASE,
)
_TAKES_OVER = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,30}\b(?:instructions?|question|above|previous|everything)\b"
    r"|\bdo\s+not\s+cite\b|\bsystem\s*:|忽略|无视|無視|不要引用|(?:系统|系統)\s*[:：]",
    re.IGNORECASE,
)
"""What makes the sentence behind it an instruction too."""

BEFORE = 100
"""Characters before a sentence that are looked at for that."""

_REPORTED = re.compile(
    r"\b(?:says?|said|asks?|asked|tells?|told|instructs?|instructed|contains?|claims?|states?|reads?|mentions?)\b"
    r"|写(?:道|着|有)|要求|声称|包含|提到|指示",
    re.IGNORECASE,
)


def is_instruction(sentence: str, before: str = "") -> bool:
    """Whether a sentence of a document tells an answerer what to do, also by what is before."""
    return _TO_READER.search(sentence) is not None or _TAKES_OVER.search(before) is not None


def is_reported(sentence: str) -> bool:
    """Whether a written sentence only tells of what a document says."""
    return _REPORTED.search(sentence) is not None
