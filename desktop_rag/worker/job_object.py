"""Windows' job objects: memory is refused to the process, and what it starts ends with it."""

from __future__ import annotations

import ctypes
from ctypes import c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, ClassVar

_EXTENDED_LIMITS = 9
"""JobObjectExtendedLimitInformation, of the enumeration JOBOBJECTINFOCLASS."""

_PROCESS_MEMORY = 0x100
_KILL_ON_CLOSE = 0x2000
"""JOB_OBJECT_LIMIT_PROCESS_MEMORY and JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE of winnt.h."""


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_: ClassVar[Any] = [
        ("PerProcessUserTimeLimit", c_int64),
        ("PerJobUserTimeLimit", c_int64),
        ("LimitFlags", c_uint32),
        ("MinimumWorkingSetSize", c_size_t),
        ("MaximumWorkingSetSize", c_size_t),
        ("ActiveProcessLimit", c_uint32),
        ("Affinity", c_size_t),
        ("PriorityClass", c_uint32),
        ("SchedulingClass", c_uint32),
    ]


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; IO_COUNTERS is six numbers."""

    _fields_: ClassVar[Any] = [
        ("BasicLimitInformation", BasicLimits),
        ("IoInfo", c_uint64 * 6),
        ("ProcessMemoryLimit", c_size_t),
        ("JobMemoryLimit", c_size_t),
        ("PeakProcessMemoryUsed", c_size_t),
        ("PeakJobMemoryUsed", c_size_t),
    ]


def enter_job(limit: int) -> None:
    """Put this process in a job whose processes may each commit ``limit`` bytes.

    The job lives as long as this process, which keeps its only handle; the programs that
    were started in it end with it.

    Raises:
        OSError: Windows refused it.
    """
    kernel = _kernel()
    job = _done(kernel.CreateJobObjectW(None, None))
    limits = ExtendedLimits()
    limits.BasicLimitInformation.LimitFlags = _PROCESS_MEMORY | _KILL_ON_CLOSE
    limits.ProcessMemoryLimit = limit
    size = ctypes.sizeof(limits)
    _done(kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size))
    _done(kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess()))


def _kernel() -> Any:  # noqa: ANN401  - a library of Windows
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    kernel.CreateJobObjectW.argtypes = [c_void_p, c_void_p]
    kernel.CreateJobObjectW.restype = c_void_p
    kernel.SetInformationJobObject.argtypes = [c_void_p, c_int, c_void_p, c_uint32]
    kernel.AssignProcessToJobObject.argtypes = [c_void_p, c_void_p]
    kernel.GetCurrentProcess.restype = c_void_p
    return kernel


def _done(result: Any) -> Any:  # noqa: ANN401  - a handle, or whether it was done
    if not result:
        raise ctypes.WinError(ctypes.get_last_error())  # type: ignore[attr-defined,unused-ignore]
    return result
