/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "comm/comm_table.h"

#define LISTS_FIRST 8

/* The number of lists is a power of two. Ids differ in their low bits (serial numbers of one rank)
 * or only in the high ones (different ranks that lead): a multiplication mixes both. */
static struct mpi_comm **list_of(const struct mpi_comm_table *t, uint32_t id)
{
    return &t->list[(id * UINT32_C(2654435769)) >> 8 & (t->lists - 1)];
}

static void put(const struct mpi_comm_table *t, struct mpi_comm *c)
{
    struct mpi_comm **list = list_of(t, c->id);
    c->next = *list;
    c->place = list;
    if (c->next)
        c->next->place = &c->next;
    *list = c;
}

static void grow(struct mpi_process *p)
{
    struct mpi_comm_table *t = &p->comms, old = *t;
    uint32_t lists = old.lists ? 2 * old.lists : LISTS_FIRST;
    struct mpi_comm **list = mpi_alloc(p, lists * sizeof(struct mpi_comm *));
    if (!list)
        return;
    t->list = list;
    t->lists = lists;
    for (uint32_t i = 0; i < old.lists; i++)
        for (struct mpi_comm *c = old.list[i], *next; c; c = next) {
            next = c->next;
            put(t, c);
        }
    mpi_free(p, old.list);
}

int mpi_comm_table_reserve(struct mpi_process *p)
{
    if (p->comms.count >= p->comms.lists)
        grow(p);
    return p->comms.lists ? 0 : -B_ENOMEM;
}

void mpi_comm_table_add(struct mpi_process *p, struct mpi_comm *c)
{
    put(&p->comms, c);
    p->comms.count++;
}

void mpi_comm_table_remove(struct mpi_process *p, struct mpi_comm *c)
{
    *c->place = c->next;
    if (c->next)
        c->next->place = c->place;
    p->comms.count--;
}

struct mpi_comm *mpi_comm_table_find(const struct mpi_process *p, uint32_t id)
{
    struct mpi_comm *c = p->comms.lists ? *list_of(&p->comms, id) : NULL;
    while (c && c->id != id)
        c = c->next;
    return c;
}
