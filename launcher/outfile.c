/* SPDX-License-Identifier: MIT */
#include <launcher/outfile.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What "%c" stands for; false: nothing. */
static bool expand(char c, int rank, char *text, size_t size)
{
    switch (c) {
    case 'r':
        snprintf(text, size, "%d", rank);
        return true;
    case 'p':
    case 'g':
        snprintf(text, size, "0");
        return true;
    case 'h':
        if (gethostname(text, size) != 0)
            snprintf(text, size, "localhost");
        text[size - 1] = '\0';
        return true;
    case '%':
        snprintf(text, size, "%%");
        return true;
    default:
        return false;
    }
}

int launcher_outfile(const char *pattern, int rank, bool clear)
{
    char path[PATH_MAX], piece[256];
    size_t used = 0;
    for (const char *p = pattern; *p != '\0'; p++) {
        if (*p != '%')
            snprintf(piece, sizeof piece, "%c", *p);
        else if (!expand(*++p, rank, piece, sizeof piece))
            return -EINVAL;
        if (used + strlen(piece) >= sizeof path)
            return -ENAMETOOLONG;
        memcpy(path + used, piece, strlen(piece));
        used += strlen(piece);
    }
    path[used] = '\0';
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (clear ? O_TRUNC : 0), 0666);
    return fd < 0 ? -errno : fd;
}
