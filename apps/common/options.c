/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static int complain(const struct usage *u, bool speaks, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int complain(const struct usage *u, bool speaks, const char *format, ...)
{
    char text[400];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (speaks)
        fprintf(stderr, "%s: %s\n", u->program, text);
    return 2;
}

static int help(const struct usage *u, bool speaks)
{
    if (!speaks)
        return 0;
    printf("usage: %s [options]%s%s\n%s", u->program, *u->arguments ? " " : "", u->arguments,
           u->about);
    for (const struct option *o = u->option; o->name; o++)
        printf("  %-11s %-5s %s\n", o->name, o->value, o->help);
    return 0;
}

/* Stores `text` as option o wants it; false if it does not. */
static bool store(const struct option *o, void *values, const char *text)
{
    char *end, *at = (char *)values + o->offset;

    if (o->kind == OPTION_TEXT) {
        *(const char **)at = text;
        return true;
    }
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= o->least && value <= o->most))
        return false;
    if (o->kind == OPTION_REAL) {
        *(double *)at = value;
        return true;
    }
    if (value != floor(value) || (o->step && fmod(value - o->least, o->step) != 0.0))
        return false;
    *(int *)at = (int)value;
    return true;
}

/* Takes the option argv[*i] with its value; -1, or 2 after a message. */
static int take(const struct usage *u, void *values, int argc, char **argv, int *i, bool speaks)
{
    const char *name = argv[*i];

    for (const struct option *o = u->option; o->name; o++) {
        if (strcmp(name, o->name) != 0)
            continue;
        if (o->kind == OPTION_FLAG) {
            *(bool *)((char *)values + o->offset) = true;
            return -1;
        }
        const char *text = *i + 1 < argc ? argv[++*i] : NULL;
        if (!text || !store(o, values, text))
            return complain(u, speaks, "%s must be %s, not %s", name, o->allowed,
                            text ? text : "nothing");
        return -1;
    }
    return complain(u, speaks, "there is no option %s; %s --help lists them", name, u->program);
}

int options_read(const struct usage *u, void *values, int argc, char **argv, bool speaks)
{
    const char **files = (const char **)(void *)((char *)values + u->files_offset);
    int found = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return help(u, speaks);
        if (argv[i][0] == '-' && argv[i][1]) {
            int code = take(u, values, argc, argv, &i, speaks);
            if (code >= 0)
                return code;
        } else if (found < u->files_most) {
            files[found++] = argv[i];
        } else {
            return complain(u, speaks, "%d file names at most, but there is also %s", u->files_most,
                            argv[i]);
        }
    }
    return -1;
}

int options_refuse(const struct usage *u, bool speaks, const char *why)
{
    return complain(u, speaks, "%s; %s --help tells more", why, u->program);
}
