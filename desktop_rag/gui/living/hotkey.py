"""Keys that bring the question up from anywhere, where the system lets a program have them.

X11: the key is grabbed on the root window, over a connection of its own. Windows:
``RegisterHotKey``. Wayland has no such thing for programs, and macOS gives it to native
applications alone: there the user lets the system's own settings start ``desktop-rag``.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import logging
import sys
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractNativeEventFilter,
    QByteArray,
    QKeyCombination,
    QObject,
    QSocketNotifier,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeySequence

_log = logging.getLogger(__name__)

_SHIFT, _LOCK, _CONTROL, _ALT, _NUM_LOCK, _SUPER = 1, 2, 4, 8, 16, 64
"""X11's modifier masks, with Mod1, Mod2 and Mod4 as they are on all usual keyboards."""

_KEY_PRESS = 2
_GRAB_ASYNC = 1
_EVENT_BYTES = 192
"""Of an XEvent: 24 longs."""

_WIN_ALT, _WIN_CONTROL, _WIN_SHIFT, _WIN_SUPER, _WIN_NOREPEAT = 1, 2, 4, 8, 0x4000
_WM_HOTKEY = 0x0312
_HOTKEY_ID = 0x1D0C

_NAMED_KEYSYMS = {Qt.Key.Key_Space: 0x20, Qt.Key.Key_Return: 0xFF0D, Qt.Key.Key_Tab: 0xFF09}
_NAMED_VIRTUAL = {Qt.Key.Key_Space: 0x20, Qt.Key.Key_Return: 0x0D, Qt.Key.Key_Tab: 0x09}


@dataclass(frozen=True, slots=True)
class Combination:
    """One key with modifiers, in Qt's words."""

    key: Qt.Key
    modifiers: Qt.KeyboardModifier


def parse_keys(text: str) -> Combination | None:
    """Return the keys that a text names ("Ctrl+Alt+Space"); None if it names none.

    A key without Ctrl, Alt or the Windows key is none: it would be lost for typing.
    """
    sequence = QKeySequence(text.strip())
    if sequence.count() != 1:
        return None
    keys: QKeyCombination = sequence[0]  # type: ignore[index]  # the stubs lack it
    wanted = (
        Qt.KeyboardModifier.ControlModifier
        | Qt.KeyboardModifier.AltModifier
        | Qt.KeyboardModifier.MetaModifier
    )
    if keys.key() == Qt.Key.Key_unknown or not keys.keyboardModifiers() & wanted:
        return None
    return Combination(keys.key(), keys.keyboardModifiers())


def x11_keysym(key: Qt.Key) -> int:
    """Return X11's name of a key; letters, digits and function keys are regular."""
    code = key.value
    if Qt.Key.Key_F1.value <= code <= Qt.Key.Key_F24.value:
        return 0xFFBE + code - Qt.Key.Key_F1.value
    if Qt.Key.Key_A.value <= code <= Qt.Key.Key_Z.value:
        return code + 0x20
    return _NAMED_KEYSYMS.get(key, code)


def x11_modifiers(modifiers: Qt.KeyboardModifier) -> int:
    """Return X11's mask of modifiers."""
    return _mask(modifiers, _SHIFT, _CONTROL, _ALT, _SUPER)


def windows_keys(keys: Combination) -> tuple[int, int]:
    """Return modifiers and virtual key for ``RegisterHotKey``."""
    mask = _mask(keys.modifiers, _WIN_SHIFT, _WIN_CONTROL, _WIN_ALT, _WIN_SUPER)
    code = keys.key.value
    if Qt.Key.Key_F1.value <= code <= Qt.Key.Key_F24.value:
        return mask | _WIN_NOREPEAT, 0x70 + code - Qt.Key.Key_F1.value
    return mask | _WIN_NOREPEAT, _NAMED_VIRTUAL.get(keys.key, code)


def _mask(modifiers: Qt.KeyboardModifier, shift: int, control: int, alt: int, meta: int) -> int:
    kinds = Qt.KeyboardModifier
    pairs = (
        (kinds.ShiftModifier, shift),
        (kinds.ControlModifier, control),
        (kinds.AltModifier, alt),
        (kinds.MetaModifier, meta),
    )
    return sum(mask for kind, mask in pairs if modifiers & kind)


class Hotkey(QObject):
    """``pressed`` when the keys are, whatever has the focus."""

    pressed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._grab: _X11Grab | _WindowsGrab | None = None

    def set_keys(self, text: str) -> bool:
        """Take other keys; False where they cannot be had. An empty text gives them up."""
        self.close()
        keys = parse_keys(text)
        if keys is None:
            return not text.strip()
        try:
            if QGuiApplication.platformName() == "xcb":
                self._grab = _X11Grab(keys, self)
            elif sys.platform == "win32":
                self._grab = _WindowsGrab(keys, self)
        except OSError as error:
            _log.warning("The keys %s cannot be had: %s", text, error)
        return self._grab is not None

    def close(self) -> None:
        """Give the keys up."""
        if self._grab is not None:
            self._grab.close()
            self._grab = None


class _X11Grab:
    """A connection to the X server that holds one key, with and without the lock keys."""

    def __init__(self, keys: Combination, owner: Hotkey) -> None:
        name = ctypes.util.find_library("X11")
        if name is None:
            raise OSError("libX11 is not installed")
        self._x = _typed(ctypes.CDLL(name))
        self._display = self._x.XOpenDisplay(None)
        if not self._display:
            raise OSError("the X server cannot be reached")
        root = self._x.XDefaultRootWindow(self._display)
        self._code = self._x.XKeysymToKeycode(self._display, x11_keysym(keys.key))
        if not self._code:
            self._x.XCloseDisplay(self._display)
            raise OSError("the keyboard has no such key")
        for locks in (0, _LOCK, _NUM_LOCK, _LOCK | _NUM_LOCK):
            mask = x11_modifiers(keys.modifiers) | locks
            self._x.XGrabKey(self._display, self._code, mask, root, 0, _GRAB_ASYNC, _GRAB_ASYNC)
        self._x.XSync(self._display, 0)
        self._owner = owner
        number = self._x.XConnectionNumber(self._display)
        self._notifier = QSocketNotifier(number, QSocketNotifier.Type.Read, owner)
        self._notifier.activated.connect(lambda *_: self._read())

    def close(self) -> None:
        self._notifier.setEnabled(False)
        self._notifier.activated.disconnect()
        # Python's own from here on: deleted later by Qt as well, it would go twice.
        self._notifier.setParent(None)
        self._x.XCloseDisplay(self._display)

    def _read(self) -> None:
        event = ctypes.create_string_buffer(_EVENT_BYTES)
        while self._x.XPending(self._display):
            self._x.XNextEvent(self._display, event)
            if ctypes.cast(event, ctypes.POINTER(ctypes.c_int))[0] == _KEY_PRESS:
                self._owner.pressed.emit()


def _typed(library: Any) -> Any:  # noqa: ANN401  - ctypes has no types for it
    """Declare what is used of libX11, and let a key that another program has be no error."""
    pointer, integer, long = ctypes.c_void_p, ctypes.c_int, ctypes.c_ulong
    library.XOpenDisplay.restype = pointer
    library.XOpenDisplay.argtypes = [ctypes.c_char_p]
    library.XDefaultRootWindow.restype = long
    library.XDefaultRootWindow.argtypes = [pointer]
    library.XKeysymToKeycode.restype = ctypes.c_ubyte
    library.XKeysymToKeycode.argtypes = [pointer, long]
    grab = [pointer, integer, ctypes.c_uint, long, integer, integer, integer]
    library.XGrabKey.argtypes = grab
    library.XSync.argtypes = [pointer, integer]
    library.XConnectionNumber.argtypes = [pointer]
    library.XPending.argtypes = [pointer]
    library.XNextEvent.argtypes = [pointer, pointer]
    library.XCloseDisplay.argtypes = [pointer]
    library.XSetErrorHandler.argtypes = [pointer]
    library.XSetErrorHandler.restype = pointer
    library.XSetErrorHandler(ctypes.cast(_ON_ERROR, pointer))
    return library


def _refused(_display: int, _event: int) -> int:
    """Xlib would end the process; BadAccess says that another program has the key."""
    _log.warning("the X server refused the keys: another program has them")
    return 0


_ON_ERROR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(_refused)


class _WindowsGrab(QAbstractNativeEventFilter):
    """Keys registered with Windows; their message comes through Qt's event loop."""

    def __init__(self, keys: Combination, owner: Hotkey) -> None:
        super().__init__()
        self._owner = owner
        self._user: Any = ctypes.WinDLL("user32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
        modifiers, virtual = windows_keys(keys)
        if not self._user.RegisterHotKey(None, _HOTKEY_ID, modifiers, virtual):
            raise OSError("another program has them")
        application = QGuiApplication.instance()
        if application is not None:
            application.installNativeEventFilter(self)

    def nativeEventFilter(
        self, kind: QByteArray | bytes | bytearray | memoryview, message: int
    ) -> tuple[bool, int]:
        """Notice the message of the keys."""
        from ctypes import wintypes

        is_message = QByteArray(kind) == b"windows_generic_MSG"
        if is_message and wintypes.MSG.from_address(int(message)).message == _WM_HOTKEY:
            self._owner.pressed.emit()
        return False, 0

    def close(self) -> None:
        """Give the keys up."""
        self._user.UnregisterHotKey(None, _HOTKEY_ID)
        application = QGuiApplication.instance()
        if application is not None:
            application.removeNativeEventFilter(self)
