#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""headers.py [ROOT]: every public header compiles alone, with only its room's rooms in reach.

mpi.h, which strangers include, must also please C99 and C++."""
import os
import re
import shutil
import subprocess
import sys

import tree

STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-x"]
LANGUAGES = {"mpi.h": (["gcc", *STRICT, "c", "-std=c99"], ["gcc", *STRICT, "c", "-std=c11"],
                       ["g++", *STRICT, "c++", "-std=c++17"])}
DEFAULT = (["gcc", *STRICT, "c", "-std=c11"],)


def compile_alone(root, room, name, allowed):
    """Lines of the compilers' complaints, or an empty list."""
    include = [f"-I{os.path.join(root, r, 'include')}" for r in [room, *allowed]]
    text = f"#include <{name}>\n#include <{name}>\nextern int headers_alone;\n"
    for compiler in LANGUAGES.get(name, DEFAULT):
        if not shutil.which(compiler[0]):
            print(f"headers: {compiler[0]} is not installed; {name} not tried with it")
            continue
        run = subprocess.run([*compiler, *include, "-"], input=text, capture_output=True, text=True)
        if run.returncode:
            first = re.search(r".*error:.*", run.stderr)
            return [f"{room}/include/{name}: does not compile alone ({' '.join(compiler[-2:])}): "
                    + (first.group(0) if first else run.stderr.strip())]
    return []


if __name__ == "__main__":
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    rooms, problems, count = tree.rooms(root), [], 0
    for path in tree.files(root, ".h"):
        parts = path.split("/")
        if parts[0] in rooms and parts[1] == "include":
            count += 1
            problems += compile_alone(root, parts[0], "/".join(parts[2:]), rooms[parts[0]])
    tree.verdict("headers", problems, f"{count} public headers compile alone")
