/* SPDX-License-Identifier: MIT */
/* Pipes in, whole lines out. Sources are read without blocking; destinations are written only when
 * poll says that they take something, and no more than they take, so that mpiexec answers signals
 * even while the reader of its output sleeps. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

#define READ_BYTES (64u << 10)
#define LINE_HELD  (1u << 20) /* a longer unfinished line is passed on in pieces */
#define SINK_HELD  (1u << 20) /* beyond this a destination's sources are not read */

struct text {
    char *at;
    size_t used, room;
};

struct source {
    int fd; /* -1: at its end */
    int which, rank;
    struct text line; /* after the last line end */
};

struct sink {
    int fd;
    struct text out;
    size_t written; /* bytes of `out` that are out */
    bool terminal, piped, gone;
    const struct source *open; /* whose unfinished line ends what was written, NULL none */
};

struct relay {
    size_t sources, room;
    struct sink sink[2];
    char text[READ_BYTES]; /* just read; not on the stack, whose size is the caller's limit */
    struct source source[];
};

struct relay *relay_create(int sources)
{
    struct relay *r = calloc(1, sizeof *r + (size_t)sources * sizeof r->source[0]);
    if (!r)
        return NULL;
    r->room = (size_t)sources;
    for (int i = 0; i < 2; i++) {
        off_t here = lseek(i + 1, 0, SEEK_CUR);
        r->sink[i] = (struct sink){.fd = i + 1, .terminal = isatty(i + 1) == 1, .piped = here < 0};
    }
    return r;
}

void relay_destroy(struct relay *r)
{
    for (size_t i = 0; r && i < r->sources; i++) {
        if (r->source[i].fd >= 0)
            close(r->source[i].fd);
        free(r->source[i].line.at);
    }
    for (int i = 0; r && i < 2; i++)
        free(r->sink[i].out.at);
    free(r);
}

void relay_add(struct relay *r, int fd, int which, int rank)
{
    if (r->sources < r->room)
        r->source[r->sources++] = (struct source){.fd = fd, .which = which, .rank = rank};
}

size_t relay_capacity(const struct relay *r)
{
    return r->sources + 2;
}

/* Out of memory here means that text would be lost: say so and stop. */
static void append(struct text *t, const char *text, size_t n)
{
    if (t->room - t->used < n) {
        size_t room = (t->used + n) * 2 + 256;
        char *more = realloc(t->at, room);
        if (!more) {
            fprintf(stderr, "mpiexec: out of memory for output\n");
            _exit(1);
        }
        t->at = more;
        t->room = room;
    }
    if (n > 0)
        memcpy(t->at + t->used, text, n);
    t->used += n;
}

static void append_label(struct sink *s, const struct source *from)
{
    char label[24];
    if (from->rank >= 0)
        append(&s->out, label, (size_t)snprintf(label, sizeof label, "[%d] ", from->rank));
}

/* Passes text on: whole lines, or an unfinished one that must go out now. */
static void pass(struct sink *s, const struct source *from, const char *text, size_t n)
{
    if (n == 0)
        return;
    if (s->open && s->open != from)
        append(&s->out, "\n", 1);
    bool begun = s->open == from;
    s->open = NULL;
    if (from->rank < 0) {
        append(&s->out, text, n);
    } else {
        for (size_t length; n > 0; text += length, n -= length, begun = false) {
            const char *end = memchr(text, '\n', n);
            length = end ? (size_t)(end - text) + 1 : n;
            if (!begun)
                append_label(s, from);
            append(&s->out, text, length);
        }
        text -= 1; /* the last byte passed, as below */
        n = 1;
    }
    if (text[n - 1] != '\n')
        s->open = from;
}

static void pass_unfinished(struct relay *r, struct source *from)
{
    pass(&r->sink[from->which], from, from->line.at, from->line.used);
    from->line.used = 0;
}

static void take(struct relay *r, struct source *from, const char *text, size_t n)
{
    struct sink *s = &r->sink[from->which];
    const char *end = memrchr(text, '\n', n);
    size_t whole = end ? (size_t)(end - text) + 1 : 0;
    if (whole > 0 && from->line.used > 0) {
        append(&from->line, text, whole);
        pass_unfinished(r, from);
    } else {
        pass(s, from, text, whole);
    }
    append(&from->line, text + whole, n - whole);
    bool progress = s->terminal && !s->open && memchr(text + whole, '\r', n - whole);
    if (from->line.used > LINE_HELD || progress || (s->open == from && s->terminal))
        pass_unfinished(r, from);
}

/* Reads what is there, at most once; false: nothing more now. */
static bool read_source(struct relay *r, struct source *from)
{
    ssize_t n = read(from->fd, r->text, sizeof r->text);
    if (n > 0) {
        take(r, from, r->text, (size_t)n);
        return true;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    close(from->fd);
    from->fd = -1;
    pass_unfinished(r, from);
    free(from->line.at);
    from->line = (struct text){0};
    return false;
}

/* Writes what the destination takes without waiting: a pipe that poll found writable takes at least
 * PIPE_BUF bytes at once. */
static bool write_sink(struct sink *s)
{
    size_t n = s->out.used - s->written;
    if (n > (s->piped ? PIPE_BUF : READ_BYTES))
        n = s->piped ? PIPE_BUF : READ_BYTES;
    ssize_t done = write(s->fd, s->out.at + s->written, n);
    if (done < 0 && errno != EAGAIN && errno != EINTR) {
        if (errno != EPIPE && !s->gone)
            complain("cannot write standard %s: %s", s->fd == STDOUT_FILENO ? "output" : "error",
                     strerror(errno));
        s->gone = true;
        s->out.used = s->written = 0;
        return false;
    }
    s->written += done < 0 ? 0 : (size_t)done;
    if (s->written == s->out.used || s->written > SINK_HELD) {
        memmove(s->out.at, s->out.at + s->written, s->out.used - s->written);
        s->out.used -= s->written;
        s->written = 0;
    }
    return true;
}

static bool behind(const struct sink *s)
{
    return s->out.used - s->written > 0;
}

size_t relay_poll(struct relay *r, struct pollfd *p)
{
    size_t n = 0;
    for (int i = 0; i < 2; i++) {
        bool wants = behind(&r->sink[i]);
        p[n++] = (struct pollfd){.fd = wants ? r->sink[i].fd : -1, .events = POLLOUT};
    }
    for (size_t i = 0; i < r->sources; i++) {
        const struct sink *s = &r->sink[r->source[i].which];
        bool full = s->out.used - s->written > SINK_HELD;
        p[n++] = (struct pollfd){.fd = full ? -1 : r->source[i].fd, .events = POLLIN};
    }
    return n;
}

bool relay_move(struct relay *r, const struct pollfd *p, size_t n)
{
    bool good = true;
    for (size_t i = 2; i < n; i++)
        if (p[i].fd >= 0 && p[i].revents != 0)
            read_source(r, &r->source[i - 2]);
    for (int i = 0; i < 2; i++)
        if (p[i].fd >= 0 && p[i].revents != 0)
            good = write_sink(&r->sink[i]) && good;
    return good;
}

void relay_quiet(struct relay *r)
{
    for (size_t i = 0; i < r->sources; i++) {
        struct source *from = &r->source[i];
        struct sink *s = &r->sink[from->which];
        if (s->terminal && from->line.used > 0 && (!s->open || s->open == from))
            pass_unfinished(r, from);
    }
}

/* Writes until at most `most` bytes of each destination are held back. */
static void write_out(struct relay *r, size_t most, double begin, int deadline_ms)
{
    for (int i = 0; i < 2; i++) {
        struct sink *s = &r->sink[i];
        while (s->out.used - s->written > most) {
            int left = deadline_ms < 0 ? -1 : deadline_ms - (int)(1000 * (run_time() - begin));
            if (deadline_ms >= 0 && left <= 0)
                return;
            if (poll(&(struct pollfd){.fd = s->fd, .events = POLLOUT}, 1, left) > 0)
                write_sink(s);
        }
    }
}

bool relay_finish(struct relay *r, int deadline_ms)
{
    double begin = run_time();
    for (size_t i = 0; i < r->sources; i++) {
        struct source *from = &r->source[i];
        while (from->fd >= 0 && read_source(r, from))
            write_out(r, SINK_HELD, begin, deadline_ms);
        if (from->line.used > 0)
            pass_unfinished(r, from);
    }
    for (int i = 0; i < 2; i++) {
        struct sink *s = &r->sink[i];
        if (s->open && s->open->rank >= 0)
            append(&s->out, "\n", 1);
    }
    write_out(r, 0, begin, deadline_ms);
    return !r->sink[0].gone && !r->sink[1].gone;
}
