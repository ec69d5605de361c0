"""The list of chats: found, opened, renamed, deleted and brought back."""
