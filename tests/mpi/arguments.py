#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arguments.py SOURCES...: prints C that calls every written function of the ABI with each
kind of bad argument.

SOURCES are those of libmpi. Of each function there is one good call (GOOD says what its parameters
get), and one bad call per parameter and kind of badness (BAD): the good one, with that argument
replaced. What a bad one must answer is a class, raised once through one handler. EXCEPTIONS are the
parameters of which the standard says otherwise. The good calls are never made. arguments.h has what
all of them are made from.
"""
import csv
import os
import re
import sys

ABI = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "libmpi", "abi")
PARAMETER = re.compile(r"(?P<type>.*?)(?P<name>\w+)(?P<array>(?:\[\w*\])*)$")

# Nothing can be wrong with their arguments, or nothing can be said about it.
LEFT_OUT = {
    "MPI_Abort": "ends the job whatever the communicator (9.7)",
    "MPI_Init": "not twice (11.2)", "MPI_Init_thread": "not twice (11.2)",
    "MPI_Pcontrol": "any level (15.2.4)",
    "MPI_Free_mem": "any address that MPI_Alloc_mem may have given (9.2)",
    "MPI_Aint_add": "no error code", "MPI_Aint_diff": "no error code",
    "MPI_Comm_call_errhandler": "raises what it is given",
    "MPI_Session_call_errhandler": "raises what it is given",
    "MPI_Grequest_start": "the functions are called later",
}

HANDLES = {  # class, null handle, a predefined handle of another kind
    "MPI_Comm": ("MPI_ERR_COMM", "MPI_COMM_NULL", "MPI_INT"),
    "MPI_Group": ("MPI_ERR_GROUP", "MPI_GROUP_NULL", "MPI_COMM_WORLD"),
    "MPI_Datatype": ("MPI_ERR_TYPE", "MPI_DATATYPE_NULL", "MPI_COMM_WORLD"),
    "MPI_Op": ("MPI_ERR_OP", "MPI_OP_NULL", "MPI_INT"),
    "MPI_Info": ("MPI_ERR_INFO", "MPI_INFO_NULL", "MPI_INT"),
    "MPI_Errhandler": ("MPI_ERR_ERRHANDLER", "MPI_ERRHANDLER_NULL", "MPI_INT"),
    "MPI_Request": ("MPI_ERR_REQUEST", "MPI_REQUEST_NULL", "MPI_INT"),
    "MPI_Message": ("MPI_ERR_REQUEST", "MPI_MESSAGE_NULL", "MPI_INT"),
    "MPI_Session": ("MPI_ERR_SESSION", "MPI_SESSION_NULL", "MPI_INT"),
    "MPI_Win": ("MPI_ERR_WIN", "MPI_WIN_NULL", "MPI_INT"),
    "MPI_File": ("MPI_ERR_FILE", "MPI_FILE_NULL", "MPI_INT"),
}

# Functions that read the handle that a pointer points to.
READ = re.compile(r"MPI_(\w+_free|Comm_disconnect|Type_commit|Session_finalize|Wait|Test|Start"
                  r"|Cancel)$")
DATA = re.compile(r"MPI_(I?.?send|I?recv|I?sendrecv|Send|Recv|.?send_init|I?mrecv|Pack|Unpack)",
                  re.I)


class Function:
    def __init__(self, row):
        self.name, self.chapter = row["name"], row["chapter"]
        self.parameters = []
        for text in row["parameters"].split(", "):
            if text not in ("void", ""):
                m = PARAMETER.match(text)
                self.parameters.append((m["type"].strip() + m["array"], m["name"]))

    def has(self, kind):
        return any(t == kind for t, _ in self.parameters)

    def collective(self):
        return any(n in ("sendbuf", "buffer") for _, n in self.parameters) and self.has(
            "MPI_Comm") and self.chapter in ("coll", "topology")

    def moves_data(self):
        return self.collective() or (DATA.match(self.name) and not self.name.startswith(
            ("MPI_Pack_size", "MPI_Pack_external_size")))


def reads(f, base):
    return READ.match(f.name) or (base == "MPI_Message" and "mrecv" in f.name.lower())


def described(f, kind, name):
    """What the patterns below match: "Wait: MPI_Request *request"."""
    return f"{f.name[4:]}: {kind}{'' if kind[-1] == '*' else ' '}{name}"


def good(f, kind, name):
    """What a parameter gets in the good call."""
    base = kind[:-2] if kind.endswith(" *") else None
    if base == "MPI_Message" and reads(f, base):
        return "&message"
    if base in HANDLES:
        return f"({base}[1]){{{HANDLES[base][1]}}}" if reads(f, base) else "(void *)more"
    for pattern, value in GOOD:
        if re.fullmatch(pattern, described(f, kind, name)):
            return value
    sys.exit(f"arguments.py: {f.name}: no good value for {kind} {name}")


GOOD = [
    # communicators that have what the function asks of them
    (r"(Cart_(?!create|map)|Cartdim|Neighbor|Ineighbor).*: MPI_Comm comm", "grid"),
    (r"(Graph_(?!create|map)|Graphdims).*: MPI_Comm comm", "graph"),
    (r"Dist_graph_neighbors.*: MPI_Comm comm", "net"),
    (r".*: MPI_Comm .*", "comm"),
    (r".*: MPI_Session .*", "session"),
    (r".*: MPI_Group .*", "group"),
    (r"Type_get_contents.*: MPI_Datatype .*", "uncommitted"),
    (r".*: MPI_Datatype .*", "MPI_INT"),
    (r".*: MPI_Op .*", "MPI_SUM"),
    (r"Info_.*: MPI_Info .*", "info"),
    (r".*: MPI_Info .*", "MPI_INFO_NULL"),
    (r".*: MPI_Errhandler .*", "MPI_ERRORS_RETURN"),
    (r".*: MPI_Request .*", "MPI_REQUEST_NULL"),
    (r".*: MPI_Win .*", "MPI_WIN_NULL"),
    (r".*: MPI_File .*", "MPI_FILE_NULL"),
    (r".*: (const )?MPI_Request\[\] .*", "requests"),
    (r".*: const MPI_Datatype\[\] .*", "types"),
    (r".*: MPI_Datatype\[\] .*", "(void *)out"),
    (r".*: const MPI_Status \*status", "&status"),
    (r".*: MPI_Status \*array_of_statuses", "statuses"),
    (r".*: MPI_Status \*status", "&status"),
    (r".*: MPI_\w+_function(_c)? \*.*", "(void *)callback"),
    # texts
    (r".*: const char( \*|\[\] )datarep", '"external32"'),
    (r".*: const char \*pset_name", '"mpi://SELF"'),
    (r".*: const char \*.*", '"text"'),
    (r".*: char \*\[\] .*", "argv_of"),
    (r".*: char \*.*", "text"),
    # lists of numbers: of ints, counts or addresses
    (r".*: const (?:int|MPI_Count)\[\] (recvcounts|sendcounts|array_of_blocklengths"
     r"|array_of_sizes|array_of_subsizes|array_of_gsizes|array_of_psizes|dims|degrees)", "ONES"),
    (r".*: const int\[\] array_of_distribs", "nones"),
    (r".*: const int\[\] array_of_dargs", "dargs"),
    (r".*: const int\[\] edges", "zeros"),
    (r".*: const int\[\] indx", "ones"),
    (r".*: const (?:int|MPI_Aint|MPI_Count)\[\] .*", "ZEROS"),
    (r".*: const int \*.*", "ones"),
    (r".*: int\[\]\[3\] ranges", "ranges"),
    (r"Dims_create: int\[\] dims", "free_dims"),
    (r".*: \w+\[\] .*", "(void *)out"),
    # pointers to what is read or written
    (r"Session_get_nth_pset: int \*pset_len", "&most"),
    (r".*: (int|MPI_Aint|MPI_Count) \*(position|buflen)", "&ZERO"),
    (r"\w*free_keyval: int \*.*|Keyval_free: int \*.*", "&key"),
    (r".*: (int|MPI_Aint|MPI_Count) \*.*", "(void *)more"),
    (r".*: void \*(baseptr|buffer_addr)", "&address"),
    (r".*(get_attr|Attr_get): void \*attribute_val", "&address"),
    (r".*: void \*(attribute_val|extra_state)", "NULL"),
    (r".*: const void \*.*", "in"),
    (r".*: void \*(logical_false)", "more"),
    (r".*: void \*.*", "out"),
    # numbers
    (r"Info_get_nthkey: int n|Session_get_nth_pset: int n", "0"),
    (r".*: int (root|dest|source|rank|local_leader|remote_leader)", "0"),
    (r".*: int \w*tag", "0"),
    (r".*: int (comm|type|win)?_?keyval", "KEY"),
    (r".*: int order", "MPI_ORDER_C"),
    (r".*: int split_type", "MPI_COMM_TYPE_SHARED"),
    (r".*: int typeclass", "MPI_TYPECLASS_INTEGER"),
    (r"Type_match_size: int size", "4"),
    (r".*: int logical_size", "4"),
    (r".*f90_integer: int r", "6"),
    (r".*: int p", "6"),
    (r".*: int r", "30"),
    (r".*: int errorclass", "added_class"),
    (r".*: int errorcode", "added_code"),
    (r".*(Pack|Unpack).*: \w+ (insize|outsize)", "64"),
    (r"Graph_(create|map): int nnodes", "1"),
    (r".*: int (direction|disp|color|key|flag|high|reorder|commute|error|required)", "0"),
    (r".*: (int|MPI_Aint|MPI_Count) .*", "1"),
]

# (parameters, badness, argument, class)
BAD = [
    (r".*: (int|MPI_Count) (\w*count|blocklength)", "negative", "-1", "MPI_ERR_COUNT"),
    (r".*: (int|MPI_Count) (n|\w*degree|max\w+|valuelen|argc)", "negative", "-1",
     "MPI_ERR_ARG"),
    (r"(Cart|Dims)_.*: int (nnodes|ndims)", "negative", "-1", "MPI_ERR_DIMS"),
    (r"(Graph|Type)_.*: int (nnodes|ndims)", "negative", "-1", "MPI_ERR_ARG"),
    (r".*: (int|MPI_Aint|MPI_Count) (size|insize|outsize|logical_size)", "negative", "-1",
     "MPI_ERR_ARG"),
    (r".*: int (dest|source|rank|local_leader)", "too large", "1 << 20", "MPI_ERR_RANK"),
    (r".*: int (dest|source|rank|local_leader)", "negative", "-77", "MPI_ERR_RANK"),
    (r".*: int root", "too large", "1 << 20", "MPI_ERR_ROOT"),
    (r".*: int root", "negative", "-77", "MPI_ERR_ROOT"),
    (r".*: int \w*tag", "negative", "-77", "MPI_ERR_TAG"),
    (r".*: int (comm|type|win)?_?keyval", "none", "1 << 20", "MPI_ERR_KEYVAL"),
    (r".*: int (comm|type|win)?_?keyval", "invalid", "MPI_KEYVAL_INVALID", "MPI_ERR_KEYVAL"),
    (r".*: int (comm|type|win)?_?keyval", "freed", "freed_key", "MPI_ERR_KEYVAL"),
    (r".*: int \*(comm_|type_|win_)?keyval", "invalid", "(int[1]){MPI_KEYVAL_INVALID}",
     "MPI_ERR_KEYVAL"),
    (r".*: int \*(comm_|type_|win_)?keyval", "freed", "(int[1]){freed_key}", "MPI_ERR_KEYVAL"),
    (r".*: int order", "neither", "-77", "MPI_ERR_ARG"),
    (r".*: int split_type", "none", "-77", "MPI_ERR_ARG"),
    (r".*: int typeclass", "none", "-77", "MPI_ERR_ARG"),
    (r"Type_match_size: int size", "none", "3", "MPI_ERR_ARG"),
    (r".*: int (p|r)", "too large", "1000000", "MPI_ERR_ARG"),
    (r".*: int (errorclass|errorcode)", "none", "-77", "MPI_ERR_ARG"),
    (r".*: int direction", "none", "7", "MPI_ERR_DIMS"),
    (r"(Info_get_nthkey|Session_get_nth_pset): int n", "too large", "77", "MPI_ERR_ARG"),
    (r".*: const char( \*|\[\] )datarep", "unknown", '"internal"',
     "MPI_ERR_UNSUPPORTED_DATAREP"),
    (r".*: const char \*pset_name", "unknown", '"mpi://NONE"', "MPI_ERR_ARG"),
    (r".*: const (int|MPI_Count)\[\] (recvcounts|sendcounts)", "negative element", "MINUS",
     "MPI_ERR_COUNT"),
    (r"Type_.*: const (int|MPI_Count)\[\] array_of_blocklengths", "negative element", "MINUS",
     "MPI_ERR_ARG"),
    (r".*: const int\[\] dims", "negative element", "MINUS", "MPI_ERR_DIMS"),
    (r"Group_(in|ex)cl: const int\[\] ranks", "too large", "large", "MPI_ERR_RANK"),
    (r"Group_translate_ranks: const int\[\] ranks1", "too large", "large", "MPI_ERR_RANK"),
    (r".*: (const )?MPI_Request\[\] .*", "garbage element", "garbage", "MPI_ERR_REQUEST"),
    (r".*: const MPI_Datatype\[\] .*", "null element", "no_types", "MPI_ERR_TYPE"),
    (r".*: const int\[\] coords", "outside", "large", "MPI_ERR_ARG"),
]

NULLS = [  # pointers that may not be null, and the class if they are
    (r".*: (const )?MPI_Request\[\] .*", "MPI_ERR_REQUEST"),
    (r"(?!Get_address).*: (const )?void \*(buf|buffer|inbuf|outbuf|inoutbuf|sendbuf|recvbuf)",
     "MPI_ERR_BUFFER"),
    (r".*: const char \*key", "MPI_ERR_INFO_KEY"),
    (r".*: const char \*value", "MPI_ERR_INFO_VALUE"),
    (r".*: MPI_Status \*.*", None),  # MPI_STATUS_IGNORE (3.2.6)
    (r".*: void \*(attribute_val|extra_state)", "set"),
    (r".*: const void \*location", None),
    (r".*: const int \*\w*weights", "MPI_ERR_ARG"),
    (r".*: MPI_\w+_function(_c)? \*.*", "MPI_ERR_ARG"),
    (r".*(\*|\]).*", "MPI_ERR_ARG"),
]

# (parameters, badness, the class or None where nothing is wrong): where the rules above are not the
# standard's.
EXCEPTIONS = [
    # MPI_INFO_NULL is a hint's absence (10)
    (r"(?!Info_|Comm_set_info|Abi_).*: MPI_Info info", "null", None),
    # the null request is complete (3.7.3, 3.7.6)
    (r"(Wait|Test|Request_get_status): MPI_Request .*", "null", None),
    # null handles have names (7.8)
    (r"Comm_get_name: MPI_Comm comm|Type_get_name: MPI_Datatype datatype", "null", None),
    # new files take their handler from MPI_FILE_NULL (14.7)
    (r"File_\w+_errhandler: MPI_File .*", "null", None),
    # null pointers are MPI_X_NULL_COPY_FN and MPI_X_NULL_DELETE_FN (20, table of constants)
    (r".*create_keyval: .*_fn|Keyval_create: .*_fn", "a null pointer", None),
    # a program that has no arguments (10)
    (r"Info_create_env: char \*\[\] argv", "a null pointer", None),
    # not looked at when the room is 0 (10)
    (r"Info_get_string: char \*value", "a null pointer", None),
    # a status takes any number (3.2.5)
    (r"Status_set_(source|tag): .*", ".*", None),
    # what the type has none of needs no room (5.1.13)
    (r"Type_get_contents.*: .* array_of_(addresses|large_counts)", "a null pointer", None),
    # rank and size of darray are of no communicator (5.1.4)
    (r"Type_create_darray.*: int rank", ".*", "MPI_ERR_ARG"),
    # what it was does not matter
    (r"(\w*_create_keyval|Keyval_create): int \*.*", "invalid|freed", None),
    # there is no window, and here no communicator with two groups, to give
    (r"Win_(?!free_keyval)\w+: (?!MPI_Win ).*", "none|invalid|freed|null|garbage|of another kind",
     "MPI_ERR_WIN"),
    (r"Win_(?!create|free).*: .*\* ?\w+", "a null pointer", "MPI_ERR_WIN"),
    (r"(Comm_remote_.*|Intercomm_merge): .*\*\w+", "a null pointer", "MPI_ERR_COMM"),
]


def exception(f, kind, name, badness, answer):
    for pattern, bad, other in EXCEPTIONS:
        if re.fullmatch(pattern, described(f, kind, name)) and re.fullmatch(bad, badness):
            return other
    return answer


def handle_cases(f, kind, name):
    pointer = kind.endswith(" *")
    base = kind[:-2] if pointer else kind
    if base not in HANDLES or (pointer and not reads(f, base)):
        return
    answer, null, other = HANDLES[base]
    word = base[4:].lower()
    values = [("null", null), ("garbage", f"({base})foreign"), ("of another kind",
                                                               f"({base}){other}")]
    if base not in ("MPI_Win", "MPI_File"):
        values.append(("freed", f"freed_{word}"))
    if base == "MPI_Datatype" and not pointer and f.moves_data():
        values.append(("not committed", "uncommitted"))
    for badness, value in values:
        yield badness, f"({base}[1]){{{value}}}" if pointer else value, answer


def cases(f, kind, name):
    """(badness, argument, class) of a parameter."""
    what = described(f, kind, name)
    yield from handle_cases(f, kind, name)
    for pattern, badness, value, answer in BAD:
        if re.fullmatch(pattern, what):
            yield badness, value, answer
    if re.search(r"\*|\]", kind):
        answer = next(a for p, a in NULLS if re.fullmatch(p, what))
        if answer == "set":
            answer = "MPI_ERR_ARG" if re.search("get", f.name, re.I) and name[0] == "a" else None
        yield "a null pointer", "NULL", answer


def spell(f, kind, value):
    """Lists and places of the type that the parameter has."""
    suffix = "_a" if "Aint" in kind else "_c" if "Count" in kind else ""
    for word in ("ONES", "ZEROS", "MINUS", "ZERO"):
        if word in value:
            return value.replace(word, word.lower() + suffix)
    owner = re.match(r"MPI_(Type|Win)_", f.name)
    key = "key_" + owner[1].lower() if owner else "key"
    return re.sub(r"\b(freed_)?(key|KEY)\b", lambda m: (m[1] or "") + key, value)


def handler(f, bad):
    """Through which handler an error of parameter `bad` goes (9.3)."""
    if re.match(r"MPI_(Intercomm|Comm)_create_from_group", f.name):
        return "OF_NOBODY" if f.parameters[bad][0] != "MPI_Errhandler" else "OF_SELF"
    if "mrecv" in f.name.lower() and f.parameters[bad][1] != "message":
        return "OF_COMM"
    for kind, owner in (("MPI_Comm", "OF_COMM"), ("MPI_Session", "OF_SESSION")):
        if f.has(kind) and f.parameters[bad][0] != kind:
            return owner
    return "OF_SELF"


def calls(f):
    """The bad calls of a function."""
    arguments = [spell(f, t, good(f, t, n)) for t, n in f.parameters]
    for i, (kind, name) in enumerate(f.parameters):
        for badness, value, answer in cases(f, kind, name):
            answer = exception(f, kind, name, badness, answer)
            if answer:
                bad = arguments[:i] + [spell(f, kind, value)] + arguments[i + 1:]
                owner = handler(f, i)
                yield f"{name} is {badness}", bad, answer, owner
    names = [n for _, n in f.parameters]
    if f.collective() and "sendbuf" in names and "recvbuf" in names:
        bad = list(arguments)
        bad[names.index("sendbuf")] = "out"
        yield "sendbuf is recvbuf", bad, "MPI_ERR_BUFFER", "OF_COMM"


def written(sources):
    names = set()
    for path in sources:
        with open(path) as f:
            names |= set(re.findall(r"^#pragma weak (MPI_\w+) = PMPI_\w+$", f.read(), re.M))
    return names


def main():
    have = written(sys.argv[1:])
    with open(os.path.join(ABI, "functions.csv"), newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["name"] in have]
    rows = [r for r in rows if r["chapter"] not in ("tool_mpi_t", "handle_conv") and
            r["name"] not in LEFT_OUT and r["return"] == "int"]
    print('/* Made by tests/mpi/arguments.py. */\n#include "arguments.h"\n')
    for r in rows:
        f = Function(r)
        print(f"static void own_{f.name}(void)\n{{")
        for what, arguments, answer, owner in calls(f):
            print(f'    BAD("{f.name}: {what}", {answer}, {owner},\n'
                  f'        {f.name}({", ".join(arguments)}));')
        print("}\n")
    print("int main(int argc, char **argv)\n{\n    prepare(argc, argv);")
    for r in rows:
        print(f"    own_{r['name']}();")
    print("    return finish();\n}")


main()
