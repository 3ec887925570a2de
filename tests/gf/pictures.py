# SPDX-License-Identifier: MIT
"""Pictures for the tests of gf: made, written as PNM and PNG, filtered the slow and obvious way."""
import math
import random
import struct
import zlib

COLOUR = {1: 0, 3: 2, 4: 6}  # PNG colour type by channels


def make(width, height, channels, seed=1):
    """(width, height, channels, bytes) of noise."""
    noise = random.Random(seed)
    return width, height, channels, bytes(noise.randrange(256)
                                          for _ in range(width * height * channels))


def pnm(picture, comment=""):
    width, height, channels, data = picture
    return f"P{5 if channels == 1 else 6}\n{comment}{width} {height}\n255\n".encode() + data


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(picture, depth=8, colour=None, interlace=0):
    width, height, channels, data = picture
    stride = len(data) // height
    colour = COLOUR[channels] if colour is None else colour
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    rows = b"".join(b"\0" + data[y * stride:(y + 1) * stride] for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) \
        + chunk(b"IEND", b"")


def interlaced(picture):
    """The same picture as an Adam7 PNG."""
    width, height, channels, data = picture
    rows = b""
    for x0, y0, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
                           (1, 0, 2, 2), (0, 1, 1, 2)):
        for y in range(y0, height, dy):
            pixels = [data[(y * width + x) * channels:(y * width + x + 1) * channels]
                      for x in range(x0, width, dx)]
            if pixels:
                rows += b"\0" + b"".join(pixels)
    whole = png(picture, interlace=1)
    begin = whole.index(b"IDAT") - 4
    return whole[:begin] + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def filtered(picture, size=7, sigma=0.8):
    """What the filter must make of it: fixed point with 22 bits, border repeated, rounded."""
    width, height, channels, data = picture
    radius, one = size // 2, 1 << 22
    line = [math.exp(-(i - radius) ** 2 / (2 * sigma * sigma)) for i in range(size)]
    total = sum(line) ** 2
    mask = [[math.floor(a * b / total * one + 0.5) for b in line] for a in line]
    mask[radius][radius] += one - sum(map(sum, mask))
    out = bytearray()
    for y in range(height):
        rows = [min(max(y + dy - radius, 0), height - 1) for dy in range(size)]
        for x in range(width):
            columns = [min(max(x + dx - radius, 0), width - 1) for dx in range(size)]
            for c in range(channels):
                value = one // 2 + sum(mask[dy][dx] * data[(row * width + column) * channels + c]
                                       for dy, row in enumerate(rows)
                                       for dx, column in enumerate(columns))
                out.append(min(max(value // one, 0), 255))
    return width, height, channels, bytes(out)


def read_png(data):
    """(width, height, channels, bytes) of an 8-bit PNG as gf writes it."""
    width, height, _, colour = struct.unpack(">IIBB", data[16:26])
    channels = {0: 1, 2: 3, 6: 4}[colour]
    packed, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    raw, out, stride = zlib.decompress(packed), bytearray(), width * channels
    above = bytes(stride)
    for y in range(height):
        kind, *row = raw[y * (stride + 1):(y + 1) * (stride + 1)]
        for i in range(stride):
            a = row[i - channels] if i >= channels else 0
            c = above[i - channels] if i >= channels else 0
            row[i] = (row[i] + predict(kind, a, above[i], c)) % 256
        out += bytes(row)
        above = row
    return width, height, channels, bytes(out)


def predict(kind, a, b, c):
    if kind == 4:
        near = sorted((abs(a + b - c - v), order, v) for order, v in enumerate((a, b, c)))
        return near[0][2]
    return (0, a, b, (a + b) // 2)[kind]
