# SPDX-License-Identifier: MIT
"""Ranks that share a process, for gdb: docs/debugging.md."""
from . import commands, copies  # noqa: F401
