/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "pt2pt/buffer.h"

#define ALIGN 16

/* In the order of their addresses; with MPI_BUFFER_AUTOMATIC in the rank's memory, in no order. */
struct segment {
    struct segment *next;
    uint64_t bytes;  /* of all of it */
    uint64_t serial; /* of the message in the buffer's life */
    struct mpu_request m;
};
_Static_assert(sizeof(struct segment) + 2 * ALIGN <= MPI_BSEND_OVERHEAD,
               "a header fits into the overhead that programs allow for");

struct mpi_buffer {
    struct mpi_buffer *next;
    const struct mpi_comm *owner;
    uint8_t *memory; /* as attached */
    MPI_Count size;
    bool automatic;
    uint64_t serial; /* of the last message */
    struct segment *used;
};

static struct mpi_buffer *find(struct mpi_process *p, const struct mpi_comm *owner)
{
    struct mpi_buffer *b = p->requests ? p->requests->buffers : NULL;
    while (b && b->owner != owner)
        b = b->next;
    return b;
}

/* A communicator's own; else that of the session it derives from; else the process's. */
static struct mpi_buffer *find_for(struct mpi_process *p, const struct mpi_comm *c)
{
    struct mpi_buffer *b = find(p, c);
    if (!b && c->group.session)
        b = find(p, &c->group.session->raiser);
    return b ? b : find(p, NULL);
}

/* Gives back the segments whose messages are sent. */
static void reap(struct mpi_process *p, struct mpi_buffer *b)
{
    for (struct segment **at = &b->used; *at;) {
        struct segment *s = *at;
        if (!mpu_done(&s->m)) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        if (b->automatic)
            mpu_free(p->rank, s);
    }
}

static uintptr_t up(uintptr_t address)
{
    return (address + ALIGN - 1) / ALIGN * ALIGN;
}

/* First fit. */
static struct segment *place(struct mpi_buffer *b, uint64_t bytes)
{
    uintptr_t end = (uintptr_t)b->memory + (uintptr_t)b->size, from = up((uintptr_t)b->memory);
    struct segment **at = &b->used;
    while (*at && (uintptr_t)*at - from < bytes) {
        from = (uintptr_t)*at + (*at)->bytes;
        at = &(*at)->next;
    }
    if (!*at && (from > end || end - from < bytes))
        return NULL;
    struct segment *s = (struct segment *)from;
    s->next = *at;
    *at = s;
    return s;
}

static struct segment *segment(struct mpi_process *p, struct mpi_buffer *b, uint64_t data)
{
    uint64_t bytes = up(sizeof(struct segment) + data);
    reap(p, b);
    struct segment *s = b->automatic ? mpu_alloc(p->rank, bytes) : place(b, bytes);
    if (!s)
        return NULL;
    if (b->automatic) {
        s->next = b->used;
        b->used = s;
    }
    s->bytes = bytes;
    s->serial = ++b->serial;
    return s;
}

int mpi_begin_buffered(struct mpi_process *p, struct mpi_p2p *q, const struct mpi_transfer *t)
{
    mpi_p2p_nobody(q);
    if (t->peer == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct mpi_buffer *b = find_for(p, t->comm);
    if (!b)
        return MPI_ERR_BUFFER;
    struct segment *s = segment(p, b, t->bytes);
    if (!s && !b->automatic) {
        mpu_poll(p->rank);
        s = segment(p, b, t->bytes);
    }
    if (!s)
        return b->automatic ? MPI_ERR_NO_MEM : MPI_ERR_BUFFER;
    if (mpi_sent_at_once(p, t)) {
        s->m = (struct mpu_request){.done = true};
        return MPI_SUCCESS;
    }
    if (t->bytes)
        mpi_type_pack(t->type, t->count, t->buf, 0, t->bytes, s + 1);
    mpu_send_start(p->rank, &s->m, &t->comm->p2p, t->peer, t->tag, s + 1,
                   mpi_type_marked(t->type, t->bytes));
    return MPI_SUCCESS;
}

int mpi_buffer_attach(struct mpi_process *p, const char *call, struct mpi_comm *c, void *memory,
                      MPI_Count size)
{
    bool automatic = memory == MPI_BUFFER_AUTOMATIC;
    if (size < 0)
        return mpi_error(c, MPI_ERR_ARG, call, "size %lld is negative", (long long)size);
    if (!automatic && size && (uintptr_t)memory <= (uintptr_t)MPI_BUFFER_AUTOMATIC)
        return mpi_error(c, MPI_ERR_BUFFER, call, "the buffer is no address");
    if (find(p, c))
        return mpi_error(c, MPI_ERR_BUFFER, call, "a buffer is attached already");
    struct mpi_buffer *b = mpi_requests(p) ? mpi_alloc(p, sizeof *b) : NULL;
    if (!b)
        return mpi_error(c, MPI_ERR_NO_MEM, call, "no memory for the description of a buffer");
    *b = (struct mpi_buffer){.next = p->requests->buffers,
                             .owner = c,
                             .memory = memory,
                             .size = automatic ? 0 : size,
                             .automatic = automatic};
    p->requests->buffers = b;
    return MPI_SUCCESS;
}

/* Messages that leave the buffer --------------------------------------------------------------- */

struct flush {
    struct mpi_request base;
    struct mpi_buffer *buffer;
    uint64_t serial; /* of the last message waited for */
};

/* One that is waited for and was not sent when the buffer was looked at last; NULL: there is none.
 */
static const struct segment *find_unsent(const struct flush *f)
{
    const struct segment *s = f->buffer->used;
    while (s && s->serial > f->serial)
        s = s->next;
    return s;
}

/* The buffer may have been detached since, when nothing was left in it. */
static bool flush_poll(struct mpi_request *q)
{
    struct flush *f = (struct flush *)q;
    struct mpi_process *p = mpi_process();
    struct mpi_buffer *b = p->requests->buffers;
    while (b && b != f->buffer)
        b = b->next;
    if (!b)
        return true;
    reap(p, b);
    return !find_unsent(f);
}

/* Of one that is not complete, whose buffer is therefore attached. */
static const struct mpu_request *flush_message(const struct mpi_request *q)
{
    const struct segment *s = find_unsent((const struct flush *)q);
    return s ? &s->m : NULL;
}

static const struct mpi_request_kind flush_kind = {.name = "flush of a buffer",
                                                   .poll = flush_poll,
                                                   .message = flush_message,
                                                   .why = mpi_request_class_why};

static void flush_init(struct flush *f, struct mpi_process *p, struct mpi_comm *c)
{
    mpi_request_init(&f->base, &flush_kind, c);
    f->base.flags |= MPI_REQUEST_ACTIVE;
    f->buffer = find(p, c);
    f->serial = f->buffer ? f->buffer->serial : 0;
}

int mpi_buffer_flush(struct mpi_process *p, const char *call, struct mpi_comm *c)
{
    struct flush f;
    if (find(p, c)) {
        flush_init(&f, p, c);
        mpi_request_wait(p, call, &f.base);
    }
    return MPI_SUCCESS;
}

int mpi_buffer_iflush(struct mpi_process *p, const char *call, struct mpi_comm *c,
                      MPI_Request *request)
{
    struct flush *f = mpi_request_new(p, call, &flush_kind, c, sizeof *f);
    if (!f)
        return MPI_ERR_NO_MEM;
    flush_init(f, p, c);
    *request = mpi_request_handle(f);
    return MPI_SUCCESS;
}

int mpi_buffer_detach(struct mpi_process *p, const char *call, struct mpi_comm *c, void *memory_p,
                      MPI_Count *size, MPI_Count most)
{
    struct mpi_buffer *b = find(p, c);
    if (!b)
        return mpi_error(c, MPI_ERR_BUFFER, call, "no buffer is attached");
    if (b->size > most)
        return mpi_error(c, MPI_ERR_VALUE_TOO_LARGE, call, "the buffer has %lld bytes",
                         (long long)b->size);
    void *memory = b->memory;
    memcpy(memory_p, &memory, sizeof memory);
    *size = b->size;
    mpi_buffer_end(p, call, c);
    return MPI_SUCCESS;
}

void mpi_buffer_end(struct mpi_process *p, const char *call, struct mpi_comm *c)
{
    struct mpi_buffer *b = find(p, c), **at;
    if (!b)
        return;
    mpi_buffer_flush(p, call, c);
    for (at = &p->requests->buffers; *at != b;)
        at = &(*at)->next;
    *at = b->next;
    mpi_free(p, b);
}
