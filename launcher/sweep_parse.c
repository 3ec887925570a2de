/* SPDX-License-Identifier: MIT */
/* The words of --sweep. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

enum { VALUES_MAX = 1000 };

/* A whole number at *at, which moves behind it. False: there is none. */
static bool number(const char **at, long *n)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    *n = strtol(*at, &end, 10);
    *at = end;
    return errno == 0;
}

/* FROM..TO:xN or FROM..TO:+N, of which FROM has been read. */
static bool range(struct sweep *s, const char **at, long from)
{
    long last, step;
    *at += strlen("..");
    if (!number(at, &last) || **at != ':')
        return false;
    char how = *++*at;
    if (how != 'x' && how != '+')
        return false;
    ++*at;
    s->times = how == 'x';
    if (!number(at, &step) || step < 1 + s->times || last < from || (s->times && from == 0))
        return false;
    for (long v = from; s->values < VALUES_MAX; v = s->times ? v * step : v + step) {
        s->value[s->values++] = v;
        if (s->times ? v > last / step : v > last - step)
            return true;
    }
    return false;
}

/* A,B,C of which A has been read. */
static bool list(struct sweep *s, const char **at, long value)
{
    s->value[s->values++] = value;
    while (**at == ',' && s->values < VALUES_MAX) {
        ++*at;
        if (!number(at, &s->value[s->values++]))
            return false;
    }
    return **at != ',';
}

int sweep_parse(struct sweep *s, const char *name, const char *text)
{
    const char *at = text + strcspn(text, "=");
    long first;
    *s = (struct sweep){.key = text, .key_length = (int)(at - text)};
    s->value = calloc(VALUES_MAX, sizeof *s->value);
    if (!s->value) {
        complain("%s: out of memory", name);
        return EXIT_CANNOT_RUN;
    }
    bool good = s->key_length > 0 && *at++ == '=' && number(&at, &first) &&
                (strncmp(at, "..", 2) == 0 ? range(s, &at, first) : list(s, &at, first));
    s->unit = at;
    if (good && (*at == '\0' || isspace((unsigned char)*at)))
        return -1;
    free(s->value);
    complain("%s %.100s: right are KEY=4..64:x2, KEY=4..64:+4 and KEY=4,8,12, whole numbers that "
             "come to their end and are at most %d, as in --sweep compute_clusters=4..64:x2",
             name, text, VALUES_MAX);
    return EXIT_USAGE;
}
