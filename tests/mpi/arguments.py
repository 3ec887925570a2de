#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arguments.py [--table] SOURCES...: prints C that calls every written function of the ABI with
each kind of bad argument; with --table what is called and what is not, and why, as CSV.

SOURCES are those of libmpi. Of each function there is one good call, and one bad call per parameter
and kind of badness (arguments_kinds.py): the good one, with that argument replaced. What a bad one
must answer is a class, raised once through one handler. The good calls are never made. Functions
that are not written answer that. arguments.h has what all of them are made from.

A parameter without a bad call and without a reason why there is none is an error of this program;
so is a rule that matches nothing.
"""
import csv
import os
import re
import sys

import arguments_kinds as kinds

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "libmpi",
                             "tools"))
import abi

PARAMETER = re.compile(r"(?P<type>.*?)(?P<name>\w+)(?P<array>(?:\[\w*\])*)$")
DATA = re.compile(r"MPI_(I?.?send|I?recv|I?sendrecv|Send|Recv|.?send_init|I?mrecv|Pack|Unpack)",
                  re.I)
MORE_RANKS = re.compile(r"\b(inter|outside)\b")  # what a rank alone does not have

used = set()  # rules that matched


def matches(rule, what):
    """Is the rule, whose first member is a pattern, for this?"""
    if not re.fullmatch(rule[0], what):
        return False
    used.add(id(rule))
    return True


class Function:
    def __init__(self, row):
        self.name, self.chapter = row["name"], row["chapter"]
        self.short = self.name[4:]
        self.returns_code = row["return"] == "int"
        self.parameters = []
        for text in row["parameters"].split(", "):
            if text not in ("void", "", "..."):
                m = PARAMETER.match(text)
                self.parameters.append((m["type"].strip() + m["array"], m["name"]))

    def names(self):
        return [n for _, n in self.parameters]

    def has(self, kind):
        return any(t == kind for t, _ in self.parameters)

    def described(self, kind, name):
        """What the patterns match: "Wait: MPI_Request *request"."""
        return f"{self.short}: {kind}{'' if kind[-1] == '*' else ' '}{name}"

    def moves_data(self):
        if self.has("MPI_Comm") and self.chapter in ("coll", "topology"):
            return any(n in ("sendbuf", "buffer") for n in self.names())
        return DATA.match(self.name) and not self.short.startswith(
            ("Pack_size", "Pack_external_size"))

    def reads(self, base):
        return re.fullmatch(kinds.READ, self.short) or (base == "MPI_Message" and
                                                        "mrecv" in self.short.lower())


def good(f, kind, name):
    """What a parameter gets in the good call."""
    base = kind[:-2] if kind.endswith(" *") else None
    if base == "MPI_Message" and f.reads(base):
        return "&message"
    if base in kinds.HANDLES:
        return f"({base}[1]){{{good(f, base, name)}}}" if f.reads(base) else "(void *)more"
    for rule in kinds.GOOD:
        if matches(rule, f.described(kind, name)):
            return spell(f, kind, rule[1])
    sys.exit(f"arguments.py: {f.name}: no good value for {kind} {name}")


def spell(f, kind, value):
    """Lists and places of the type that the parameter has; keys of the function's object."""
    suffix = "_a" if "Aint" in kind else "_c" if "Count" in kind else ""
    value = re.sub(r"\b(ONES|TWOS|ZEROS|MINUS|LARGE|HUGE|ZERO|MINUS_ONE|FAR)\b",
                   lambda m: m[1].lower() + suffix, value)
    owner = re.match(r"(Type|Win)_", f.short)
    key = "key_" + owner[1].lower() if owner else "key"
    value = value.replace("OTHER_GIVEN", "given" if re.match("Session|Win|File", f.short) else
                          "given_session")
    value = re.sub(r"\b(freed_)?(key|KEY)\b", lambda m: (m[1] or "") + key, value)
    return value.replace("other_key", "key" if owner else "key_type")


def answer_of(f, kind, name, badness, answer):
    """The class, or None and why nothing is wrong."""
    for rule in kinds.EXCEPTIONS:
        if re.fullmatch(rule[1], badness) and matches(rule, f.described(kind, name)):
            return rule[2], rule[3]
    return answer, ""


def handle_cases(f, kind, name):
    pointer = kind.endswith(" *")
    base = kind[:-2] if pointer else kind
    if base not in kinds.HANDLES or (pointer and not f.reads(base)):
        return
    answer, null, other = kinds.HANDLES[base]
    values = [("null", null), ("garbage", f"({base})foreign"),
              ("of another kind", f"({base}){other}")]
    if base not in kinds.NEVER_MADE:
        values.append(("freed", f"freed_{base[4:].lower()}"))
    if base == "MPI_Datatype" and not pointer and f.moves_data():
        values.append(("not committed", "uncommitted"))
    for badness, value in values:
        yield badness, f"({base}[1]){{{value}}}" if pointer else value, answer


def cases(f, kind, name):
    """(badness, argument, class) of a parameter."""
    what = f.described(kind, name)
    yield from handle_cases(f, kind, name)
    for rule in kinds.KINDS:
        if matches(rule, what):
            yield rule[1], spell(f, kind, rule[2]), rule[3]
    if re.search(r"\*|\]", kind):
        yield "a null pointer", "NULL", next(r[1] for r in kinds.NULLS if matches(r, what))


def handler(f, bad, badness):
    """Through whose handler an error of parameter `bad` goes (9.3)."""
    if f.parameters[bad][0] == "MPI_Comm *" and badness == "predefined":
        return "MPI_COMM_WORLD"
    if f.short.startswith("T_"):
        return "NOBODY"
    if re.match(r"(Intercomm|Comm)_create_from_group", f.short):
        return "GIVEN" if f.parameters[bad][0] != "MPI_Errhandler" else "MPI_COMM_SELF"
    if badness in ("not persistent", "active", "inactive", "not generalized"):
        return "comm"
    if "mrecv" in f.short.lower() and f.parameters[bad][1] != "message":
        return "comm"
    for i, (kind, name) in enumerate(f.parameters):
        if kind in ("MPI_Comm", "MPI_Session") and f.parameters[bad][0] != kind:
            return good(f, kind, name)
    return "MPI_COMM_SELF"


def of_one(f, arguments, i):
    """What is said of parameter i: rows of the table, and the calls."""
    kind, name = f.parameters[i]
    for badness, value, answer in cases(f, kind, name):
        answer, why = answer_of(f, kind, name, badness, answer)
        bad = arguments[:i] + [value] + arguments[i + 1:]
        yield name, badness, answer, why, bad, handler(f, i, badness)
    for rule in kinds.WRONG_COMMS:
        if matches(rule, f.described(kind, name)):
            bad = arguments[:i] + [rule[2]] + arguments[i + 1:]
            yield name, rule[1], rule[3], "", bad, rule[2]
    for rule in kinds.FREE:
        if matches(rule, f.described(kind, name)):
            yield name, "any", None, rule[1], [], ""


def together(f, arguments):
    for rule in kinds.TOGETHER:
        if set(rule[2]) <= set(f.names()) and re.fullmatch(rule[0], f.short, re.I):
            used.add(id(rule))
            bad = [spell(f, t, rule[2][n]) if n in rule[2] else a
                   for (t, n), a in zip(f.parameters, arguments)]
            owner = next((a for (t, _), a in zip(f.parameters, bad) if t == "MPI_Comm"),
                         "MPI_COMM_SELF")
            yield "", rule[1], rule[3], "", bad, owner


def rows(f):
    """(parameter, badness, class or None, why not, arguments, owner) of all that may be wrong."""
    arguments = [good(f, t, n) for t, n in f.parameters]
    for i, (_, name) in enumerate(f.parameters):
        found = list(of_one(f, arguments, i))
        if not found:
            sys.exit(f"arguments.py: {f.name}: what can be wrong with {name}? "
                     "Give KINDS or FREE a rule")
        yield from found
    yield from together(f, arguments)


def not_written(f):
    return [("", "not written", "MPI_ERR_UNSUPPORTED_OPERATION", "", ["0"] * len(f.parameters),
             "MPI_COMM_SELF")]


def all_rows(sources):
    """Of each function of the ABI: the function, and its rows."""
    have = abi.implemented(sources)
    functions = [Function(r) for r in abi.table("functions")]
    for f in functions:
        why = next((r[1] for r in kinds.LEFT_OUT if matches(r, f.short)), None)
        if why and f.name in have:
            yield f, [("", "any", None, why, [], "")]
        else:
            yield f, list(rows(f)) if f.name in have else not_written(f)


def check_rules():
    for table in ("LEFT_OUT", "GOOD", "KINDS", "WRONG_COMMS", "TOGETHER", "NULLS", "EXCEPTIONS",
                  "FREE"):
        for rule in getattr(kinds, table):
            if id(rule) not in used:
                sys.exit(f"arguments.py: this rule of {table} is for nothing: {rule[:2]}")


def print_table(everything):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["function", "parameter", "what is wrong", "class", "why there is no call"])
    for f, found in everything:
        for name, badness, answer, why, _, _ in found:
            out.writerow([f.name, name, badness, answer or "", "" if answer else why])


def print_call(f, row):
    name, badness, answer, _, arguments, owner = row
    what = f"{f.name}: {name + ' is ' if name else ''}{badness}"
    call = f"{f.name}({', '.join(arguments)})"
    guard = "ranks > 1" if MORE_RANKS.search(call) else "true"
    print(f'    BAD("{what}", {guard}, {answer}, {owner},\n        {call});')


def print_program(everything):
    print('/* Made by tests/mpi/arguments.py. */\n#include "arguments.h"\n')
    count, owns = 0, []
    for f, found in everything:
        calls = [r for r in found if r[2]]
        if calls:
            print(f"static void own_{f.name}(void)\n{{")
            for row in calls:
                print_call(f, row)
            print("}\n")
            count += len(calls)
            owns.append(f.name)
    print("int main(int argc, char **argv)\n{\n    prepare(argc, argv);")
    for name in owns:
        print(f"    own_{name}();")
    print(f"    return finish({count});\n}}")


def main():
    table = sys.argv[1:2] == ["--table"]
    everything = list(all_rows(sys.argv[2 if table else 1:]))
    check_rules()
    print_table(everything) if table else print_program(everything)


main()
