/* SPDX-License-Identifier: MIT */
/* The trace: each cluster writes binary records into the mapping, whoever supervises the machine
 * turns them into JSON at its end. So nothing is written while the machine runs, and a cluster that
 * crashes leaves what it recorded. */
#include "port.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hal/clock.h>
#include <hal/hosted.h>
#include <hal/trace.h>

#define READY 8192 /* records whose memory is made ready at a time, divides LX_SPANS */
#define CACHE 1024 /* addresses of names that have a number, a power of two */

static const char *names[LX_SPAN_NAMES]; /* by number */
static atomic_uint cache[CACHE];         /* 1 + the number of a name; 0: free */

bool hal_trace_on(void)
{
    return lx.job && lx.job->trace != 0;
}

/* The number of a span's name in this cluster; LX_SPAN_NAMES - 1 stands for all that found no
 * place. */
static uint32_t number_of(const char *name)
{
    unsigned slot = (unsigned)((uintptr_t)name * 2654435761u >> 8) % CACHE;
    for (unsigned i = 0; i < CACHE; i++, slot = (slot + 1) % CACHE) {
        unsigned known = atomic_load_explicit(&cache[slot], memory_order_acquire);
        if (known != 0 && names[known - 1] == name)
            return known - 1;
        if (known != 0)
            continue;
        uint32_t number = atomic_fetch_add(&lx.self->span_names, 1);
        if (number >= LX_SPAN_NAMES - 1)
            break;
        names[number] = name;
        strncpy(lx_span_names(lx.job, lx.cluster)[number], name, LX_NAME - 1);
        /* If another core took the place first the name gets a second number, and no harm. */
        atomic_compare_exchange_strong(&cache[slot], &known, number + 1);
        return number;
    }
    return LX_SPAN_NAMES - 1;
}

void hal_trace_begin(struct hal_span *s, const char *name)
{
    if (hal_trace_on())
        *s = (struct hal_span){.name = name, .begin = hal_clock_cycles()};
}

/* Memory for the next records at once, as a fault for each page takes longer. */
static __attribute__((cold)) void make_ready(uint32_t i)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t at = (uintptr_t)&lx_spans(lx.job, lx.cluster)[i] & ~(page - 1);
    madvise((void *)at, READY * sizeof(struct lx_span), MADV_POPULATE_WRITE);
}

static void record(const char *name, uint64_t begin, uint64_t end, uint32_t core)
{
    uint32_t i = atomic_fetch_add(&lx.self->spans, 1);
    if (i % READY == 0 && i < LX_SPANS)
        make_ready(i);
    if (i < LX_SPANS) {
        lx_spans(lx.job, lx.cluster)[i] =
            (struct lx_span){.begin = begin, .end = end, .name = number_of(name), .core = core};
    } else {
        atomic_store(&lx.self->spans, LX_SPANS + 1); /* some are lost; the count must not wrap */
    }
}

void hal_trace_end(const struct hal_span *s)
{
    if (hal_trace_on())
        record(s->name, s->begin, hal_clock_cycles(), (uint32_t)hal_here_core);
}

void hal_trace_value(const char *name, uint64_t value)
{
    if (hal_trace_on())
        record(name, hal_clock_cycles(), value, LX_VALUE);
}

/* A name as a JSON string. */
static void write_name(FILE *f, const char *name)
{
    fputc('"', f);
    for (size_t i = 0; i < LX_NAME && name[i] != '\0'; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c == '"' || c == '\\')
            fprintf(f, "\\%c", c);
        else if (c < 32 || c > 126)
            fprintf(f, "\\u%04x", c);
        else
            fputc(c, f);
    }
    fputc('"', f);
}

/* Viewers keep whole nanoseconds, and drop a span that ends after the next one begins, so a span
 * lasts from one whole nanosecond to another. */
static uint64_t nanoseconds(const struct lx_header *h, uint64_t cycles)
{
    return (uint64_t)((unsigned __int128)cycles * 1000000000u / h->hz);
}

static void write_us(FILE *f, const char *name, uint64_t ns)
{
    fprintf(f, ",\"%s\":%" PRIu64 ".%03u", name, ns / 1000, (unsigned)(ns % 1000));
}

static void write_cluster(FILE *f, const struct lx_header *h, int cluster)
{
    struct lx_cluster *c = lx_cluster(h, cluster);
    uint32_t asked = atomic_load(&c->spans);
    uint32_t n = asked < LX_SPANS ? asked : LX_SPANS;
    fprintf(f,
            ",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"%s cluster "
            "%d%s\"}}",
            cluster, hal_machine_is_io(&h->machine, cluster) ? "I/O" : "compute", cluster,
            asked > LX_SPANS ? " (later spans are lost)" : "");
    for (int core = 0; core < hal_machine_cores(&h->machine, cluster); core++)
        fprintf(f,
                ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,"
                "\"args\":{\"name\":\"core %d\"}}",
                cluster, core, core);
    for (uint32_t i = 0; i < n; i++) {
        const struct lx_span *s = &lx_spans(h, cluster)[i];
        if (s->name >= LX_SPAN_NAMES || (s->core != LX_VALUE && s->end < s->begin))
            continue; /* the cluster died while it wrote this one */
        fprintf(f, ",\n{\"ph\":\"%c\",\"name\":", s->core == LX_VALUE ? 'C' : 'X');
        write_name(f, lx_span_names(h, cluster)[s->name]);
        uint64_t begin = nanoseconds(h, s->begin);
        fprintf(f, ",\"pid\":%d", cluster);
        write_us(f, "ts", begin);
        if (s->core == LX_VALUE) {
            fprintf(f, ",\"args\":{\"value\":%" PRIu64 "}}", s->end);
        } else {
            write_us(f, "dur", nanoseconds(h, s->end) - begin);
            fprintf(f, ",\"tid\":%" PRIu32 "}", s->core);
        }
    }
}

static void write_all(FILE *f, const struct lx_header *h)
{
    fprintf(f, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"machine\":");
    write_name(f, h->machine.name);
    fprintf(f, "},\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"trace\",\"pid\":0,\"args\":{}}");
    for (int c = 0; c < hal_machine_clusters(&h->machine); c++)
        write_cluster(f, h, c);
    fprintf(f, HAL_TRACE_END);
}

bool lx_trace_write(const struct lx_header *h)
{
    if (h->trace == 0)
        return true;
    FILE *f = fopen(h->trace_file, "we");
    if (f)
        write_all(f, h);
    bool whole = hal_file_keep(f, h->trace_file);
    if (!whole)
        hal_trace_refused(h->trace_file, errno, "");
    return whole;
}

void hal_result(struct hal_result *r)
{
    *r = (struct hal_result){
        .energy_core = -1, .energy_noc = -1, .energy_static = -1, .noc = "shared memory"};
    if (lx.job) {
        r->cycles = hal_clock_cycles();
        r->seconds = (double)hal_clock_ns() / 1e9;
    }
}

uint64_t hal_core_busy(int core)
{
    (void)core;
    return 0;
}
