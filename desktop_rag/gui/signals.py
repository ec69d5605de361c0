"""Ending the window properly when the system asks the process to end."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication


def quit_on_signals(app: QApplication) -> Callable[[], None]:
    """Quit the event loop on SIGINT and SIGTERM; return what puts the former state back.

    Python runs its handlers between bytecodes, and while Qt waits there are none: the
    wake-up socket lets Qt return to Python. Outside the main thread nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    receiver, sender = socket.socketpair()
    for end in (receiver, sender):
        end.setblocking(False)
    notifier = QSocketNotifier(receiver.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: receiver.recv(64))
    former_socket = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    former = {
        number: signal.signal(number, lambda *_: app.exit(0))
        for number in (signal.SIGINT, signal.SIGTERM)
    }

    def restore() -> None:
        for number, handler in former.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(former_socket)
        notifier.setEnabled(False)
        receiver.close()
        sender.close()

    return restore
