/* SPDX-License-Identifier: MIT */
/* Functions whose jumps lead anywhere, and walks through them: wherever control is, what is counted
 * and what it lags behind are what was executed, and no register of the vector unit in which the
 * program has something is taken for it. */
#include <stdlib.h>
#include <string.h>

#include <test/check.h>

#include "count/lags.h"

enum { BLOCKS = 14, LENGTH = 6, FUNCTIONS = 400, WALKS = 20, STEPS = 200, SIZE = 32768 };

static unsigned state = 1;

static unsigned any(unsigned below)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % below;
}

/* --- texts --- */

/* A function of blocks that begin with a label each; some call others, or end it. It may go on to
 * the next one. */
static void write_function(FILE *to, int f, unsigned registers)
{
    int blocks = 2 + (int)any(BLOCKS - 1);
    fprintf(to, "function%d:\n", f);
    for (int i = 0; i < blocks; i++) {
        fprintf(to, ".L%d_%d:\n", f, i);
        for (unsigned k = any(LENGTH); k > 0; k--) {
            unsigned x = 15 - any(registers), y = 15 - any(registers);
            switch (any(5)) {
            case 0:
                fprintf(to, "\tmovapd (%%rsi), %%xmm%u\n", x);
                break;
            case 1:
                fprintf(to, "\tmovapd %%xmm%u, (%%rsi)\n", x);
                break;
            case 2:
                fprintf(to, "\tmulpd %%xmm%u, %%xmm%u\n", x, y);
                break;
            case 3:
                fprintf(to, "\tpxor %%xmm%u, %%xmm%u\n", x, x);
                break;
            default:
                fprintf(to, "\taddq $1, %%rax\n");
            }
        }
        int end = (int)any(12), in = f > 0 && any(8) == 0 ? f - 1 : f;
        int target = in < f ? 0 : (int)any((unsigned)blocks);
        if (end < 6)
            fprintf(to, "\tjne .L%d_%d\n", in, target);
        else if (end < 8)
            fprintf(to, "\tjmp .L%d_%d\n", in, target);
        else if (end == 8)
            fprintf(to, "\tcall other\n");
        else if (end == 9)
            fprintf(to, "\tcall function%d\n", f);
        else if (end == 10)
            fprintf(to, "\tret\n");
    }
    if (any(2) == 0)
        fprintf(to, "\tjmp function%d\n", f == 0 ? 0 : (int)any((unsigned)f));
}

/* --- walks --- */

struct walk {
    const struct source *s;
    const struct blocks *b;
    const struct regions *r;
    const struct lag *lag;
    long counted[COUNT_CLASSES], done[COUNT_CLASSES];
    unsigned ours; /* registers in which the program's content is gone */
};

/* What the instructions of this test do with registers, said a second time. */
static void use_registers(struct walk *w, const struct block *k)
{
    for (int t = k->first; t <= k->last; t++) {
        const struct statement *st = &w->s->statement[t];
        struct instruction in = instruction_read(st->text);
        enum flow flow = instruction_flow(&in);
        if (flow == FLOW_CALL || flow == FLOW_END)
            CHECK((w->ours & 0xff) == 0); /* arguments or results may be in these */
        if (flow == FLOW_CALL)
            w->ours = 0; /* what is in them afterwards nobody expects */
        if (st->kind != INSTRUCTION || in.operands != 2)
            continue;
        int from = 0, to = 0;
        bool loads = sscanf(st->text.at, "movapd (%%rsi), %%xmm%d", &to) == 1;
        bool clears = sscanf(st->text.at, "pxor %%xmm%d, %%xmm%d", &from, &to) == 2;
        bool stores = sscanf(st->text.at, "movapd %%xmm%d", &from) == 1;
        bool both = sscanf(st->text.at, "mulpd %%xmm%d, %%xmm%d", &from, &to) == 2;
        if (stores || both)
            CHECK((w->ours & 1u << from) == 0);
        if (both)
            CHECK((w->ours & 1u << to) == 0);
        if (loads || clears)
            w->ours &= ~(1u << to);
    }
}

static void check_lag(const struct walk *w, const int lag[COUNT_CLASSES])
{
    for (int c = 0; c < COUNT_CLASSES; c++)
        CHECK_EQ(w->counted[c] + lag[c], w->done[c]);
}

static void step(struct walk *w, int i)
{
    const struct block *k = &w->b->block[i];
    int vector = k->region != NOWHERE ? w->r->region[k->region].vector : free_vector(k->live);
    if (vector != NOWHERE)
        w->ours |= 1u << vector;
    if (k->region != NOWHERE)
        CHECK(vector >= 0 && (k->vectors.names & 1u << vector) == 0);
    check_lag(w, w->lag[i].before);
    use_registers(w, k);
    for (int c = 0; c < COUNT_CLASSES; c++) {
        w->counted[c] += w->lag[i].add[c];
        w->done[c] += k->count[c];
    }
    check_lag(w, w->lag[i].after);
}

/* On the way to another region, or to none, the lag is made up for. */
static void cross(struct walk *w, int from, int to)
{
    int old = w->b->block[from].region, new = to == NOWHERE ? NOWHERE : w->b->block[to].region;
    if (old == new &&old != NOWHERE)
        return;
    for (int c = 0; c < COUNT_CLASSES; c++) {
        w->counted[c] += w->lag[from].after[c];
        w->counted[c] -= to == NOWHERE ? 0 : w->lag[to].before[c];
    }
}

/* Along any way, until the function is left. Calls of itself are not followed: it is entered there
 * as from outside, and left as to the outside. */
static void walk(struct walk *w, int start)
{
    memset(w->counted, 0, sizeof w->counted);
    memset(w->done, 0, sizeof w->done);
    for (int c = 0; c < COUNT_CLASSES; c++)
        w->counted[c] -= w->lag[start].before[c];
    w->ours = 0;
    for (int i = start, n = 0; i != NOWHERE && n < STEPS; n++) {
        const struct block *k = &w->b->block[i];
        step(w, i);
        if (k->recurs && k->region != NOWHERE) { /* a call goes on at the begin, and comes back */
            int first = w->r->region[k->region].first;
            CHECK(w->b->block[first].begins);
            check_lag(w, w->lag[first].before);
            memcpy(w->counted, w->done, sizeof w->counted);
        }
        int way = k->jump != NOWHERE && (!k->branches || any(2)), to = blocks_next(w->b, i, way);
        if (to == NOWHERE || !(k->recurs && k->region == w->b->block[to].region))
            cross(w, i, to);
        bool begins = way == 0 && to != NOWHERE && w->b->block[to].begins;
        CHECK(!begins || k->region == NOWHERE || k->region != w->b->block[to].region);
        i = begins ? NOWHERE : to;
    }
}

/* --- texts, as they are understood --- */

struct understood {
    struct source s;
    struct blocks b;
    struct regions r;
    struct lag *lag;
};

static void understand(struct understood *u, const char *text)
{
    source_read(&u->s, text, strlen(text));
    blocks_find(&u->b, &u->s);
    regions_find(&u->r, &u->b);
    u->lag = lags_find(&u->b, &u->r);
}

static void forget(struct understood *u)
{
    free(u->lag);
    regions_free(&u->r);
    blocks_free(&u->b);
    source_free(&u->s);
}

static void try_text(unsigned registers)
{
    char text[SIZE] = "\t.text\n";
    FILE *to = fmemopen(text + strlen(text), sizeof text - strlen(text), "w");
    for (int f = 0; f < 3; f++)
        write_function(to, f, registers);
    fclose(to);
    struct understood u;
    understand(&u, text);
    struct walk w = {.s = &u.s, .b = &u.b, .r = &u.r, .lag = u.lag};
    for (int i = 0; i < u.b.count; i++)
        for (int n = 0; n < WALKS && u.b.block[i].begins; n++)
            walk(&w, i);
    forget(&u);
}

/* One of two ways, in a loop: one addition on the way that is not chosen, or one in the loop. */
static void check_few_add(void)
{
    static const char text[] = "f:\n.L1:\n\tincq %rax\n\tje .L2\n\timulq %rax, %rax\n\tjmp .L3\n"
                               ".L2:\n\tnegq %rax\n.L3:\n\tdecq %rdi\n\tjne .L1\n\tret\n";
    struct understood u;
    int adds = 0;
    understand(&u, text);
    for (int i = 0; i < u.b.count; i++)
        for (int c = 0, more = 0; c < COUNT_CLASSES && !more; c++)
            adds += more = u.lag[i].add[c] != 0;
    CHECK_EQ(u.b.count, 5);
    CHECK_EQ(u.r.count, 1);
    CHECK_EQ(adds, 2);
    forget(&u);
}

int main(void)
{
    check_few_add();
    for (int i = 0; i < FUNCTIONS; i++)
        try_text(1 + any(16));
    return 0;
}
