# SPDX-License-Identifier: MIT
"""`info ranks`, `rank N`, `$rank()`, `$own()`, and which rank it is that stopped."""
import gdb

from . import copies, ranks, stack


def microseconds(cycles, hz):
    return f"{cycles / hz * 1e6:,.3f} us"


def selected(process):
    """The number of the rank that gdb looks at; None: it looks at none."""
    if stack.unwinder.number is not None:
        return stack.unwinder.number
    rank = stack.running(process.ranks)
    return None if rank is None else rank.number


class InfoRanks(gdb.Command):
    """The ranks that live in this process: how each one stands, since which cycle of a machine in
virtual time, and where in the program it is. The one that gdb looks at has a *."""

    def __init__(self):
        super().__init__("info ranks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        copies.load_all()
        process = ranks.Process()
        if not process.ranks:
            print("No ranks (yet).")
            return
        lines = [("", "Rank", "Since cycle", "Where", "State")]
        number = selected(process)
        with stack.Kept():
            for rank in process.ranks:
                state, since = rank.state()
                where = stack.place(stack.show(rank))
                lines.append(("*" if rank.number == number else "", str(rank.number),
                              "" if since is None else str(since), where, state))
        if process.cycle is None:
            lines = [line[:2] + line[3:] for line in lines]
        else:
            print(f"Cycle {process.cycle}, {microseconds(process.cycle, process.hz)}")
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        for line in lines:
            print(" ".join(cell.ljust(n) for cell, n in zip(line, widths)).rstrip())


class SelectRank(gdb.Command):
    """rank N: look at the stack of rank N, in the innermost frame of the program's own.
Afterwards backtrace, up, print, info locals ... are about that rank, until the program goes on;
and it is the rank that stopped that goes on by step. Without N: which rank that is."""

    def __init__(self):
        super().__init__("rank", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        copies.load_all()
        process = ranks.Process()
        number = int(gdb.parse_and_eval(argument)) if argument else selected(process)
        rank = next((r for r in process.ranks if r.number == number), None)
        if rank is None and argument:
            raise gdb.GdbError(f"No rank {number} in this process: it has not begun, has ended, or "
                               "lives in another process. Try \"info ranks\".")
        if rank is None:
            raise gdb.GdbError("No rank is selected: this thread runs none.")
        state, since = rank.state()
        print(f"[Rank {number}, {state}" + (f" since cycle {since}]" if since else "]"))
        if argument:
            stack.show(rank).select()
            gdb.execute("frame")


class RankFunction(gdb.Function):
    """$rank(): the number of the rank that runs, -1: none does. break prog.c:12 if $rank() == 3"""

    def __init__(self):
        super().__init__("rank")

    def invoke(self):
        rank = stack.running(ranks.Process().ranks)
        return -1 if rank is None else rank.number


def tell_break(process):
    """mpiexec --break: gdb looks at that rank."""
    number, cycle = process.stopped()
    print(f"[Cycle {cycle}, by mpiexec --break {number}:{cycle}]")
    if any(rank.number == number for rank in process.ranks):
        gdb.execute(f"rank {number}")
    else:
        print(f"[Rank {number} has not begun, or has ended]")


class OwnFunction(gdb.Function):
    """$own(VARIABLE), *$own(&VARIABLE): the variable of the rank that gdb looks at. Of globals that
are not static gdb takes the first copy's, whichever rank is selected. Arrays become pointers."""

    def __init__(self):
        super().__init__("own")

    def invoke(self, variable):
        process = ranks.Process()
        number = selected(process)
        rank = next((r for r in process.ranks if r.number == number), None)
        if rank is None:
            raise gdb.GdbError("$own: no rank is selected: this thread runs none")
        if variable.address is not None:
            at = rank.own(int(variable.address))
            return gdb.Value(at).cast(variable.type.pointer()).dereference()
        if variable.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
            return gdb.Value(rank.own(int(variable))).cast(variable.type)
        raise gdb.GdbError("$own: this is neither a variable nor the address of one")


told = set()  # the processes of which tell_break has told: they stop once in that way


def tell_who(event):
    """Said after each stop of a process of several ranks."""
    try:
        process = ranks.Process()
        pid = gdb.selected_inferior().pid
        if process.stopped() and pid not in told:
            told.add(pid)
            tell_break(process)
            return
        rank = stack.running(process.ranks)
        if rank is not None and len(process.ranks) > 1:
            print(f"[Rank {rank.number}]")
    except (gdb.error, gdb.GdbError):
        pass  # it has just begun: there are no variables yet


InfoRanks()
SelectRank()
RankFunction()
OwnFunction()
gdb.events.stop.connect(tell_who)
