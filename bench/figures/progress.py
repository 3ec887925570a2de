# SPDX-License-Identifier: MIT
"""How far a long run is: a bar that a terminal redraws, a line now and then elsewhere."""
import sys
import time

WIDTH = 30      # of the bar, letters
SELDOM = 10     # lines at most where there is no terminal


class Progress:
    def __init__(self, total):
        self.total, self.done, self.begin = total, 0, time.monotonic()
        self.terminal = sys.stdout.isatty()

    def step(self, what):
        """One more of them is done."""
        self.done += 1
        part, seconds = self.done / self.total, time.monotonic() - self.begin
        line = (f"[{'#' * round(part * WIDTH):.<{WIDTH}}] {self.done}/{self.total}, "
                f"{seconds:.0f} s, about {seconds / part - seconds:.0f} s left")
        if self.terminal:
            end = "\n" if self.done == self.total else ""
            print(f"\r\033[K{line}: {what[:40]}", end=end, flush=True)
        elif self.done * SELDOM // self.total > (self.done - 1) * SELDOM // self.total:
            print(line, flush=True)

    def say(self, text):
        """A line that stays."""
        print(("\r\033[K" if self.terminal else "") + text, flush=True)
