# SPDX-License-Identifier: MIT
"""One job: the program of this folder, run once with one library, and never waited for longer than
the limit of a point."""
import collections
import os
import queue
import signal
import subprocess
import threading

# A job by what it is: jobs with equal keys are the same. label: its column in tables.
Job = collections.namedtuple("Job", "label library ranks cluster one_core")
# A time in seconds. over: it was not waited for any longer than this.
Time = collections.namedtuple("Time", "seconds over")
START = 120  # seconds until the first point, and to end: Open MPI needs 30 for 192 ranks
GRACE = 20   # seconds that mpiexec has to end its job before it is killed


class Failed(Exception):
    """A job ended in the wrong way; the text says how."""


def lines(stream, into):
    for line in stream:
        into.put(line.rstrip("\n"))
    into.put(None)


def end(process):
    """Ends a job that takes too long, and what it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(GRACE)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


class Run:
    """Points of a job that is running: iterate over (series, bytes, Time)."""

    def __init__(self, command, environment, limit):
        self.limit, self.begun = limit, None
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment,
                                        start_new_session=True)
        self.said, self.complaints = queue.Queue(), queue.Queue()
        for stream, into in ((self.process.stdout, self.said),
                             (self.process.stderr, self.complaints)):
            threading.Thread(target=lines, args=(stream, into), daemon=True).start()

    def __iter__(self):
        try:
            yield from self.points()
        finally:  # also when the user breaks off
            if self.process.poll() is None:
                end(self.process)

    def points(self):
        finished = False
        while True:
            measuring = self.begun and not finished
            try:
                line = self.said.get(timeout=self.limit if measuring else START)
            except queue.Empty:
                if not measuring:
                    raise Failed(f"did not {'end' if finished else 'begin'} within {START} s") \
                        from None
                yield *self.begun, Time(self.limit, True)
                return
            if line is None:
                break
            kind, *cells = line.split(",")
            finished |= kind == "end"
            if kind == "begin":
                self.begun = (cells[0], int(cells[1]))
            elif kind == "point":
                yield cells[0], int(cells[1]), Time(float(cells[2]), False)
        code = self.process.wait()
        if code or not finished:
            raise Failed(f"ended with {code}: {self.last_words()}")

    def last_words(self):
        """The last lines on standard error, on one line."""
        text = []
        while True:
            try:
                line = self.complaints.get(timeout=1)
            except queue.Empty:
                break
            if line is None:
                break
            text.append(line.strip())
        return " ".join(text)[-300:] or "no word on standard error"


def measure(command, arguments, environment, limit, leave):
    """Yields (series, bytes, Time) of one turn. A point that is beyond the limit or fails stands in
    `leave`, a set of (series, bytes), from then on, also for the next turn, and the job is started
    again for the points behind it. Raises Failed at the end if a point failed, at once if nothing
    can be measured."""
    done, complaints = set(), []
    while True:
        left = ",".join(f"{series}:{size}" for series, size in sorted(leave | done))
        run, stuck = Run([*command, *arguments, *([left] if left else [])], environment,
                         limit), False
        try:
            for series, size, time in run:
                done.add((series, size))
                stuck = time.over
                yield series, size, time
        except Failed as problem:
            if not run.begun or run.begun in leave | done:
                raise
            complaints.append(f"{run.begun[0]} of {run.begun[1]} bytes: {problem}")
            stuck = True
        if not stuck:
            break
        leave.add(run.begun)
    if complaints:
        raise Failed("; ".join(complaints))
