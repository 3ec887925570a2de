/* SPDX-License-Identifier: MIT */
/* A file that was written, on a disk that refuses nothing, its first write, or its last one. */
#define _GNU_SOURCE
#include <hal/hosted.h>

#include <errno.h>

#include <test/check.h>

struct disk {
    int writes, full_at; /* so far; the one that it refuses, from 1 on */
};

static ssize_t put(void *cookie, const char *bytes, size_t n)
{
    struct disk *d = cookie;
    (void)bytes;
    if (++d->writes != d->full_at)
        return (ssize_t)n;
    errno = ENOSPC;
    return 0;
}

/* What closing says of a file of two writes. */
static bool written(int full_at)
{
    struct disk d = {.full_at = full_at};
    FILE *f = fopencookie(&d, "w", (cookie_io_functions_t){.write = put});
    CHECK(f);
    fputs("the first", f);
    fflush(f);
    fputs("the last", f);
    errno = 0;
    bool whole = hal_file_close(f);
    CHECK_EQ(d.writes, 2);
    return whole;
}

int main(void)
{
    CHECK(written(0));
    CHECK(!written(1));
    CHECK_EQ(errno, EIO);
    CHECK(!written(2));
    CHECK_EQ(errno, ENOSPC);
    return 0;
}
