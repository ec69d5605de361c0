"""Looking for language models' servers on this computer; only when the user asks for it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from desktop_rag.chat_models.loopback import loopback_address
from desktop_rag.chat_models.server_client import ServerClient, Timeouts
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError

USUAL_SERVERS = (
    ("Ollama", 11434),
    ("LM Studio", 1234),
    ("llama-server", 8080),
    ("Jan", 1337),
    ("GPT4All", 4891),
    ("KoboldCpp", 5001),
    ("vLLM", 8000),
)
"""Programs and the ports that they listen on unless told otherwise."""

_TIMEOUTS = Timeouts(connect=1.0, silence=2.0)


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server that answered: the program that usually listens there, and its models."""

    program: str
    address: str
    models: tuple[str, ...]


def look_for_servers(
    cancel: CancelToken | None = None,
    places: tuple[tuple[str, int], ...] = USUAL_SERVERS,
) -> list[FoundServer]:
    """Ask the usual ports of this computer for their models.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    with ThreadPoolExecutor(len(places), "look for models") as pool:
        asked = [pool.submit(_ask, program, port, cancel) for program, port in places]
        found = [future.result() for future in asked]
    return [server for server in found if server is not None]


def models_of(address: str, cancel: CancelToken | None = None) -> tuple[str, ...]:
    """Return the names of a server's models.

    Raises:
        KnownError: it is not on this computer, does not answer, or is no such server.
        Cancelled: ``cancel`` was set.
    """
    client = ServerClient(loopback_address(address), _TIMEOUTS)
    answer = client.get(f"{client.address.path}/models", cancel)
    try:
        listed = answer["data"]
        return tuple(sorted(str(model["id"]) for model in listed or ()))
    except (KeyError, TypeError):
        message = f"What listens at {address} lists no models. See that the address is right."
        raise KnownError("The language model's server", message) from None


def _ask(program: str, port: int, cancel: CancelToken | None) -> FoundServer | None:
    address = f"http://127.0.0.1:{port}"
    try:
        return FoundServer(program, address, models_of(address, cancel))
    except KnownError:
        return None
