/* SPDX-License-Identifier: MIT */
/* The trace, in the JSON format of Chrome's tracing and Perfetto: a process per cluster, a row per
 * core, transfers as asynchronous slices of the sending cluster; nothing where a core is idle. The
 * file ends in a complete JSON text after each write, and the next one goes over that end, so it
 * can be read whenever the process dies. */
#include "trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <hal/trace.h>

#include "noc.h"
#include "sim.h"

#define BUFFER             65536
#define RECORD             512    /* more than one record takes */
#define SAMPLES_PER_SECOND 100000 /* of the machine, at most */

static const char tail[] = HAL_TRACE_END;
static int file = -1;
static off_t written; /* without the tail */
static char buffer[BUFFER + sizeof tail];
static size_t used;
static uint64_t transfers, records;
static struct {
    uint64_t at, records;
} sampled; /* the last time */
bool sim_trace_active;

bool hal_trace_on(void)
{
    return sim_trace_active;
}

static void flush(void)
{
    memcpy(buffer + used, tail, sizeof tail - 1);
    size_t n = used + sizeof tail - 1;
    if (pwrite(file, buffer, n, written) == (ssize_t)n) {
        written += (off_t)used;
    } else {
        sim_trace_active = false; /* the disk is full: what is there stays valid */
    }
    used = 0;
}

static char *record(void)
{
    if (used + RECORD > BUFFER) {
        flush();
    }
    records++;
    return buffer + used;
}

static double microseconds(uint64_t cycle)
{
    return (double)cycle * 1e6 / (double)sim.machine.hz;
}

/* A name as it may stand in a JSON string: names are constants of the code, cut when too long. */
static const char *quoted(const char *name, char *out, size_t size)
{
    size_t n = 0;
    for (; *name != '\0' && n + 3 < size; name++) {
        if (*name == '"' || *name == '\\') {
            out[n++] = '\\';
        }
        out[n++] = (unsigned char)*name < ' ' ? ' ' : *name;
    }
    out[n] = '\0';
    return out;
}

void sim_trace_number(int row, const char *name, const char *part, uint64_t at, double value)
{
    used += (size_t)snprintf(record(), RECORD,
                             ",\n{\"ph\":\"C\",\"name\":\"%s\",\"pid\":%d,\"ts\":%.6f,"
                             "\"args\":{\"%s\":%.9g}}",
                             name, row, microseconds(at), part, value);
}

void hal_trace_value(const char *name, uint64_t value)
{
    if (sim_trace_active) {
        sim_trace_number(sim.core->cluster, name, "value", sim.now, (double)value);
    }
}

/* Numbers of the time since the last ones, before a slice that ends now is written: not too often,
 * and so that most of the file is slices. */
static void sample(bool last)
{
    bool due = sim.now - sampled.at >= sim.machine.hz / SAMPLES_PER_SECOND &&
               records - sampled.records >= 4 * (uint64_t)(sim.cluster_count + 1);
    if (due || (last && sim.now > sampled.at)) {
        sim_sample(sampled.at);
        sampled.at = sim.now;
        sampled.records = records;
    }
}

void sim_trace_span(const struct sim_core *c, const char *name, uint64_t begin)
{
    char safe[128];
    sample(false);
    used += (size_t)snprintf(record(), RECORD,
                             ",\n{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,"
                             "\"ts\":%.6f,\"dur\":%.6f}",
                             quoted(name, safe, sizeof safe), c->cluster, c->number,
                             microseconds(begin), microseconds(sim.now - begin));
}

void sim_trace_sent(const struct sim_transfer *t)
{
    uint64_t id = transfers++;
    used +=
        (size_t)snprintf(record(), RECORD,
                         ",\n{\"ph\":\"b\",\"cat\":\"noc\",\"name\":\"%s to %d\",\"id\":%" PRIu64
                         ",\"pid\":%d,\"tid\":0,\"ts\":%.6f,\"args\":{\"bytes\":%" PRIu64 "}}",
                         t->what, t->to, id, t->from, microseconds(t->begun), t->bytes);
    used +=
        (size_t)snprintf(record(), RECORD,
                         ",\n{\"ph\":\"e\",\"cat\":\"noc\",\"name\":\"%s to %d\",\"id\":%" PRIu64
                         ",\"pid\":%d,\"tid\":0,\"ts\":%.6f}",
                         t->what, t->to, id, t->from, microseconds(sim.now));
}

void hal_trace_begin(struct hal_span *s, const char *name)
{
    *s = (struct hal_span){name, sim.now};
}

void hal_trace_end(const struct hal_span *s)
{
    if (sim_trace_active) {
        sim_trace_span(sim.core, s->name, s->begin);
    }
}

static void describe(void)
{
    char safe[128];
    used = (size_t)snprintf(buffer, BUFFER,
                            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"machine\":\"%s\","
                            "\"noc\":\"%s\",\"seed\":\"%" PRIu64 "\"},\"traceEvents\":[\n"
                            "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,"
                            "\"args\":{\"name\":\"machine\"}}",
                            quoted(sim.machine.name, safe, sizeof safe), sim.options.noc, sim.seed,
                            sim.cluster_count);
    for (int i = 0; i < sim.core_count; i++) {
        const struct sim_core *c = &sim.cores[i];
        if (c->number == 0) {
            const char *kind = hal_machine_is_io(&sim.machine, c->cluster) ? "I/O " : "";
            used += (size_t)snprintf(record(), RECORD,
                                     ",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,"
                                     "\"args\":{\"name\":\"%scluster %d\"}}",
                                     c->cluster, kind, c->cluster);
        }
        used += (size_t)snprintf(record(), RECORD,
                                 ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,"
                                 "\"args\":{\"name\":\"core %d\"}}",
                                 c->cluster, c->number, c->number);
    }
}

bool sim_trace_create(const char *path)
{
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        return false;
    }
    written = 0;
    transfers = 0;
    records = sampled.at = sampled.records = 0;
    sim_trace_active = sim_sample_create();
    if (sim_trace_active) {
        describe();
        flush();
    }
    return sim_trace_active;
}

void sim_trace_destroy(void)
{
    if (file >= 0) {
        if (sim_trace_active) {
            sample(true);
            flush();
        }
        sim_sample_destroy();
        close(file);
        file = -1;
        sim_trace_active = false;
    }
}
