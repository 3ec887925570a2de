/* SPDX-License-Identifier: MIT */
/* Long messages in pieces through cells of shared memory: of all lengths around whole pieces and
 * whole windows, to receives with more and less room, from and into streams, several at once each
 * way so that cells run out. No more pieces of a message are under way than half the cells, the
 * bytes are right, and all cells come back. And those that their receivers copy from where they
 * lie: only where both ends are in one piece, and in pieces after all where the system refuses. */
#include <stdlib.h>
#include <string.h>

#include <base/error.h>

#include "fake_kernel.h"

#define RANKS   3
#define PIECES  20 /* most of a message */
#define EACH    3  /* messages between two ranks, each way */
#define ALL     (RANKS * RANKS * EACH)
#define GUARD   64
#define GUARDED 0xee

/* One end of a message. */
struct end {
    struct mpu_request q;
    struct mpu_stream stream;
    uint64_t at, bytes; /* of a stream: moved so far; of the message, or room */
    uint8_t *data;
};

struct pair {
    struct end send, receive;
    int from, to;
};

static uint8_t window[MPU_STREAM_WINDOW];
static uint64_t waited;   /* steps after which a sender had leave to send, but no cell */
static int ranks = RANKS; /* of the world */
static uint64_t fullest;  /* most pieces of a message that were under way, of fourteen */

static uint64_t piece(void)
{
    return fake_rank(0)->cluster->places.shape.piece;
}

/* Pieces of a message that may be under way: half the cells. */
static uint64_t most_pieces(void)
{
    return fake_rank(0)->cluster->places.shape.size[MPU_SLAB_PIECES].count / 2;
}

static struct end *of_stream(struct mpu_stream *s)
{
    return (struct end *)((uint8_t *)s - offsetof(struct end, stream));
}

static void pack(struct mpu_stream *s, uint64_t at, uint64_t n, void *memory)
{
    struct end *e = of_stream(s);
    CHECK_SEED(at == e->at && at + n <= e->bytes);
    memcpy(memory, e->data + at, n);
    e->at += n;
}

static void unpack(struct mpu_stream *s, uint64_t at, uint64_t n, void *memory)
{
    struct end *e = of_stream(s);
    CHECK_SEED(at == e->at && at + n <= e->bytes);
    memcpy(e->data + at, memory, n);
    e->at += n;
}

static void make(struct end *e, uint64_t bytes, bool streamed, uint8_t fill)
{
    *e = (struct end){.bytes = bytes, .data = malloc(bytes + GUARD)};
    CHECK(e->data);
    memset(e->data, GUARDED, bytes + GUARD);
    for (uint64_t i = 0; fill && i < bytes; i++)
        e->data[i] = (uint8_t)(fill + i / 7);
    e->stream.window = streamed ? window : NULL;
}

static void start_send(struct pair *p, int tag)
{
    struct end *e = &p->send;
    e->stream.move = pack;
    bool streamed = e->stream.window != NULL;
    mpu_send_start(fake_rank(p->from), &e->q, fake_comm(p->from), p->to, tag,
                   streamed ? (void *)&e->stream : e->data,
                   e->bytes | (streamed ? MPU_STREAMED : 0));
}

static void start_receive(struct pair *p, int tag)
{
    struct end *e = &p->receive;
    e->stream.move = unpack;
    bool streamed = e->stream.window != NULL;
    mpu_recv_start(fake_rank(p->to), &e->q, fake_comm(p->to), p->from, tag,
                   streamed ? (void *)&e->stream : e->data,
                   e->bytes | (streamed ? MPU_STREAMED : 0));
}

static void check(struct pair *p)
{
    uint64_t size = p->send.bytes, room = p->receive.bytes, n = size < room ? size : room;
    const struct mpu_request *q = &p->receive.q;
    CHECK_SEED(mpu_done(&p->send.q) && p->send.q.error == 0 && mpu_done(&p->receive.q));
    CHECK_SEED(q->count == n && q->error == (size > room ? -B_EMSGSIZE : 0));
    CHECK_SEED(!memcmp(p->receive.data, p->send.data, n));
    for (uint64_t i = n; i < room + GUARD; i++)
        CHECK_SEED(p->receive.data[i] == GUARDED);
    free(p->send.data);
    free(p->receive.data);
}

static bool in(const struct mpu_request *list, const struct mpu_request *q)
{
    while (list && list != q)
        list = list->next;
    return list != NULL;
}

/* What has left and was not taken; what could leave. */
static void check_window(const struct pair *p)
{
    const struct mpu_request *s = &p->send.q, *r = &p->receive.q;
    if (!in(fake_rank(p->from)->rendezvous.allowed, s) ||
        !in(fake_rank(p->to)->rendezvous.reading, r))
        return;
    uint64_t pieces = (s->moved - r->moved + piece() - 1) / piece();
    CHECK_SEED(s->moved >= r->moved && pieces <= most_pieces());
    fullest = pieces > fullest ? pieces : fullest;
    CHECK_SEED(s->piece <= most_pieces());
    waited += s->piece > 0 && !fake_rank(p->from)->outbox.busy;
}

/* Cells of a size that a rank can take again, of those of its slab. */
static uint32_t taken_again(struct mpu_slab *s, int size)
{
    uint64_t bytes = size == MPU_SLAB_PIECES ? 1 : (uint64_t)MPU_SLAB_PAYLOAD_0 << 2 * size;
    enum mpu_slab_use use = size == MPU_SLAB_PIECES ? MPU_SLAB_PIECE : MPU_SLAB_MESSAGE;
    uint32_t n = 0;
    while (s->shape->size[size].count > 0 && mpu_slab_take(s, bytes, use))
        n++;
    return n;
}

/* All cells of all slabs: each is its owner's, or kept by one that read it. */
static void check_cells(void)
{
    for (int i = 0; i < ranks; i++) {
        struct mpu_slab *s = &fake_rank(i)->at_core->slab;
        for (int k = 0; k <= MPU_SLAB_PIECES; k++) {
            uint32_t kept = 0;
            for (int j = 0; j < ranks; j++) {
                const struct mpu_loans *loans = fake_rank(j)->at_core->loans;
                kept += loans ? loans[i].size[k].kept : 0;
            }
            CHECK_SEED(taken_again(s, k) + kept == s->shape->size[k].count);
        }
    }
}

/* On a small board each of three ranks has 28 cells for pieces, of 1 KB, each of two 12, of 4 KB;
 * on a large one 27 and 41, of 64 KB. */
static struct fake_shape shape_of(bool large)
{
    return (struct fake_shape){.ranks = ranks,
                               .board = large ? 22 << 20 : 1 << 19,
                               .lane = 1024,
                               .eager = 96,
                               .window = 8};
}

/* late: the receive is posted when the message has been announced. */
static void start_both(struct pair *p, bool late)
{
    if (!late)
        start_receive(p, 0);
    start_send(p, 0);
    if (late) {
        fake_settle();
        start_receive(p, 0);
    }
}

/* One message whose length and room are near a number of whole pieces. */
static void lengths(bool large, int pieces, int more, int room, uint32_t seed)
{
    const struct fake_shape shape = shape_of(large);
    struct pair p = {.from = 0, .to = 1};
    fake_begin(&shape, seed);
    uint64_t bytes = (uint64_t)pieces * piece() + (uint64_t)more;
    make(&p.send, bytes, fake_random(3) == 0, 1);
    make(&p.receive, room < 0 ? bytes : bytes * (uint64_t)room / 4, fake_random(3) == 0, 0);
    start_both(&p, seed % 2);
    while (fake_step())
        check_window(&p);
    CHECK_SEED(fake_rank(0)->carried[MPU_PROTO_PIPELINE].messages == 1);
    check(&p);
    fake_check_quiet();
    check_cells();
    fake_end();
}

/* A message that is long enough, or just not, to be copied by its receiver. */
static void single_copy(bool refuses, int more, int room, uint32_t seed)
{
    struct fake_shape shape = shape_of(false);
    struct pair p = {.from = 0, .to = 1};
    shape.refuses = refuses;
    fake_begin(&shape, seed);
    uint64_t least = 3 * piece(), bytes = least + (uint64_t)more;
    *mpu_tune(fake_rank(0), MPU_TUNE_SINGLE_COPY) = (uint32_t)least;
    *mpu_tune(fake_rank(0), MPU_TUNE_SINGLE_COPY_MOST) = (uint32_t)least + 1;
    make(&p.send, bytes, fake_random(3) == 0, 1);
    make(&p.receive, bytes * (uint64_t)room / 4, fake_random(3) == 0, 0);
    bool shown = !p.send.stream.window && more >= 0 && more <= 1;
    start_both(&p, seed % 2);
    fake_settle();
    CHECK_SEED(fake_kernel_reads() == (shown && !p.receive.stream.window));
    check(&p);
    fake_check_quiet();
    check_cells();
    fake_end();
}

/* Where ranks share processors, only what could not be sent without an answer, and of messages that
 * are waited for together those that are more than a quarter of the caches if all ranks send as
 * many. */
static void shared_processors(void)
{
    const struct fake_shape shape = shape_of(false);
    fake_begin(&shape, 1);
    struct mpu_rank *r = fake_rank(0);
    uint32_t eager = mpu_eager_limit(r), least = eager / 8;
    r->tune[MPU_TUNE_SINGLE_COPY] = least;
    r->tune[MPU_TUNE_SINGLE_COPY_MOST] = 2 * eager;
    r->tune[MPU_TUNE_CACHED_BYTES] = 4 * 5 * (eager / 2) * (uint32_t)mpu_ranks(r);
    CHECK(least > 0 && !mpu_goes_eager(r, least, false) && mpu_goes_eager(r, least - 1, false));
    r->cluster->info.oversubscribed = true;
    CHECK(mpu_goes_eager(r, eager, false) && !mpu_goes_eager(r, eager + 1, false));
    mpu_send_together(r, 1);
    CHECK(mpu_goes_eager(r, eager, false));
    mpu_send_together(r, 5);
    CHECK(mpu_goes_eager(r, eager / 2 - 1, false) && !mpu_goes_eager(r, eager / 2, false));
    CHECK(mpu_goes_eager(r, eager / 2, true));
    mpu_send_together(r, 1000);
    CHECK(mpu_goes_eager(r, least - 1, false) && !mpu_goes_eager(r, least, false));
    mpu_send_together(r, 0);
    CHECK(mpu_goes_eager(r, eager, false));
    r->cluster->info.oversubscribed = false;
    fake_end();
}

/* A receiver that reads no more holds a window of pieces, and is in nobody's way. */
static void slow_reader(uint32_t seed)
{
    const struct fake_shape shape = shape_of(true);
    struct pair slow = {.from = 0, .to = 1}, other = {.from = 0, .to = 2};
    fake_begin(&shape, seed);
    uint64_t bytes = (most_pieces() + 5) * piece();
    make(&slow.send, bytes, false, 1);
    make(&slow.receive, bytes, false, 0);
    make(&other.send, bytes, false, 2);
    make(&other.receive, bytes, false, 0);
    start_send(&slow, 0);
    fake_settle();
    start_receive(&slow, 0);
    fake_computes(1, true);
    fake_settle();
    CHECK_SEED(slow.send.q.moved == most_pieces() * piece() && !mpu_done(&slow.send.q));
    start_send(&other, 0);
    start_receive(&other, 0);
    fake_settle();
    check(&other);
    fake_computes(1, false);
    fake_settle();
    check(&slow);
    fake_check_quiet();
    check_cells();
    fake_end();
}

/* Messages that would be copied by their receiver, who finds all of them when it looks: within its
 * part of the caches they are; where they are more, pieces come; after a pause they are counted
 * anew. What goes to the same place all the time is never much. */
static void row(int messages, bool same_place, bool copied, int reads)
{
    struct pair pair[EACH + 1];
    fake_computes(1, true);
    for (int i = 0; i < messages; i++) {
        pair[i] = (struct pair){.from = 0, .to = 1};
        make(&pair[i].send, 9 * piece(), false, (uint8_t)(i + 1));
        if (same_place && i > 0)
            pair[i].receive = pair[0].receive;
        else
            make(&pair[i].receive, 9 * piece(), false, 0);
        start_receive(&pair[i], i);
        start_send(&pair[i], i);
    }
    fake_settle();
    fake_computes(1, false);
    fake_settle();
    CHECK_SEED(fake_kernel_reads() == reads + (copied ? messages : 0));
    for (int i = 0; i < messages - 1; i++)
        if (same_place)
            free(pair[i].send.data);
        else
            check(&pair[i]);
    check(&pair[messages - 1]);
}

static void much_in_a_row(uint32_t seed)
{
    struct fake_shape shape = shape_of(true);
    shape.lane = 1 << 14;
    fake_begin(&shape, seed);
    *mpu_tune(fake_rank(0), MPU_TUNE_SINGLE_COPY) = 0;
    *mpu_tune(fake_rank(1), MPU_TUNE_CACHED_BYTES) = 3 << 20; /* 2 MB for each of three ranks */
    row(EACH, false, true, 0);
    row(EACH, false, true, EACH);
    row(EACH + 1, false, false, 2 * EACH);
    row(1, false, true, 2 * EACH);
    row(EACH + 1, true, true, 2 * EACH + 1);
    fake_check_quiet();
    check_cells();
    fake_end();
}

/* What several ranks send to one at the same time, where they share processors, comes in pieces. */
static void several_senders(bool shares, uint32_t seed)
{
    const struct fake_shape shape = shape_of(true);
    struct pair pair[RANKS - 1];
    fake_begin(&shape, seed);
    fake_computes(0, true);
    fake_rank(0)->cluster->info.oversubscribed = shares;
    for (int i = 0; i < RANKS - 1; i++) {
        pair[i] = (struct pair){.from = i + 1, .to = 0};
        *mpu_tune(fake_rank(i + 1), MPU_TUNE_SINGLE_COPY) = 0;
        make(&pair[i].send, 9 * piece(), false, (uint8_t)(i + 1));
        make(&pair[i].receive, 9 * piece(), false, 0);
        start_receive(&pair[i], 0);
        start_send(&pair[i], 0);
    }
    fake_settle();
    fake_computes(0, false);
    fake_settle();
    CHECK_SEED(fake_kernel_reads() == (shares ? 0 : RANKS - 1));
    fake_rank(0)->cluster->info.oversubscribed = false;
    for (int i = 0; i < RANKS - 1; i++)
        check(&pair[i]);
    fake_check_quiet();
    check_cells();
    fake_end();
}

/* Many, between all ranks, in all ways. */
static void crowd(bool large, uint32_t seed)
{
    const struct fake_shape shape = shape_of(large);
    static struct pair pair[ALL];
    int n = 0, tag = 0;
    fake_begin(&shape, seed);
    for (int i = 0; i < ranks; i++) {
        *mpu_tune(fake_rank(i), MPU_TUNE_CACHED_BYTES) = seed % 2 ? (uint32_t)(10 * piece()) : 0;
        if (seed % 3 == 0)
            *mpu_tune(fake_rank(i), MPU_TUNE_SINGLE_COPY) = 0;
        if (seed % 4 == 0)
            *mpu_tune(fake_rank(i), MPU_TUNE_PAST_CACHES) = 0;
    }
    for (int from = 0; from < ranks; from++)
        for (int to = 0; to < ranks; to++)
            for (int i = 0; i < EACH && to != from; i++) {
                struct pair *p = &pair[n++];
                *p = (struct pair){.from = from, .to = to};
                uint64_t bytes = 97 + fake_random((uint32_t)(PIECES * piece() / (large ? 2 : 1)));
                make(&p->send, bytes, fake_random(4) == 0, (uint8_t)n);
                make(&p->receive, fake_random(4) ? bytes : fake_random((uint32_t)bytes),
                     fake_random(4) == 0, 0);
            }
    for (int i = 0; i < n; i++, tag++) {
        bool first = fake_random(2);
        if (first)
            start_receive(&pair[i], tag);
        start_send(&pair[i], tag);
        fake_some();
        if (!first)
            start_receive(&pair[i], tag);
    }
    while (fake_step())
        for (int i = 0; i < n; i++)
            check_window(&pair[i]);
    for (int i = 0; i < n; i++)
        check(&pair[i]);
    fake_check_quiet();
    check_cells();
    fake_end();
}

int main(void)
{
    uint32_t seed = 0;
    for (int pieces = 1; pieces <= PIECES; pieces++)
        for (int more = -1; more <= 1; more++)
            for (int room = -1; room <= 5; room++)
                lengths(false, pieces, more, room, ++seed);
    for (int pieces = 1; pieces <= 17; pieces += pieces < 7 ? 6 : 1)
        for (int more = -1; more <= 1; more++)
            lengths(true, pieces, more, -1, ++seed);
    for (int more = -1; more <= 2; more++)
        for (int room = 0; room <= 5; room++)
            for (int k = 0; k < 20; k++)
                single_copy(k % 3 == 0, more, room, ++seed);
    shared_processors();
    for (uint32_t k = 1; k <= 60; k++)
        crowd(k % 20 == 0, ++seed);
    ranks = 2; /* each keeps cells of both, and together they could keep all */
    for (uint32_t k = 1; k <= 200; k++)
        crowd(k % 20 == 0, ++seed);
    ranks = RANKS;
    for (uint32_t k = 1; k <= 5; k++) {
        slow_reader(++seed);
        much_in_a_row(++seed);
        several_senders(k % 2, ++seed);
    }
    printf("%u worlds; after %llu steps a sender had no cell, at most %llu pieces were under way\n",
           seed, (unsigned long long)waited, (unsigned long long)fullest);
    fflush(stdout);
    CHECK(waited > 0 && fullest == 14);
    return 0;
}
