# SPDX-License-Identifier: MIT
"""The stacks of ranks that wait.

Registers of the process are never changed. While a rank is selected, an unwinder tells gdb that the
frame that really runs was called from where that rank was suspended: so all that gdb does with
frames works on the rank's, also in a core file, and when the program goes on it knows nothing of
it."""
import re

import gdb
from gdb.unwinder import Unwinder, register_unwinder

from . import memory

PC_SP = {"i386:x86-64": ("rip", "rsp"), "aarch64": ("pc", "sp")}
# What of a static program, where all is one file, is the library: the prefixes of its rooms.
LIBRARY = re.compile(r"(P?MPIX?|mpi|mpu|turn|svc|k|kern|hal|sim|lx|image|b|rank|member)_|resume$")
DEPTH = 200


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


def registers(frame):
    return tuple(int(frame.read_register(name)) for name in ("pc", "sp"))


def identity(frame):
    """As gdb itself computes it, so that a step that begins while a rank is selected ends as if
    none were: the stack before the call, and where the function begins."""
    pc, sp = frame.read_register("pc"), frame.read_register("sp")
    older = frame.older()
    function = frame.function()
    start = function.value().address if function else None
    return FrameId((older.read_register("sp") if older else sp).cast(sp.type),
                   pc if start is None else start.cast(pc.type))


def suspended(rank):
    """{register: value} of a rank at the place where it goes on; None: an OS thread runs it."""
    sp = rank.context()
    if sp is None:
        return None
    y = rank.layout
    names = (name.split(".")[1] for name in y.words if name.startswith("frame."))
    found = {name: y.word(sp, "frame." + name) for name in names}
    found["pc"], found["sp"] = found.pop("resume"), sp + y["frame"]
    return found


class RankUnwinder(Unwinder):
    """What of the selected rank is on no OS thread: `saved`, shown above the frame `live`."""

    def __init__(self):
        super().__init__("lwmpi")
        self.number = self.live = self.saved = self.id = None

    def select(self, rank, saved):
        frame = gdb.newest_frame()
        while frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        self.id, self.live = identity(frame), registers(frame)
        self.number, self.saved = rank.number, saved
        gdb.invalidate_cached_frames()

    def clear(self):
        if self.live is not None:
            self.restore((None, None, None, None))

    def state(self):
        return self.number, self.live, self.saved, self.id

    def restore(self, state):
        self.number, self.live, self.saved, self.id = state
        gdb.invalidate_cached_frames()

    def __call__(self, pending):
        names = PC_SP[pending.architecture().name()]
        if self.live is None or self.live != tuple(int(pending.read_register(n)) for n in names):
            return None
        info = pending.create_unwind_info(self.id)
        for name, value in self.saved.items():
            name = {"pc": names[0], "sp": names[1]}.get(name, name)
            kind = pending.read_register(name).type
            info.add_saved_register(name, gdb.Value(value.to_bytes(memory.WORD, "little"), kind))
        return info


class Trimmed:
    """backtrace of a suspended rank begins with the call of the library that it is in, and ends at
    main, as it does in the one copy of the program in which gdb itself knows main."""

    def __init__(self):
        self.name, self.priority, self.enabled = "lwmpi", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        inner = []  # before the program's own
        for frame in frames:
            inferior = frame.inferior_frame()
            if unwinder.live is not None and inner is not None:
                if not is_program(inferior) or registers(inferior) == unwinder.live:
                    inner.append(frame)
                    continue
                yield from inner[-1:]
                inner = None
            yield frame
            if inferior.name() == "main" and not gdb.parameter("backtrace past-main"):
                return
        yield from inner or ()


unwinder = RankUnwinder()
register_unwinder(None, unwinder, replace=True)
Trimmed()
gdb.events.cont.connect(lambda event: unwinder.clear())


def switch_to_thread(rank):
    """gdb looks at the OS thread that runs the core of a rank."""
    number = rank.os_thread()
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == number:
            thread.switch()


def show(rank):
    """Makes gdb look at the stack of a rank; its innermost frame."""
    unwinder.clear()
    switch_to_thread(rank)
    saved = suspended(rank)
    if saved is None:
        return gdb.newest_frame()
    unwinder.select(rank, saved)
    frame = gdb.newest_frame()
    while frame is not None and registers(frame) == unwinder.live:
        frame = frame.older()
    return frame


def is_program(frame):
    library = gdb.solib_name(frame.pc())
    joined = library is not None and library.startswith("/proc/self/fd/")  # process/load.c
    return joined or library is None and not LIBRARY.match(frame.name() or "")


def user_frame(innermost):
    """The innermost frame of the program's own; None: there is none."""
    frame, depth = innermost, 0
    while frame is not None and depth < DEPTH and not is_program(frame):
        frame, depth = frame.older(), depth + 1
    return frame if depth < DEPTH else None


def place(frame):
    """ "work (prog.c:12)" """
    if frame is None:
        return ""
    sal = frame.find_sal()
    name = frame.name() or f"{frame.pc():#x}"
    if sal.symtab is None:
        return name
    return f"{name} ({sal.symtab.filename.rsplit('/', 1)[-1]}:{sal.line})"


def running(ranks):
    """The rank on whose stack the selected OS thread is, or None."""
    _, sp = unwinder.live or registers(gdb.newest_frame())
    return next((rank for rank in ranks if rank.has_stack(sp)), None)


class Kept:
    """Afterwards gdb looks at what it looked at before."""

    def __enter__(self):
        self.thread = gdb.selected_thread()
        self.level = gdb.selected_frame().level()
        self.rank = unwinder.state()

    def __exit__(self, *error):
        self.thread.switch()
        unwinder.restore(self.rank)
        frame = gdb.newest_frame()
        for _ in range(self.level):
            frame = frame.older()
        frame.select()
