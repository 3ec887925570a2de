# SPDX-License-Identifier: MIT
"""Symbols and lines of the copies of the program, one for each rank but the first: gdb knows of the
first one only. They are loaded as ranks begin, so a breakpoint at a line is at that line of all."""
import gdb

from . import memory, ranks

ARGUMENT = {"i386:x86-64": "rdi", "aarch64": "x0"}
loaded = {}  # where a copy is -> its file


def quietly(*commands):
    """Runs commands of gdb that would ask or tell."""
    confirm = gdb.parameter("confirm")
    gdb.execute("set confirm off", to_string=True)
    try:
        for command in commands:
            gdb.execute(command, to_string=True)
    finally:
        gdb.execute("set confirm " + ("on" if confirm else "off"), to_string=True)


def load(rank):
    copy = rank.copy()
    if copy is None or copy[0] in loaded:
        return
    base, path = copy
    path = path or gdb.current_progspace().filename
    loaded[base] = path
    quietly(f'add-symbol-file "{path}" -o {base:#x}')


def load_all():
    """Of the ranks that began before gdb came."""
    for rank in ranks.Process().ranks:
        load(rank)


def load_if_runs():
    try:
        load_all()
    except (gdb.error, gdb.GdbError):
        pass  # it does not run yet


def forget(event):
    """The process has ended: another one has its copies elsewhere."""
    for base in list(loaded):
        try:
            quietly(f"remove-symbol-file -a {base:#x}")
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
gdb.post_event(load_if_runs)
