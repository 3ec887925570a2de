/* SPDX-License-Identifier: MIT */
/* The memory that ranks write their calls to, and its clock. */
#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <hal/ticks.h>

#define MEMORY (UINT64_C(512) << 20) /* of all rings, if all are filled */
#define MOST   (1u << 16)            /* records of a rank */
#define LEAST  256

struct profile_rank *records_rank;
int records_ranks;

static struct profile_record *ring; /* `room` of each rank */
static uint64_t room, unplaced;
static enum profile_clock kind;
static struct {
    uint64_t ticks, ns; /* one instant on its clock and on the one that it is measured by */
} first, last;
static double seconds_per_tick;

static uint64_t system_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t ticks(void)
{
    return kind == PROFILE_PROCESSOR ? hal_host_ticks() : system_ns();
}

static void choose_clock(const struct plan *plan)
{
    kind = plan->virtual_time   ? PROFILE_MACHINE
           : hal_ticks_steady() ? PROFILE_PROCESSOR
                                : PROFILE_SYSTEM;
    first.ticks = ticks();
    first.ns = system_ns();
}

int records_create(const struct plan *plan)
{
    char text[64];
    uint64_t n = (uint64_t)plan->job.ranks;
    room = MEMORY / sizeof *ring / n;
    room = room > MOST ? MOST : room < LEAST ? LEAST : room;
    size_t size = n * (sizeof *records_rank + room * sizeof *ring);
    int fd = memfd_create("lwmpi-records", 0); /* the processes inherit it */
    void *p = fd < 0 || ftruncate(fd, (off_t)size) < 0
                  ? MAP_FAILED
                  : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED) {
        complain("no memory for the records of %d ranks that --profile and --trace need",
                 plan->job.ranks);
        return EXIT_CANNOT_RUN;
    }
    records_rank = p;
    records_ranks = plan->job.ranks;
    ring = (struct profile_record *)(records_rank + records_ranks);
    choose_clock(plan);
    snprintf(text, sizeof text, "%d:%d:%d:%d:%d", fd, records_ranks, (int)room, (int)kind,
             plan->shared);
    setenv(PROFILE_VARIABLE, text, 1);
    return -1;
}

static void add(struct profile_total *to, const struct profile_total *more)
{
    to->calls += more->calls;
    to->bytes += more->bytes;
    to->ticks += more->ticks;
    for (int i = 0; i < PROFILE_CAUSES; i++)
        to->waited[i] += more->waited[i];
}

/* Sums that the ranks have not made, as they would have taken their time. */
static void sum_up(struct profile_rank *r)
{
    for (int i = 0; i < PROFILE_FUNCTIONS; i++)
        unplaced += r->function[i].total.calls;
    for (int i = 0; i < PROFILE_SITES; i++)
        if (r->site[i].address != 0)
            add(&r->function[r->site[i].function].total, &r->site[i].total);
    for (int i = 0; i < PROFILE_WAITS; i++) {
        const struct profile_wait *w = &r->wait[i];
        for (int k = 0; w->who > 0 && w->who <= records_ranks && k < PROFILE_CAUSES; k++)
            records_rank[w->who - 1].blamed[k] += w->waited[k];
    }
}

/* The last that is known of the job, on the clock of its records. */
static uint64_t job_end(void)
{
    uint64_t end = kind == PROFILE_MACHINE ? 0 : last.ticks;
    for (int i = 0; i < records_ranks; i++) {
        uint64_t came = records_rank[i].came, ended = records_end(i);
        end = came > end ? came : end;
        end = ended > end ? ended : end;
    }
    return end;
}

/* The call that the rank was in ends with the job. */
static void end_open(int rank, uint64_t end)
{
    struct profile_rank *r = &records_rank[rank];
    unsigned function = r->open >> 16, site = r->open & 0xffff;
    if (r->end > 0 || function == 0 || function > PROFILE_FUNCTIONS || site > PROFILE_SITES)
        return;
    struct profile_total *t =
        site < PROFILE_SITES ? &r->site[site].total : &r->function[function - 1].total;
    ring[(uint64_t)rank * room + r->recorded++ % room] =
        (struct profile_record){.begin = r->came,
                                .last = r->came,
                                .end = end,
                                .peer = PROFILE_NOBODY,
                                .function = (uint16_t)(function - 1),
                                .site = (uint16_t)site,
                                .part = PROFILE_OPEN};
    t->calls++;
    t->ticks += end - r->came;
}

const struct profile_record *records_open(int rank)
{
    uint64_t n = records_rank[rank].recorded;
    const struct profile_record *r = n > 0 ? records_at(rank, n - 1) : NULL;
    return r && r->part == PROFILE_OPEN ? r : NULL;
}

uint64_t records_unplaced(void)
{
    return unplaced;
}

void records_settle(uint64_t now)
{
    last.ticks = ticks();
    uint64_t end = job_end();
    for (int i = 0; i < records_ranks; i++) {
        end_open(i, end);
        sum_up(&records_rank[i]);
    }
    seconds_per_tick = 1e-9;
    if (kind == PROFILE_PROCESSOR)
        seconds_per_tick =
            1e-9 * (double)(system_ns() - first.ns) / (double)(last.ticks - first.ticks);
    last.ns = now;
}

double records_seconds(uint64_t of)
{
    return (double)of * seconds_per_tick;
}

double records_time(uint64_t at)
{
    return kind == PROFILE_MACHINE
               ? (double)at * seconds_per_tick
               : (double)last.ns * 1e-9 - (double)(int64_t)(last.ticks - at) * seconds_per_tick;
}

uint64_t records_first(int rank)
{
    uint64_t n = records_rank[rank].recorded;
    return n > room ? n - room : 0;
}

const struct profile_record *records_at(int rank, uint64_t i)
{
    return &ring[(uint64_t)rank * room + i % room];
}

uint64_t records_begin(int rank)
{
    uint64_t i = records_first(rank);
    return i > 0 ? records_at(rank, i)->begin : records_rank[rank].begin;
}

uint64_t records_end(int rank)
{
    const struct profile_rank *r = &records_rank[rank];
    if (r->end > 0)
        return r->end;
    return r->recorded > 0 ? records_at(rank, r->recorded - 1)->end : r->begin;
}

const char *records_function(int rank, const struct profile_record *r)
{
    return records_rank[rank].function[r->function].name;
}

bool records_asks(int rank, const struct profile_record *r)
{
    static const char *const words[] = {"MPI_Test", "MPI_Iprobe", "MPI_Improbe"};
    bool asks = false;
    for (size_t i = 0; r->part == 0 && i < sizeof words / sizeof words[0]; i++)
        asks |= strncmp(records_function(rank, r), words[i], strlen(words[i])) == 0;
    return asks;
}

bool records_takes(int rank, const struct profile_record *call)
{
    return strcmp(records_function(rank, call), "MPI_Probe") != 0;
}

const char *records_comm(int rank, uint32_t comm)
{
    const struct profile_rank *r = &records_rank[rank];
    for (int i = 0; i < PROFILE_COMMS && r->comm[i].comm != 0; i++)
        if (r->comm[i].comm == comm)
            return r->comm[i].text;
    static char number[16];
    snprintf(number, sizeof number, "0x%08x", (unsigned)comm);
    return number;
}

/* --- messages --- */

static struct parts {
    struct records_part *part;
    size_t n;
} sent, asked;

static int by_id(const void *a, const void *b)
{
    const struct records_part *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static size_t held(void)
{
    size_t n = 0;
    for (int i = 0; i < records_ranks; i++)
        n += (size_t)(records_rank[i].recorded - records_first(i));
    return n;
}

/* That the k-th record of a rank belongs to: its own, or the next one that is a call's. */
static const struct profile_record *call_of(int rank, uint64_t k)
{
    while ((records_at(rank, k)->part & PROFILE_MORE) != 0 && k + 1 < records_rank[rank].recorded)
        k++;
    return records_at(rank, k);
}

bool records_index(void)
{
    size_t room_for = held() + 1;
    if (sent.part)
        return true;
    sent = (struct parts){malloc(room_for * sizeof *sent.part), 0};
    asked = (struct parts){malloc(room_for * sizeof *asked.part), 0};
    if (!sent.part || !asked.part) {
        records_release();
        return false;
    }
    for (int i = 0; i < records_ranks; i++) {
        for (uint64_t k = records_first(i); k < records_rank[i].recorded; k++) {
            const struct profile_record *r = records_at(i, k), *call = call_of(i, k);
            if (r->part & PROFILE_SENDS)
                sent.part[sent.n++] = (struct records_part){r->id, r->begin, i, call};
            if ((r->part & PROFILE_RECEIVED) && records_takes(i, call))
                asked.part[asked.n++] = (struct records_part){r->id, r->posted, i, call};
        }
    }
    qsort(sent.part, sent.n, sizeof *sent.part, by_id);
    qsort(asked.part, asked.n, sizeof *asked.part, by_id);
    return true;
}

static const struct records_part *find(const struct parts *p, uint64_t id)
{
    const struct records_part wanted = {.id = id};
    return p->part ? bsearch(&wanted, p->part, p->n, sizeof *p->part, by_id) : NULL;
}

const struct records_part *records_sent(uint64_t id)
{
    return find(&sent, id);
}

const struct records_part *records_asked(uint64_t id)
{
    return find(&asked, id);
}

void records_release(void)
{
    free(sent.part);
    free(asked.part);
    sent = asked = (struct parts){NULL, 0};
}
