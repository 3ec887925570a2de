/* SPDX-License-Identifier: MIT */
/* The messages and memory of a collective operation. */
#include <base/assert.h>
#include <base/error.h>
#include <base/mem.h>

#include "coll/agree.h"
#include "coll/round.h"
#include "datatype/parts.h"

int mpi_coll_reserve(struct mpi_coll *c, int n)
{
    if (n <= c->messages.room)
        return 0;
    struct mpi_coll_slot *slots = mpi_alloc(c->p, (size_t)n * sizeof *slots);
    if (!slots)
        return -B_ENOMEM;
    if (c->messages.slots != c->first)
        mpi_free(c->p, c->messages.slots);
    c->messages.slots = slots;
    c->messages.room = n;
    return 0;
}

void *mpi_coll_temp(struct mpi_coll *c, uint64_t n)
{
    b_assert(c->messages.temps < MPI_COLL_TEMPS);
    void *memory = mpu_alloc(c->p->rank, n ? n : 1);
    if (memory)
        c->temp[c->messages.temps++] = memory;
    return memory;
}

struct mpi_elements mpi_coll_bytes(void *buf, uint64_t n)
{
    return (struct mpi_elements){buf, (MPI_Count)n, mpi_type_of(MPI_BYTE)};
}

struct mpi_elements mpi_coll_block_apart(const struct mpi_side *s, int i)
{
    MPI_Aint at = mpi_number(&s->displs, i) * (s->types ? 1 : s->extent);
    return (struct mpi_elements){(void *)((uintptr_t)s->buf + (uintptr_t)at),
                                 mpi_number(&s->counts, i), s->types ? s->types[i] : s->type};
}

struct mpi_elements mpi_coll_blocks(const struct mpi_side *s, int first, int n)
{
    const struct mpi_elements one = mpi_coll_block(s, first);
    return (struct mpi_elements){one.buf, n * one.count, one.type};
}

void mpi_coll_pack(const struct mpi_elements *from, void *to)
{
    uint64_t bytes = mpi_elements_bytes(from);
    if (bytes && from->type->kind == MPI_KIND_BASIC)
        mpi_move(to, from->buf, bytes);
    else if (bytes)
        mpi_type_pack(from->type, from->count, from->buf, 0, bytes, to);
}

void mpi_coll_unpack(const void *from, const struct mpi_elements *to)
{
    uint64_t bytes = mpi_elements_bytes(to);
    if (bytes && to->type->kind == MPI_KIND_BASIC)
        mpi_move(to->buf, from, bytes);
    else if (bytes)
        mpi_type_unpack(to->type, to->count, to->buf, 0, bytes, from);
}

bool mpi_coll_is_amount(struct mpi_coll *c, uint64_t bytes, uint64_t wanted)
{
    if (bytes != wanted)
        mpi_coll_fail(c, bytes > wanted ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT);
    return bytes == wanted;
}

void mpi_coll_copy(struct mpi_coll *c, const struct mpi_elements *from,
                   const struct mpi_elements *to)
{
    uint64_t bytes = mpi_elements_bytes(from), room = mpi_elements_bytes(to);
    bool fits = mpi_coll_is_amount(c, bytes, room);
    bool same = from->buf == to->buf && from->type == to->type; /* MPI_BOTTOM alone says nothing */
    if (!bytes || !room || same)
        return;
    if (fits && from->type->kind == MPI_KIND_BASIC && to->type->kind == MPI_KIND_BASIC)
        mpi_move(to->buf, from->buf, bytes);
    else
        mpi_type_copy(from->type, from->count, from->buf, to->type, to->count, to->buf);
}

/* Data that is no run of bytes, or must be kept as it is, is packed; unless it travels in parts,
 * where that costs no more, or when it is long and the memory short. False: no memory. */
static bool store(struct mpi_coll *c, struct mpi_coll_slot *s, bool apart)
{
    bool streams = !apart && mpu_streams(c->p->rank, s->bytes);
    bool parts = streams || (!apart && s->bytes > MPU_STREAM_WINDOW);
    if (!streams && (!parts || s->bytes <= mpi_coll_share()))
        s->packed = mpi_alloc(c->p, s->bytes);
    s->at = s->packed;
    c->messages.memory += s->packed ? s->bytes : 0;
    if (s->packed || !parts)
        return s->packed;
    struct mpi_parts *x =
        mpi_parts_make(c->p, s->data.buf, s->data.count, s->data.type, !s->receives, !streams);
    if (!x)
        return false;
    s->packed = (uint8_t *)x;
    c->messages.memory += sizeof *x + (streams ? 0 : MPU_STREAM_WINDOW);
    s->at = &x->stream;
    s->streamed = MPU_STREAMED;
    return true;
}

/* The next slot, for the data; NULL: no memory. */
static struct mpi_coll_slot *slot(struct mpi_coll *c, struct mpi_elements d, bool receives,
                                  bool apart)
{
    b_assert(c->messages.n < c->messages.room);
    struct mpi_coll_slot *s = &c->messages.slots[c->messages.n];
    s->data = d;
    s->bytes = mpi_elements_bytes(&d);
    s->packed = NULL;
    s->streamed = 0;
    s->receives = receives;
    MPI_Aint offset = 0;
    if (s->bytes && (apart || !mpi_type_run(d.type, d.count, &offset))) {
        if (!store(c, s, apart))
            return NULL;
    } else {
        s->at = (void *)((uintptr_t)d.buf + (uintptr_t)offset);
    }
    if (s->packed && !receives && !s->streamed)
        mpi_coll_pack(&d, s->packed);
    c->messages.n++;
    return s;
}

void mpi_coll_compare(struct mpi_coll *c, unsigned int mark, const struct mpi_type *t)
{
    if (mpu_marks_differ_in(mark, t->mark, MPU_MARK_ELEMENT))
        mpi_coll_fail(c, MPI_ERR_TYPE);
}

static uint64_t marked(struct mpi_coll *c, const struct mpi_coll_slot *s)
{
    unsigned int element =
        s->data.type && s->data.type->mark ? s->data.type->mark : c->messages.element;
    return mpu_marked(s->bytes, (s->bytes ? element : 0) | mpi_coll_mark(c)) | s->streamed;
}

int mpi_coll_send(struct mpi_coll *c, const struct mpu_comm *on, int to, int sub,
                  struct mpi_elements d)
{
    struct mpi_coll_slot *s = slot(c, d, false, false);
    if (s)
        mpu_send_start(c->p->rank, &s->q, on, to, c->tag + sub, s->at, marked(c, s));
    return s ? 0 : -B_ENOMEM;
}

int mpi_coll_recv(struct mpi_coll *c, const struct mpu_comm *on, int from, int sub,
                  struct mpi_elements d)
{
    struct mpi_coll_slot *s = slot(c, d, true, false);
    if (s)
        mpu_recv_start(c->p->rank, &s->q, on, from, c->tag + sub, s->at, marked(c, s));
    return s ? 0 : -B_ENOMEM;
}

int mpi_coll_shift(struct mpi_coll *c, const struct mpu_comm *on, int by, int sub,
                   struct mpi_elements out, struct mpi_elements in)
{
    int size = on->size;
    int rc = mpi_coll_recv(c, on, (on->rank + size - by) % size, sub, in);
    return mpi_coll_more(rc ? rc : mpi_coll_send(c, on, (on->rank + by) % size, sub, out));
}

int mpi_coll_swap(struct mpi_coll *c, int other, struct mpi_elements out, struct mpi_elements in)
{
    const struct mpu_comm *on = &c->comm->coll;
    struct mpi_coll_slot *sends = slot(c, out, false, out.buf == in.buf);
    if (!sends)
        return -B_ENOMEM;
    struct mpi_coll_slot *receives = slot(c, in, true, false);
    if (!receives) {
        c->messages.n--;
        mpi_free(c->p, sends->packed);
        return -B_ENOMEM;
    }
    mpu_recv_start(c->p->rank, &receives->q, on, other, c->tag, receives->at, marked(c, receives));
    mpu_send_start(c->p->rank, &sends->q, on, other, c->tag, sends->at, marked(c, sends));
    return 0;
}
