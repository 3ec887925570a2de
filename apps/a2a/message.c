/* SPDX-License-Identifier: MIT */
/* What a message should be. */
#include <string.h>

#include "a2a.h"
#include "message.h"

/* Byte i of a message counts up from a start that its head decides. So any CYCLE bytes of it are
 * somewhere in the ramp. */
static const unsigned char *from_ramp(const struct a2a *a, const struct a2a_head *h, size_t i)
{
    return a->ramp + (h->from * 31 + h->step * 17 + i) % A2A_CYCLE;
}

static size_t piece(size_t left)
{
    return left < A2A_CYCLE ? left : A2A_CYCLE;
}

void a2a_make(struct a2a *a)
{
    struct a2a_head h = {(uint32_t)a->team.rank, a->step};

    for (int i = 0; i < 2 * A2A_CYCLE; i++)
        a->ramp[i] = (unsigned char)i;
    memcpy(a->out, &h, sizeof h);
    for (size_t i = sizeof h; i < a->bytes; i += A2A_CYCLE)
        memcpy(a->out + i, from_ramp(a, &h, i), piece(a->bytes - i));
    for (int k = 1; k < a2a_slots_out(a); k++)
        memcpy(a->out + (size_t)k * a->bytes, a->out, a->bytes);
}

void a2a_take(struct a2a *a, const unsigned char *message, size_t n)
{
    struct a2a_head h;

    memcpy(&h, message, sizeof h);
    bool good = n == a->bytes && h.step == a->step && h.from < (uint32_t)a->team.ranks &&
                h.from != (uint32_t)a->team.rank;
    for (size_t i = sizeof h; good && i < n; i += A2A_CYCLE)
        good = memcmp(message + i, from_ramp(a, &h, i), piece(n - i)) == 0;
    if (good)
        a->heard[h.from]++;
    else
        a->wrong++;
}

void a2a_count(struct a2a *a)
{
    for (int rank = 0; rank < a->team.ranks; rank++)
        if (rank != a->team.rank && a->heard[rank] != a->options.messages)
            a->wrong++;
    memset(a->heard, 0, (size_t)a->team.ranks * sizeof *a->heard);
}
