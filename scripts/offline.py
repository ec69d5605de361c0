"""``make offline``: proves from outside that nothing but loopback is spoken to.

Runs tests in a network namespace that has loopback alone, under strace, children included,
and reads every system call that names an address. One address of elsewhere, reached or not,
fails. Linux; needs strace and unshare (util-linux). By default those tests run that load the
language models, recognise text and use the command line; ``ARGS=tests/unit`` names others.
"""

from __future__ import annotations

import ipaddress
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEFAULT = (
    "tests/unit/chat_models",
    "tests/unit/services/test_language_models.py",
    "tests/integration/test_gguf_for_real.py",
    "tests/integration/test_ocr_for_real.py",
    "tests/integration/test_command_line.py",
)
CALLS = "connect,bind,sendto,sendmsg,sendmmsg"
LOOPBACK_ALONE = 'ip link set lo up && exec "$@"'
ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
_TIMEOUT = "600"
"""Seconds a test: strace makes everything slow."""


def main(arguments: Sequence[str]) -> int:
    """Run the tests and read what they spoke to; returns the exit code."""
    missing = [name for name in ("strace", "unshare", "ip") if shutil.which(name) is None]
    if missing:
        print(f"not proved: {', '.join(missing)} not installed", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="offline-") as folder:
        log = Path(folder, "calls")
        tests = [sys.executable, "-m", "pytest", "-q", "--timeout", _TIMEOUT]
        inside = ["unshare", "-r", "-n", "sh", "-c", LOOPBACK_ALONE, "sh", *tests]
        traced = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", f"trace={CALLS}", "-o", str(log)]
        ended = subprocess.run([*traced, *inside, *(arguments or DEFAULT)], cwd=ROOT, check=False)
        return judge(ended.returncode, log.read_text("utf-8", "replace"))


def judge(tests_code: int, calls: str) -> int:
    """Say what was spoken to; returns 0 when that was loopback alone and the tests passed."""
    lines = calls.splitlines()
    elsewhere = [line for line in lines if any(not local(one) for one in addresses(line))]
    loopback = sum(any(True for _ in addresses(line)) for line in lines) - len(elsewhere)
    print(f"{len(lines)} calls with addresses: {loopback} of loopback, {len(elsewhere)} elsewhere")
    for line in elsewhere[:20]:
        print(f"  {line}")
    if not loopback:
        print("no call with an address of loopback was seen: the proof proves nothing")
    return 1 if elsewhere or tests_code or not loopback else 0


def addresses(line: str) -> Iterator[str]:
    """Yield the internet addresses that a line of strace's names."""
    for found in ADDRESS.finditer(line):
        yield found[1] or found[2]


def local(address: str) -> bool:
    """Whether an address is of this computer alone."""
    parsed = ipaddress.ip_address(address)
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
