# SPDX-License-Identifier: MIT
"""Symbols and lines of the copies of the program, one for each rank but the first: gdb knows of the
first one only. They are loaded as ranks begin, so a breakpoint at a line is at that line of all."""
import os

import gdb

from . import memory, ranks

ARGUMENT = {"i386:x86-64": "rdi", "aarch64": "x0"}
ENTRY = 24  # bytes from the begin of an ELF file to the address of its first instruction
loaded = {}  # where a copy is -> an address of its code


def quietly(*commands):
    """Runs commands of gdb that would ask or tell."""
    confirm = gdb.parameter("confirm")
    gdb.execute("set confirm off", to_string=True)
    try:
        for command in commands:
            gdb.execute(command, to_string=True)
    finally:
        gdb.execute("set confirm " + ("on" if confirm else "off"), to_string=True)


def file_of(path):
    """The name of the program's file as gdb is given it: not as it has it already. By that name it
    would take what it is told of the copy for true of the program itself, whose list of libraries
    it loses then."""
    path = path or gdb.current_progspace().filename
    if not os.path.isabs(path):
        folder = f"/proc/{gdb.selected_inferior().pid}/cwd"
        path = os.path.join(os.path.realpath(folder) if os.path.exists(folder) else "", path)
    return "target:/." + os.path.abspath(path)


def load(rank):
    copy = rank.copy()
    if copy is None or copy[0] in loaded:
        return
    base, path = copy
    loaded[base] = base + memory.word(base + ENTRY)
    try:
        quietly(f'add-symbol-file "{file_of(path)}" -o {base:#x}')
    except gdb.error as error:
        gdb.write(f"lwmpi: no symbols for rank {rank.number}: {error}\n", gdb.STDERR)


def load_all():
    """Of the ranks that began before gdb came."""
    for rank in ranks.Process().ranks:
        load(rank)


def load_at_prompt():
    """Once: gdb may have come by attach, or have been given a core file."""
    gdb.events.before_prompt.disconnect(load_at_prompt)
    try:
        load_all()
    except (gdb.error, gdb.GdbError):
        pass  # it does not run yet


def forget(event):
    """The process has ended: another one has its copies elsewhere."""
    for code in loaded.values():
        try:
            quietly(f"remove-symbol-file -a {code:#x}")
        except gdb.error:
            pass  # somebody else did
    loaded.clear()


class Begins(gdb.Breakpoint):
    """A rank is about to begin. It never stops the program."""

    def __init__(self):
        super().__init__("image_debug_begins", gdb.BP_BREAKPOINT, internal=True)

    def stop(self):
        frame = gdb.newest_frame()
        at = int(frame.read_register(ARGUMENT[frame.architecture().name()]))
        load(ranks.Rank(memory.Layout(), at))
        return False


Begins()
gdb.events.exited.connect(forget)
gdb.events.before_prompt.connect(load_at_prompt)
