#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The MPI 5.0 ABI as tables (libmpi/abi/*.csv), and what is made from them.

    abi.py header                    prints mpi.h (committed as libmpi/include/mpi.h)
    abi.py unsupported SOURCES...    prints C for the functions that SOURCES do not define
    abi.py threads                   prints C in front of all functions, for many threads
    abi.py inner_names               prints what those in front call the functions behind them
    abi.py profile                   prints C in front of what communicates, for mpiexec --profile
    abi.py conformance SOURCES...    prints docs/conformance.md
    abi.py datatypes                 prints libmpi/datatype/datatypes.def
    abi.py test                      prints a C program that checks mpi.h against the tables
"""
import csv
import os
import re
import sys

ABI = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "abi")


PARAMETER = re.compile(r"(\w+)(?:\[\w*\])*(?:, |$)")


def table(name):
    with open(os.path.join(ABI, name + ".csv"), newline="") as f:
        return list(csv.DictReader(f))


def implemented(sources):
    """Names MPI_x that the sources define as PMPI_x, found by their weak aliases, and those that
    collectives.py makes."""
    import collectives
    names = collectives.functions()
    for path in sources:
        with open(path) as f:
            names |= set(re.findall(r"^#pragma weak (MPI_\w+) = PMPI_\w+$", f.read(), re.M))
    unknown = names - {r["name"] for r in table("functions")}
    if unknown:
        sys.exit("abi.py: not in the ABI: " + ", ".join(sorted(unknown)))
    return names


def prototype(row, prefix=""):
    text = f"{row['return']} {prefix}{row['name']}({row['parameters'] or 'void'});"
    if len(text) <= 100:
        return text
    lines, line = [], ""
    words = text.split(", ")
    for i, word in enumerate(words):
        piece = word + ("," if i + 1 < len(words) else "")
        if line and len(line) + 1 + len(piece) > 100:
            lines.append(line)
            line = "    " + piece
        else:
            line = f"{line} {piece}" if line else piece
    return "\n".join(lines + [line])


def constants_text():
    out, seen, enums, last = [], {}, {}, None
    rows = table("constants")
    for r in rows:
        if r["kind"] in ("MPI_T cb safety", "MPI_T source order"):
            enums.setdefault(r["kind"], []).append(r)
            continue
        if r["kind"] != last:
            last = r["kind"]
            out.append(f"\n/* {last} */")
        name, value, ctype = r["name"], r["value"], r["c_type"].replace("*", " *")
        key = (ctype, value)
        if r["form"] == "enum":
            out.append(f"enum {{ {name} = {value} }};")
        elif r["form"] == "macro" and ctype == "int":
            out.append(f"#define {name} {value}")
        elif r["form"] == "macro":
            out.append(f"#define {name} {seen[key]}")
        else:
            text = value if int(value) < 0 else hex(int(value))
            out.append(f"#define {name} (({ctype}){text})")
        seen.setdefault(key, name)
    for kind in ("MPI_T cb safety", "MPI_T source order"):
        name = kind.replace(" ", "_")
        body = ",\n".join(f"    {r['name']} = {r['value']}" for r in enums[kind])
        out.append(f"\n/* {kind} */\ntypedef enum {name} {{\n{body}\n}} {name};")
    return "\n".join(out)


def types_text():
    out = []
    for r in table("types"):
        name, kind = r["name"], r["kind"]
        if kind == "integer type":
            out.append(f"typedef {r['definition']} {name};")
        elif kind == "opaque handle":
            out.append(f"typedef struct MPI_ABI_{name[4:]} *{name};")
    out.append("""
/* Fields after MPI_ERROR are the library's. */
typedef struct MPI_Status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int MPI_internal[5];
} MPI_Status;
""")
    return "\n".join(out)


def callbacks_text():
    out = []
    for r in table("types"):
        if r["kind"] == "callback function type":
            result, args = r["definition"].split(" ", 1)
            row = {"return": "typedef " + result, "name": r["name"], "parameters": args[1:-1]}
            out.append(prototype(row))
        elif r["kind"] == "alias of callback":
            out.append(f"typedef {r['definition']} {r['name']};")
    return "\n".join(out)


HEADER = """/* SPDX-License-Identifier: MIT */
/* MPI 5.0 in its standard ABI. Made by libmpi/tools/abi.py from libmpi/abi; do not edit. */
/* clang-format off */
#ifndef MPI_H_INCLUDED
#define MPI_H_INCLUDED

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

%s
%s

%s

/* Extension of lwmpi: MPI_Pcontrol(MPIX_PCONTROL_WORK, cycles), `cycles` a double >= 0, says that
 * the program works for so many cycles of the modelled processor. Where time is virtual, that much
 * time passes; on real machines nothing happens, because the real work takes real time. The level
 * lies outside the range that profilers use; other libraries ignore it, as the standard lets them.
 */
#define MPIX_PCONTROL_WORK 0x6c774d50

/* Extension of lwmpi, for tools: the name of the protocol or algorithm by which the calling rank
 * last sent, received or met others is noted at the address that this answers, while a trace is
 * written (mpiexec --trace); who has read it may set it to NULL. The text is constant, the address
 * until MPI_Finalize. NULL: this thread is no rank. Never waits. */
const char **MPIX_Last_way(void);

%s

/* The profiling interface: the same functions. */
%s

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#if defined(__cplusplus)
}
#endif

#include "mpi_fint.h"
#include "mpi_removed.h"

#endif
"""


def header():
    functions = table("functions")
    return HEADER % (types_text(), constants_text(), callbacks_text(),
                     "\n".join(prototype(r) for r in functions),
                     "\n".join(prototype(r, "P") for r in functions))


def unsupported(sources):
    """Each function that is not written raises MPI_ERR_UNSUPPORTED_OPERATION."""
    have, out = implemented(sources), []
    for r in table("functions"):
        name, kind = r["name"], r["return"]
        if name in have:
            continue
        params = [x for x in PARAMETER.findall(r["parameters"]) if x != "void"]
        body = f'return mpi_unsupported("{name}");'
        if name.startswith("MPI_T_"):
            body = "return MPI_T_ERR_NOT_SUPPORTED;"
        elif kind != "int":
            body = f'mpi_unsupported("{name}");\n    return ({kind})0;'
        silence = "".join(f"    (void){p};\n" for p in params)
        out.append(f"#pragma weak {name} = P{name}\n{kind} P{name}({r['parameters']})\n"
                   f"{{\n{silence}    {body}\n}}\n")
    return ('/* Made by libmpi/tools/abi.py. */\n#include <mpi.h>\n#include "core/err.h"\n\n'
            + "\n".join(out))


# The one function with "..." in its parameters.
PCONTROL = """int inner_PMPI_Pcontrol(const int level, ...);
#pragma weak MPI_Pcontrol = PMPI_Pcontrol
int PMPI_Pcontrol(const int level, ...)
{
    double work = 0.0;
    va_list args;
    va_start(args, level);
    if (level == MPIX_PCONTROL_WORK)
        work = va_arg(args, double);
    va_end(args);
    if (!image_threads_turn())
        return inner_PMPI_Pcontrol(level, work);
    struct image_rank *own_rank = image_threads_enter();
    int own_result = inner_PMPI_Pcontrol(level, work);
    image_threads_leave(own_rank);
    return own_result;
}
"""


# Functions that may leave something under way which needs help: mpiutil/help.h.
STARTS = re.compile(r"MPI_(I\w+|Comm_idup\w*|Start|Bsend)(_c)?\(.*MPI_Request \*request|"
                    r"MPI_(Startall|Bsend(_c)?)\(")


def direct(name, kind, params, names):
    """The way of a call if threads take no turns: one jump, or more if it may start something."""
    if not STARTS.match(f"{name}({params}"):
        return f"    return inner_P{name}({names});\n"
    return (f"    {kind} own_result = inner_P{name}({names});\n"
            f"    if (__builtin_expect(image_help.asked, 0))\n        image_threads_depart();\n"
            f"    return own_result;\n")


# Functions that only read what nobody changes, but for what the caller gives them. They need no
# turn, so they come back whoever has it: a function of the program that MPI calls may wait for a
# thread that is in one of them, as those of Python do, whose callers hold the interpreter's lock.
READS = re.compile(r"MPI_(Comm_(rank|size|remote_size|test_inter)|Group_(rank|size)|"
                   r"Type_(size|get_(true_)?extent)|Get_(count|elements)|Status_\w+|Test_cancelled|"
                   r"Get_(address|version|library_version|processor_name)|Aint_(add|diff)|"
                   r"Wtime|Wtick|Initialized|Finalized|Query_thread|Is_thread_main)(_[cx])?")


def threads():
    """Each function once more: in a process whose threads may all call, they take turns in it.
    What takes turns is a function of its own, so that the other way is short."""
    out = [PCONTROL]
    for r in table("functions"):
        if "..." in r["parameters"]:
            continue
        name, kind, params = r["name"], r["return"], r["parameters"] or "void"
        names = ", ".join(x for x in PARAMETER.findall(params) if x != "void")
        enter, leave = ("look", "looked") if READS.fullmatch(name) else ("enter", "leave")
        out.append(f"{kind} inner_P{name}({params});\n"
                   f"static __attribute__((noinline)) {kind} turn_{name}({params})\n{{\n"
                   f"    struct image_rank *own_rank = image_threads_{enter}();\n"
                   f"    {kind} own_result = inner_P{name}({names});\n"
                   f"    image_threads_{leave}(own_rank);\n"
                   f"    return own_result;\n}}\n"
                   f"#pragma weak {name} = P{name}\n{kind} P{name}({params})\n{{\n"
                   f"    if (image_threads_turn())\n        return turn_{name}({names});\n"
                   f"{direct(name, kind, params, names)}}}\n")
    return ('/* Made by libmpi/tools/abi.py. */\n#include <mpi.h>\n#include <stdarg.h>\n\n'
            '#include <process/threads.h>\n\n'
            + "\n".join(out))


def inner_names():
    """For objcopy: what the functions are called behind those of threads()."""
    return "".join(f"{p}{r['name']} inner_{p}{r['name']}\n"
                   for r in table("functions") for p in ("", "P"))


# What mpiexec --profile counts: what sends, receives, waits or makes communicators.
PROFILED = re.compile(
    r"MPI_(I?[BSRbsr]?[Ss]end(recv(_replace)?)?|([BSR]?[Ss]end|Recv)_init|I?[Mm]?[Rr]ecv|"
    r"I?[Mm]?[Pp]robe|Start(all)?|"
    r"(Wait|Test)(all|any|some)?|Comm_(dup|dup_with_info|split|split_type|create|create_group)|"
    r"Cart_(create|sub)|Graph_create|Dist_graph_create(_adjacent)?|"
    r"Intercomm_(create|merge))(_c)?")
# Who waits for whom in collectives: enum profile_shape of images/profile/layer.h.
SHAPES = (("PROFILE_ALL", r"MPI_(Barrier|Allreduce|Allgatherv?|Alltoall[vw]?|"
                          r"Reduce_scatter(_block)?|"
                          r"Comm_(dup|dup_with_info|split|split_type|create)|Cart_(create|sub)|"
                          r"Graph_create|Dist_graph_create(_adjacent)?|Intercomm_merge)(_c)?"),
          ("PROFILE_FROM_ROOT", r"MPI_(Bcast|Scatterv?)(_c)?"),
          ("PROFILE_TO_ROOT", r"MPI_(Reduce|Gatherv?)(_c)?"),
          ("PROFILE_BELOW", r"MPI_(Ex)?[Ss]can(_c)?"),
          ("PROFILE_SOME", r"MPI_Neighbor_\w+"))


def bytes_of(name, params):
    """How a wrapper tells how much data its call is about: of the side that counts on every rank,
    or, if that is MPI_IN_PLACE, of the other one. "": it is about none."""
    from collectives import parameters
    p = parameters(params)
    if "datatype" in p and "count" in p:
        return "    profile_bytes(&call, count, datatype);\n"
    first, other = ("recv", "send") if "catter" in name else ("send", "recv")
    if first + "buf" not in p:
        return ""
    test = f"    if ({first}buf != MPI_IN_PLACE)\n        "
    if first + "count" in p and first + "type" in p:
        text = test + f"profile_bytes(&call, {first}count, {first}type);\n"
        if other + "count" in p:
            text += f"    else\n        profile_bytes(&call, {other}count, {other}type);\n"
        return text
    if p.get("sendcounts") and "sendtype" in p and "eighbor" not in name:
        form = "large" if "MPI_Count" in p["sendcounts"] else "int"
        return test + f"profile_bytes_{form}(&call, sendcounts, sendtype, comm);\n"
    return ""


def messages_of(name, p):
    """What a wrapper does about the messages of its call: variables; before the call; after it, if
    it went well. p: names of its parameters."""
    name = re.sub("_c$", "", name)
    variables, before, after = [], [], []
    for kind, peer, tag in (("send", "dest", "sendtag"), ("receive", "source", "recvtag")):
        if peer not in p or "robe" in name or kind == "receive" and "send" in name.lower() \
                and "recv" not in name.lower():
            continue
        standard = ", " + ("false" if re.search("MPI_I?[BSRbsr]send", name) else "true")
        tag = tag if tag in p else "tag"
        variables.append(f"struct profile_message {kind};")
        before.append(f"profile_{kind}s(&call, &{kind}, {peer}, {tag}, comm"
                      f"{standard if kind == 'send' else ''});")
        if "_init" not in name:
            before.append(f"profile_before(&call, &{kind});")
        if "request" not in p:
            status = "status" if kind == "receive" else "NULL"
            after.append(f"profile_after(&call, &{kind}, {status});")
        elif "sendrecv" in name:
            after = ["profile_keep_both(&call, &send, &receive, *request);"]
        else:
            persistent = "true" if "_init" in name else "false"
            after.append(f"profile_keep(&call, &{kind}, *request, {persistent});")
    if name.startswith("MPI_Start"):
        before.append("profile_start(&call, count, array_of_requests);" if name.endswith("all")
                      else "profile_start(&call, 1, request);")
    if re.fullmatch("MPI_Im?probe", name):
        after.append("if (!*flag && call.lasted)\n            "
                     "profile_probed_in_vain(&call, source, tag, comm);")
    if "robe" in name and not name.startswith("MPI_Ip"):
        taken = "true" if "message" in p else "false"
        there = "if (*flag)\n            " if "flag" in p else ""
        after.append(f"{there}profile_probed(&call, comm, status, {taken});")
    if re.fullmatch("MPI_(Wait|Test)(all|any|some)?", name):
        form = name[len("MPI_Wait"):]
        count = {"": "1", "some": "incount"}.get(form, "count")
        requests = "array_of_requests" if form else "request"
        statuses = "array_of_statuses" if form in ("all", "some") else "status"
        variables += [f"int room = {count} < PROFILE_REQUESTS ? {count} : PROFILE_REQUESTS;",
                      f"struct profile_message *messages[{'PROFILE_REQUESTS' if form else '1'}];"]
        before.append(f"profile_find(&call, room, {requests}, messages);")
        done = {"": "1, NULL", "all": "room, NULL", "any": "1, indx",
                "some": "*outcount, array_of_indices"}[form]
        there = "if (*flag)\n            " if "flag" in p else ""
        after.append(f"{there}profile_done(&call, {done}, messages, {statuses});")
        if form != "some" and there:
            after.append("if (!*flag && call.lasted)\n            "
                         "profile_tested_in_vain(&call, room, messages);")
    needed = " ".join(after)
    if re.search(r"\bstatus\b", needed):
        variables.append("MPI_Status own_status;")
        before.append("if (status == MPI_STATUS_IGNORE)\n        status = &own_status;")
    if "array_of_statuses" in needed:
        variables.append("MPI_Status own_statuses[PROFILE_REQUESTS];")
        before.append("if (array_of_statuses == MPI_STATUSES_IGNORE && room == "
                      f"{count})\n        array_of_statuses = own_statuses;")
    return variables, before, after


def shape_of(name):
    """Of a collective, whether it blocks or not, or only makes a request to be started."""
    name = name.replace("_init", "")
    blocking = re.sub(r"^MPI_I(?=[a-z])", lambda _: "MPI_", name)
    if blocking != name:
        blocking = "MPI_" + blocking[4].upper() + blocking[5:]
    return next((shape for shape, names in SHAPES if re.fullmatch(names, blocking)), None)


def profile():
    """MPI_X in front of PMPI_X, which may be missing where no MPI is loaded (a shell)."""
    from collectives import parameters
    out, number = [], 0
    for r in table("functions"):
        name, params = r["name"], r["parameters"]
        collective = r["chapter"] == "coll" or re.match("MPI_I?[Nn]eighbor_", name)
        if not (PROFILED.fullmatch(name) or collective and "MPI_Comm comm" in params):
            continue
        names, shape = ", ".join(PARAMETER.findall(params)), shape_of(name)
        variables, before, after = messages_of(name, parameters(params))
        old = shape and re.search(r"MPI_Comm (\w*comm\w*)", params)[1]
        root = "root" if "root" in parameters(params) else "0"
        if shape and "_init" in name:
            after.append(f"profile_plans(&call, {shape}, {root}, {old}, *request);")
        elif shape:
            variables.append("struct profile_message meeting;")
            before.append(f"profile_meets(&call, &meeting, {shape}, {root}, {old});")
            after.append("profile_began(&call, &meeting, *request);"
                         if "request" in parameters(params) else "profile_met(&call, &meeting);")
        made = re.search(r"MPI_Comm \*(\w+)", params)
        lines = ["struct profile_call call;", *variables,
                 f'if (!profile_begin(&call, {number}, "{name}", __builtin_frame_address(0)))\n'
                 f"        return P{name}({names});",
                 *filter(None, [bytes_of(name, params).strip()]), *before,
                 f"int own_result = P{name}({names});", "profile_over(&call);"]
        if after:
            lines.append("if (own_result == MPI_SUCCESS) {\n        " +
                         "\n        ".join(after) + "\n    }")
        lines.append("profile_end(&call);")
        if made:
            lines.append("if (own_result == MPI_SUCCESS)\n"
                         f"        profile_made(&call, *{made[1]});")
        lines.append("return own_result;")
        body = "\n    ".join(lines)
        out.append(f"#pragma weak P{name}\n{r['return']} {name}({params})\n{{\n    {body}\n}}\n")
        number += 1
    return ('/* Made by libmpi/tools/abi.py. */\n#include "profile/hot.h"\n\n'
            f'_Static_assert({number} <= PROFILE_FUNCTIONS, "room for all");\n\n'
            + "\n".join(out))


# Of names with one value, those that MPI_Type_get_name tells; else the first in the table.
TOLD = ("MPI_LONG_LONG_INT", "MPI_C_COMPLEX")


# Of these the table has the size where addresses have 64 bits; they are what the compiler says.
SIZES = {"il": ("sizeof(long)",) * 2, "ul": ("sizeof(long)",) * 2, "ia": ("sizeof(MPI_Aint)",) * 2,
         "MPI_LONG:MPI_INT": ("sizeof(long) + sizeof(int)", "2 * sizeof(long)")}


def datatypes():
    """TYPE for one element per datum, PAIR for a value with its index."""
    told = {r["value"]: r["name"] for r in table("datatypes") if r["name"] in TOLD}
    out, seen = ["/* SPDX-License-Identifier: MIT */",
                 "/* Made by libmpi/tools/abi.py from libmpi/abi/datatypes.csv. */"], set()
    for r in table("datatypes"):
        if r["value"] in seen:
            continue
        seen.add(r["value"])
        name = told.get(r["value"], r["name"])
        size, extent = SIZES.get(r["element"], (r["size"], r["extent"]))
        what = f"{hex(int(r['value']))}, {name}, {size}"
        if r["group"] == "pair":
            out.append(f"PAIR({what}, {extent}, {r['element'].replace(':', ', ')})")
        else:
            out.append(f"TYPE({what}, {r['group'].upper()}, {r['element'].upper()})")
    return "\n".join(out) + "\n"


CONFORMANCE = """# Conformance to MPI 5.0

Made from the sources by `libmpi/tools/abi.py conformance`; a test keeps it true. Every function
of the standard ABI is exported under its MPI_ and PMPI_ name. One that is not written yet raises
MPI_ERR_UNSUPPORTED_OPERATION through the error handler of MPI_COMM_SELF (functions of the tool
interface answer MPI_T_ERR_NOT_SUPPORTED).
"""


def conformance(sources):
    have, chapters = implemented(sources), {}
    for r in table("functions"):
        chapters.setdefault(r["chapter"], []).append(r["name"])
    total = sum(len(v) for v in chapters.values())
    out = [CONFORMANCE, f"Written: {len(have)} of {total}.", "",
           "| chapter | written | not yet |", "|---|---|---|"]
    for chapter in sorted(chapters):
        yes = [n[4:] for n in chapters[chapter] if n in have]
        no = len(chapters[chapter]) - len(yes)
        out.append(f"| {chapter} | {', '.join(yes) or '-'} | {no} |")
    out += ["", "Not yet:", ""]
    for chapter in sorted(chapters):
        no = [n[4:] for n in chapters[chapter] if n not in have]
        if no:
            out.append(f"- {chapter}: {', '.join(no)}")
    return "\n".join(out) + "\n"


def test():
    out = ['/* Made by libmpi/tools/abi.py. */', '#include <mpi.h>', '#include <stddef.h>', '']
    for r in table("constants"):
        value = f"{r['name']}" if r["c_type"] == "int" else f"(intptr_t){r['name']}"
        if r["c_type"] == "int":
            out.append(f'_Static_assert({value} == {r["value"]}, "{r["name"]}");')
    out.append("int main(void)\n{")
    for r in table("constants"):
        if r["c_type"] != "int":
            kind = r["c_type"].replace("*", " *")
            out.append(f"    {{ {kind} v = {r['name']};"
                       f" if ((intptr_t)v != {r['value']}) return 1; }}")
    for r in table("functions"):
        for prefix in ("", "P"):
            pointer = f"{r['return']} (*f)({r['parameters']})"
            out.append(f"    {{ {pointer} = {prefix}{r['name']}; if (!f) return 1; }}")
    for r in table("types"):
        if r["kind"] == "opaque handle":
            out.append(f'    _Static_assert(sizeof({r["name"]}) == sizeof(void *), "{r["name"]}");')
    for i, field in enumerate(("MPI_SOURCE", "MPI_TAG", "MPI_ERROR", "MPI_internal")):
        out.append(f'    _Static_assert(offsetof(MPI_Status, {field}) == {4 * i}, "{field}");')
    out.append('    _Static_assert(sizeof(MPI_Status) == 32, "MPI_Status");')
    out.append("    return 0;\n}")
    return "\n".join(out) + "\n"


def main():
    command, args = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    if command == "header":
        text = header()
    elif command == "unsupported":
        text = unsupported(args)
    elif command == "conformance":
        text = conformance(args)
    elif command == "threads":
        text = threads()
    elif command == "inner_names":
        text = inner_names()
    elif command == "profile":
        text = profile()
    elif command == "datatypes":
        text = datatypes()
    elif command == "test":
        text = test()
    else:
        sys.exit(__doc__)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
