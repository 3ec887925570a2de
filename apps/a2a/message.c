/* SPDX-License-Identifier: MIT */
/* What a message should be. */
#include <string.h>

#include "a2a.h"
#include "message.h"

static unsigned char pattern(const struct a2a_head *h, size_t i)
{
    return (unsigned char)(h->from * 31 + h->step * 17 + i);
}

void a2a_make(struct a2a *a)
{
    struct a2a_head h = {(uint32_t)a->team.rank, a->step};

    for (size_t i = sizeof h; i < a->bytes; i++)
        a->out[i] = pattern(&h, i);
    memcpy(a->out, &h, sizeof h);
    for (int k = 1; k < a2a_slots_out(a); k++)
        memcpy(a->out + (size_t)k * a->bytes, a->out, a->bytes);
}

void a2a_take(struct a2a *a, const unsigned char *message, size_t n)
{
    struct a2a_head h;
    unsigned char differs = 0;

    memcpy(&h, message, sizeof h);
    for (size_t i = sizeof h; i < n; i++)
        differs |= message[i] ^ pattern(&h, i);
    if (n == a->bytes && !differs && h.step == a->step && h.from < (uint32_t)a->team.ranks &&
        h.from != (uint32_t)a->team.rank)
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
