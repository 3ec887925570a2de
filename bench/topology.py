#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs lwmpi on a computer that is simulated: QEMU with several NUMA nodes and Debian's kernel.
Shows where mpiexec puts processes and on which nodes the memory lies that they share. Its times
mean nothing: all processors take turns on this computer's, and all memory is equally far."""
import argparse
import glob
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

import commands

FILES = {"bin/mpiexec": "bin/mpiexec", "bin/pages": "bench/parts/pages",
         "lib/linux/libmpi_abi.so.1": "lib/linux/libmpi_abi.so.1"}
MISSING = 3  # exit code: something that this needs is not installed
INIT = """#!/busybox sh
export PATH=/bin LWMPI_MACHINES=/machines
for at in proc:/proc sysfs:/sys devtmpfs:/dev; do
    /busybox mkdir -p ${at#*:}
    /busybox mount -t ${at%%:*} none ${at#*:}
done
/busybox mkdir -p /dev/shm /tmp
/busybox mount -t tmpfs none /dev/shm
"""


def fail(text):
    print(f"lwmpi bench topology: {text}", file=sys.stderr)
    sys.exit(MISSING)


def which(name, package):
    path = shutil.which(name)
    if not path:
        fail(f"{package} is missing; apt-get install {package}")
    return path


def version(path):
    """The numbers in the name of a kernel, so that 6.10 is newer than 6.9."""
    return [int(number) for number in re.findall(r"\d+", os.path.basename(path))]


def kernel(given):
    found = [given] if given else sorted(glob.glob("/boot/vmlinuz*"), key=version)
    if not found or not os.access(found[-1], os.R_OK):
        fail("there is no readable /boot/vmlinuz*; give one by --kernel. Without installing one: "
             "apt-get download linux-image-cloud-amd64 or what it depends on, dpkg-deb -x it, and "
             "name boot/vmlinuz-... of that folder")
    return found[-1]


def libraries(program):
    """The files that a program is loaded with."""
    out = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return [word for word in out.split() if word.startswith("/")]


class Archive:
    """A file system for the kernel to start with: cpio, "newc"."""

    def __init__(self):
        self.bytes, self.number, self.folders = bytearray(), 0, set()

    def entry(self, name, mode, data):
        self.number += 1
        fields = [self.number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        self.bytes += b"070701" + b"".join(b"%08X" % field for field in fields)
        self.bytes += name.encode() + b"\0"
        self.bytes += b"\0" * (-len(self.bytes) % 4) + data
        self.bytes += b"\0" * (-len(self.bytes) % 4)

    def add(self, name, data):
        parts = name.split("/")[:-1]
        for i in range(1, len(parts) + 1):
            folder = "/".join(parts[:i])
            if folder not in self.folders:
                self.folders.add(folder)
                self.entry(folder, 0o040755, b"")
        self.entry(name, 0o100755, data)

    def copy(self, path, name=None):
        with open(path, "rb") as file:
            self.add(name or path.lstrip("/"), file.read())

    def write(self, path):
        self.entry("TRAILER!!!", 0, b"")
        with gzip.open(path, "wb", 1) as file:
            file.write(self.bytes)


def arguments():
    parse = argparse.ArgumentParser(prog="lwmpi bench topology", description=__doc__)
    parse.add_argument("build", help=argparse.SUPPRESS)
    parse.add_argument("machines", help=argparse.SUPPRESS)
    parse.add_argument("--nodes", type=commands.positive(int), default=4, metavar="N",
                       help="NUMA nodes (4)")
    parse.add_argument("--cores", type=commands.positive(int), default=4, metavar="N",
                       help="processors of a node (4)")
    parse.add_argument("--kernel", metavar="FILE", help="instead of the newest /boot/vmlinuz*")
    parse.epilog = ("Options of mpiexec may follow after --; by default it runs without any, with "
                    "--bind-to core, and with --map-by numa.")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    given = parse.parse_args(words[:end])
    given.options = words[end + 1:]
    return given


def script(given):
    n = given.nodes * given.cores
    ways = [given.options] if given.options else [[], ["--bind-to", "core"], ["--map-by", "numa"]]
    text = INIT
    for way in ways:
        command = " ".join(["mpiexec", "-n", str(n), *way, "pages"])
        text += f'echo; echo "$ {command}"\n{command}\n'
    return text + "/busybox poweroff -f\n"


def image(given, path):
    archive = Archive()
    archive.add("init", script(given).encode())
    archive.copy(which("busybox", "busybox-static"), "busybox")
    copied = set()
    for name, at in FILES.items():
        path_here = os.path.join(given.build, at)
        archive.copy(path_here, name)
        copied.update(libraries(path_here))
    for library in sorted(copied):
        archive.copy(library)
    for machine in glob.glob(os.path.join(given.machines, "*.machine")):
        archive.copy(machine, "machines/" + os.path.basename(machine))
    archive.write(path)


def computer(given, path):
    n, each = given.nodes * given.cores, given.cores
    command = [which("qemu-system-x86_64", "qemu-system-x86"), "-accel", "tcg,thread=multi",
               "-smp", f"{n},sockets={given.nodes},cores={each}", "-m", f"{given.nodes}G",
               "-nographic", "-no-reboot", "-kernel", kernel(given.kernel), "-initrd", path,
               "-append", "console=ttyS0 quiet panic=-1"]
    for i in range(given.nodes):
        command += ["-object", f"memory-backend-ram,id=m{i},size=1G", "-numa",
                    f"node,nodeid={i},cpus={i * each}-{i * each + each - 1},memdev=m{i}"]
    return command


def run(command):
    """Shows what the simulated computer says once it runs a command; its exit code, and whether it
    ran any."""
    said = False
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          errors="replace") as running:
        try:
            for line in running.stdout:
                said = said or line.startswith("$")
                if said and "reboot:" not in line:
                    print(line.rstrip(), flush=True)
        except BaseException:
            running.terminate()
            raise
    return running.returncode, said


def main():
    given = arguments()
    with tempfile.NamedTemporaryFile(prefix="topology-", suffix=".gz", dir=given.build) as file:
        command = computer(given, file.name)
        image(given, file.name)
        print(f"simulated: {given.nodes} nodes of {given.cores} processors; starting takes a while",
              flush=True)
        code, said = run(command)
    if not said:
        fail("QEMU ended before it ran anything: " + " ".join(command))
    if code:
        fail(f"QEMU ended with {code}: " + " ".join(command))


if __name__ == "__main__":
    commands.run(main)
