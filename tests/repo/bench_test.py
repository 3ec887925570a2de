#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/run.py on made-up programs: medians, targets, and what a wrong program gets."""
import os
import subprocess
import sys
import tempfile

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "run.py")
COUNTER = 'n=$(cat "$0.n" 2>/dev/null || echo 9); n=$((n - 4)); echo $n >"$0.n"\n'  # 5, 1, -3

# (programs, exit code, texts in the output, texts in the table)
ROWS = [
    ({"a": COUNTER + "echo up,$n,ns,'>= 1'; echo down,$n,ns,'<= 0.5'; echo free,7,B,"}, 0,
     ["3 figures, 1 missed their target, 0 programs failed"],
     ["a,up,1,-3,5,ns,>= 1,yes\n", "a,down,1,-3,5,ns,<= 0.5,no\n", "a,free,7,7,7,B,,\n"]),
    ({"a": "echo hello"}, 1, ["failed: printed 'hello' instead of name,value,unit,target"], []),
    ({"a": "echo x,many,ns,"}, 1, ["failed: could not convert"], []),
    ({"a": "echo broken >&2; exit 3", "b": "echo x,1,ns,"}, 1,
     ["failed: ended with 3: broken", "1 programs failed"], ["b,x,1,1,1,ns,,\n"]),
    ({}, 1, ["no program"], None),
]


def main():
    wrong = 0
    for number, (programs, code, said, written) in enumerate(ROWS, 1):
        with tempfile.TemporaryDirectory() as folder:
            for name, body in programs.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("#!/bin/sh\n" + body + "\n")
                os.chmod(file.name, 0o755)
            table = os.path.join(folder, "out.csv")
            run = subprocess.run([sys.executable, RUN, folder, table, "3"], capture_output=True,
                                 text=True)
            text = ""
            if os.path.exists(table):
                with open(table, encoding="utf-8") as file:
                    text = file.read()
        if run.returncode != code or any(words not in run.stdout for words in said) \
                or any(words not in text for words in written or []) \
                or (written is not None) != text.startswith("# "):
            wrong += 1
            print(f"row {number}: ended with {run.returncode}\n{run.stdout}{run.stderr}{text}")
    print(f"{len(ROWS)} rows, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
