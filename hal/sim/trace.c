/* SPDX-License-Identifier: MIT */
/* The trace, in the JSON format of Chrome's tracing and Perfetto: a process per cluster, a row per
 * core, transfers as asynchronous slices of the sending cluster; nothing where a core is idle. The
 * file ends in a complete JSON text after each write, and the next one goes over that end, so it
 * can be read whenever the process dies. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <hal/trace.h>

#include "noc.h"
#include "sim.h"

#define BUFFER 65536
#define RECORD 512 /* more than one record takes */
/* Numbers are averages of at least a SHORTEST-th of a second and a cycle, and of a PART-th of the
 * time so far for each cluster, so that they fill no disk. */
#define SHORTEST 100000
#define PART     20000

static const char tail[] = HAL_TRACE_END;
static int file = -1;
static off_t written; /* without the tail */
static char buffer[BUFFER + sizeof tail];
static size_t used;
static const char *name_of_file;
static int failure; /* errno: why not all of it could be written; 0: all so far is */
static bool torn;   /* and what is there is no JSON text */
static uint64_t transfers;
static uint64_t sampled, moved; /* the last time that numbers were taken; that something happened */
bool sim_trace_active;

bool hal_trace_on(void)
{
    return sim_trace_active;
}

/* The file takes no more, and may have taken a part of what was written: what was there before is
 * made complete again, and stays. */
static void give_up(int why)
{
    const ssize_t n = sizeof tail - 1;
    torn = written == 0 || ftruncate(file, written) != 0 || pwrite(file, tail, n, written) != n;
    failure = why;
    sim_trace_active = false;
}

static void flush(void)
{
    memcpy(buffer + used, tail, sizeof tail - 1);
    size_t n = used + sizeof tail - 1;
    ssize_t done = pwrite(file, buffer, n, written);
    if (done == (ssize_t)n)
        written += (off_t)used;
    else
        give_up(done < 0 ? errno : ENOSPC);
    used = 0;
}

__attribute__((format(printf, 1, 2))) static void record(const char *format, ...)
{
    if (used + RECORD > BUFFER)
        flush();
    va_list args;
    va_start(args, format);
    used += (size_t)vsnprintf(buffer + used, RECORD, format, args);
    va_end(args);
}

static double microseconds(uint64_t cycle)
{
    return (double)cycle * 1e6 / (double)sim.machine.hz;
}

/* Viewers keep whole nanoseconds, and drop a span that ends after the next one begins, so a span
 * lasts from one whole nanosecond to another. */
static uint64_t nanoseconds(uint64_t cycle)
{
    return (uint64_t)((unsigned __int128)cycle * 1000000000u / sim.machine.hz);
}

/* A name as it may stand in a JSON string: names are constants of the code, cut when too long. */
static const char *quoted(const char *name, char *out, size_t size)
{
    size_t n = 0;
    for (; *name != '\0' && n + 3 < size; name++) {
        if (*name == '"' || *name == '\\')
            out[n++] = '\\';
        out[n++] = (unsigned char)*name < ' ' ? ' ' : *name;
    }
    out[n] = '\0';
    return out;
}

void sim_trace_number(int row, const char *name, const char *part, uint64_t at, double value)
{
    record(",\n{\"ph\":\"C\",\"name\":\"%s\",\"pid\":%d,\"ts\":%.6f,"
           "\"args\":{\"%s\":%.9g}}",
           name, row, microseconds(at), part, value);
}

void hal_trace_value(const char *name, uint64_t value)
{
    if (sim_trace_active)
        sim_trace_number(sim.core->cluster, name, "value", sim.now, (double)value);
}

/* Numbers of the time since the last ones. If nothing has happened for long, what went before that
 * has numbers of its own: a burst is not thinned by the silence after it. */
static void sample(bool last)
{
    uint64_t least = sim.machine.hz > SHORTEST ? sim.machine.hz / SHORTEST : 1;
    uint64_t part = sim.now / PART * (uint64_t)sim.cluster_count;
    least = least > part ? least : part;
    if (sim.now - sampled >= least || (last && sim.now > sampled)) {
        sim_sample(sampled, sim.now - moved >= least ? moved : sim.now);
        sampled = sim.now;
    }
    moved = sim.now;
}

void sim_trace_begun(void)
{
    sample(false);
}

void sim_trace_span(const struct sim_core *c, const char *name, uint64_t begin)
{
    char safe[128];
    uint64_t from = nanoseconds(begin), lasts = nanoseconds(sim.now) - from;
    sample(false);
    record(",\n{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64
           ".%03u,\"dur\":%" PRIu64 ".%03u}",
           quoted(name, safe, sizeof safe), c->cluster, c->number, from / 1000,
           (unsigned)(from % 1000), lasts / 1000, (unsigned)(lasts % 1000));
}

void sim_trace_sent(const struct sim_transfer *t)
{
    uint64_t id = transfers++;
    sample(false);
    record(",\n{\"ph\":\"b\",\"cat\":\"noc\",\"name\":\"%s to %d\",\"id\":%" PRIu64
           ",\"pid\":%d,\"tid\":0,\"ts\":%.6f,\"args\":{\"bytes\":%" PRIu64 "}}",
           t->what, t->to, id, t->from, microseconds(t->begun), t->bytes);
    record(",\n{\"ph\":\"e\",\"cat\":\"noc\",\"name\":\"%s to %d\",\"id\":%" PRIu64
           ",\"pid\":%d,\"tid\":0,\"ts\":%.6f}",
           t->what, t->to, id, t->from, microseconds(sim.now));
}

void hal_trace_begin(struct hal_span *s, const char *name)
{
    *s = (struct hal_span){name, sim.now};
}

void hal_trace_end(const struct hal_span *s)
{
    if (sim_trace_active)
        sim_trace_span(sim.core, s->name, s->begin);
}

static void describe(void)
{
    char safe[128];
    used = 0;
    record("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"machine\":\"%s\","
           "\"noc\":\"%s\",\"seed\":\"%" PRIu64 "\"},\"traceEvents\":[\n"
           "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,"
           "\"args\":{\"name\":\"machine\"}}",
           quoted(sim.machine.name, safe, sizeof safe), sim.options.noc, sim.seed,
           sim.cluster_count);
    for (int i = 0; i < sim.core_count; i++) {
        const struct sim_core *c = &sim.cores[i];
        if (c->number == 0) {
            const char *kind = hal_machine_is_io(&sim.machine, c->cluster) ? "I/O " : "";
            record(",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,"
                   "\"args\":{\"name\":\"%scluster %d\"}}",
                   c->cluster, kind, c->cluster);
        }
        record(",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,"
               "\"args\":{\"name\":\"core %d\"}}",
               c->cluster, c->number, c->number);
    }
}

bool sim_trace_create(const char *path)
{
    name_of_file = path;
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        hal_trace_refused(path, errno, "");
        return false;
    }
    written = 0;
    failure = 0;
    torn = false;
    transfers = 0;
    sampled = moved = 0;
    sim_trace_active = sim_sample_create();
    if (sim_trace_active) {
        describe();
        flush();
    } else {
        give_up(ENOMEM);
    }
    return sim_trace_active || sim_trace_destroy();
}

bool sim_trace_destroy(void)
{
    if (file < 0)
        return true;
    if (sim_trace_active)
        sample(true);
    if (sim_trace_active)
        flush();
    sim_sample_destroy();
    close(file);
    file = -1;
    sim_trace_active = false;
    if (failure == 0)
        return true;
    hal_trace_refused(name_of_file, failure, torn ? "" : "; it ends before the run");
    if (torn)
        hal_file_discard(name_of_file);
    return false;
}
