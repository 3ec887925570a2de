/* SPDX-License-Identifier: MIT */
#include "vector.h"

#include <string.h>

static bool ends(const char *name, const char *with)
{
    size_t n = strlen(name), m = strlen(with);
    return n >= m && strcmp(name + n - m, with) == 0;
}

unsigned vector_width(const struct instruction *in)
{
    unsigned width = 0;
    for (int i = 0; i < in->operands; i++) {
        struct piece p = in->operand[i];
        if (p.n < 5 || p.at[0] != '%' || p.at[2] != 'm' || p.at[3] != 'm')
            continue;
        unsigned w = p.at[1] == 'x' ? 16 : p.at[1] == 'y' ? 32 : p.at[1] == 'z' ? 64 : 0;
        width = w > width ? w : width;
    }
    return width;
}

static bool has_memory(const struct instruction *in)
{
    for (int i = 0; i < in->operands; i++)
        if (operand_is_memory(in->operand[i]))
            return true;
    return false;
}

/* `pxor %xmm0, %xmm0` and its like only clear a register. */
static bool clears(const struct instruction *in, const char *stem)
{
    struct piece a = in->operand[0], b = in->operands > 1 ? in->operand[1] : a;
    return (name_begins(stem, "xor") || name_begins(stem, "pxor")) && in->operands > 1 &&
           a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

/* Numbers that an instruction computes, by the type at the end of its name; 0: it has none. */
static unsigned lanes(const char *stem, unsigned width)
{
    static const struct {
        const char *end;
        unsigned bytes; /* of one number; 0: there is one number */
    } types[] = {{"ss", 0}, {"sd", 0}, {"sh", 0}, {"ps", 4}, {"pd", 8}, {"ph", 2}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (ends(stem, types[i].end))
            return types[i].bytes == 0 ? 1 : width / types[i].bytes;
    return 0;
}

/* Moves, and those that rearrange: `one` if they move one number at most. */
static const struct {
    const char *begin;
    bool one;
} moves[] = {
    {"movss", true},      {"movsd", true},     {"movsh", true},     {"movd", true},
    {"movq", true},       {"movlp", true},     {"movhp", true},     {"pinsr", true},
    {"pextr", true},      {"insertps", true},  {"extractps", true}, {"broadcasts", true},
    {"pbroadcast", true}, {"movddup", true},   {"mov", false},      {"lddqu", false},
    {"maskmov", false},   {"pmaskmov", false}, {"unpck", false},    {"shuf", false},
    {"pshuf", false},     {"punpck", false},   {"pack", false},     {"perm", false},
    {"blend", false},     {"pblend", false},   {"insert", false},   {"extract", false},
    {"broadcast", false}, {"palignr", false},  {"align", false},    {"pslldq", false},
    {"psrldq", false},    {"gather", false},   {"pgather", false},  {"pmovmskb", false},
    {"pmovsx", false},    {"pmovzx", false},   {"ptest", false},
};

/* Floating point arithmetic, by the begin of the name; the end is a type. */
static const struct {
    const char *begin;
    int add, multiply, divide; /* of each number */
} arithmetic[] = {
    {"fmadd", 1, 1, 0}, {"fmsub", 1, 1, 0}, {"fnmadd", 1, 1, 0}, {"fnmsub", 1, 1, 0},
    {"add", 1, 0, 0},   {"sub", 1, 0, 0},   {"hadd", 1, 0, 0},   {"hsub", 1, 0, 0},
    {"max", 1, 0, 0},   {"min", 1, 0, 0},   {"ucomi", 1, 0, 0},  {"comi", 1, 0, 0},
    {"cmp", 1, 0, 0},   {"round", 1, 0, 0}, {"rnd", 1, 0, 0},    {"mul", 0, 1, 0},
    {"dp", 1, 1, 0},    {"rcp", 0, 1, 0},   {"rsqrt", 0, 1, 0},  {"div", 0, 0, 1},
    {"sqrt", 0, 0, 1},
};

static void count_move(bool one, bool memory, unsigned width, unsigned count[COUNT_CLASSES])
{
    if (memory)
        count[COUNT_MEMORY] += one ? 1 : width / 8;
    else
        count[COUNT_INTEGER] += 1;
}

static bool count_arithmetic(const char *stem, unsigned n, unsigned count[COUNT_CLASSES])
{
    for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++) {
        if (!name_begins(stem, arithmetic[i].begin))
            continue;
        count[COUNT_FLOAT_ADD] += n * (unsigned)arithmetic[i].add;
        count[COUNT_FLOAT_MULTIPLY] += n * (unsigned)arithmetic[i].multiply;
        count[COUNT_FLOAT_DIVIDE] += n * (unsigned)arithmetic[i].divide;
        return true;
    }
    return false;
}

static bool converts_one(const char *stem)
{
    return strstr(stem, "sd2") || strstr(stem, "ss2") || strstr(stem, "2sd") || strstr(stem, "2ss");
}

static void count_vector(const struct instruction *in, const char *stem, unsigned width,
                         unsigned count[COUNT_CLASSES])
{
    bool memory = has_memory(in);
    unsigned words = width / 8, n = lanes(stem, width);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        if (name_begins(stem, moves[i].begin)) {
            count_move(moves[i].one, memory, width, count);
            return;
        }
    }
    if (name_begins(stem, "cvt")) {
        bool one = converts_one(stem);
        count[COUNT_FLOAT_ADD] += one ? 1 : words;
        count[COUNT_MEMORY] += !memory ? 0 : one ? 1 : words;
        return;
    }
    if (n > 0 && count_arithmetic(stem, n, count)) {
        count[COUNT_MEMORY] += !memory ? 0 : n == 1 ? 1 : words;
        return;
    }
    bool multiplies = name_begins(stem, "pmul") || name_begins(stem, "pmadd");
    count[multiplies ? COUNT_MULTIPLY : COUNT_INTEGER] += clears(in, stem) ? 1 : words;
    count[COUNT_MEMORY] += memory ? words : 0;
}

/* The old unit's instructions: its own work beside an operand in memory. */
static const struct {
    const char *begin;
    int integer, add, multiply, divide;
} stack[] = {
    {"fild", 0, 1, 0, 0},    {"fist", 0, 1, 0, 0},     {"fld", 1, 0, 0, 0},
    {"fst", 1, 0, 0, 0},     {"fadd", 0, 1, 0, 0},     {"fiadd", 0, 1, 0, 0},
    {"fsub", 0, 1, 0, 0},    {"fisub", 0, 1, 0, 0},    {"fcom", 0, 1, 0, 0},
    {"fucom", 0, 1, 0, 0},   {"fmul", 0, 0, 1, 0},     {"fimul", 0, 0, 1, 0},
    {"fdiv", 0, 0, 0, 1},    {"fidiv", 0, 0, 0, 1},    {"fsqrt", 0, 0, 0, 1},
    {"fprem", 0, 0, 0, 1},   {"fchs", 0, 1, 0, 0},     {"fabs", 0, 1, 0, 0},
    {"frndint", 0, 1, 0, 0}, {"fsin", 0, 20, 20, 0},   {"fcos", 0, 20, 20, 0},
    {"fptan", 0, 20, 20, 1}, {"fpatan", 0, 20, 20, 1}, {"fyl2x", 0, 20, 20, 1},
    {"f2xm1", 0, 20, 20, 0}, {"f", 1, 0, 0, 0},
};

static void count_stack(const struct instruction *in, unsigned count[COUNT_CLASSES])
{
    size_t i = 0;
    while (!name_begins(in->name, stack[i].begin))
        i++;
    bool memory = has_memory(in);
    count[COUNT_INTEGER] += memory ? 0 : (unsigned)stack[i].integer;
    count[COUNT_FLOAT_ADD] += (unsigned)stack[i].add;
    count[COUNT_FLOAT_MULTIPLY] += (unsigned)stack[i].multiply;
    count[COUNT_FLOAT_DIVIDE] += (unsigned)stack[i].divide;
    count[COUNT_MEMORY] += !memory ? 0 : ends(in->name, "t") ? 2 : 1; /* 10 bytes */
}

bool vector_count(const struct instruction *in, unsigned count[COUNT_CLASSES])
{
    unsigned width = vector_width(in);
    const char *stem = in->name[0] == 'v' ? in->name + 1 : in->name;
    if (strcmp(stem, "zeroupper") == 0 || strcmp(stem, "zeroall") == 0)
        return true;
    if (width > 0 || name_begins(stem, "cvt"))
        count_vector(in, stem, width == 0 ? 16 : width, count);
    else if (in->name[0] == 'f')
        count_stack(in, count);
    else
        return false;
    return true;
}
