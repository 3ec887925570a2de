/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include <stddef.h>
#include <stdint.h>

#include <base/texts.h>

static const uint8_t codes[] = {
#define B_ERROR(name, number, message) number,
#include <base/error.def>
#undef B_ERROR
};

/* In their order. The last one is of a code that is none of them. */
static const char names[] = "OK\0"
#define B_ERROR(name, number, message) #name "\0"
#include <base/error.def>
#undef B_ERROR
                            "E?";
static const char messages[] = "success\0"
#define B_ERROR(name, number, message) message "\0"
#include <base/error.def>
#undef B_ERROR
                               "unknown error";

/* Which text is that of a code. */
static size_t place(int code)
{
    size_t i = 0;
    if (code == 0)
        return 0;
    while (i < sizeof codes && codes[i] != code && codes[i] != -code)
        i++;
    return i + 1;
}

const char *b_error_name(int code)
{
    return b_text_of(names, place(code));
}

const char *b_error_message(int code)
{
    return b_text_of(messages, place(code));
}
