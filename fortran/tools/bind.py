#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Fortran bindings of MPI, made from the tables of the ABI (libmpi/abi).

    bind.py c CHAPTER     prints the C functions that Fortran programs call, those of one chapter
    bind.py chapters      prints the chapters that have some, separated by semicolons
    bind.py mpif          prints mpif.h
    bind.py module        prints mpi.f90, the module mpi
    bind.py test          prints a Fortran program that prints each constant with its value
"""
import csv
import os
import re
import sys

ABI = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "libmpi", "abi")

# By hand in fortran/*.c: functions with functions as arguments, and others that Fortran sees
# differently.
BY_HAND = """Init Init_thread Pcontrol Op_create
    Comm_create_errhandler Win_create_errhandler File_create_errhandler Session_create_errhandler
    Comm_create_keyval Type_create_keyval Win_create_keyval Comm_get_attr Type_get_attr Win_get_attr
    Comm_set_attr Type_set_attr Win_set_attr Grequest_start Info_get_string Session_get_nth_pset
    Waitany Testany Request_get_status_any Waitsome Testsome Request_get_status_some""".split()
# Values of attributes are INTEGERs of the usual kind; by hand, too.
OF_MPI1 = ["Keyval_create", "Attr_get", "Attr_put"]
BY_HAND += OF_MPI1
# Not for Fortran, or without use there: processes are not made at run time here.
WITHOUT = "Comm_spawn Comm_spawn_multiple Register_datarep Info_create_env".split()

HANDLES = {"Comm": "Comm", "Datatype": "Type", "Errhandler": "Errhandler", "File": "File",
           "Group": "Group", "Info": "Info", "Message": "Message", "Op": "Op",
           "Request": "Request", "Session": "Session", "Win": "Win"}
SCALARS = {"int": "MPI_Fint", "MPI_Aint": "MPI_Aint", "MPI_Count": "MPI_Count",
           "MPI_Offset": "MPI_Offset", "double": "double"}
KINDS = {"int": "integer", "MPI_Aint": "integer(kind=MPI_ADDRESS_KIND)",
         "MPI_Count": "integer(kind=MPI_COUNT_KIND)",
         "MPI_Offset": "integer(kind=MPI_OFFSET_KIND)", "double": "double precision"}
# Truth values, whatever C calls them.
LOGICAL = {"flag", "commute", "reorder", "periods", "remain_dims", "high", "weighted", "is_set"}
# Addresses of memory that MPI gives or takes back: INTEGER(KIND=MPI_ADDRESS_KIND) in Fortran.
ADDRESSES = {"baseptr", "extra_state", "attribute_val"}
# Length of an array of handles: an expression in the names of the C function's parameters.
LENGTHS = {"array_of_requests": "*count", "array_of_types": "*count", "array_of_info": "*count",
           "array_of_datatypes": "*max_datatypes"}
# Room for texts that MPI writes.
TEXTS = {"comm_name": "MPI_MAX_OBJECT_NAME", "type_name": "MPI_MAX_OBJECT_NAME",
         "win_name": "MPI_MAX_OBJECT_NAME", "key": "MPI_MAX_INFO_KEY",
         "name": "MPI_MAX_PROCESSOR_NAME", "port_name": "MPI_MAX_PORT_NAME",
         "string": "MPI_MAX_ERROR_STRING", "version": "MPI_MAX_LIBRARY_VERSION_STRING",
         "value": "MPI_MAX_INFO_VAL + 1", "datarep": "MPI_MAX_DATAREP_STRING"}
PARAMETER = re.compile(r"(.*?)\s*(\w+)((?:\[\d*\])*)$")


def table(name):
    with open(os.path.join(ABI, name + ".csv"), newline="") as f:
        return list(csv.DictReader(f))


class Parameter:
    """One parameter of a C function: its C type, and how Fortran gives it."""

    def __init__(self, function, text):
        kind, self.name, array = PARAMETER.match(text).groups()
        self.constant = kind.startswith("const ")
        self.type = kind.replace("const ", "").replace(" *", "*").strip()
        self.array = array
        self.function = function
        base = self.type.rstrip("*")
        self.handle = HANDLES.get(base[4:]) if base.startswith("MPI_") else None
        self.output = self.type.endswith("*") and not self.constant
        self.text = base == "char"

    def length(self):
        """How many elements an array of handles has."""
        if self.name in ("sendtypes", "recvtypes"):
            side = "0" if self.name == "sendtypes" else "1"
            kind = "neighbors" if "eighbor" in self.function else "peers"
            return f"mpif_{kind}(MPI_Comm_fromint(*comm), {side})"
        return LENGTHS[self.name]

    def c_declaration(self):
        if self.text:
            return f"char *{self.name}"
        if self.type in ("void*", "void**"):
            return f"void *{self.name}"
        if self.type == "MPI_Status*":
            return f"MPI_Fint *{self.name}"
        base = self.type.rstrip("*")
        return f"{SCALARS.get(base, 'MPI_Fint')} *{self.name}"

    def fortran_declaration(self):
        base = self.type.rstrip("*")
        if self.text:
            return f"character(len=*) :: {self.name}"
        if base == "void" and self.name not in ADDRESSES:
            return f"type(*), dimension(*) :: {self.name}"
        if base == "void":
            kind = "" if self.function in OF_MPI1 else "(kind=MPI_ADDRESS_KIND)"
            return f"integer{kind} :: {self.name}"
        if base == "MPI_Status":
            several = self.name == "array_of_statuses"
            return f"integer :: {self.name}(MPI_STATUS_SIZE{',*' if several else ''})"
        kind = KINDS.get(base, "integer")
        if self.name in LOGICAL:
            kind = "logical"
        if self.array == "[][3]":
            return f"{kind} :: {self.name}(3,*)"
        many = self.array or self.name in ("destweights", "sourceweights", "weights")
        return f"{kind} :: {self.name}{'(*)' if many else ''}"


class Function:
    def __init__(self, row):
        self.name = row["name"][4:]
        self.result = row["return"]
        self.chapter = row["chapter"].replace("/", "_")
        words = [p.strip() for p in row["parameters"].split(", ")]
        words = [] if words in ([""], ["void"]) else words
        callbacks = any("_function" in w or "..." in w for w in words)
        plain = not callbacks and "**" not in row["parameters"] and self.name not in BY_HAND
        self.made = plain
        self.parameters = [] if callbacks else [Parameter(self.name, w) for w in words]

    def fortran_parameters(self):
        return [p.name for p in self.parameters] + (["ierror"] if self.result == "int" else [])


def functions():
    rows = [r for r in table("functions")
            if not r["name"].endswith(("_c", "_fromint", "_toint"))
            and not r["name"].startswith("MPI_T_") and r["name"][4:] not in WITHOUT]
    return [Function(r) for r in rows]


# C ----------------------------------------------------------------------------------------------

def scalar(p, before, after):
    """A handle that goes in, out, or both ways: the argument of the C function."""
    kind = p.type.rstrip("*")
    if not p.output:
        return f"MPI_{p.handle}_fromint(*{p.name})"
    before.append(f"{kind} c_{p.name} = MPI_{p.handle}_fromint(*{p.name});")
    after.append(f"mpif_number({p.name}, MPI_{p.handle}_toint(c_{p.name}));")
    return f"&c_{p.name}"


def handles(p, before, after):
    """An array of handles."""
    kind = p.type
    before += [f"int n_{p.name} = {p.length()};",
               f"{kind} few_{p.name}[MPIF_FEW];",
               f"{kind} *c_{p.name} = mpif_{p.handle}_in(few_{p.name}, {p.name}, n_{p.name});"]
    back = "NULL" if p.constant or p.name in ("sendtypes", "recvtypes") else p.name
    after.append(f"mpif_{p.handle}_out(few_{p.name}, c_{p.name}, {back}, n_{p.name});")
    return f"c_{p.name}"


def text(p, given, before, after):
    if p.constant:
        before.append(f"char *c_{p.name} = mpif_text({p.name}, l_{p.name});")
        after.append(f"free(c_{p.name});")
        return f"c_{p.name}"
    before.append(f"char c_{p.name}[{TEXTS[p.name]}] = \"\";")
    after += [f"if ({given})", f"    mpif_give({p.name}, l_{p.name}, c_{p.name});"]
    return f"c_{p.name}"


def argument(p, given, before, after):
    """given: the condition under which results exist."""
    if p.text:
        return text(p, given, before, after)
    if p.type == "MPI_Status*":
        return f"mpif_{'statuses' if p.name == 'array_of_statuses' else 'status'}({p.name})"
    if p.handle and p.array:
        return handles(p, before, after)
    if p.handle:
        return scalar(p, before, after)
    if p.name == "buffer_addr":
        before += [f"void *c_{p.name};", f"(void){p.name}; /* Fortran has it anyway */"]
        return "&c_buffer_addr"
    if p.type.startswith("void"):
        return p.name if p.name in ADDRESSES else f"mpif_buffer({p.name})"
    if p.name.endswith("weights"):
        return f"mpif_weights({p.name})"
    if p.array == "[][3]":
        return f"(int (*)[3]){p.name}"
    if p.array or p.output:
        return p.name
    return f"*{p.name}"


def c_function(f):
    before, after = [], []
    found = any(p.name == "flag" for p in f.parameters)
    given = "e == MPI_SUCCESS" + (" && *flag" if found else "")
    arguments = [argument(p, given, before, after) for p in f.parameters]
    declarations = [p.c_declaration() for p in f.parameters]
    if f.result == "int":
        declarations.append("MPI_Fint *ierror")
    declarations += [f"size_t l_{p.name}" for p in f.parameters if p.text]
    name = f"F({f.name.lower()}_)"
    call = f"C({f.name})({', '.join(arguments)})"
    head = f"({', '.join(declarations) or 'void'})"
    if f.result != "int":
        return (f"{f.result} {name}{head};\n{f.result} {name}{head}\n{{\n"
                f"    return {call};\n}}\n")
    # Nothing is converted back that could not be converted.
    arrays = [p.name for p in f.parameters if p.handle and p.array]
    if arrays:
        missing = " || ".join(f"c_{a} == NULL" for a in arrays)
        call = f"{missing} ? MPI_ERR_NO_MEM : {call}"
    body = before + [f"int e = {call};"] + after + ["if (ierror != NULL)", "    *ierror = e;"]
    lines = "".join(f"    {line}\n" for line in body)
    return f"void {name}{head};\nvoid {name}{head}\n{{\n{lines}}}\n"


def c_chapter(chapter):
    parts = [c_function(f) for f in functions() if f.made and f.chapter == chapter]
    return ("/* SPDX-License-Identifier: MIT */\n/* Made by fortran/tools/bind.py. */\n"
            "#include \"convert.h\"\n\n" + "\n".join(parts))


# Fortran ----------------------------------------------------------------------------------------

SKIPPED_KINDS = ("MPI_T", "predefined function", "null/ignore", "buffer address", "Fortran status",
                 "kind", "extension")


def constants():
    """Name, value of the constants that are integers in Fortran."""
    found = []
    for r in table("constants"):
        if r["kind"].startswith(SKIPPED_KINDS) or r["name"].startswith("MPI_F_"):
            continue
        if not re.fullmatch(r"-?\d+", r["value"]):
            continue
        value = int(r["value"])
        if r["kind"] == "string length":
            value -= 1  # C counts the NUL
        found.append((r["name"], value, r["kind"]))
    found += [("MPI_STATUS_SIZE", 8, ""), ("MPI_SOURCE", 1, ""), ("MPI_TAG", 2, ""),
              ("MPI_ERROR", 3, ""), ("MPI_ADDRESS_KIND", 8, ""), ("MPI_COUNT_KIND", 8, ""),
              ("MPI_OFFSET_KIND", 8, ""), ("MPI_INTEGER_KIND", 4, "")]
    return found


def declarations():
    """Constants, sentinels and functions: free and fixed form at once, no line over 72 columns."""
    out = []
    for name, value, kind in constants():
        wide = kind == "file displacement"
        out += [f"      integer{'*8' if wide else ''} {name}",
                f"      parameter ({name}={value})"]
    for name in ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"):
        out += [f"      logical {name}", f"      parameter ({name}=.false.)"]
    out += ["      integer MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC",
            "      integer MPI_STATUS_IGNORE(MPI_STATUS_SIZE)",
            "      integer MPI_STATUSES_IGNORE(MPI_STATUS_SIZE,1)",
            "      integer MPI_ERRCODES_IGNORE(1)",
            "      integer MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)",
            "      character*1 MPI_ARGV_NULL(1), MPI_ARGVS_NULL(1,1)"]
    for name in ("BOTTOM", "IN_PLACE", "BUFFER_AUTOMATIC", "STATUS_IGNORE", "STATUSES_IGNORE",
                 "ERRCODES_IGNORE", "UNWEIGHTED", "WEIGHTS_EMPTY", "ARGV_NULL", "ARGVS_NULL"):
        out.append(f"      common /MPIF_{name}/ MPI_{name}")
    return out


PREDEFINED = [f"MPI_{kind}{fn}_FN" for kind in ("", "COMM_", "TYPE_", "WIN_")
              for fn in ("NULL_COPY", "NULL_DELETE", "DUP")]


def mpif():
    head = ["! SPDX-License-Identifier: MIT", "! Made by fortran/tools/bind.py."]
    tail = [f"      external {name}" for name in PREDEFINED]
    for prefix in ("", "P"):
        tail += [f"      double precision {prefix}MPI_WTIME, {prefix}MPI_WTICK",
                 f"      external {prefix}MPI_WTIME, {prefix}MPI_WTICK",
                 f"      integer*8 {prefix}MPI_AINT_ADD",
                 f"      external {prefix}MPI_AINT_ADD",
                 f"      integer*8 {prefix}MPI_AINT_DIFF",
                 f"      external {prefix}MPI_AINT_DIFF"]
    return "\n".join(head + declarations() + tail) + "\n"


def joined(words):
    """A list that may be long, on lines of a hundred columns."""
    lines, line = [], ""
    for i, word in enumerate(words):
        piece = word + (", " if i + 1 < len(words) else "")
        if len(line) + len(piece) > 70:
            lines.append(line + "&")
            line = ""
        line += piece
    return "\n          ".join(lines + [line])


def interface(f, prefix):
    name = f"{prefix}MPI_{f.name}"
    names = f.fortran_parameters()
    kinds = "MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_OFFSET_KIND, MPI_STATUS_SIZE"
    head = f"({joined(names)})"
    out = []
    if f.result == "int":
        out.append(f"    subroutine {name}{head}")
    else:
        out.append(f"    function {name}{head} result(value)")
    out.append(f"      import :: {kinds}")
    for p in f.parameters:
        if p.type.startswith("void") and p.name not in ADDRESSES:
            out.append(f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {p.name}")
        out.append(f"      {p.fortran_declaration()}")
    if f.result == "int":
        return "\n".join(out + ["      integer :: ierror", f"    end subroutine {name}"])
    return "\n".join(out + [f"      {KINDS[f.result]} :: value", f"    end function {name}"])


INTERFACES_BY_HAND = """    subroutine @MPI_Init(ierror)
      integer :: ierror
    end subroutine
    subroutine @MPI_Init_thread(required, provided, ierror)
      integer :: required, provided, ierror
    end subroutine
    subroutine @MPI_Op_create(user_fn, commute, op, ierror)
      external :: user_fn
      logical :: commute
      integer :: op, ierror
    end subroutine
    subroutine @MPI_Sizeof(x, size, ierror) bind(C, name="@mpi_sizeof_described_")
      type(*), dimension(..), intent(in) :: x
      integer, intent(out) :: size, ierror
    end subroutine"""


def module():
    made = [f for f in functions() if f.made or (f.parameters and f.name in BY_HAND)]
    made = [f for f in made if f.name not in ("Init", "Init_thread")]
    out = ["! SPDX-License-Identifier: MIT", "! Made by fortran/tools/bind.py.", "module mpi",
           "  implicit none", "  public"]
    out += ["  " + line.strip() for line in declarations()]
    out += [f"  external :: {name}" for name in PREDEFINED]
    for prefix in ("", "P"):
        by_hand = INTERFACES_BY_HAND.replace("@MPI", prefix + "MPI")
        out += ["  interface", by_hand.replace("@mpi", prefix.lower() + "mpi")]
        out += [interface(f, prefix) for f in made]
        out += ["  end interface"]
    return "\n".join(out + ["end module mpi"]) + "\n"


def constants_test():
    """A Fortran program that prints what Fortran thinks, for comparison with C."""
    out = ["! SPDX-License-Identifier: MIT", "program constants", "  use mpi", "  implicit none"]
    out += [f"  print '(a,1x,i0)', '{name}', {name}" for name, _, _ in constants()]
    return "\n".join(out + ["end program"]) + "\n"


def chapters():
    return ";".join(sorted({f.chapter for f in functions() if f.made})) + "\n"


if __name__ == "__main__":
    WHAT = {"c": c_chapter, "chapters": chapters, "mpif": mpif, "module": module,
            "test": constants_test}
    if len(sys.argv) < 2 or sys.argv[1] not in WHAT:
        sys.exit(__doc__)
    sys.stdout.write(WHAT[sys.argv[1]](*sys.argv[2:]))
