#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""km_picture.py KM MPIEXEC: km recolours a picture with the same bytes on both machines, with at
most as many colours as there are centroids, and no farther from the original than it says."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gf"))
import pictures  # noqa: E402

CENTROIDS = 7
WAYS = (["-n", "1"], ["-n", "4"], ["-n", "9", "--ranks-per-cluster", "5"],
        ["-n", "40", "--machine", "mppa256", "--ranks-per-cluster", "12"])


def recolour(start, km, source, target):
    """Mean square distance that km found, and the picture it wrote."""
    run = subprocess.run([*start, km, "--centroids", str(CENTROIDS), "--check", source, target],
                         text=True, capture_output=True, timeout=150, stdin=subprocess.DEVNULL)
    if run.returncode:
        sys.exit(f"{start} ended with {run.returncode}\n{run.stdout}{run.stderr}")
    with open(target, "rb") as file:
        return float(re.search(r"distance ([0-9.]+)", run.stdout).group(1)), file.read()


def main(km, mpiexec):
    picture = pictures.make(61, 47, 3)
    data = picture[3]
    with tempfile.TemporaryDirectory(prefix="km") as folder:
        source, target = os.path.join(folder, "in.ppm"), os.path.join(folder, "out.ppm")
        with open(source, "wb") as file:
            file.write(pictures.pnm(picture))
        found = [recolour([mpiexec, *way], km, source, target) for way in WAYS]
    if any(other != found[0] for other in found):
        sys.exit("the results differ")
    said, written = found[0]
    points = written[-len(data):]
    colours = {points[i:i + 3] for i in range(0, len(points), 3)}
    distance = sum((a - b) ** 2 for a, b in zip(data, points)) * 3 / len(data)
    if not 2 <= len(colours) <= CENTROIDS or distance > said:
        sys.exit(f"{len(colours)} colours at a distance of {distance}, said {said}")


if __name__ == "__main__":
    main(*sys.argv[1:])
