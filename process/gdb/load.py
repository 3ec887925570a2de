# SPDX-License-Identifier: MIT
"""What gdb loads with the library: libmpi_abi.so.N-gdb.py beside it. The scripts lie in ../gdb."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "gdb"))
import lwmpi  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import
sys.path.pop(0)
