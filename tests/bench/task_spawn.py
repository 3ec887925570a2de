# SPDX-License-Identifier: MIT
"""What a task takes to be created and dispatched does not depend on how many there are: nothing
that is made once, with the first one, is counted (T61).

usage: task_spawn.py BENCHMARK
"""
import re
import subprocess
import sys

said = subprocess.run(sys.argv[1:2], check=True, capture_output=True, text=True).stdout
taken = {int(n): float(cycles)
         for n, cycles in re.findall(r"(\d+) flows: spawn of a task,([^,]+),cycles", said)}
if len(taken) < 2 or len(set(taken.values())) != 1:
    sys.exit(f"task_spawn: the spawn of a task should take the same with any number of flows: "
             f"{taken}")
