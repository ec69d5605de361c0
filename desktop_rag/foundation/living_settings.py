"""The settings of how the program lives on the desktop: tray, start, shortcut, notices."""

from __future__ import annotations

from typing import Final

from desktop_rag.foundation.setting import Setting

CLOSE_TO_TRAY: Final = Setting(
    key="close_to_tray",
    default=False,
    label_en="Keep running when the window is closed",
    label_zh="关闭窗口后继续运行",
    help_en="The icon in the system's tray stays, and files are kept up with. "
    "Quit ends the program. Without a tray, closing the window always ends it.",
    help_zh="系统托盘中的图标会保留，并继续跟踪文件的变化；选择“退出”才会结束程序。"
    "如果系统没有托盘，关闭窗口即结束程序。",
)
START_AT_LOGIN: Final = Setting(
    key="start_at_login",
    default=False,
    label_en="Start when you log in",
    label_zh="登录时启动",
    help_en="In the tray, without opening the window.",
    help_zh="启动后停留在托盘中，不打开窗口。",
)
ASK_SHORTCUT: Final = Setting(
    key="ask_shortcut",
    default="",
    label_en="Keys that bring up the question from anywhere",
    label_zh="随时提问的快捷键",
    help_en="For example Ctrl+Alt+Space; empty for none. On Wayland and macOS programs may not "
    "take such keys: let the system's keyboard settings start desktop-rag instead.",
    help_zh="例如 Ctrl+Alt+Space；留空则不使用。在 Wayland 和 macOS 上程序不能占用这类按键，"
    "请在系统的键盘设置中用快捷键启动 desktop-rag。",
)
NOTIFY: Final = Setting(
    key="notify",
    default=True,
    label_en="Notify when something needs you",
    label_zh="需要您处理时发出通知",
    help_en="Only then, and only while the window is not in front: a full disk, files that "
    "need a password.",
    help_zh="仅在窗口不在前面且需要您处理时通知，例如磁盘已满或文件需要密码。",
)

LIVING: Final = (CLOSE_TO_TRAY, START_AT_LOGIN, ASK_SHORTCUT, NOTIFY)
