#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rooms.py [ROOT]: every #include of the tree against rooms.txt and folders.txt.

Includes are read as text, so those behind an #ifdef count, too. Every edge that is not allowed is
named with file, line and what would be right."""
import os
import re
import sys

import tree

FREESTANDING = {"stddef.h", "stdint.h", "stdbool.h", "stdarg.h", "limits.h", "stdatomic.h"}
# Who may include headers of the C library and of the operating system (prefixes of paths).
HOSTED = ("hal/linux/", "hal/sim/", "hal/hosted/", "hal/include/hal/hosted.h",
          "hal/include/hal/job.h", "launcher/", "process/", "images/", "bench/", "tests/", "apps/",
          "examples/", "fortran/")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def is_test(path):
    return "/test/" in path


class Checker:
    def __init__(self, root):
        self.root = root
        self.rooms = tree.rooms(root)
        self.problems = []
        self.folders = self.layers()
        self.used = set()

    def layers(self):
        """folders.txt as {folder: folders it may include}; a circle is a problem."""
        layers = {}
        for number, folder, below in tree.folders(self.root):
            for name in below:
                if name not in layers:
                    self.problems.append(
                        f"folders.txt:{number}: {folder} may include only what stands on a line "
                        f"above, which {name} does not: folders lie in layers, without a circle")
            layers[folder] = set(below)
        return layers

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
        if not is_test(path):
            return self.between(path, *("/".join(p.split("/")[:2]) for p in (path, target)))
        return None

    def between(self, path, mine, theirs):
        """Why a file of folder `mine` may not include one of `theirs`, or None."""
        layered = any(f.startswith(path.split("/")[0] + "/") for f in self.folders)
        if not layered or mine == theirs or theirs.endswith("/include"):
            return None
        if theirs in self.folders.get(mine, ()):
            self.used.add((mine, theirs))
            return None
        may = ", ".join(sorted(self.folders.get(mine, ()))) or "nothing of its room"
        return f"{mine} may not see {theirs} (folders.txt allows {may})"

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
        for folder, below in self.folders.items():
            for name in sorted(below):
                if (folder, name) not in self.used:
                    self.problems.append(f"folders.txt: nothing in {folder} includes {name} any "
                                         f"more; remove it")
        tree.verdict("rooms", self.problems,
                     f"{count} includes agree with rooms.txt and folders.txt")


if __name__ == "__main__":
    Checker(sys.argv[1] if len(sys.argv) > 1 else ".").run()
