/* SPDX-License-Identifier: MIT */
/* Functions of the C library that programs compute with. Their code is this computer's, and it is
 * not counted; on the modelled machine they have some code, too, so a call stands for a mix of
 * operations. The mixes are estimates: the degree of the polynomial that a double needs, reducing
 * the argument, and tables. */
#include <string.h>

#include "instruction.h"

static const struct {
    const char *name; /* of the function for double; that for float has an f behind it */
    uint16_t of[COUNT_CLASSES];
} functions[] = {
    {"exp", {10, 1, 0, 14, 12, 12, 0, 6}},     {"exp2", {10, 1, 0, 14, 11, 11, 0, 6}},
    {"log", {12, 0, 0, 14, 14, 12, 0, 6}},     {"log2", {12, 0, 0, 14, 14, 13, 0, 6}},
    {"log10", {12, 0, 0, 14, 15, 14, 0, 6}},   {"pow", {25, 1, 0, 30, 30, 28, 0, 12}},
    {"sin", {12, 0, 0, 16, 18, 18, 0, 8}},     {"cos", {12, 0, 0, 16, 18, 18, 0, 8}},
    {"sincos", {16, 0, 0, 22, 28, 28, 0, 10}}, {"tan", {14, 0, 0, 18, 24, 24, 1, 8}},
    {"asin", {12, 0, 0, 16, 18, 18, 1, 8}},    {"acos", {12, 0, 0, 16, 18, 18, 1, 8}},
    {"atan", {10, 0, 0, 16, 18, 18, 1, 6}},    {"atan2", {16, 0, 0, 20, 20, 18, 2, 10}},
    {"sinh", {14, 1, 0, 18, 16, 14, 1, 8}},    {"cosh", {14, 1, 0, 18, 16, 14, 1, 8}},
    {"tanh", {14, 1, 0, 18, 18, 14, 1, 8}},    {"cbrt", {12, 0, 0, 10, 10, 12, 1, 4}},
    {"hypot", {10, 0, 0, 8, 6, 6, 1, 6}},      {"fmod", {20, 2, 0, 6, 2, 0, 1, 8}},
    {"floor", {6, 0, 0, 2, 1, 0, 0, 3}},       {"ceil", {6, 0, 0, 2, 1, 0, 0, 3}},
    {"round", {6, 0, 0, 2, 1, 0, 0, 3}},       {"sqrt", {2, 0, 0, 0, 0, 0, 1, 2}},
};

/* Bytes are moved in words of 8, their number is the third argument; those that _FORTIFY_SOURCE
 * calls have the room for them as the fourth. */
static const struct {
    const char *name;
    uint16_t loads_and_stores;
} movers[] = {{"memcpy", 2},       {"memmove", 2},       {"memset", 1},
              {"__memcpy_chk", 2}, {"__memmove_chk", 2}, {"__memset_chk", 1}};

static bool is(struct piece name, const char *function, bool or_float)
{
    size_t n = strlen(function);
    if (name.n < n || memcmp(name.at, function, n) != 0)
        return false;
    if (or_float && n < name.n && name.at[n] == 'f')
        n++;
    return n == name.n;
}

/* With -fno-plt a call goes through the function's address: *exp@GOTPCREL(%rip). */
struct piece library_name(struct piece operand)
{
    struct piece name = operand;
    if (name.n > 0 && name.at[0] == '*')
        name = (struct piece){name.at + 1, name.n - 1};
    const char *at = memchr(name.at, '@', name.n);
    return at ? (struct piece){name.at, (size_t)(at - name.at)} : name;
}

struct amount library_call(struct piece operand, unsigned count[COUNT_CLASSES])
{
    struct amount a = {0};
    struct piece name = library_name(operand);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (!is(name, functions[i].name, true))
            continue;
        for (int k = 0; k < COUNT_CLASSES; k++)
            count[k] += functions[i].of[k];
    }
    for (size_t i = 0; i < sizeof movers / sizeof movers[0]; i++) {
        if (is(name, movers[i].name, false)) {
            a = (struct amount){.reg = "rdx", .shift = 3};
            a.of[COUNT_MEMORY] = movers[i].loads_and_stores;
        }
    }
    return a;
}
