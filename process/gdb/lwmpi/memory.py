# SPDX-License-Identifier: MIT
"""Reads the library's structures by the tables that it has for that (hal/debug.h), so it need not
be compiled with -g. Works on a process and on a core file."""
import gdb

WORD = 8


class Missing(gdb.GdbError):
    """The process has no ranks (yet)."""


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def word(address, size=WORD, signed=False):
    return int.from_bytes(read(address, size), "little", signed=signed)


def text(address):
    if not address:
        return ""
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


def address(symbol):
    """Of a function or variable of the library; None: there is none. In C, whatever the program is
    written in."""
    language = gdb.parameter("language")
    try:
        gdb.execute("set language c", to_string=True)
        return int(gdb.parse_and_eval(f"(unsigned long) &{symbol}"))
    except gdb.error:
        return None
    finally:
        gdb.execute(f"set language {language}", to_string=True)


def tables():
    """{name: value} of all that the library tells."""
    found = {}
    at = address("image_debug")
    if at is None or not gdb.selected_inferior().pid and not gdb.selected_inferior().threads():
        raise Missing("The program does not run, or not with libmpi_abi.so of lwmpi.")
    while word(at):
        table = word(at)
        while word(table):
            found[text(word(table))] = word(table + WORD)
            table += 2 * WORD
        at += WORD
    return found


class Layout:
    """The same, with short ways to read."""

    def __init__(self):
        self.words = tables()

    def __getitem__(self, name):
        return self.words[name]

    def __contains__(self, name):
        return name in self.words

    def at(self, base, *members):
        """The address of a member of a member ... of the structure at base."""
        return base + sum(self.words[m] for m in members)

    def word(self, base, *members, size=WORD, signed=False):
        return word(self.at(base, *members), size, signed)

    def int(self, base, *members):
        return self.word(base, *members, size=4, signed=True)

    def text(self, base, *members):
        return text(self.word(base, *members))

    def constant(self, name):
        """A value that may be negative."""
        value = self.words[name]
        return value - (1 << 8 * WORD) if value >> 8 * WORD - 1 else value
