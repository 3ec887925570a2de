/* SPDX-License-Identifier: MIT */
/* The bytes of a portal transfer: the ways from buffer to buffer.
 *
 * A cluster reaches memory of another one through the mapping if it lies in that one's window, else
 * with the system's help. A long transfer is cut into pieces, and both ends take pieces in turn:
 * the sender at once, the receiver whenever it looks. If the receiver waits, two processors copy;
 * if it computes, the sender moves everything alone. */
#include "portal.h"
#include "reach.h"

#include <string.h>

/* Bytes; more in very long transfers, so that pieces can be counted. */
#define PIECE ((size_t)32 * 1024)

/* lx_channel.claimed: serial number of the transfer, pieces that its receiver and its sender have
 * taken in hand. */
enum { COUNT_BITS = 18, RECEIVER_SHIFT = COUNT_BITS, SERIAL_SHIFT = 2 * COUNT_BITS };
#define COUNT_MOST ((UINT64_C(1) << COUNT_BITS) - 1)

bool lx_in_window(const void *p, size_t n, uint64_t *offset)
{
    uintptr_t base = (uintptr_t)lx_window(lx.job, lx.cluster);
    size_t size = hal_machine_memory(&lx.job->machine, lx.cluster);
    *offset = (uintptr_t)p - base;
    return (uintptr_t)p >= base && *offset <= size && n <= size - *offset;
}

/* Memory of another cluster. */
struct far {
    int cluster;
    bool in_window;
    uint64_t address; /* offset in its window, or address in its process */
};

/* Copies n bytes at `offset` of both. */
static bool copy(const struct far *f, void *near, uint64_t offset, size_t n, enum lx_direction d)
{
    if (!f->in_window && f->cluster != lx.cluster)
        return lx_reach(f->cluster, f->address + offset, (char *)near + offset, n, d) == 0;
    char *base = f->in_window ? lx_window(lx.job, f->cluster) : NULL;
    char *there = (char *)((uintptr_t)base + f->address + offset);
    char *here = (char *)near + offset;
    if (d == LX_GET)
        memcpy(here, there, n);
    else
        memcpy(there, here, n);
    return true;
}

/* Whether this cluster can reach that memory; asks the system with the first byte. */
static bool reaches(const struct far *f, void *near, enum lx_direction d)
{
    if (f->in_window || f->cluster == lx.cluster)
        return true;
    char byte;
    return lx_reaches(f->cluster, f->address, d == LX_GET ? &byte : near, d);
}

static struct far receiver_buffer(int to, const struct lx_channel *ch)
{
    return (struct far){.cluster = to, .in_window = ch->in_window != 0, .address = ch->address};
}

enum lx_phase lx_transfer_begin(int to, int channel, uint32_t serial, const void *buf, size_t n)
{
    struct lx_channel *ch = &lx_cluster(lx.job, to)->channel[channel];
    struct far f = receiver_buffer(to, ch);
    void *near = (void *)(uintptr_t)buf;
    uint64_t offset;
    ch->source_in_window = lx_in_window(buf, n, &offset);
    ch->source = ch->source_in_window != 0 ? offset : (uintptr_t)buf;
    atomic_store(&ch->claimed, (uint64_t)serial << SERIAL_SHIFT);
    atomic_store(&ch->finished, 0);
    atomic_store(&ch->broken, 0);
    if (n == 0)
        return LX_DONE;
    bool can_push = reaches(&f, near, LX_PUT);
    if (can_push && (n <= PIECE || to == lx.cluster) && copy(&f, near, 0, n, LX_PUT))
        return LX_DONE;
    return can_push || ch->source_in_window != 0 ? LX_SHARED : LX_BOUNCE;
}

static size_t piece_of(size_t n)
{
    size_t piece = PIECE;
    while (n / piece >= COUNT_MOST)
        piece *= 2;
    return piece;
}

static unsigned pieces(size_t n)
{
    return (unsigned)((n + piece_of(n) - 1) / piece_of(n));
}

static unsigned taken(unsigned long long word)
{
    return (unsigned)((word & COUNT_MOST) + (word >> RECEIVER_SHIFT & COUNT_MOST));
}

/* Takes the next piece of the channel's transfer `serial` in hand; false if there is none. The
 * serial goes with the counts, because the channel may serve the next transfer before this one's
 * sender has looked for another piece in vain. The sender begins at the front and the receiver at
 * the back: when a buffer is used again, each finds most of what it writes in its own caches. */
static bool claim(struct lx_channel *ch, uint32_t serial, unsigned all, bool sender,
                  unsigned *piece)
{
    unsigned long long word = atomic_load(&ch->claimed);
    do {
        if (word >> SERIAL_SHIFT != serial || taken(word) >= all)
            return false;
        *piece = sender ? (unsigned)(word & COUNT_MOST)
                        : all - 1 - (unsigned)(word >> RECEIVER_SHIFT & COUNT_MOST);
    } while (!atomic_compare_exchange_weak(&ch->claimed, &word,
                                           word + (sender ? 1 : UINT64_C(1) << RECEIVER_SHIFT)));
    return true;
}

struct share {
    struct lx_channel *ch;
    uint32_t serial;
    void *near;
    size_t size;
    enum lx_direction direction;
};

static void take_pieces(const struct share *s, const struct far *f)
{
    unsigned piece;
    size_t most = piece_of(s->size);
    while (claim(s->ch, s->serial, pieces(s->size), s->direction == LX_PUT, &piece)) {
        uint64_t offset = (uint64_t)piece * most;
        size_t n = s->size - offset < most ? (size_t)(s->size - offset) : most;
        if (!copy(f, s->near, offset, n, s->direction))
            atomic_store(&s->ch->broken, 1);
        atomic_fetch_add(&s->ch->finished, 1);
    }
}

void lx_transfer_push(int to, int channel, uint32_t serial, const void *buf, size_t n)
{
    struct lx_channel *ch = &lx_cluster(lx.job, to)->channel[channel];
    struct far f = receiver_buffer(to, ch);
    struct share s = {
        .ch = ch, .serial = serial, .near = (void *)(uintptr_t)buf, .size = n, .direction = LX_PUT};
    if (reaches(&f, s.near, LX_PUT))
        take_pieces(&s, &f);
}

void lx_transfer_pull(int channel, void *buf)
{
    struct lx_channel *ch = &lx.self->channel[channel];
    struct far f = {
        .cluster = ch->from, .in_window = ch->source_in_window != 0, .address = ch->source};
    struct share s = {.ch = ch,
                      .serial = atomic_load(&ch->phase) >> 4,
                      .near = buf,
                      .size = ch->size,
                      .direction = LX_GET};
    if (taken(atomic_load(&ch->claimed)) < pieces(ch->size) && reaches(&f, NULL, LX_GET))
        take_pieces(&s, &f);
}

bool lx_transfer_finished(struct lx_channel *ch)
{
    return atomic_load(&ch->finished) >= pieces(ch->size);
}

/* Copies `n` bytes between memory and the ring of a bounce buffer at position `at`. */
static void ring_copy(char *ring, uint64_t at, char *memory, size_t n, bool in)
{
    while (n > 0) {
        size_t offset = at % LX_BOUNCE_SIZE;
        size_t piece = LX_BOUNCE_SIZE - offset < n ? LX_BOUNCE_SIZE - offset : n;
        if (in)
            memcpy(ring + offset, memory, piece);
        else
            memcpy(memory, ring + offset, piece);
        at += piece;
        memory += piece;
        n -= piece;
    }
}

bool lx_transfer_fill(int to, int channel, const void *buf, size_t n)
{
    struct lx_channel *ch = &lx_cluster(lx.job, to)->channel[channel];
    uint64_t filled = atomic_load_explicit(&ch->filled, memory_order_relaxed);
    size_t room = LX_BOUNCE_SIZE - (size_t)(filled - atomic_load(&ch->drained));
    size_t piece = n - filled < room ? n - filled : room;
    if (piece == 0 || (piece < n - filled && piece < LX_BOUNCE_SIZE / 2))
        return false; /* wait until a good part is free */
    ring_copy(lx_bounce(lx.job, to, channel), filled, (char *)(uintptr_t)buf + filled, piece, true);
    atomic_store(&ch->filled, filled + piece);
    return true;
}

bool lx_transfer_drain(int channel, void *buf)
{
    struct lx_channel *ch = &lx.self->channel[channel];
    uint64_t drained = atomic_load_explicit(&ch->drained, memory_order_relaxed);
    size_t piece = (size_t)(atomic_load(&ch->filled) - drained);
    if (piece == 0)
        return false;
    ring_copy(lx_bounce(lx.job, lx.cluster, channel), drained, (char *)buf + drained, piece, false);
    atomic_store(&ch->drained, drained + piece);
    return true;
}
