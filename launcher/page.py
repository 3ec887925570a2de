#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""page.py FILE: prints C with FILE as the text `report_page`."""
import sys


def quoted(line):
    plain = {c: chr(c) for c in range(32, 127) if chr(c) not in '"\\\\?'}
    return '"' + "".join(plain.get(c, f"\\{c:03o}") for c in line) + '"'


print("/* Made by launcher/page.py. */\nextern const char report_page[];")
print("const char report_page[] =")
with open(sys.argv[1], "rb") as f:
    print("\n".join("    " + quoted(line) for line in f) + ";")
