/* SPDX-License-Identifier: MIT */
#include "serial.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/virt.h>
#include <launcher/outfile.h>

#include "counted.h"
#include "where.h"

#define HEAD_MOST 32
#define LINE_HELD (1u << 20) /* a longer line is passed on in pieces, as its end may never come */

/* A line that has not ended yet; that of the system, or of a rank on one of its streams. */
struct line {
    char *text;
    size_t used, room;
    int file;     /* 0: not looked for yet, or none */
    bool goes_on; /* its begin has been passed on */
};
static struct line system_line;
static struct line *ranks; /* two of each */
static int rank_count;
static bool lost;

static struct line counter_line;

/* What comes is text, or a mark, or so many bytes of `body`. */
static char head[HEAD_MOST];
static size_t head_used, body_left;
static int body_rank, body_stream;

static void write_all(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno != EINTR && errno != EAGAIN) {
            lost = true;
            return;
        }
        text += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
}

/* The two lines of a rank. */
static struct line *lines_of(int rank)
{
    if (rank >= rank_count) {
        size_t more = (size_t)rank + 1;
        ranks = realloc(ranks, more * 2 * sizeof *ranks);
        if (!ranks)
            abort();
        memset(ranks + 2 * rank_count, 0, (more - (size_t)rank_count) * 2 * sizeof *ranks);
        rank_count = rank + 1;
    }
    return ranks + 2 * (size_t)rank;
}

static int file_of(struct line *l, int rank, int stream)
{
    const char *pattern = getenv(stream == 1 ? "LWMPI_OUTFILE" : "LWMPI_ERRFILE");
    if (!pattern || *pattern == '\0' || rank < 0)
        return 0;
    if (l->file == 0)
        l->file = launcher_outfile(pattern, rank, false);
    if (l->file < 0)
        lost = true;
    return l->file;
}

static void release(struct line *l, int rank, int stream)
{
    const char *label = getenv("LWMPI_LABEL");
    char front[24] = "", more[1024];
    int file = file_of(l, rank, stream);
    if (l->used == 0)
        return;
    if (file == 0 && rank >= 0 && !l->goes_on && label && *label == '1')
        snprintf(front, sizeof front, "[%d] ", rank);
    write_all(stream, front, strlen(front));
    if (rank < 0 && l->text[l->used - 1] == '\n' &&
        where_named(l->text, l->used - 1, more, sizeof more)) {
        write_all(stream, l->text, l->used - 1);
        write_all(stream, more, strlen(more));
        write_all(stream, "\n", 1);
    } else {
        write_all(file > 0 ? file : stream, l->text, l->used);
    }
    l->goes_on = l->text[l->used - 1] != '\n';
    l->used = 0;
}

static void append(struct line *l, char c)
{
    if (l->used == l->room) {
        l->room = l->room * 2 + 128;
        l->text = realloc(l->text, l->room);
        if (!l->text)
            abort();
    }
    l->text[l->used++] = c;
}

static void add(struct line *l, int rank, int stream, char c)
{
    append(l, c);
    if (c == '\n' || l->used == LINE_HELD)
        release(l, rank, stream);
}

/* The system's are short: what is longer comes from elsewhere, and is not looked at. */
static void add_counter(char c)
{
    if (c == '\n' || counter_line.used < LINE_HELD)
        append(&counter_line, c == '\n' ? '\0' : c);
    if (c == '\n') {
        counted_take(counter_line.text);
        counter_line.used = 0;
    }
}

static void add_body(char c)
{
    body_left--;
    if (body_stream == HAL_VIRT_COUNTER)
        add_counter(c);
    else
        add(&lines_of(body_rank)[body_stream == 2], body_rank, body_stream == 2 ? 2 : 1, c);
}

/* The mark has come if it is complete. */
static void add_head(char c)
{
    int n, at = 0;
    head[head_used++] = c;
    head[head_used] = '\0';
    if (sscanf(head, "\001%1d%d;%d;%n", &body_stream, &body_rank, &n, &at) == 3 && at > 0 &&
        body_rank >= 0 && body_rank < 100000 && n >= 0) {
        body_left = (size_t)n;
        head_used = 0;
    } else if (head_used == HEAD_MOST - 1 || c == '\n') { /* it was none */
        for (size_t i = 0; i < head_used; i++)
            add(&system_line, -1, STDERR_FILENO, head[i]);
        head_used = 0;
    }
}

bool serial_take(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (body_left > 0)
            add_body(text[i]);
        else if (head_used > 0 || text[i] == HAL_VIRT_OUTPUT[0])
            add_head(text[i]);
        else
            add(&system_line, -1, STDERR_FILENO, text[i]);
    return !lost;
}

bool serial_end(void)
{
    release(&system_line, -1, STDERR_FILENO);
    for (int i = 0; i < 2 * rank_count; i++)
        release(&ranks[i], i / 2, i % 2 + 1);
    return !lost;
}
