/* SPDX-License-Identifier: MIT */
/* Lines of the cache and the policies that choose which one goes. A line is found by its page as
 * long as it has one, whether anybody uses it or not: what is found nowhere must not be written
 * back later. */
#include "rmem/flow.h"

struct svc_line *svc_rmem_line_find(struct svc_rmem *r, uint64_t page)
{
    for (int i = 0; i < r->how.lines; i++) {
        struct svc_line *l = &r->line[i];
        if (l->state != SVC_LINE_FREE && l->page == page)
            return l;
    }
    return NULL;
}

struct svc_line *svc_rmem_line_choose(struct svc_rmem *r)
{
    struct svc_line *best = NULL;
    for (int i = 0; i < r->how.lines; i++) {
        struct svc_line *l = &r->line[i];
        if (l->state == SVC_LINE_FREE)
            return l;
        l->rank = r->how.policy->passed(l->rank);
        bool may = l->state == SVC_LINE_VALID && l->pins == 0 && !l->held;
        if (may && (!best || l->rank < best->rank))
            best = l;
    }
    return best;
}

void svc_rmem_line_used(struct svc_rmem *r, struct svc_line *l)
{
    l->rank = r->how.policy->used(l->rank, ++r->turn);
}

void svc_rmem_line_fetched(struct svc_rmem *r, struct svc_line *l)
{
    l->rank = r->how.policy->fetched(++r->turn);
}

uint8_t *svc_rmem_frame(const struct svc_rmem *r, const struct svc_line *l)
{
    return r->frames + (size_t)(l - r->line) * SVC_PAGE;
}

bool svc_rmem_line_recall(struct svc_rmem *r, uint64_t page, bool keep)
{
    struct svc_line *l = svc_rmem_line_find(r, page);
    if (!l || l->state == SVC_LINE_ASKS)
        return true;
    if (l->state != SVC_LINE_VALID || l->pins > 0 || l->dirty)
        return false;
    svc_rmem_protect(r, l, keep ? K_MAP_READ : K_MAP_NONE);
    l->rights = keep ? K_MAP_READ : K_MAP_NONE;
    l->state = keep ? SVC_LINE_VALID : l->held ? SVC_LINE_ASKS : SVC_LINE_FREE;
    return true;
}

/* Policies ------------------------------------------------------------------------------------- */

static uint64_t at_turn(uint64_t turn)
{
    return turn;
}

static uint64_t zero(uint64_t turn)
{
    (void)turn;
    return 0;
}

static uint64_t keep(uint64_t rank)
{
    return rank;
}

static uint64_t used_keep(uint64_t rank, uint64_t turn)
{
    (void)turn;
    return rank;
}

static uint64_t used_turn(uint64_t rank, uint64_t turn)
{
    (void)rank;
    return turn;
}

static uint64_t used_count(uint64_t rank, uint64_t turn)
{
    (void)turn;
    return rank + 1;
}

/* The highest bit: used since the last choice; it moves down at each choice. */
#define AGE_BIT ((uint64_t)1 << 31)

static uint64_t used_age(uint64_t rank, uint64_t turn)
{
    (void)turn;
    return rank | AGE_BIT;
}

static uint64_t grow_old(uint64_t rank)
{
    return rank >> 1;
}

const struct svc_rmem_policy svc_rmem_fifo = {"fifo", true, at_turn, used_keep, keep};
const struct svc_rmem_policy svc_rmem_lru = {"lru", true, at_turn, used_turn, keep};
const struct svc_rmem_policy svc_rmem_nfu = {"nfu", true, zero, used_count, keep};
const struct svc_rmem_policy svc_rmem_aging = {"aging", true, zero, used_age, grow_old};
const struct svc_rmem_policy svc_rmem_bypass = {"bypass", false, zero, used_keep, keep};

const struct svc_rmem_mode svc_rmem_back = {"back", false};
const struct svc_rmem_mode svc_rmem_through = {"through", true};
