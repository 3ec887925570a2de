#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How bench/figures runs programs: what they get of the caller's environment, and what Ctrl-C
leaves of them."""
import os
import signal
import subprocess
import sys
import tempfile
import time

import figures_test
from figures_test import FOLDER, check, figures, measure, program, without_charts


def environment():
    """What is set of lwmpi counts for no program, or labels have it."""
    hidden = {"LWMPI_MODEL": "vendor", "LWMPI_EAGER_LIMIT": "7"}
    os.environ.update(hidden)
    with tempfile.TemporaryDirectory() as folder:
        program(os.path.join(folder, "bench", "program"),
                "#!/bin/sh\necho x,${#LWMPI_MODEL}${#LWMPI_EAGER_LIMIT},letters,\n")
        values, _ = measure.Runner(folder, 1).run("program", 1)
        _, said = figures(folder, folder, "--quick", "--only", "T60")
    for name in hidden:
        del os.environ[name]
        check(f"{name} is set, and counts for none" in said, f"{name}: {said}")
    check(values == {"x": (0, "letters")}, f"the caller's environment: {values}")


def ended(number):
    """Whether a process has ended (a zombie has)."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def broken_off():
    """Ctrl-C ends what runs, and begins nothing more."""
    with tempfile.TemporaryDirectory() as folder:
        asked = os.path.join(folder, "asked")
        program(os.path.join(folder, "bin", "mpiexec"),
                '#!/bin/sh\necho $$ >>"$ASKED"\nexec sleep 60\n')
        running = subprocess.Popen([sys.executable, os.path.join(FOLDER, "figures.py"), folder,
                                    folder, "--quick", "--only", "21a"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL,
                                   env={**os.environ, "ASKED": asked, **without_charts(folder)})
        end = time.monotonic() + 60
        while not os.path.exists(asked) and time.monotonic() < end:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        try:
            check(running.wait(20) == 130, f"Ctrl-C: ended with {running.returncode}")
        except subprocess.TimeoutExpired:
            running.kill()
            check(False, "Ctrl-C did not end it")
        with open(asked, encoding="utf-8") as file:
            begun = file.read().split()
        check(len(begun) <= (os.cpu_count() or 1), f"Ctrl-C: {len(begun)} programs were begun")
        left = [number for number in begun if not ended(number)]
        check(not left, f"Ctrl-C left {left}")
        for number in left:
            os.kill(int(number), signal.SIGKILL)


if __name__ == "__main__":
    environment()
    broken_off()
    print(f"{figures_test.wrong} wrong")
    sys.exit(1 if figures_test.wrong else 0)
