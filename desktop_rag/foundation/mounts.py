"""What kind of file system a folder lies on."""

from __future__ import annotations

import os

NETWORK = (
    "nfs",
    "cifs",
    "smb",
    "afpfs",
    "webdav",
    "davfs",
    "sshfs",
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.gvfsd",
    "ceph",
    "afs",
    "ncpfs",
)
"""What the types of file systems on other machines begin with."""


def mount_of(folder: str) -> tuple[str, str]:
    """Return the file system's type and options of the mount that holds ``folder``."""
    import psutil  # late: a command that is a guest of the owner does without it

    best, found = "", ("", "")
    for mount in psutil.disk_partitions(all=True):
        root = mount.mountpoint
        inside = folder == root or folder.startswith(root.rstrip(os.sep) + os.sep)
        if inside and len(root) >= len(best):
            best, found = root, (mount.fstype.lower(), mount.opts.lower())
    return found


def is_on_network(folder: str) -> bool:
    """Whether a folder lies on another machine."""
    kind, options = mount_of(folder)
    return "remote" in options.split(",") or kind.startswith(NETWORK)
