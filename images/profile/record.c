/* SPDX-License-Identifier: MIT */
/* The ring of a rank's latest calls: records of one size in memory, nothing else while the program
 * runs. mpiexec makes rows of a trace, and paths through the job, of them. */
#include "layer.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#pragma weak MPIX_Last_way

static struct profile_rank *ranks;
static struct profile_record *records; /* `room` of each rank */
static uint64_t room;

/* Of each rank: its place in the ring, and the texts that its ways have, which are constants of the
 * library; mostly a call goes the same way as the one before. */
static struct own {
    uint64_t at; /* where the next record goes */
    uint8_t latest;
    const char *way[PROFILE_WAYS];
} * own;

void profile_records(struct profile_rank *all, int n, int each)
{
    ranks = all;
    records = (struct profile_record *)(all + n);
    own = profile_memory((size_t)n * sizeof *own);
    room = own == NULL ? 0 : (uint64_t)each;
}

void profile_touch(const struct profile_rank *r)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)&records[(uint64_t)(r - ranks) * room] & ~(page - 1);
    uintptr_t end = (uintptr_t)&records[(uint64_t)(r - ranks + 1) * room];
    madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
}

/* Under the rank's lock. */
static inline struct profile_record *next_of(const struct profile_call *c)
{
    struct own *o = &own[c->self];
    struct profile_record *next = &records[(uint64_t)c->self * room + o->at];
    o->at = o->at + 1 < room ? o->at + 1 : 0;
    c->rank->recorded++;
    return next;
}

/* Most calls take part in one message or collective at most. */
void profile_takes_part(struct profile_call *c, unsigned parts, uint64_t id, uint64_t posted)
{
    if (id == 0 || room == 0)
        return;
    if (c->id == 0 || c->id == id) {
        c->id = id;
        c->parts |= parts;
        c->posted = posted;
        return;
    }
    profile_lock(c->rank);
    *next_of(c) = (struct profile_record){
        .begin = c->begin, .posted = posted, .id = id, .part = (uint8_t)(parts | PROFILE_MORE)};
    profile_unlock(c->rank);
}

/* 1 + number of the protocol or algorithm that the call used; 0: not known. */
static inline uint8_t way_of(const struct profile_call *c)
{
    const char *text = MPIX_Last_way == NULL ? NULL : MPIX_Last_way();
    struct own *o = &own[c->self];
    struct profile_rank *r = c->rank;
    if (text == NULL)
        return 0;
    if (o->way[o->latest] == text)
        return o->latest + 1;
    for (uint8_t i = 0; i < PROFILE_WAYS; i++) {
        if (o->way[i] == NULL) {
            o->way[i] = text;
            snprintf(r->way[i], sizeof r->way[i], "%s", text);
        }
        if (o->way[i] == text) {
            o->latest = i;
            return i + 1;
        }
    }
    return 0;
}

void profile_record(const struct profile_call *c, int site, uint64_t end)
{
    if (room == 0)
        return;
    *next_of(c) = (struct profile_record){.begin = c->begin,
                                          .end = end,
                                          .last = c->last,
                                          .posted = c->posted,
                                          .bytes = c->bytes,
                                          .id = c->id,
                                          .comm = c->comm,
                                          .peer = c->peer,
                                          .tag = c->tag,
                                          .who = c->who,
                                          .function = (uint16_t)c->function,
                                          .site = (uint16_t)site,
                                          .part = (uint8_t)c->parts,
                                          .cause = (uint8_t)c->cause,
                                          .way = way_of(c)};
}

void profile_named(const struct profile_call *c, uint32_t comm, const char *name)
{
    for (int i = 0; i < PROFILE_COMMS; i++) {
        struct profile_comm_name *n = &c->rank->comm[i];
        if (n->comm != 0 && n->comm != comm)
            continue;
        n->comm = comm;
        snprintf(n->text, sizeof n->text, "%s", name);
        return;
    }
}
