#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gf_test.py GF MPIEXEC WHAT COUNTS [OPTIONS OF MPIEXEC...]: gf on one machine. WHAT is one of the
functions test_... below: right (results), bad (refusals), broken (damaged files). COUNTS are the
numbers of ranks to run with, comma separated."""
import os
import random
import subprocess
import sys
import tempfile

import pictures

LIMIT = 150  # seconds for one run


class Gf:
    def __init__(self, gf, mpiexec, options):
        self.gf, self.start = gf, [mpiexec, *options]
        self.folder = tempfile.mkdtemp(prefix="gf")
        self.failures = 0

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        return path

    def run(self, ranks, *arguments):
        return subprocess.run([*self.start, "-n", str(ranks), self.gf, *arguments], text=True,
                              capture_output=True, timeout=LIMIT, stdin=subprocess.DEVNULL)

    def check(self, what, good, run=None):
        if not good:
            self.failures += 1
            print(f"failed: {what}")
            if run:
                print(f"  exit code {run.returncode}\n{run.stdout}{run.stderr}")


def test_right(gf, counts):
    """Every kind of picture, more ranks than rows, other masks, input = output."""
    rows = [((40, 33, 3), "ppm", 7, 0.8), ((7, 3, 1), "pgm", 7, 0.8), ((1, 1, 1), "pgm", 7, 0.8),
            ((9, 64, 4), "png", 3, 2.0), ((23, 17, 3), "png", 1, 0.8), ((5, 40, 1), "png", 31, 6.5)]
    for number, (shape, kind, size, sigma) in enumerate(rows):
        picture = pictures.make(*shape)
        source = gf.path(f"in.{kind}", pictures.png(picture) if kind == "png" else
                         pictures.pnm(picture, "# with a comment\n"))
        wanted = pictures.filtered(picture, size, sigma)
        for ranks in counts if number == 0 else counts[number % len(counts):][:1]:
            target = gf.path(f"out{ranks}.{kind}")
            run = gf.run(ranks, "--mask", str(size), "--sigma", str(sigma), "--check", "--rows",
                         str(1 + ranks % 3 * 4), source, target)
            with open(target if os.path.exists(target) else os.devnull, "rb") as file:
                data = file.read()
            if data and kind == "png":
                good = pictures.read_png(data) == wanted
            else:
                good = data == pictures.pnm(wanted)
            gf.check(f"{shape} {kind}, {ranks} ranks", run.returncode == 0 and good, run)
    picture = pictures.make(19, 21, 3)
    both = gf.path("both.png", pictures.interlaced(picture))
    run = gf.run(2, both, both)
    with open(both, "rb") as file:
        gf.check("interlaced, input = output", run.returncode == 0 and
                 pictures.read_png(file.read()) == pictures.filtered(picture), run)


def test_bad(gf, counts):
    """Each refusal is one line that begins with gf:, an exit code, and no output left behind."""
    picture = pictures.make(8, 8, 3)
    good = gf.path("good.ppm", pictures.pnm(picture))
    out = gf.path("out.ppm")
    files = [("nothing.ppm", None, "cannot be read"),
             ("empty.ppm", b"", "is no PNG"),
             ("text.ppm", b"hello, this is text", "is no PNG"),
             ("ascii.ppm", b"P3\n1 1\n255\n0 0 0\n", "is no PNG"),
             ("head.ppm", b"P6\n8 x\n255\n", "broken header"),
             ("huge.ppm", b"P6\n99999999999 8\n255\n", "broken header"),
             ("zero.ppm", b"P6\n0 8\n255\n", "broken header"),
             ("deep.ppm", b"P6\n8 8\n65535\n" + bytes(8 * 8 * 6), "up to 65535"),
             ("short.ppm", pictures.pnm(picture)[:-1], "ends before its last row"),
             ("deep.png", pictures.png(pictures.make(8, 8, 4), 16, 2), "16 bits"),
             ("palette.png", pictures.png(pictures.make(8, 8, 1), 8, 3), "palette"),
             ("cut.png", pictures.png(picture)[:90], "cut.png: ")]
    rows = [([gf.path(name, data), out], 1, why) for name, data, why in files]
    rows += [([], 2, "needs an input and an output"), ([good], 2, "needs an input"),
             ([good, out, out], 2, "also"),
             (["--mask", "4", good, out], 2, "odd number"),
             (["--mask", "33", good, out], 2, "odd number"),
             (["--mask", good, out], 2, "odd number"),
             (["--sigma", "nan", good, out], 2, "0.01 to 100"),
             (["--rows", "0", good, out], 2, "--rows"),
             (["--frob", good, out], 2, "no option --frob"),
             ([good, out, "--mask"], 2, "nothing"),
             ([good, gf.path("out.gif")], 1, "must end in .png"),
             ([good, gf.path("out.pgm")], 1, "must be a .ppm"),
             ([good, gf.path("no/out.ppm")], 1, "cannot be written"),
             ([gf.path("a.png", pictures.png(pictures.make(3, 3, 4))), out], 1, "hold alpha")]
    if os.path.exists("/dev/full"):
        os.symlink("/dev/full", gf.path("full.ppm.part"))
        rows.append(([good, gf.path("full.ppm")], 1, "cannot be written"))
    for number, (arguments, code, why) in enumerate(rows):
        run = gf.run(counts[number % len(counts)], *arguments)
        lines = [line for line in run.stderr.splitlines() if line.startswith("gf: ")]
        gf.check(f"{arguments} must answer {code}: {why}",
                 run.returncode == code and len(lines) == 1 and why in lines[0]
                 and not any(os.path.exists(out + end) for end in ("", ".part")), run)


def test_broken(gf, counts):
    """Damaged files end with 0 or 1, never with a crash or a hang."""
    noise = random.Random(2)
    whole = [(pictures.png(pictures.make(20, 20, 3)), "png"),
             (pictures.pnm(pictures.make(9, 9, 1)), "pgm"),
             (pictures.interlaced(pictures.make(20, 20, 4)), "png")]
    for number in range(45):
        data, kind = whole[number % len(whole)]
        data = bytearray(data[:noise.randrange(2, len(data) + 1)])
        for _ in range(noise.randrange(4)):
            data[noise.randrange(2, len(data)) if len(data) > 2 else 0] = noise.randrange(256)
        source = gf.path(f"broken.{kind}", bytes(data))
        run = gf.run(counts[number % len(counts)], source, gf.path("out.png"))
        gf.check(f"damaged file {number}", run.returncode in (0, 1), run)


def main(gf, mpiexec, what, counts, *options):
    test = Gf(gf, mpiexec, options)
    globals()[f"test_{what}"](test, [int(count) for count in counts.split(",")])
    print(f"{what}: {test.failures} failures")
    if not test.failures:
        subprocess.run(["rm", "-rf", test.folder], check=True)
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
