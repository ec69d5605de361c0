"""Addresses of this very computer, and no others."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from desktop_rag.foundation.errors import KnownError

_LOCALHOST = "localhost"


@dataclass(frozen=True, slots=True)
class LoopbackAddress:
    """A place on this computer: ``ip`` is what is connected to, and nothing else.

    ``host`` is what the user wrote, for the request's header; ``path`` is what goes before
    ``/chat/completions``, usually "/v1".
    """

    host: str
    ip: str
    port: int
    path: str

    @property
    def url(self) -> str:
        """The address as a user writes it."""
        return f"http://{_bracketed(self.host)}:{self.port}{self.path}"

    @property
    def header(self) -> str:
        """The value of the header ``Host``."""
        return f"{_bracketed(self.host)}:{self.port}"


def loopback_address(text: str) -> LoopbackAddress:
    """Return the address that a user wrote: "http://localhost:11434", "127.0.0.1:1234".

    It is resolved here, once; whoever connects uses ``ip``, so no name can become another
    computer in between. Names other than localhost and this computer's own are refused
    without being looked up: asking a name server would leave the computer already.

    Raises:
        KnownError: it is no address, or not one of this computer alone.
    """
    parts = _parts(text)
    host, port = parts.hostname or "", parts.port or 80
    addresses = _resolved(host, port, text)
    foreign = next((ip for ip in addresses if not _is_loopback(ip)), None)
    if foreign is not None or not addresses:
        raise _refused(text, f"it leads to {foreign}" if foreign else "it leads nowhere")
    return LoopbackAddress(host, addresses[0], port, parts.path.rstrip("/") or "/v1")


def _parts(text: str) -> SplitResult:
    written = text.strip()
    try:
        parts = urlsplit(written if "://" in written else f"http://{written}")
        valid = parts.port is None or parts.port > 0
    except ValueError:
        raise _malformed(text) from None
    if parts.scheme != "http" or not parts.hostname or not valid or parts.query or parts.fragment:
        raise _malformed(text)
    if "@" in parts.netloc or "\\" in written or any(c.isspace() or ord(c) < 32 for c in written):
        raise _malformed(text)
    return parts


def _resolved(host: str, port: int, text: str) -> list[str]:
    name = host.lower().removesuffix(".")
    flags = 0 if _is_local_name(name) else socket.AI_NUMERICHOST
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    except (OSError, UnicodeError):
        if flags:
            raise _refused(text, "it names another computer") from None
        raise _refused(text, "it leads nowhere") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _is_local_name(name: str) -> bool:
    own = socket.gethostname().lower()
    return name in (_LOCALHOST, own) or name.endswith(f".{_LOCALHOST}")


def _is_loopback(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _refused(text: str, why: str) -> KnownError:
    message = (
        f"“{text}” is refused: {why}. Nothing leaves this computer, so a model's server must "
        "run on it. Its address begins with http://127.0.0.1 or http://localhost."
    )
    return KnownError("Server is not on this computer", message)


def _malformed(text: str) -> KnownError:
    message = f"“{text}” is no address. Write one such as http://127.0.0.1:11434."
    return KnownError("Not an address", message)
