# SPDX-License-Identifier: MIT
"""`info ranks`."""
import gdb

from . import copies, ranks, stack


def microseconds(cycles, hz):
    return f"{cycles / hz * 1e6:,.3f} us"


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
        here = stack.running(process.ranks)
        number = stack.unwinder.number if stack.unwinder.live else here and here.number
        with stack.Kept():
            for rank in process.ranks:
                state, since = rank.state()
                where = stack.place(stack.user_frame(stack.show(rank)))
                lines.append(("*" if rank.number == number else "", str(rank.number),
                              "" if since is None else str(since), where, state))
        if process.cycle is None:
            lines = [line[:2] + line[3:] for line in lines]
        else:
            print(f"Cycle {process.cycle}, {microseconds(process.cycle, process.hz)}")
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        for line in lines:
            print(" ".join(cell.ljust(n) for cell, n in zip(line, widths)).rstrip())


InfoRanks()
