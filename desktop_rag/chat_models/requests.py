"""A conversation as the servers of language models take it, and their errors in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desktop_rag.chat_models.protocols import ChatOptions
from desktop_rag.domain.messages import ChatMessage, SystemMessage, UserMessage
from desktop_rag.foundation.errors import KnownError

_TOO_LONG = "exceed_context_size_error"
"""llama.cpp's type of the error."""

_LONGEST_WORDS = 300
"""Characters of a server's own words that are shown."""


def chat_request(messages: Sequence[ChatMessage], options: ChatOptions) -> dict[str, Any]:
    """Return the body of a request in OpenAI's form, without what makes it stream."""
    request: dict[str, Any] = {
        "messages": [{"role": _role(message), "content": message.text} for message in messages],
        "temperature": options.temperature,
        "seed": options.seed,
    }
    if options.max_tokens is not None:
        request["max_tokens"] = options.max_tokens
    if options.stop:
        request["stop"] = list(options.stop)
    return request


def _role(message: ChatMessage) -> str:
    if isinstance(message, SystemMessage):
        return "system"
    return "user" if isinstance(message, UserMessage) else "assistant"


def model_error(name: str, error: object) -> KnownError:
    """Return a model's own error in words; ``error`` is what stood in its answer."""
    details: Mapping[str, Any] = error if isinstance(error, Mapping) else {"message": error}
    if details.get("type") == _TOO_LONG:
        message = (
            f"“{name}” can read {details.get('n_ctx')} pieces of words at once, and the question "
            f"with its passages has {details.get('n_prompt_tokens')}. Raise the limit in its "
            "settings, or choose a model that reads more."
        )
        return KnownError("Too long for the language model", message)
    words = str(details.get("message") or "no reason given").strip()[:_LONGEST_WORDS]
    return KnownError("The language model refused", f"“{name}” says: {words}")
