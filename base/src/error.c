/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include <stddef.h>

static const struct entry {
    int code;
    const char *name, *message;
} table[] = {
    {0, "OK", "success"},
#define B_ERROR(name, number, message) {number, #name, message},
#include <base/error.def>
#undef B_ERROR
};

static const struct entry unknown = {0, "E?", "unknown error"};

static const struct entry *find(int code)
{
    if (code < 0) {
        code = -code;
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].code == code) {
            return &table[i];
        }
    }
    return &unknown;
}

const char *b_error_name(int code)
{
    return find(code)->name;
}

const char *b_error_message(int code)
{
    return find(code)->message;
}
