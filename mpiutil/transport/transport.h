/* SPDX-License-Identifier: MIT */
/* A transport carries messages between ranks of different clusters. A machine has one: shared
 * memory where its clusters have any (transport/memory.c), else the network on chip by the kernel's
 * mailboxes (transport/noc.c). Nothing outside of a transport knows which. What a rank sends to
 * another one arrives in order.
 *
 * Functions are called on a thread of the rank's core; none waits. */
#ifndef MPIUTIL_TRANSPORT_TRANSPORT_H
#define MPIUTIL_TRANSPORT_TRANSPORT_H

#include "rank/rank.h"

struct mpu_transport {
    /* What a rank needs to send and receive; 0, or -B_ENOMEM and what the kernel answers. And its
     * end; NULL: there is nothing to end. */
    int (*begin)(struct mpu_rank *r);
    void (*end)(struct mpu_rank *r);

    /* Sends the header and n bytes of payload, at most MPU_EAGER_MAX, to a world rank; both are
     * copied. r->outbox.busy must be false, and is true afterwards if nothing more can be sent
     * before something has left. Cannot fail, ends the job where the receiver is gone. */
    void (*post)(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                 size_t n);

    /* The same for a message of w->size bytes, at most mpu_eager_limit, that its receiver may not
     * want yet; `streamed`: the payload is a struct mpu_stream, of more than MPU_EAGER_MAX bytes.
     * False, nothing happened: as many of these as there may be are under way. */
    bool (*eager)(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                  bool streamed);

    /* Sees what has left: r->outbox.busy. */
    void (*progress)(struct mpu_rank *r);

    /* All that was posted has left; else the bell rings when something has. */
    bool (*idle)(struct mpu_rank *r);

    /* Takes what has arrived for the rank, and hands it on (mpu_arrived). NULL: the core's
     * watch sees what comes, without any read posted. */
    void (*take)(struct mpu_rank *r);

    /* Has what arrives next ring the bell. NULL as `take`. */
    void (*listen)(struct mpu_rank *r);
};

extern const struct mpu_transport mpu_noc, mpu_memory;

/* Longest message that the rank sends by `eager`. */
static inline uint32_t mpu_eager_limit(const struct mpu_rank *r)
{
    uint32_t most = r->cluster->eager_most, limit = r->tune[MPU_TUNE_EAGER_LIMIT];
    return limit < most ? limit : most;
}

/* Whether the receiver of n bytes of the rank should copy them from where they lie, which must be
 * in one piece. */
static inline bool mpu_single_copy(const struct mpu_rank *r, uint64_t n)
{
    return n >= r->tune[MPU_TUNE_SINGLE_COPY] && n <= r->tune[MPU_TUNE_SINGLE_COPY_MOST];
}

/* Whether the rank sends n bytes by `eager`, if there is room for them. answer_is_dear: rather than
 * to wait for an answer. */
bool mpu_answer_is_dear(const struct mpu_rank *r, uint64_t n);
static inline bool mpu_goes_eager(const struct mpu_rank *r, uint64_t n, bool streamed)
{
    return n <= mpu_eager_limit(r) &&
           (streamed || !mpu_single_copy(r, n) || mpu_answer_is_dear(r, n));
}

/* Kinds that their reader must see to although it computes: others wait for what it does then. */
bool mpu_urgent(const struct mpu_rank *r, const struct mpu_wire *w);

/* Sees that what arrives next rings the bell, where that takes something. */
static inline void mpu_land(struct mpu_rank *r)
{
    const struct mpu_transport *t = r->cluster->transport;
    if (t && t->listen)
        t->listen(r);
}

/* What a transport hands on. Core: an arrival of any kind, to who handles it (progress/progress.c);
 * a piece of a pipeline, whose bytes are its sender's (protocol/pipeline.c). */
void mpu_arrived(struct mpu_rank *r, struct mpu_arrival *a);
void mpu_pipeline_piece(struct mpu_rank *r, const struct mpu_wire *w, const uint8_t *data);

/* Starts to write the header and n bytes of payload to a rank of another cluster; they are
 * copied. The outbox must not be busy. */
static inline void mpu_post(struct mpu_rank *r, int to, const struct mpu_wire *w,
                            const void *payload, size_t n)
{
    r->cluster->transport->post(r, to, w, payload, n);
}

/* The same for a header alone, of which these fields say all. */
void mpu_post_header(struct mpu_rank *r, int to, enum mpu_kind kind, uint16_t port, uint32_t cookie,
                     uint64_t size);

#endif
