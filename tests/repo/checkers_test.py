#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each checker of tools/ on small trees with one fault each: a check that cannot fail is worth
nothing. A row is (checker, files, what it must print); None for a text: it must be content."""
import json
import os
import subprocess
import sys
import tempfile

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools")
SPDX = "/* SPDX-License-Identifier: MIT */\n"
ROOMS = "base:\nhal: base\nkernel: hal base\nservices: base\napps:\ntests: *\n"
LAYERS = "# a comment\nhal/hosted:\nhal/linux: hosted # and its reason\n"
LIMITS = {"function_p95": 60, "function_max": 100, "file_max": 700, "line_max": 100,
          "readme_max": 60, "generated": [], "exceptions": {}}
DEBT = json.dumps({**LIMITS, "exceptions": {"base/a.c:f": 120}})
ALL = ("base", "hal", "kernel", "services", "apps", "tests")


def function(length):
    return "int f(void)\n{\n" + "    g();\n" * (length - 3) + "}\n"


BASE_H = {"base/include/base/a.h": SPDX, "kernel/include/kernel/k.h": SPDX,
          "hal/include/hal/h.h": SPDX}
ROWS = [
    ("rooms", {**BASE_H, "kernel/a.c": "#include <base/a.h>\n#include <stddef.h>\n"}, None),
    ("rooms", {**BASE_H, "base/a.c": "\n#ifdef NEVER\n#  include <kernel/k.h>\n#endif\n"},
     "base/a.c:3: room base may not include room kernel (rooms.txt allows nothing)"),
    ("rooms", {**BASE_H, "kernel/a.c": "#include <stdio.h>\n"},
     "kernel/a.c:1: <stdio.h> is not freestanding"),
    ("rooms", {**BASE_H, "kernel/test/a.c": "#include <stdio.h>\n"}, None),
    ("rooms", {**BASE_H, "hal/sim/a.c": "#include <time.h>\n"}, None),
    ("rooms", {**BASE_H, "hal/template/a.c": "#include <time.h>\n"},
     "hal/template/a.c:1: <time.h>"),
    ("rooms", {**BASE_H, "kernel/p.h": SPDX, "services/a.c": '#include "../kernel/p.h"\n'},
     "services/a.c:1: kernel/p.h is private to room kernel"),
    ("rooms", {"folders.txt": "hal/sim:\nhal/linux:\n", "hal/sim/p.h": SPDX,
               "hal/linux/a.c": '#include "../sim/p.h"\n'},
     "hal/linux/a.c:1: hal/linux may not see hal/sim (folders.txt allows nothing of its room)"),
    ("rooms", {"folders.txt": LAYERS, "hal/hosted/p.h": SPDX,
               "hal/linux/a.c": '#include "hosted/p.h"\n'}, None),
    ("rooms", {"folders.txt": LAYERS, "hal/hosted/p.h": SPDX, "hal/linux/p.h": SPDX,
               "hal/linux/a.c": '#include "hosted/p.h"\n',
               "hal/hosted/a.c": '#include "linux/p.h"\n'},
     "hal/hosted/a.c:1: hal/hosted may not see hal/linux"),
    ("rooms", {"folders.txt": LAYERS, "hal/hosted/p.h": SPDX, "hal/new/p.h": SPDX,
               "hal/linux/a.c": '#include "hosted/p.h"\n#include "new/p.h"\n'},
     "hal/linux/a.c:2: hal/linux may not see hal/new (folders.txt allows hal/hosted)"),
    ("rooms", {"folders.txt": "hal/linux: hosted\nhal/hosted: linux\n", "hal/linux/p.h": SPDX,
               "hal/hosted/p.h": '#include "linux/p.h"\n',
               "hal/linux/a.c": '#include "hosted/p.h"\n'},
     "folders.txt:1: hal/linux may include only what stands on a line above, which hal/hosted"),
    ("rooms", {"folders.txt": LAYERS, "hal/hosted/p.h": SPDX},
     "folders.txt: nothing in hal/linux includes hal/hosted any more; remove it"),
    ("rooms", {"folders.txt": LAYERS, "hal/hosted/p.h": SPDX, "hal/sim/test/a.c":
               '#include "linux/p.h"\n', "hal/linux/p.h": '#include "hosted/p.h"\n'}, None),
    ("rooms", {"folders.txt": LAYERS, "hal/hosted/p.h": SPDX, "services/name/p.h": SPDX,
               "hal/linux/a.c": '#include "hosted/p.h"\n',
               "services/spawn/a.c": '#include "name/p.h"\n'}, None),
    ("rooms", {"base/a.c": '#include "nowhere.h"\n'}, '"nowhere.h" is no file of this room'),
    ("rooms", {**BASE_H, "apps/a.c": "#include <hal/h.h>\n"}, "room apps may not include room hal"),
    ("headers", {"base/include/base/a.h": "#include <stdint.h>\nuint32_t b_x(void);\n"}, None),
    ("headers", {"base/include/base/a.h": "uint32_t b_x(void);\n"},
     "base/include/base/a.h: does not"),
    ("headers", {**BASE_H, "services/include/svc/a.h": "#include <hal/h.h>\n"},
     "services/include/svc/a.h: does not compile alone"),
    ("headers", {"base/include/base/a.h": "typedef int b_t;\nstruct b_s {int x;};\n"},
     "redefinition"),
    ("budgets", {"base/a.c": function(100)}, "95 % of the functions have up to 100 lines"),
    ("budgets", {"base/a.c": function(60)}, None),
    ("budgets", {"base/a.c": function(101)},
     "base/a.c:1: function f has 101 lines; the limit is 100"),
    ("budgets", {"base/a.c": "int a;\n" * 701}, "base/a.c: the file has 701 lines"),
    ("budgets", {"base/a.c": "/* " + "x" * 98 + "*/\n"}, "base/a.c:1: 103 columns"),
    ("budgets", {"base/a.c": "#if X\n#endif\n"}, "base/a.c:1: #if outside hal"),
    ("budgets", {"hal/a.c": "#if X\n#endif\n"}, None),
    ("budgets", {"base/a.h": "#ifndef BASE_A_H\n#define BASE_A_H\n#endif\n"}, None),
    ("budgets", {"tools/budgets.json": DEBT, "base/a.c": function(121)}, "f grew from 120 to 121"),
    ("budgets", {"tools/budgets.json": DEBT, "base/a.c": function(110)}, "down to 110; lower the"),
    ("budgets", {"tools/budgets.json": DEBT, "base/a.c": function(50)}, "down to 50; remove the"),
    ("budgets", {"tools/budgets.json": DEBT, "base/b.c": ""}, "base/a.c:f does not exist"),
    ("budgets", {"rooms.txt": ROOMS + "newroom:\n"}, "newroom/README.md: every room has one"),
    ("budgets", {"hal/README.md": "x\n" * 60}, None),
    ("budgets", {"hal/README.md": "x\n" * 61}, "hal/README.md: the file has 61 lines"),
    ("text", {"base/a.c": SPDX}, None),
    ("text", {"base/a.c": "int a;\n"}, "base/a.c:1: the first line must say"),
    ("text", {"a.md": "see /ho" "me/someone/x\n"}, "a.md:1: path of one machine"),
    ("text", {"a.md": "see ~/ho" "me/x and ${x}/ho" "me/y/\n"}, None),
    ("text", {"a.md": "TO" "DO: more\n"}, "a.md:1: unfinished work"),
    ("text", {"tools/__pycache__/tree.pyc": b"\xff\r\n\0"}, None),
    ("text", {"a.md": "end \n"}, "a.md:1: blank at the end"),
    ("text", {"a.md": "no end"}, "a.md: the last line has no end"),
    ("text", {"d/a.md": "[x](../rooms.txt#here) [y](https://x.org/y)\n"}, None),
    ("text", {"d/a.md": "\n[x](rooms.txt)\n"}, "d/a.md:2: links to rooms.txt, which does not"),
    ("text", {"a.c": SPDX + "\tint a;\n"}, "a.c:2: tab"),
    ("text", {"a.md": b"\xff\xfe\n"}, "a.md: not UTF-8 at byte 0"),
    ("prices", {"a.machine": "hz = 1 GHz\nnoc.hop = 1 cycles # paper: ho-2015, IV\n"
                "cost.a = 2 cycles  # fit: 3.1 of T64, residual +7 %\ncost.b = 2.5 W # estimate\n"
                "cost.c = 1 MB # estimate: as b\n"}, None),
    ("prices", {"a.machine": "\ncost.a = 2 cycles\n"}, 'a.machine:2: cost.a: "" does not say'),
    ("prices", {"a.machine": "cost.a = 2 cycles # guessed\n"}, 'cost.a: "guessed" does not say'),
    ("prices", {"a.machine": "cost.a = 2 # paper: ho-2015\n"}, "a.machine:1: cost.a: \"paper"),
    ("prices", {"a.machine": "cost.a = 2 # paper: some-2020, IV\n"}, "right are \"paper: SOURCE"),
    ("prices", {"a.machine": "cost.a = 2 W # fit: 3.1 of T64\n"}, "\"fit: 3.1 of T64\" does not"),
    ("prices", {"a.machine": "cost.a = 2 W # estimated\n"}, "\"estimated\" does not"),
    ("format", {"base/a.c": "int  a ;\n", ".clang-format": "BasedOnStyle: LLVM\n"},
     "base/a.c:1: not formatted"),
    ("format", {"base/a.c": "int a;\n", ".clang-format": "BasedOnStyle: LLVM\n"}, None),
    ("format", {"base/a.c": "int *a;\nint b(void) { return a == NULL; }\n",
                ".clang-format": "BasedOnStyle: LLVM\n"},
     "base/a.c:2: a condition asks `p` or `!p`, without NULL"),
    ("format", {"base/a.c": "/* a == NULL */\nint *a;\nint b(void) { return a != NULL; }\n",
                ".clang-format": "BasedOnStyle: LLVM\n"}, None),
    ("symbols", {"kernel/a.c": "void b_x(void);\nvoid kern_a(void) { b_x(); }\n"}, None),
    ("symbols", {"kernel/a.c": "int puts(const char *);\nvoid kern_a(void) { puts(\"\"); }\n"},
     "kernel: a.o calls puts"),
    ("symbols", {"kernel/a.c": "void svc_a(void);\nvoid kern_a(void) { svc_a(); }\n"},
     "calls svc_a"),
    ("symbols", {"kernel/a.c": "void leak(void) {}\n"}, "kernel: a.o exports leak"),
    ("symbols", {"kernel/a.c": "int kern_a; void kern_f(void) { kern_a++; }\n"},
     "keeps writable kern_a in .bss"),
    ("symbols", {"kernel/a.c": "int *kern_f(void) { static int n = 3; n++; return &n; }\n"},
     "keeps writable n"),
    ("symbols", {"kernel/a.c": "const int kern_a = 4; static int f(void) { return 1; }\n"
                 "int (*const kern_t[])(void) = {f};\n"}, None),
    ("symbols", {"hal/a.c": "int usleep(unsigned);\nint f(void) { return usleep(1); }\n"},
     "a.o calls usleep, in which ranks run"),
    ("symbols", {"hal/a.c": "int puts(const char *);\nint f(void) { return puts(\"\"); }\n"}, None),
]


def write(root, files):
    usual = {"rooms.txt": ROOMS, "tools/budgets.json": json.dumps(LIMITS) + "\n",
             **{f"{room}/README.md": "# room\n" for room in ALL}}
    for path, content in {**usual, **files}.items():
        where = os.path.join(root, path)
        os.makedirs(os.path.dirname(where), exist_ok=True)
        with open(where, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())


def arguments(checker, root, files):
    if checker != "symbols":
        return [root]
    room = "hal" if "hal/a.c" in files else "kernel"
    subprocess.run("gcc -fPIC -c a.c -o a.o && ar rc liba.a a.o", shell=True, check=True,
                   cwd=os.path.join(root, room))
    return [root, f"{'port' if room == 'hal' else room}={root}/{room}/liba.a"]


def main():
    wrong = 0
    for number, (checker, files, expected) in enumerate(ROWS, 1):
        with tempfile.TemporaryDirectory() as root:
            write(root, files)
            run = subprocess.run([sys.executable, os.path.join(TOOLS, checker + ".py"),
                                  *arguments(checker, root, files)], capture_output=True, text=True)
        good = run.returncode == 0 if expected is None else \
            run.returncode == 1 and expected in run.stdout
        if not good:
            wrong += 1
            print(f"row {number}: {checker} on {sorted(files)} ended with {run.returncode}, "
                  f"expected {expected!r}:\n{run.stdout}{run.stderr}")
    print(f"{len(ROWS)} rows, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
