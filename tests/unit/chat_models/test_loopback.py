from __future__ import annotations

import socket
from typing import Any

import pytest

from desktop_rag.chat_models import loopback
from desktop_rag.chat_models.loopback import loopback_address
from desktop_rag.foundation.errors import KnownError

# Resolving numbers is no network, but pytest-socket takes it for that.
pytestmark = pytest.mark.enable_socket


@pytest.mark.parametrize(
    ("written", "ip", "port", "path"),
    [
        ("http://127.0.0.1:11434", "127.0.0.1", 11434, "/v1"),
        ("127.0.0.1:1234", "127.0.0.1", 1234, "/v1"),
        (" http://127.8.9.10:8080/api/v1/ ", "127.8.9.10", 8080, "/api/v1"),
        ("http://[::1]:8080", "::1", 8080, "/v1"),
        ("http://2130706433:80", "127.0.0.1", 80, "/v1"),
        ("http://0x7f000001", "127.0.0.1", 80, "/v1"),
        ("http://[::ffff:127.0.0.1]:80", "::ffff:127.0.0.1", 80, "/v1"),
    ],
)
def test_addresses_of_this_computer(written: str, ip: str, port: int, path: str) -> None:
    address = loopback_address(written)
    assert (address.ip, address.port, address.path) == (ip, port, path)


@pytest.mark.parametrize(
    "written",
    [
        "http://93.184.216.34:80",
        "http://192.168.1.5:11434",
        "http://0.0.0.0:11434",
        "http://0",
        "http://[::]:80",
        "http://[::ffff:10.0.0.1]:80",
        "http://[fe80::1]:80",
        "http://3232235777:80",
        "http://0xc0a80101:80",
        "http://169.254.169.254",
    ],
)
def test_other_addresses_are_refused(written: str) -> None:
    with pytest.raises(KnownError, match="not on this computer"):
        loopback_address(written)


@pytest.mark.parametrize(
    "name", ["example.com", "localhost.evil.com", "127.0.0.1.nip.io", "evillocalhost", "xn--a"]
)
def test_other_names_are_refused_without_asking_a_name_server(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.getaddrinfo

    def numeric_only(*arguments: Any, flags: int = 0, **more: Any) -> Any:
        assert flags & socket.AI_NUMERICHOST, "a name would be looked up"
        return real(*arguments, flags=flags, **more)

    monkeypatch.setattr(loopback.socket, "getaddrinfo", numeric_only)
    with pytest.raises(KnownError, match="names another computer"):
        loopback_address(f"http://{name}:11434")


@pytest.mark.parametrize(
    "written",
    [
        "http://127.0.0.1@example.com/",
        "http://localhost:80@example.com/",
        "http://user:word@127.0.0.1/",
        "http://127.0.0.1\\@example.com",
        "https://127.0.0.1:443",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "http://",
        "",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:x",
        "http://127.0.0.1:80?x=1",
        "http://127.0.0.1:80#x",
        "http://127.0.0.1 evil",
        "http://127.0.0.1\r\nHost: evil",
    ],
)
def test_what_is_no_plain_address_is_refused(written: str) -> None:
    with pytest.raises(KnownError):
        loopback_address(written)


def resolve_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    asked: list[str] = []

    def resolved(host: str, port: int, **_more: Any) -> Any:
        asked.append(host)
        return [(None, None, None, "", (address, port)) for address in addresses]

    monkeypatch.setattr(loopback.socket, "getaddrinfo", resolved)
    return asked


def test_a_name_with_one_foreign_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "127.0.0.1", "192.168.1.7")
    with pytest.raises(KnownError, match=r"192\.168\.1\.7"):
        loopback_address("http://localhost:80")


def test_a_name_is_resolved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolve_to(monkeypatch, "::1", "127.0.0.1")
    address = loopback_address("http://LocalHost:8080")
    assert (address.ip, address.header, asked) == ("::1", "localhost:8080", ["localhost"])
