/* SPDX-License-Identifier: MIT */
/* The messages and memory of a collective operation. */
#include <base/error.h>
#include <base/mem.h>

#include "coll/coll.h"

int mpi_coll_reserve(struct mpi_coll *c, int n)
{
    if (n <= c->room)
        return 0;
    struct mpi_coll_slot *slots = mpi_alloc(c->p, (size_t)n * sizeof *slots);
    if (!slots)
        return -B_ENOMEM;
    if (c->slots != c->first)
        mpi_free(c->p, c->slots);
    c->slots = slots;
    c->room = n;
    return 0;
}

void *mpi_coll_temp(struct mpi_coll *c, uint64_t n)
{
    void *memory = mpi_alloc(c->p, n ? n : 1);
    if (memory)
        c->temp[c->temps++] = memory;
    return memory;
}

struct mpi_data mpi_coll_bytes(void *buf, uint64_t n)
{
    return (struct mpi_data){buf, (MPI_Count)n, mpi_type_of(MPI_BYTE)};
}

struct mpi_data mpi_coll_block(const struct mpi_side *s, int i)
{
    MPI_Count count = s->counts.at ? mpi_number(&s->counts, i) : s->count;
    MPI_Aint at = s->displs.at ? mpi_number(&s->displs, i) : i * count;
    const struct mpi_type *type = s->types ? s->types[i] : s->type;
    if (!s->types)
        at *= s->extent;
    return (struct mpi_data){(void *)((uintptr_t)s->buf + (uintptr_t)at), count, type};
}

void mpi_coll_pack(struct mpi_data from, void *to)
{
    mpi_type_pack(from.type, from.count, from.buf, 0, mpi_data_bytes(from), to);
}

void mpi_coll_unpack(const void *from, struct mpi_data to)
{
    mpi_type_unpack(to.type, to.count, to.buf, 0, mpi_data_bytes(to), from);
}

void mpi_coll_copy(struct mpi_coll *c, struct mpi_data from, struct mpi_data to)
{
    uint64_t bytes = mpi_data_bytes(from);
    if (bytes != mpi_data_bytes(to) && !c->error)
        c->error = bytes > mpi_data_bytes(to) ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
    bool same = from.buf == to.buf && from.type == to.type; /* MPI_BOTTOM alone says nothing */
    if (bytes && mpi_data_bytes(to) && !same)
        mpi_type_copy(from.type, from.count, from.buf, to.type, to.count, to.buf);
}

/* A slot for the data, with the address of its bytes: where they are, if they are one run, or room
 * to pack them. NULL: no memory. */
static struct mpi_coll_slot *slot(struct mpi_coll *c, struct mpi_data d, bool apart, uint8_t **at)
{
    struct mpi_coll_slot *s = &c->slots[c->n];
    s->data = d;
    s->bytes = mpi_data_bytes(d);
    s->packed = NULL;
    MPI_Aint offset = 0;
    if (s->bytes && (apart || !mpi_type_run(d.type, d.count, &offset))) {
        s->packed = mpi_alloc(c->p, s->bytes);
        if (!s->packed)
            return NULL;
        *at = s->packed;
    } else {
        *at = (uint8_t *)((uintptr_t)d.buf + (uintptr_t)offset);
    }
    c->n++;
    return s;
}

static int send(struct mpi_coll *c, const struct mpu_comm *on, int to, int sub, struct mpi_data d,
                bool apart)
{
    uint8_t *at;
    struct mpi_coll_slot *s = slot(c, d, apart, &at);
    if (!s)
        return -B_ENOMEM;
    if (s->packed)
        mpi_coll_pack(d, s->packed);
    s->receives = false;
    mpu_send_start(c->p->rank, &s->q, on, to, c->tag + sub, at, s->bytes);
    return 0;
}

int mpi_coll_send(struct mpi_coll *c, const struct mpu_comm *on, int to, int sub, struct mpi_data d)
{
    return send(c, on, to, sub, d, false);
}

int mpi_coll_send_copy(struct mpi_coll *c, const struct mpu_comm *on, int to, int sub,
                       struct mpi_data d)
{
    return send(c, on, to, sub, d, true);
}

int mpi_coll_recv(struct mpi_coll *c, const struct mpu_comm *on, int from, int sub,
                  struct mpi_data d)
{
    uint8_t *at;
    struct mpi_coll_slot *s = slot(c, d, false, &at);
    if (!s)
        return -B_ENOMEM;
    s->receives = true;
    mpu_recv_start(c->p->rank, &s->q, on, from, c->tag + sub, at, s->bytes);
    return 0;
}
