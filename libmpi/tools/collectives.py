#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions of the collectives, made from libmpi/abi/functions.csv.

    collectives.py FOLDER   writes FOLDER/gatherv.c, igatherv.c, gatherv_init.c ..., prints their
                            names

A file has the int and the large-count form of one function. Its parameters become a struct
mpi_coll_args (libmpi/coll/args.h) for the operation of its kind: blocking (mpi_coll_run),
nonblocking (mpi_coll_start) or persistent (mpi_coll_init). A file that is right stays as it is.
"""
import os
import re
import sys

import abi

KINDS = ["Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
         "Alltoall", "Alltoallv", "Alltoallw", "Reduce", "Allreduce", "Reduce_scatter",
         "Reduce_scatter_block", "Scan", "Exscan", "Neighbor_allgather", "Neighbor_allgatherv",
         "Neighbor_alltoall", "Neighbor_alltoallv", "Neighbor_alltoallw"]

# The name of each form of a kind, and what it returns.
FORMS = [(lambda kind: kind, "mpu_return(mpi_coll_run(&{kind}, &args))"),
         (lambda kind: "I" + kind[0].lower() + kind[1:], "mpi_coll_start(&{kind}, &args, request)"),
         (lambda kind: kind + "_init", "mpi_coll_init(&{kind}, &args, info, request)")]


def parameters(text):
    """name -> type, in which an array is "const int[]"."""
    found = {}
    for part in text.split(", "):
        ctype, name, array = re.fullmatch(r"(.*?)(\w+)((?:\[\w*\])?)", part).groups()
        found[name] = ctype.strip() + array
    return found


def numbers(p, name):
    """An array of counts or displacements; NULL: the function has none."""
    if name not in p:
        return "mpi_ints(NULL)"
    made = {"const int[]": "mpi_ints", "const MPI_Count[]": "mpi_larges",
            "const MPI_Aint[]": "mpi_addresses"}
    return f"{made[p[name]]}({name})"


def side(p, which):
    """One of the two buffers, as the parameters tell: mpi_even, mpi_v or mpi_w."""
    buf, counts, types = which + "buf", which + "counts", which + "types"
    displs = which[0] + "displs" if which[0] + "displs" in p else "displs"
    if "buffer" in p:
        return "mpi_even(buffer, count, datatype)" if which == "recv" else None
    if buf not in p:
        return None
    if types in p:
        return f"mpi_w({buf}, {numbers(p, counts)}, {numbers(p, displs)}, {types})"
    datatype = which + "type" if which + "type" in p else "datatype"
    if counts in p:
        return f"mpi_v({buf}, {numbers(p, counts)}, {numbers(p, displs)}, {datatype})"
    count = which + "count" if which + "count" in p else "count"
    return f"mpi_even({buf}, {count}, {datatype})" if count in p else f"{{.buf = {buf}}}"


def function(row, kind, call):
    p = parameters(row["parameters"])
    fields = [("call", f'"{row["name"]}"'), ("comm", "comm"), ("send", side(p, "send")),
              ("recv", side(p, "recv")), ("op", "op"), ("root", "root")]
    shown = ",\n        ".join(f".{name} = {value}" for name, value in fields
                               if value and (name in p or name not in ("op", "root")))
    call = call.format(kind="mpi_coll_" + kind.lower())
    return (f"#pragma weak {row['name']} = P{row['name']}\n"
            f"int P{row['name']}({row['parameters']})\n{{\n"
            f"    const struct mpi_coll_args args = {{\n        {shown}}};\n"
            f"    return {call};\n}}\n")


def files():
    """name of the file -> the rows of its functions, their kind, what they return."""
    rows = {r["name"]: r for r in abi.table("functions")}
    made = {}
    for kind in KINDS:
        for name, call in FORMS:
            both = ["MPI_" + name(kind), "MPI_" + name(kind) + "_c"]
            made[name(kind).lower() + ".c"] = ([rows[n] for n in both if n in rows], kind, call)
    return made


def functions():
    return {r["name"] for rows, _, _ in files().values() for r in rows}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, (rows, kind, call) in files().items():
        path = os.path.join(sys.argv[1], name)
        text = ("/* Made by libmpi/tools/collectives.py. */\n#include <mpiutil/rank.h>\n\n"
                '#include "coll/forms.h"\n\n' + "\n".join(function(r, kind, call) for r in rows))
        if not os.path.exists(path) or open(path).read() != text:
            with open(path, "w") as f:
                f.write(text)
        print(path)


if __name__ == "__main__":
    main()
