"""The program's version: the one place that says it (the build reads it from here)."""

VERSION = "0.1.0"
