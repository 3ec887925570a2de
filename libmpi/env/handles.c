/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "env/handles.h"

#define PREDEFINED 4096 /* numbers below are the ABI's */
#define BUCKETS    64

struct entry {
    const void *handle;
    int next; /* in the bucket, -1: last */
};

struct mpi_handles {
    int used, room;
    struct entry *entries;
    int first[BUCKETS];
};

static unsigned int bucket(const void *handle)
{
    return (unsigned int)((uintptr_t)handle >> 5) % BUCKETS;
}

static struct mpi_handles *table(struct mpi_process *p)
{
    if (p->handles || !(p->handles = mpi_alloc(p, sizeof *p->handles)))
        return p->handles;
    for (int i = 0; i < BUCKETS; i++)
        p->handles->first[i] = -1;
    return p->handles;
}

static bool grow(struct mpi_process *p, struct mpi_handles *h)
{
    int room = h->room ? 2 * h->room : 16;
    struct entry *more = mpi_alloc(p, (size_t)room * sizeof *more);
    if (!more)
        return false;
    if (h->used)
        memcpy(more, h->entries, (size_t)h->used * sizeof *more);
    mpi_free(p, h->entries);
    h->entries = more;
    h->room = room;
    return true;
}

int mpi_handle_toint(const char *call, const void *handle)
{
    if ((uintptr_t)handle < PREDEFINED)
        return (int)(uintptr_t)handle;
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return 0;
    struct mpi_handles *h = table(p);
    unsigned int b = bucket(handle);
    for (int i = h ? h->first[b] : -1; i >= 0; i = h->entries[i].next)
        if (h->entries[i].handle == handle)
            return PREDEFINED + i;
    if (!h || (h->used == h->room && !grow(p, h))) {
        mpi_error_below(NULL, -B_ENOMEM, call);
        return 0;
    }
    h->entries[h->used] = (struct entry){handle, h->first[b]};
    h->first[b] = h->used++;
    return PREDEFINED + h->first[b];
}

void *mpi_handle_fromint(int number, void *null)
{
    struct mpi_process *p = mpi_process();
    if (number >= 0 && number < PREDEFINED)
        return (void *)(uintptr_t)number;
    if (number < 0 || !p || !p->handles || number - PREDEFINED >= p->handles->used)
        return null;
    return (void *)(uintptr_t)p->handles->entries[number - PREDEFINED].handle;
}
