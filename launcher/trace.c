/* SPDX-License-Identifier: MIT */
/* What the recorded calls look like in a trace. A rank's row stands in its cluster's process, above
 * the rows of the cores. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <hal/hosted.h>

#include "json.h"
#include "records.h"

#define ROW   1000000 /* number of rank 0's row; those of cores are below */
#define LANES 16      /* rows of a rank whose threads call at once */
#define BINS  500     /* stretches of time in which bytes are counted, */
#define BRIEF 1e-4    /* of at least so many seconds */

static const char *const causes[PROFILE_CAUSES] = {[PROFILE_SENDER] = "its send",
                                                   [PROFILE_RECEIVER] = "its receive",
                                                   [PROFILE_COLLECTIVE] = "it at the collective",
                                                   [PROFILE_FLOW] = "room at it"};

struct trace {
    FILE *to;
    int cluster, core, rank;
    bool alone;            /* on its core */
    int lane;              /* events are put there */
    uint64_t until[LANES]; /* ends of the latest calls there; 0: it has no row yet */
};

/* Viewers keep whole nanoseconds, and drop a span that ends after the next one begins, so a span
 * lasts from one whole nanosecond to another. */
static uint64_t nanoseconds(uint64_t at)
{
    double ns = 1e9 * records_time(at);
    return ns > 0 ? (uint64_t)(ns + 0.5) : 0;
}

static void put_us(const struct trace *t, const char *name, uint64_t ns)
{
    fprintf(t->to, ",\"%s\":%" PRIu64 ".%03u", name, ns / 1000, (unsigned)(ns % 1000));
}

static void put_span(const struct trace *t, uint64_t begin, uint64_t end)
{
    uint64_t from = nanoseconds(begin), to = nanoseconds(end);
    put_us(t, "ts", from);
    put_us(t, "dur", to > from ? to - from : 0);
}

static int row_of(const struct trace *t)
{
    return ROW * (1 + t->lane) + t->rank;
}

/* Up to its time; the caller ends it. */
static void put_event(const struct trace *t, const char *kind, const char *name)
{
    fprintf(t->to, ",\n{\"ph\":\"%s\",\"cat\":\"mpi\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d", kind,
            name, t->cluster, row_of(t));
}

static void put_name(const struct trace *t)
{
    fprintf(t->to,
            ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":"
            "\"rank %d",
            t->cluster, row_of(t), t->rank);
    uint64_t lost = records_first(t->rank);
    if (t->lane > 0)
        fprintf(t->to, ", another thread");
    else if (lost > 0)
        fprintf(t->to, ", without its first %" PRIu64 " calls", lost);
    fprintf(t->to, "\"}}");
    fprintf(t->to,
            ",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%d,\"tid\":%d,\"args\":{"
            "\"sort_index\":%d}}",
            t->cluster, row_of(t), (t->rank - ROW) * LANES + t->lane);
}

static void put_computation(const struct trace *t, uint64_t from, uint64_t to)
{
    if (to <= from)
        return;
    put_event(t, "X", "computation");
    put_span(t, from, to);
    fputc('}', t->to);
}

/* By which protocol or algorithm it went; NULL: not known. Of a message that the call only
 * received, its sender knows. */
static const char *way_of(int rank, const struct profile_record *r)
{
    bool receives = (r->part & PROFILE_RECEIVED) != 0 && (r->part & PROFILE_SENDS) == 0;
    const struct records_part *s = receives ? records_sent(r->id) : NULL;
    if (s && s->record->way > 0)
        return records_rank[s->rank].way[s->record->way - 1];
    return r->way > 0 ? records_rank[rank].way[r->way - 1] : NULL;
}

static void put_call(const struct trace *t, const struct profile_record *r)
{
    const char *way = way_of(t->rank, r);
    put_event(t, "X", records_function(t->rank, r));
    put_span(t, r->begin, r->end);
    if (r->part == PROFILE_OPEN) /* no more is known of it */
        fprintf(t->to, ",\"args\":{\"ended\":false");
    else
        fprintf(t->to, ",\"args\":{\"bytes\":%" PRIu64, r->bytes);
    if (r->comm != 0) {
        fprintf(t->to, ",\"communicator\":");
        json_text(t->to, records_comm(t->rank, r->comm));
    }
    if (r->peer != PROFILE_NOBODY) {
        bool meets = (r->part & PROFILE_COMES) != 0;
        fprintf(t->to, meets ? ",\"root\":%d" : ",\"peer\":%d,\"tag\":%d", r->peer, r->tag);
    }
    if (way) {
        fprintf(t->to, ",\"protocol\":");
        json_text(t->to, way);
    }
    if (r->last > r->begin)
        fprintf(t->to, ",\"waited for\":\"rank %d: %s\",\"waited us\":%.4f", r->who,
                causes[r->cause % PROFILE_CAUSES], 1e6 * records_seconds(r->last - r->begin));
    fprintf(t->to, "}}");
}

/* What the rank's core did meanwhile; not where it has other ranks, whose calls overlap. */
static void put_way(const struct trace *t, const struct profile_record *r)
{
    const char *way = t->alone ? way_of(t->rank, r) : NULL;
    if (!way)
        return;
    fprintf(t->to, ",\n{\"ph\":\"X\",\"name\":");
    json_text(t->to, way);
    fprintf(t->to, ",\"pid\":%d,\"tid\":%d", t->cluster, t->core);
    put_span(t, r->begin, r->end);
    fputc('}', t->to);
}

/* An arrow leads from the call in which the send began to the one in which the receive ended. For
 * viewers an end hangs on the span that stands before it in the file, so both follow theirs. */
static void put_arrow(const struct trace *t, const char *kind, uint64_t id, uint64_t at)
{
    put_event(t, kind, "message");
    put_us(t, "ts", nanoseconds(at));
    fprintf(t->to, ",\"bp\":\"e\",\"id\":\"%016" PRIx64 "\"}", id);
}

static void put_arrows(const struct trace *t, const struct profile_record *part,
                       const struct profile_record *call)
{
    if ((part->part & PROFILE_SENDS) != 0 && records_asked(part->id))
        put_arrow(t, "s", part->id, call->begin);
    bool takes = (part->part & PROFILE_RECEIVED) != 0 && records_takes(t->rank, call);
    if (takes && records_sent(part->id))
        put_arrow(t, "f", part->id, call->end);
}

/* Threads of a rank may call at once. Calls are recorded in the order in which they end, so the row
 * that was left last before this call began is most likely its thread's, and fewest are needed. */
static void choose_lane(struct trace *t, const struct profile_record *r)
{
    int best = -1;
    for (int i = 0; i < LANES; i++)
        if (t->until[i] <= r->begin && (best < 0 || t->until[i] > t->until[best]))
            best = i;
    t->lane = best < 0 ? LANES - 1 : best;
    if (t->until[t->lane] == 0)
        put_name(t);
}

static void put_rank(struct trace *t)
{
    const struct profile_rank *rank = &records_rank[t->rank];
    t->until[0] = records_begin(t->rank);
    put_name(t);
    for (uint64_t i = records_first(t->rank), next; i < rank->recorded; i = next) {
        for (next = i; next + 1 < rank->recorded; next++)
            if ((records_at(t->rank, next)->part & PROFILE_MORE) == 0)
                break;
        const struct profile_record *r = records_at(t->rank, next++);
        choose_lane(t, r);
        if (t->lane == 0)
            put_computation(t, t->until[0], r->begin);
        put_call(t, r);
        for (uint64_t k = i; k < next; k++)
            put_arrows(t, records_at(t->rank, k), r);
        put_way(t, r);
        t->until[t->lane] = r->end;
    }
    t->lane = 0;
    put_computation(t, t->until[0], records_end(t->rank));
}

/* What the calls of a rank name to be sent, in bytes per second of the stretches of time. */
static void put_sent(const struct trace *t, double begin, double end)
{
    const struct profile_rank *rank = &records_rank[t->rank];
    double sent[BINS] = {0}, bin = (end - begin) / BINS;
    bin = bin < BRIEF ? BRIEF : bin;
    for (uint64_t i = records_first(t->rank); i < rank->recorded; i++) {
        const struct profile_record *r = records_at(t->rank, i);
        int at = (int)((records_time(r->begin) - begin) / bin);
        bool sends = (r->part & (PROFILE_SENDS | PROFILE_COMES)) != 0;
        if (at >= 0 && at < BINS && sends && (r->part & PROFILE_MORE) == 0)
            sent[at] += (double)r->bytes;
    }
    for (int i = 0; i < BINS; i++) {
        if (i == 0 || sent[i] != sent[i - 1])
            fprintf(t->to,
                    ",\n{\"ph\":\"C\",\"name\":\"sent by rank %d\",\"pid\":%d,\"ts\":%.3f,\"args\":"
                    "{\"B/s\":%.6g}}",
                    t->rank, t->cluster, 1e6 * (begin + i * bin), sent[i] / bin);
    }
}

/* Open where events can be added; NULL: the machine has written no trace, or not all of it. */
static FILE *open_end(const char *path)
{
    static const char end[] = HAL_TRACE_END;
    const long n = (long)sizeof end - 1;
    char found[sizeof end] = "";
    FILE *f = fopen(path, "r+");
    if (!f)
        return NULL;
    if (fseek(f, -n, SEEK_END) < 0 || fread(found, 1, (size_t)n, f) != (size_t)n ||
        strcmp(found, end) != 0 || fseek(f, -n, SEEK_END) < 0) {
        fclose(f);
        return NULL;
    }
    return f;
}

static struct trace trace_of(const struct plan *plan, int rank, FILE *to)
{
    const struct hal_machine *m = &plan->machine;
    int clusters = (int)m->compute_clusters, cores = (int)m->compute_cores;
    int first = m->asymmetric ? 1 : 0, ours = cores - first;
    struct svc_place place = svc_spawn_place(&plan->job, rank, clusters, first, cores);
    int ranks = svc_spawn_count(&plan->job, place.cluster, clusters);
    return (struct trace){.to = to,
                          .cluster = place.cluster,
                          .core = place.core,
                          .rank = rank,
                          .alone = place.local < ours && place.local + ours >= ranks};
}

static void put_all(const struct plan *plan, struct trace *all, FILE *to)
{
    double begin = 0, end = 0;
    records_index(); /* without memory there are no arrows */
    for (int i = 0; i < records_ranks; i++) {
        all[i] = trace_of(plan, i, to);
        double from = records_time(records_begin(i)), until = records_time(records_end(i));
        begin = i == 0 || from < begin ? from : begin;
        end = until > end ? until : end;
    }
    for (int i = 0; i < records_ranks; i++) {
        if (records_rank[i].begin == 0)
            continue;
        put_rank(&all[i]);
        if (!plan->virtual_time)
            put_sent(&all[i], begin, end);
    }
    fputs(HAL_TRACE_END, to);
}

/* The machine left the file as mpiexec made it, or has not made it. */
static bool is_empty(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? S_ISREG(st.st_mode) && st.st_size == 0 : errno == ENOENT;
}

/* The file takes no more: what the machine wrote, up to its end `at`, is made complete again. */
static void cut(const char *path, off_t at)
{
    static const char end[] = HAL_TRACE_END;
    const ssize_t n = (ssize_t)sizeof end - 1;
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool whole = fd >= 0 && ftruncate(fd, at) == 0 && pwrite(fd, end, (size_t)n, at) == n;
    if (fd >= 0)
        close(fd);
    if (!whole)
        hal_file_discard(path);
}

/* Why nothing could be added; NULL: all is there. */
static const char *add(const struct plan *plan, const char *path, bool none)
{
    struct trace *all = calloc((size_t)records_ranks, sizeof *all);
    FILE *to = all ? open_end(path) : NULL;
    off_t at = to ? ftello(to) : 0;
    const char *why = !all   ? "out of memory"
                      : none ? "the machine has written no trace"
                             : "the machine's part of it was not written whole";
    if (to) {
        put_all(plan, all, to);
        why = NULL;
    }
    if (to && !hal_file_close(to)) {
        why = strerror(errno);
        cut(path, at);
    }
    free(all);
    return why;
}

bool trace_add(const struct plan *plan, bool told)
{
    const char *own = plan->request->own_trace, *path = plan->options.trace;
    bool none = is_empty(path);
    const char *why = add(plan, path, none);
    if (why && !told && own)
        complain("%s: cannot write rows of ranks to its trace: %s", own, why);
    else if (why && !told)
        complain("--trace %s: cannot write rows of ranks to this file: %s", path, why);
    return !why || none;
}
