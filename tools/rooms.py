#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rooms.py [ROOT]: every #include of the tree against rooms.txt and the rules inside rooms.

Includes are read as text, so those behind an #ifdef count, too. Every edge that is not allowed is
named with file, line and what would be right."""
import os
import re
import sys

import tree

FREESTANDING = {"stddef.h", "stdint.h", "stdbool.h", "stdarg.h", "limits.h", "stdatomic.h"}
# Who may include headers of the C library and of the operating system (prefixes of paths).
HOSTED = ("hal/linux/", "hal/sim/", "hal/hosted/", "hal/include/hal/hosted.h",
          "hal/include/hal/job.h", "launcher/", "images/", "bench/", "tests/", "apps/", "examples/",
          "fortran/")
# Folders of a room that do not see each other; the named ones are shared by the rest.
SIBLINGS = {"hal": {"hosted", "cpu"}, "services": {"common"}, "libmpi": {"internal"}}
# A folder that lies above others of its room, and sees them.
ABOVE = {"libmpi/check": {"coll"}}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def is_test(path):
    return "/test/" in path


class Checker:
    def __init__(self, root):
        self.root = root
        self.rooms = tree.rooms(root)
        self.problems = []

    def owner(self, name):
        """The room with public header `name`, or None."""
        for room in self.rooms:
            if os.path.isfile(os.path.join(self.root, room, "include", name)):
                return room
        return None

    def allowed(self, room, path):
        """Rooms that a file may include; a room's tests may also boot what lies below the room."""
        allowed = {room} | set(self.rooms[room])
        if is_test(path):
            order = list(self.rooms)
            allowed |= set(order[:order.index(room)]) | {"tests"}
        return allowed

    def private(self, room, path, name):
        """Path of the file that #include "name" in `path` means, relative to the root, or None."""
        folders = [os.path.dirname(path), room, f"{room}/include", f"{room}/test"]
        for folder in folders:
            candidate = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(os.path.join(self.root, candidate)):
                return candidate
        return None

    def edge(self, path, target):
        """Why file `path` may not include file `target`, or None."""
        room, other = path.split("/")[0], target.split("/")[0]
        if other != room:
            return f"{target} is private to room {other}; include its public header instead"
        if room in SIBLINGS and not is_test(path):
            mine, theirs = path.split("/")[1], target.split("/")[1]
            above = ABOVE.get(f"{room}/{mine}", set())
            if theirs not in {mine, "include"} | SIBLINGS[room] | above:
                return (f"{room}/{mine} may not see {room}/{theirs}: "
                        f"what both need belongs into {room}/{sorted(SIBLINGS[room])[0]}")
        return None

    def problem(self, path, quote, name):
        """What is wrong with one #include, or None."""
        room = path.split("/")[0]
        if quote == '"':
            target = self.private(room, path, name)
            if target:
                return self.edge(path, target)
        owner = self.owner(name)
        if owner:
            if owner in self.allowed(room, path):
                return None
            may = ", ".join(self.rooms[room]) or "nothing"
            return f"room {room} may not include room {owner} (rooms.txt allows {may})"
        if quote == '"':
            return f'"{name}" is no file of this room'
        if name in FREESTANDING or path.startswith(HOSTED) or is_test(path):
            return None
        return f"<{name}> is not freestanding; only {', '.join(HOSTED)} and tests may use it"

    def run(self):
        count = 0
        for path in tree.files(self.root, ".c", ".h", ".S", ".def", ".in"):
            if path.split("/")[0] not in self.rooms:
                continue
            for number, line in enumerate(tree.lines(self.root, path), 1):
                found = INCLUDE.match(line)
                if not found:
                    continue
                count += 1
                why = self.problem(path, found.group(1), found.group(2))
                if why:
                    self.problems.append(f"{path}:{number}: {why}")
        tree.verdict("rooms", self.problems, f"{count} includes agree with rooms.txt")


if __name__ == "__main__":
    Checker(sys.argv[1] if len(sys.argv) > 1 else ".").run()
