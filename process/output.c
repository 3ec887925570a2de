/* SPDX-License-Identifier: MIT */
/* stdout and stderr of a process with several ranks.
 *
 * Ranks of one process share the C library's two streams, so a rank that switches in the middle of
 * a line would leave half a line to the next one. Here both streams are replaced by ones that keep
 * what a rank wrote since its last line end, and write whole lines only, each with its rank in
 * front if asked. On a terminal a half line is shown when its rank flushes it (a prompt) or writes
 * it to stderr (a progress bar); another rank's line then begins on a new line.
 *
 * A process with a single rank only gets line buffering: what it has printed is out even if it
 * crashes, and mpiexec keeps the lines of different processes apart.
 *
 * Nothing here switches context. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/power.h>
#include <launcher/outfile.h>
#include <process/image.h>

#include "streams.h"

#define UNKNOWN       (-1)       /* the C library met an error and kept no errno */
#define LINE_MAX_HELD (1u << 20) /* a longer line is written in pieces: memory is bounded */

struct stream {
    FILE *before; /* the C library's */
    FILE *file;   /* ours; NULL: not replaced */
    bool terminal;
    bool label;
    /* Under `lock`. The C library has a lock of its own around take(), but not around the rest. */
    pthread_mutex_t lock;
    int open;        /* rank + 1 whose half line ends what was written, 0 none */
    atomic_int lost; /* errno of the write that failed, or UNKNOWN; 0: no text of it is lost */
};
static struct stream streams[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER},
                                   {.lock = PTHREAD_MUTEX_INITIALIZER}};
static struct image_rank outside = {.place = {.rank = -1}}; /* text that no rank wrote */

/* Returns 0 or the errno of what failed. */
static int write_fully(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done >= 0) {
            text += done;
            n -= (size_t)done;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/* Writes to a stream's descriptor or, fd > 0, to the file that a rank has instead. */
static void write_all(int which, int fd, const char *text, size_t n)
{
    int e = write_fully(fd > 0 ? fd : which + 1, text, n);
    if (e != 0)
        streams[which].lost = e;
}

/* What a rank has begun to write will not be written. Where time is virtual, whose machine ends in
 * an orderly way, and all ranks are on one thread. */
static void drop_lines(struct image_rank *r)
{
    for (int which = 0; which < 2; which++) {
        free(r->line[which].text);
        r->line[which] = (struct image_line){0};
    }
}

/* Text that is lost ends the job, as it does where it passes through mpiexec. Nobody's fault is a
 * reader that has had enough. Not under a lock, and not in a child that a rank forked. */
static void check_lost(int which, const struct image_rank *r)
{
    char why[160];
    if (atomic_load_explicit(&streams[which].lost, memory_order_relaxed) == 0 ||
        getpid() != image.process)
        return;
    int e = atomic_exchange(&streams[which].lost, 0);
    if (e == 0)
        return; /* a rank of another core ends the job for it */
    snprintf(why, sizeof why, "rank %d: cannot write standard %s: %s", r->place.rank,
             which == 0 ? "output" : "error",
             e == UNKNOWN ? "some text is lost; is the disk full?" : strerror(e));
    if (image_is_virtual())
        image_ranks_each(drop_lines);
    hal_abort(128 + SIGPIPE, e == EPIPE ? NULL : why);
}

static bool append(struct image_line *l, const char *text, size_t n)
{
    if (l->room - l->used < n) {
        size_t room = (l->used + n) * 2 + 128;
        char *more = realloc(l->text, room);
        if (!more)
            return false;
        l->text = more;
        l->room = room;
    }
    if (n > 0)
        memcpy(l->text + l->used, text, n);
    l->used += n;
    return true;
}

/* Writes n bytes of lines (the last one perhaps unfinished) with labels, in one system call. */
static void write_labelled(int which, int rank, const char *text, size_t n)
{
    struct image_line out = {0};
    while (n > 0) {
        char label[24];
        const char *end = memchr(text, '\n', n);
        size_t length = end ? (size_t)(end - text) + 1 : n;
        int width = rank < 0 ? 0 : snprintf(label, sizeof label, "[%d] ", rank);
        if (!append(&out, label, (size_t)width) || !append(&out, text, length))
            break;
        text += length;
        n -= length;
    }
    write_all(which, 0, out.text, out.used);
    free(out.text);
}

static void emit(int which, const struct image_rank *r, const char *text, size_t n)
{
    struct stream *s = &streams[which];
    if (n == 0)
        return;
    if (r->file[which] > 0) {
        write_all(which, r->file[which], text, n);
        return;
    }
    if (s->open > 0 && s->open != r->place.rank + 1)
        write_all(which, 0, "\n", 1);
    if (s->label)
        write_labelled(which, r->place.rank, text, n);
    else
        write_all(which, 0, text, n);
    s->open = text[n - 1] != '\n' ? r->place.rank + 1 : 0;
}

/* Writes out the first n bytes that rank r holds on a stream; where it holds none there may be no
 * text at all. */
static void release(int which, struct image_rank *r, size_t n)
{
    struct image_line *l = &r->line[which];
    if (n == 0)
        return;
    emit(which, r, l->text, n);
    l->used -= n;
    memmove(l->text, l->text + n, l->used);
}

static ssize_t take_locked(int which, struct image_rank *r, const char *text, size_t n)
{
    const struct stream *s = &streams[which];
    struct image_line *l = &r->line[which];
    const char *end = memrchr(text, '\n', n);
    size_t whole = end ? (size_t)(end - text) + 1 : 0;
    if (l->used == 0) {
        emit(which, r, text, whole);
    } else if (whole > 0) {
        if (!append(l, text, whole))
            return 0;
        release(which, r, l->used);
    }
    if (!append(l, text + whole, n - whole))
        return 0;
    bool progress = which == 1 && s->terminal && !s->label;
    if (l->used > LINE_MAX_HELD || progress)
        release(which, r, l->used);
    return (ssize_t)n;
}

/* The write function of both streams. */
static ssize_t take(void *cookie, const char *text, size_t n)
{
    struct stream *s = cookie;
    struct image_rank *r = image_rank_self();
    pthread_mutex_lock(&s->lock);
    ssize_t taken = take_locked((int)(s - streams), r ? r : &outside, text, n);
    pthread_mutex_unlock(&s->lock);
    if (r)
        check_lost((int)(s - streams), r);
    return taken;
}

bool image_output_write(int fd, const void *text, size_t n)
{
    if ((fd != 1 && fd != 2) || !streams[fd - 1].file)
        return false;
    return take(&streams[fd - 1], text, n) == (ssize_t)n;
}

/* Writes the half line that rank r holds, for there is no more of it. Allocates nothing: it serves
 * processes that crash, too. */
static void write_held(int which, struct image_rank *r)
{
    char label[24];
    struct stream *s = &streams[which];
    struct image_line *l = &r->line[which];
    if (l->used == 0)
        return;
    if (r->file[which] > 0) {
        write_all(which, r->file[which], l->text, l->used);
        l->used = 0;
        return;
    }
    if (s->open > 0 && s->open != r->place.rank + 1)
        write_all(which, 0, "\n", 1);
    if (s->label && r->place.rank >= 0)
        write_all(which, 0, label, (size_t)snprintf(label, sizeof label, "[%d] ", r->place.rank));
    write_all(which, 0, l->text, l->used);
    if (s->label)
        write_all(which, 0, "\n", 1);
    s->open = s->label ? 0 : r->place.rank + 1;
    l->used = 0;
}

/* Is there text that the C library could not write? What it holds is the program's to lose if that
 * ended by _exit. */
static int lost_by_library(FILE *stream, bool quits)
{
    if (!quits && fflush(stream) != 0)
        return errno;
    return ferror(stream) ? UNKNOWN : 0;
}

void image_output_finish(struct image_rank *r)
{
    for (int which = 0; which < 2; which++) {
        if (!streams[which].file && r == &outside)
            continue;
        if (!streams[which].file) {
            streams[which].lost = lost_by_library(which == 0 ? stdout : stderr, r->quits);
            check_lost(which, r);
            continue;
        }
        pthread_mutex_lock(&streams[which].lock);
        write_held(which, r);
        pthread_mutex_unlock(&streams[which].lock);
        check_lost(which, r);
        free(r->line[which].text);
        r->line[which] = (struct image_line){0};
        if (r->file[which] > 0)
            close(r->file[which]);
        r->file[which] = 0;
    }
}

void image_output_start(struct image_rank *r)
{
    for (int which = 0; which < 2; which++) {
        int fd = !streams[which].file || !image.file[which]
                     ? 0
                     : launcher_outfile(image.file[which], r->place.rank, false);
        if (fd < 0) {
            char why[128];
            snprintf(why, sizeof why, "rank %d: cannot open its file for standard %s: %s",
                     r->place.rank, which == 0 ? "output" : "error", strerror(-fd));
            hal_abort(1, why);
        }
        r->file[which] = fd;
    }
}

static void rescue(struct image_rank *r)
{
    for (int which = 0; which < 2; which++)
        write_held(which, r);
}

/* Another core may be in the middle of a write: then its stream's lock is taken, and half a line is
 * better lost than waited for. */
void image_output_rescue(void)
{
    static atomic_flag once = ATOMIC_FLAG_INIT;
    if (!streams[0].file || !streams[1].file || atomic_flag_test_and_set(&once))
        return;
    if (pthread_mutex_trylock(&streams[0].lock) != 0)
        return;
    if (pthread_mutex_trylock(&streams[1].lock) == 0)
        image_ranks_each(rescue);
}

void image_output_flush(FILE *stream)
{
    struct image_rank *r = image_rank_self();
    for (int which = 0; which < 2 && r; which++) {
        struct stream *s = &streams[which];
        if (!s->file || !s->terminal || s->label)
            continue;
        if (stream && stream != s->file)
            continue;
        pthread_mutex_lock(&s->lock);
        release(which, r, r->line[which].used);
        pthread_mutex_unlock(&s->lock);
    }
}

int image_output_number(FILE *stream)
{
    for (int which = 0; which < 2; which++)
        if (stream && stream == streams[which].file)
            return which + 1;
    return -1;
}

void image_output_forked(void)
{
    outside.line[0].used = outside.line[1].used = 0;
    for (int which = 0; which < 2; which++)
        pthread_mutex_init(&streams[which].lock, NULL); /* another core may have held it */
}

static FILE *replace(struct stream *s, FILE *before, int fd, bool label)
{
    static const cookie_io_functions_t functions = {.write = take};
    fflush(before);
    s->before = before;
    s->label = label;
    s->terminal = isatty(fd) == 1;
    s->file = fopencookie(s, "w", functions);
    if (!s->file)
        return before;
    setvbuf(s->file, NULL, _IONBF, 0);
    image_streams_follow(before, s->file);
    return s->file;
}

void image_output_begin(const struct image *im)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (!im->shared && !im->label)
        return;
    stdout = replace(&streams[0], stdout, 1, im->label);
    stderr = replace(&streams[1], stderr, 2, im->label);
}

void image_output_end(void)
{
    image_output_finish(&outside);
    for (int which = 0; which < 2; which++) {
        if (!streams[which].file)
            continue;
        FILE **stream = which == 0 ? &stdout : &stderr;
        image_streams_follow(streams[which].file, streams[which].before);
        if (*stream == streams[which].file)
            *stream = streams[which].before;
    }
}
