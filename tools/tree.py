# SPDX-License-Identifier: MIT
"""What the checkers share: the files of the repository, rooms.txt, folders.txt, and how a verdict
is given."""
import os
import re
import subprocess
import sys


def files(root, *suffixes):
    """Paths relative to root, sorted: what git knows or would add; without git, all but build*/.
    What Python leaves behind is no part of it."""
    git = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                         capture_output=True, text=True)
    if git.returncode == 0 and git.stdout:
        found = git.stdout.splitlines()
    else:
        found = []
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if not f.startswith(("build", ".git"))]
            found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(f for f in found if "__pycache__/" not in f
                  and f.endswith(suffixes or "") and os.path.isfile(os.path.join(root, f)))


def lines(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as text:
        return text.read().split("\n")


def rooms(root):
    """rooms.txt as {room: [rooms it may include]}, in the order of the file."""
    table = {}
    for line in lines(root, "rooms.txt"):
        found = re.match(r"(\w+):\s*(.*)", line.split("#")[0].rstrip())
        if found:
            table[found.group(1)] = found.group(2).split()
    for room, allowed in table.items():
        if allowed == ["*"]:
            table[room] = [other for other in table if other != room]
    return table


def folders(root):
    """folders.txt as (line number, folder, [folders of its room that it may include]), in the order
    of the file; no file: none."""
    if not os.path.isfile(os.path.join(root, "folders.txt")):
        return
    for number, line in enumerate(lines(root, "folders.txt"), 1):
        found = re.match(r"(\w+)/(\w+):\s*(.*)", line.split("#")[0].rstrip())
        if found:
            room, folder, below = found.groups()
            yield number, f"{room}/{folder}", [f"{room}/{name}" for name in below.split()]


def verdict(name, problems, good):
    """Prints each problem and ends the process: 0 without problems, else 1."""
    for problem in problems:
        print(problem)
    print(f"{name}: {len(problems)} problem(s)" if problems else f"{name}: {good}")
    sys.exit(1 if problems else 0)
