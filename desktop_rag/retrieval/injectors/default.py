"""Puts the contents under the question, as LangChain4j does (langchain4j-facts 6)."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.content import Content
from desktop_rag.domain.messages import UserMessage
from desktop_rag.retrieval.injectors.template import PromptTemplate

USER_MESSAGE = "userMessage"
CONTENTS = "contents"
DEFAULT_TEMPLATE = (
    f"{{{{{USER_MESSAGE}}}}}\n\nAnswer using the following information:\n{{{{{CONTENTS}}}}}"
)
_SEPARATOR = "\n\n"


def content_template(text: str) -> PromptTemplate:
    """Return a template with a place for the contents, and perhaps one for the question.

    Raises:
        ValueError: it lacks ``{{contents}}`` or has another place.
    """
    template = PromptTemplate(text)
    if CONTENTS not in template.names:
        raise ValueError(f"the template has no {{{{{CONTENTS}}}}}")
    unknown = sorted(template.names - {USER_MESSAGE, CONTENTS})
    if unknown:
        raise ValueError(f"the template has unknown places: {', '.join(unknown)}")
    return template


class DefaultContentInjector:
    """Writes the question, a blank line, and the contents separated by blank lines.

    Args:
        template: with the places ``{{userMessage}}`` and ``{{contents}}``.
        metadata_keys_to_include: written under each content as ``key: value`` lines in
            this order; absent ones are skipped, and without any the text stands bare.

    Raises:
        ValueError: the template lacks ``{{contents}}`` or has another place, or a key
            is blank.
    """

    def __init__(
        self,
        template: str = DEFAULT_TEMPLATE,
        metadata_keys_to_include: Sequence[str] = (),
    ) -> None:
        self._template = content_template(template)
        if any(not key.strip() for key in metadata_keys_to_include):
            raise ValueError("a metadata key must not be blank")
        self._keys = tuple(metadata_keys_to_include)

    def inject(self, contents: Sequence[Content], message: UserMessage) -> UserMessage:
        """Return the augmented message with the sender's name kept; the same without contents."""
        if not contents:
            return message
        joined = _SEPARATOR.join(self._written(content) for content in contents)
        values = {USER_MESSAGE: message.text, CONTENTS: joined}
        return UserMessage(self._template.render(values), message.name)

    def _written(self, content: Content) -> str:
        metadata = content.segment.metadata
        lines = [f"{key}: {metadata[key]}" for key in self._keys if key in metadata]
        if not lines:
            return content.segment.text
        return "\n".join([f"content: {content.segment.text}", *lines])
