"""How the program lives on the desktop: tray, start at login, shortcut, notices."""
