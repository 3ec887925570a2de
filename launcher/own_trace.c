/* SPDX-License-Identifier: MIT */
/* A trace in a file without a name: for a report, or until a pipe or device can have it whole, as
 * it is not written from its begin to its end. */
#include "take.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hal/hosted.h>

#include "prove.h"

#define TRACE   "LWMPI_TRACE"
#define PURPOSE "LWMPI_TRACE_FOR" /* for who complains that it cannot be written */

/* A file that goes away however mpiexec ends: it has no name any more. On the disk of `beside`, or,
 * if no other file can be made in its folder, in memory. -1: neither. */
static int nameless(const char *beside)
{
    char *name;
    int fd = -1;
    if (asprintf(&name, "%s.trace.XXXXXX", beside) >= 0) {
        fd = mkostemp(name, O_CLOEXEC);
        if (fd >= 0)
            unlink(name);
        free(name);
    }
    return fd >= 0 ? fd : memfd_create("trace", MFD_CLOEXEC);
}

/* By a name under which the job's processes find it, too. */
static int make(struct request *r, const char *option, const char *path, const char *beside)
{
    char name[64];
    int fd = nameless(beside);
    if (fd < 0 || asprintf(&r->own_trace, "%s %s", option, path) < 0) {
        complain("%s %.200s: cannot make a file for its trace: %s", option, path, strerror(errno));
        r->own_trace = NULL;
        return EXIT_USAGE;
    }
    r->own_file = fd;
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)getpid(), fd);
    setenv(TRACE, name, 1);
    setenv(PURPOSE, r->own_trace, 1);
    return -1;
}

int take_trace_apart(struct request *r)
{
    char beside[512];
    const char *path = getenv(TRACE), *folder = getenv("TMPDIR");
    bool none = !path || *path == '\0';
    unsetenv(PURPOSE);
    if (none)
        return r->report ? make(r, "--report", r->report, r->report) : -1;
    if (prove_runs() || hal_file_on_disk(path))
        return -1;
    r->trace_to = strdup(path);
    if (!r->trace_to) {
        complain("--trace %.200s: out of memory", path);
        return EXIT_CANNOT_RUN;
    }
    snprintf(beside, sizeof beside, "%.400s/mpiexec", folder && *folder ? folder : "/tmp");
    return make(r, "--trace", r->trace_to, beside);
}

/* False: errno says why not all of it is there. */
static bool copy(int from, int to)
{
    char piece[65536];
    ssize_t n, done, put = 0;
    while (put >= 0 && (n = read(from, piece, sizeof piece)) > 0)
        for (done = 0; done < n && (put = write(to, piece + done, (size_t)(n - done))) >= 0;)
            done += put;
    return put >= 0 && n == 0;
}

bool take_trace_handed_on(const struct request *r)
{
    int to = open(r->trace_to, O_WRONLY | O_CLOEXEC);
    bool whole = to >= 0 && copy(r->own_file, to);
    if (!whole && errno != EPIPE) /* a reader that has had enough */
        complain("--trace %.200s: cannot write this file: %s", r->trace_to, strerror(errno));
    if (to >= 0)
        close(to);
    return whole;
}

void take_trace_dropped(struct request *r)
{
    if (r->own_trace)
        close(r->own_file);
    free(r->own_trace);
    free(r->trace_to);
    r->own_trace = r->trace_to = NULL;
}
