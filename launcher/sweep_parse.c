/* SPDX-License-Identifier: MIT */
/* The words of --sweep. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
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

const char *const sweep_variables[] = {
    "LWMPI_COMPUTE",   "LWMPI_MEMORY", "LWMPI_MODEL",   "LWMPI_NOC",
    "LWMPI_PROTOCOLS", "LWMPI_SEED",   "LWMPI_VARIANT", NULL};

bool sweep_is_variable(const char *setting)
{
    size_t n = strcspn(setting, "=");
    for (int i = 0; sweep_variables[i]; i++)
        if (strlen(sweep_variables[i]) == n && strncmp(setting, sweep_variables[i], n) == 0)
            return true;
    return false;
}

static bool add(struct sweep *s, char *value)
{
    if (value && s->values < VALUES_MAX)
        s->value[s->values++] = value;
    else
        free(value);
    return value && s->value[s->values - 1] == value;
}

static bool add_number(struct sweep *s, long n)
{
    char *text;
    return add(s, asprintf(&text, "%ld", n) < 0 ? NULL : text);
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
    for (long v = from; add_number(s, v); v = s->times ? v * step : v + step)
        if (s->times ? v > last / step : v > last - step)
            return true;
    return false;
}

/* A,B,C. Numbers, of which the last may have a unit, or the list is one of words. */
static bool list(struct sweep *s, const char **at)
{
    const char *p = *at;
    long n;
    do
        if (!number(&p, &n))
            return false;
    while (*p == ',' && p++);
    if ((*p != '\0' && !isspace((unsigned char)*p)) || strchr(p, ','))
        return false;
    for (bool more = true; more; more = *(*at)++ == ',')
        if (!number(at, &n) || !add_number(s, n))
            return false;
    --*at;
    return true;
}

/* A,B,C as --set would take each. A number is not one that no number can be. */
static bool words(struct sweep *s, const char **at)
{
    s->words = true;
    for (bool more = true; more; *at += more) {
        const char *p = *at + strspn(*at, " "), *from = p;
        size_t n = strcspn(p, ",");
        long value;
        *at = p + n;
        more = **at == ',';
        while (n > 0 && p[n - 1] == ' ')
            n--;
        if (n == 0 || memmem(p, n, "..", 2) || (isdigit((unsigned char)*p) && !number(&p, &value)))
            return false;
        if (!add(s, strndup(from, n)))
            return false;
    }
    return true;
}

void sweep_free(struct sweep *s)
{
    for (size_t i = 0; i < s->values; i++)
        free(s->value[i]);
    free(s->value);
}

int sweep_parse(struct sweep *s, const char *name, const char *text)
{
    const char *at = text + strcspn(text, "="), *behind;
    long first;
    *s = (struct sweep){.key = text, .key_length = (int)(at - text)};
    s->value = calloc(VALUES_MAX, sizeof *s->value);
    if (!s->value) {
        complain("%s: out of memory", name);
        return EXIT_CANNOT_RUN;
    }
    bool good = s->key_length > 0 && *at++ == '=';
    behind = at;
    if (good && number(&behind, &first) && strncmp(behind, "..", 2) == 0)
        good = range(s, &behind, first) && (*(at = behind) == '\0' || isspace((unsigned char)*at));
    else
        good = good && (list(s, &at) || (s->values == 0 && words(s, &at)));
    s->unit = at;
    if (good)
        return -1;
    sweep_free(s);
    complain("%s %.100s: right are KEY=4..64:x2 and KEY=4..64:+4, whole numbers that come to their "
             "end, and KEY=A,B,C, values as --set has them, %d at most, as in --sweep "
             "compute_clusters=4..64:x2",
             name, text, VALUES_MAX);
    return EXIT_USAGE;
}
