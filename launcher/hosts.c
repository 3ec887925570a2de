/* SPDX-License-Identifier: MIT */
/* Lists of computers, as users of several have them in their scripts: this one is welcome. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "take.h"

static void own_name(char *name, size_t size)
{
    if (gethostname(name, size) != 0)
        name[0] = '\0';
    name[size - 1] = '\0';
}

static bool same(const char *a, size_t n, const char *b, size_t m)
{
    return n == m && strncasecmp(a, b, n) == 0;
}

/* A name that means "here" anywhere, or that of this computer. A name without its domain is as good
 * as the whole. */
static bool is_here(const char *name, size_t n)
{
    static const char *const everywhere[] = {"localhost", "127.0.0.1", "::1"};
    char own[256];
    own_name(own, sizeof own);
    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0]; i++)
        if (same(name, n, everywhere[i], strlen(everywhere[i])))
            return true;
    size_t whole = strlen(own), first = strcspn(own, "."), given = strcspn(name, ".");
    given = given < n ? given : n;
    bool two_domains = first < whole && given < n;
    return n > 0 && (two_domains ? same(name, n, own, whole) : same(name, given, own, first));
}

/* Behind the name there may be how many ranks it takes, ":8": the number of ranks is -n here. */
static size_t name_length(const char *word, size_t n)
{
    const char *colon = memchr(word, ':', n);
    bool several = colon && memchr(colon + 1, ':', n - (size_t)(colon + 1 - word));
    return !colon || several ? n : (size_t)(colon - word); /* several: an IPv6 address */
}

static int accept_host(const char *where, const char *word, size_t n)
{
    size_t length = name_length(word, n), behind = length + 1;
    size_t digits = length < n ? strspn(word + behind, "0123456789") : 0;
    char own[256];
    if (length < n && (digits == 0 || behind + digits < n)) {
        complain("%.200s: %.*s: behind the colon stands how many ranks the computer takes", where,
                 (int)(n < 100 ? n : 100), word);
        return EXIT_USAGE;
    }
    if (is_here(word, length))
        return -1;
    own_name(own, sizeof own);
    complain("%.200s: %.*s is not this computer (%s, localhost), and ranks run on no other", where,
             (int)(length < 100 ? length : 100), word, own);
    return EXIT_USAGE;
}

int take_hosts(struct request *r, const char *name, char **value)
{
    (void)r;
    const char *at = value[0];
    int code = accept_host(name, at, strcspn(at, ","));
    while (code < 0 && *(at += strcspn(at, ",")) != '\0') {
        at++;
        code = accept_host(name, at, strcspn(at, ","));
    }
    return code;
}

/* A line is a name, with more about it behind ":" or a blank; "#" begins a comment. */
int take_hostfile(struct request *r, const char *name, char **value)
{
    (void)r;
    char *line = NULL;
    size_t size = 0;
    int code = -1;
    FILE *file = fopen(value[0], "r");
    while (file && code < 0 && getline(&line, &size, file) >= 0) {
        const char *word = line + strspn(line, " \t");
        size_t n = strcspn(word, " \t\r\n#");
        if (n > 0)
            code = accept_host(value[0], word, n);
    }
    if (!file || ferror(file)) {
        complain("%s %.200s: cannot read this file: %s", name, value[0], strerror(errno));
        code = EXIT_USAGE;
    }
    if (file)
        fclose(file);
    free(line);
    return code;
}
