"""The one place that makes ONNX Runtime sessions, and imports the runtime late."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnxruntime

_LOG_ERRORS = 3
"""Severity 3 of ONNX Runtime: errors and worse; its warnings are about its own plans."""

_EXTEND_AS_REQUESTED = 1
"""``arena_extend_strategy``: grow by what is asked for, not to the next power of two."""

_FIRST_CHUNK_BYTES = 1 << 20

_NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
"""What ONNX Runtime 1.32 looks at when it is imported: without it, it sends events to its
maker (seen with strace, ``make offline``)."""

_registration = threading.Lock()
_registered = False


def create_session(path: Path) -> onnxruntime.InferenceSession:
    """Return a session whose runs take place wholly in the thread that asks for them.

    One thread a run and no spinning: parallel work comes from parallel runs, which was
    measured faster than parallel operators (docs, Ingestion), and a session at rest
    costs no processor time. All sessions share one arena: its size is what the largest
    runs that ever met needed, so it stops growing after warm-up (measured with both
    models and texts of 3 to 512 tokens: 83 MB; plain malloc 170 MB, an arena each
    145 MB). Memory patterns are off, for they keep a plan for every length of text.
    A run on a long text gives its memory back (``giving_back``).
    """
    os.environ[_NO_TELEMETRY] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    _share_arena()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.enable_mem_pattern = False
    options.log_severity_level = _LOG_ERRORS
    return onnxruntime.InferenceSession(
        str(path), sess_options=options, providers=["CPUExecutionProvider"]
    )


def giving_back() -> onnxruntime.RunOptions:
    """Return options of a run after which the arena keeps no more than its first chunk.

    The attention of one text of 504 tokens takes a hundred megabytes, which the arena would
    keep for ever: with two callers 407 MB after the shared documents, 161 MB with this for
    texts that are long. For the many short ones, to get memory anew would cost time.
    """
    import onnxruntime

    options = onnxruntime.RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options


def _share_arena() -> None:
    """Register the process's one arena with the runtime, once."""
    import onnxruntime

    global _registered  # noqa: PLW0603  - the runtime's registry is one a process as well
    with _registration:
        if _registered:
            return
        settings = onnxruntime.OrtArenaCfg(
            {
                "arena_extend_strategy": _EXTEND_AS_REQUESTED,
                "initial_chunk_size_bytes": _FIRST_CHUNK_BYTES,
            }
        )
        memory = onnxruntime.OrtMemoryInfo(
            "Cpu",
            onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR,
            0,
            onnxruntime.OrtMemType.DEFAULT,
        )
        onnxruntime.create_and_register_allocator(memory, settings)
        _registered = True
