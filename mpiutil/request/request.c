/* SPDX-License-Identifier: MIT */
#include <base/assert.h>
#include <base/error.h>
#include <base/fmt.h>

#include "request/request.h"

void mpu_fail(const struct mpu_rank *r, const char *what, int error)
{
    char line[160];
    b_fmt(line, sizeof line, "rank %d: %s: %s", r->number, what, b_error_message(error));
    k_abort(1, line);
}

void mpu_charge_compared(struct mpu_rank *r, uint64_t n)
{
    uint64_t cycles = n * r->cluster->info.match_cycles;
    if (!cycles)
        return;
    k_work(cycles);
    r->spun.at += cycles; /* to look for a message is to ask */
}

void mpu_finish(struct mpu_request *q, int error)
{
    mpu_complete(q, error);
}

struct mpu_request *mpu_expected(struct mpu_rank *to, const struct mpu_wire *w,
                                 struct mpu_rank *pays)
{
    uint64_t before = to->match.compared;
    struct mpu_request *q = mpu_match_quickly(&to->match, w->context, w->source, w->tag);
    mpu_charge_match(pays, &to->match, before);
    return q;
}

void mpu_unexpected(struct mpu_rank *r, struct mpu_arrival *a)
{
    bool wakes = !r->awaited;
    mpu_match_queue(&r->match, a);
    if (r->hooks.unexpected && a->wire.context % MPU_CONTEXTS != MPU_CONTEXT_PROGRAM)
        wakes |= r->hooks.unexpected(r->hooks.notify_arg, a->wire.context, a->wire.tag);
    if (mpu_waits(r) && wakes)
        mpu_ring(r);
}

void mpu_store(struct mpu_request *q, uint64_t at, uint64_t n, const void *data)
{
    b_assert(at + n <= q->size);
    struct mpu_stream *s = q->streamed ? (struct mpu_stream *)q->buf : NULL;
    if (s && n)
        s->move(s, at, n, (void *)(uintptr_t)data);
    else if (n)
        mpu_move(q->rank->cluster, q->buf + at, data, n);
}

/* What it ends with: 0, -B_EMSGSIZE if it took only a part, or -B_EBADMSG. */
static inline int end_of(const struct mpu_request *q, uint64_t size)
{
    if (size <= q->count && !mpu_marks_differ(q->mark, q->sent_mark))
        return 0;
    q->rank->match.came++;
    return size > q->count ? -B_EMSGSIZE : -B_EBADMSG;
}

void mpu_received(struct mpu_request *q, uint64_t size)
{
    mpu_complete(q, end_of(q, size));
}

void mpu_receive_now(struct mpu_request *q, const struct mpu_wire *w, const void *data)
{
    mpu_store(q, 0, mpu_accept(q, w), data);
    mpu_complete(q, end_of(q, w->size));
}

void mpu_copy_from(struct mpu_request *q, const struct mpu_request *sender, uint64_t n)
{
    b_assert(n <= sender->size && n <= q->size);
    uint8_t bounce[1024]; /* from one layout to another; ranks' stacks are small */
    if (!sender->streamed) {
        mpu_store(q, 0, n, sender->buf);
        return;
    }
    struct mpu_stream *from = (struct mpu_stream *)sender->buf;
    if (!q->streamed) {
        from->move(from, 0, n, q->buf);
        return;
    }
    for (uint64_t at = 0, part; at < n; at += part) {
        part = n - at < sizeof bounce ? n - at : sizeof bounce;
        from->move(from, at, part, bounce);
        mpu_store(q, at, part, bounce);
    }
}
