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
CALL = re.compile("P?MPIX?_")
FORTRAN = re.compile(r"p?mpi_\w+_$")  # the same in Fortran, whose names lie in the program
DEPTH = 200  # so many frames lie between a rank's innermost one and main at most, or it is not told


class FrameId:
    """As gdb wants it: attributes that are values of the registers' types."""

    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


def value(number, kind):
    return gdb.Value(number.to_bytes(memory.WORD, "little"), kind)


def registers(frame):
    return tuple(int(frame.read_register(name)) for name in ("pc", "sp"))


def identity(frame):
    """(stack pointer before the call, begin of the function): so gdb itself tells frames apart.
    With the same answer a step that begins while a rank is selected ends as if none were."""
    pc, sp = registers(frame)
    older, function = frame.older(), frame.function()
    return (registers(older)[1] if older else sp,
            int(function.value().address) if function else pc)


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
    """The rank that the user selected, None: none. If it is on no OS thread, its registers, as if
    the frame `live` had been called by it."""

    NOTHING = (None, None, None, None)

    def __init__(self):
        super().__init__("lwmpi")
        self.number, self.saved, self.live, self.id = self.NOTHING
        self.past_main = None  # what the user set; None: it is so

    def select(self, rank, saved):
        if saved is None:
            self.restore((rank.number, None, None, None))
            return
        frame = gdb.newest_frame()
        while frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        self.restore((rank.number, saved, registers(frame), identity(frame)))

    def clear(self):
        if self.number is not None:
            self.restore(self.NOTHING)

    def state(self):
        return self.number, self.saved, self.live, self.id

    def restore(self, state):
        self.number, self.saved, self.live, self.id = state
        self._pass_main(self.saved is not None)
        gdb.invalidate_cached_frames()

    def _pass_main(self, wanted):
        """The frame that runs may be main, which for gdb nobody calls."""
        if wanted and self.past_main is None:
            self.past_main = gdb.parameter("backtrace past-main")
            gdb.execute("set backtrace past-main on", to_string=True)
        elif not wanted and self.past_main is not None:
            on = "on" if self.past_main else "off"
            gdb.execute(f"set backtrace past-main {on}", to_string=True)
            self.past_main = None

    def ends_at_main(self):
        past = gdb.parameter("backtrace past-main") if self.past_main is None else self.past_main
        return not past

    def __call__(self, pending):
        names = PC_SP[pending.architecture().name()]
        if self.live is None or self.live != tuple(int(pending.read_register(n)) for n in names):
            return None
        kinds = {name: pending.read_register(name).type for name in names}
        sp, start = self.id
        info = pending.create_unwind_info(
            FrameId(value(sp, kinds[names[1]]), value(start, kinds[names[0]])))
        for name, number in self.saved.items():
            name = {"pc": names[0], "sp": names[1]}.get(name, name)
            info.add_saved_register(name, value(number, pending.read_register(name).type))
        return info


class Trimmed:
    """backtrace of a rank that the user selected begins with the call of the library that it is in;
    and each ends at main, as in the one copy of the program in which gdb itself knows main."""

    def __init__(self):
        self.name, self.priority, self.enabled = "lwmpi", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        if unwinder.number is None:
            return to_main(frames)
        first = innermost().level()
        frames = [f for f in to_main(frames, first) if f.inferior_frame().level() >= first]
        return iter(frames[max(own([frame.inferior_frame() for frame in frames]) - 1, 0):])


def to_main(frames, first=0):
    """The frames up to main; those before `first` are another rank's."""
    for frame in frames:
        yield frame
        inferior = frame.inferior_frame()
        if inferior.level() >= first and inferior.name() == "main" and unwinder.ends_at_main():
            return


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


def innermost():
    """Of the selected rank, or of what runs."""
    frame = gdb.newest_frame()
    while unwinder.live is not None and registers(frame) == unwinder.live:
        frame = frame.older()
    return frame


def show(rank):
    """Makes gdb look at the stack of a rank; the innermost frame of the program's own."""
    unwinder.clear()
    switch_to_thread(rank)
    unwinder.select(rank, suspended(rank))
    frames = [innermost()]
    while frames[-1].older() is not None and frames[-1].name() != "main" and len(frames) < DEPTH:
        frames.append(frames[-1].older())
    return frames[own(frames)]


def own(frames):
    """Which frame, innermost first, is the innermost of the program's own; the stub by which it
    calls a library is not, nor is MPI's function by its Fortran name. A static program has the
    library in it: there, the one that called MPI. 0 if there is none."""
    if gdb.solib_name(memory.address("image_debug")) is None:
        calls = [i for i, frame in enumerate(frames) if is_call(frame.name() or "")]
        return min(calls[-1] + 1, len(frames) - 1) if calls else 0
    return next((i for i, frame in enumerate(frames) if gdb.solib_name(frame.pc()) is None
                 and not (frame.name() or "").endswith("@plt")
                 and not FORTRAN.match(frame.name() or "")), 0)


def is_call(name):
    return CALL.match(name) or FORTRAN.match(name)


def place(frame):
    """ "work (prog.c:12)" """
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
