/* SPDX-License-Identifier: MIT */
/* The ring of a rank's latest calls: records of one size in memory, nothing else while the program
 * runs. mpiexec makes rows of a trace, and paths through the job, of them. */
#include "hot.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#pragma weak MPIX_Last_way

void profile_ring(struct profile_own *o, struct profile_record *ring, int each, bool prefault)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)ring & ~(page - 1), end = (uintptr_t)(ring + each);
    o->next = o->ring = ring;
    o->ring_end = ring + each;
    o->last_way = MPIX_Last_way ? MPIX_Last_way() : NULL;
    if (o->last_way)
        *o->last_way = NULL;
    if (prefault)
        madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
}

void profile_part(struct profile_call *c, unsigned parts, uint64_t id, uint64_t posted)
{
    profile_lock(c->own->rank);
    *profile_next(c->own) = (struct profile_record){.begin = c->record.begin,
                                                    .posted = posted,
                                                    .id = id,
                                                    .part = (uint16_t)(parts | PROFILE_MORE)};
    profile_unlock(c->own->rank);
}

/* 0: there are more than can have one. */
uint8_t profile_way(struct profile_own *o, const char *text)
{
    o->latest = text;
    for (uint8_t i = 0; i < PROFILE_WAYS; i++) {
        if (!o->way[i]) {
            o->way[i] = text;
            snprintf(o->rank->way[i], sizeof o->rank->way[i], "%s", text);
        }
        if (o->way[i] == text)
            return o->latest_number = i + 1;
    }
    return o->latest_number = 0;
}

void profile_named(struct profile_own *o, uint32_t comm, const char *name)
{
    for (int i = 0; i < PROFILE_COMMS; i++) {
        struct profile_comm_name *n = &o->rank->comm[i];
        if (n->comm != 0 && n->comm != comm)
            continue;
        n->comm = comm;
        snprintf(n->text, sizeof n->text, "%s", name);
        return;
    }
}
