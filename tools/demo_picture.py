#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""demo_picture.py DEMO OUT.svg: one picture of what `./lwmpi demo` left in DEMO (build/demo): a
part of the photograph before and after the filter, magnified, and the traffic on the network."""
import base64
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "gf"))
import pictures  # noqa: E402

LEFT, TOP, SIDE = 172, 60, 108  # the part that is shown, in pixels
SHOWN = 236  # its side in the picture
WIDTH, HEIGHT = 1060, 544


def part(path):
    with open(path, "rb") as f:
        width, _, channels, data = pictures.read_png(f.read())
    rows = [data[((TOP + y) * width + LEFT) * channels:][:SIDE * channels] for y in range(SIDE)]
    made = pictures.png((SIDE, SIDE, channels, b"".join(rows)))
    return "data:image/png;base64," + base64.b64encode(made).decode()


def panel(y, title, path):
    return (f'<text x="16" y="{y}" font-weight="bold">{title}</text>\n'
            f'<image x="16" y="{y + 8}" width="{SHOWN}" height="{SHOWN}" '
            f'style="image-rendering:pixelated" href="{part(path)}"/>\n')


def main(demo, out):
    with open(os.path.join(demo, "noc.svg"), encoding="utf-8") as f:
        heat = f.read()
    heat = re.sub(r'<svg ([^>]*?)width="\d+" height="\d+"',
                  rf'<svg \1x="272" y="12" width="{WIDTH - 284}" height="{HEIGHT - 24}"', heat,
                  count=1)
    with open(out, "w", encoding="utf-8") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="14" '
                'fill="#223">\n'
                '<rect width="100%" height="100%" fill="#ffffff"/>\n'
                + panel(26, "before", os.path.join(demo, "before.png"))
                + panel(292, "after, by 192 ranks", os.path.join(demo, "after.png"))
                + heat + "</svg>\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
