/* SPDX-License-Identifier: MIT */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

/* The walk along the code of one text. A text may go from a section to another and back. */
struct walk {
    struct blocks *b;
    const struct source *s;
    struct block next; /* what is known of the block that is to begin */
    int open;          /* the block that goes on, NOWHERE: the next instruction begins one */
    int function;      /* the one that the code belongs to */
    struct piece name; /* ... its label */
    int *waiting;      /* statements of the labels before `next` */
    int waiting_count, label_room;
};

static void begin_function(struct walk *w)
{
    struct blocks *b = w->b;
    if (b->functions == b->function_room) {
        b->function_room = 2 * b->function_room + 64;
        b->function = grow(b->function, (size_t)b->function_room, sizeof *b->function);
    }
    w->function = b->functions;
    b->function[b->functions++] = (struct function){.same = w->function};
}

static void clear_next(struct walk *w)
{
    w->next = (struct block){.entrance = NOWHERE,
                             .jump = NOWHERE,
                             .goes = NOWHERE,
                             .target = NOWHERE,
                             .region = NOWHERE};
    w->waiting_count = 0;
}

/* A label that nobody refers to divides nothing. */
static void take_label(struct walk *w, int statement)
{
    struct piece name = w->s->statement[statement].text;
    struct label *l = labels_get(&w->b->labels, name);
    bool begins = !label_is_local(name);
    if (!begins && !l->jumped && !l->taken)
        return;
    if (w->open != NOWHERE)
        clear_next(w);
    w->open = NOWHERE;
    if (begins) {
        begin_function(w);
        w->name = name;
    }
    w->next.begins = w->next.begins || begins;
    /* What comes from outside must not come past what is put before the entrance. */
    w->next.taken = w->next.taken || (begins ? w->next.entrance != NOWHERE : l->taken);
    if (l->jumped && !begins && w->next.entrance == NOWHERE)
        w->next.entrance = statement;
    if (w->waiting_count == w->label_room) {
        w->label_room = 2 * w->label_room + 16;
        w->waiting = grow(w->waiting, (size_t)w->label_room, sizeof *w->waiting);
    }
    w->waiting[w->waiting_count++] = statement;
}

static struct block *begin_block(struct walk *w, int statement)
{
    struct blocks *b = w->b;
    if (b->count == b->room) {
        b->room = 2 * b->room + 256;
        b->block = grow(b->block, (size_t)b->room, sizeof *b->block);
    }
    if (w->function == NOWHERE)
        begin_function(w);
    w->open = b->count++;
    struct block *k = &b->block[w->open];
    *k = w->next;
    k->first = k->last = statement;
    k->section = w->s->statement[statement].section;
    k->function = w->function;
    k->falls = true;
    for (int i = 0; i < w->waiting_count; i++)
        labels_get(&w->b->labels, w->s->statement[w->waiting[i]].text)->block = w->open;
    clear_next(w);
    return k;
}

/* An instruction that may go elsewhere ends its block. */
static void end_block(struct walk *w, struct block *k, const struct instruction *in, enum flow flow,
                      bool by_hand)
{
    struct piece to = in->operands == 1 ? in->operand[0] : (struct piece){0};
    bool direct = to.n > 0 && is_name(to.at[0]) && to.at[0] != '$';
    k->falls = flow == FLOW_BRANCH;
    k->leaves = flow == FLOW_END;
    if (flow != FLOW_END && direct && !by_hand) {
        k->jump = k->last;
        k->branches = flow == FLOW_BRANCH;
        k->to = to;
    }
    if (flow != FLOW_END && (!direct || by_hand))
        k->opaque = k->lost = true;
    w->open = NOWHERE;
}

/* What a text has itself is counted there, whatever its name. */
bool blocks_call_library(const struct blocks *b, const struct instruction *in)
{
    enum flow flow = instruction_flow(in);
    return (flow == FLOW_CALL || flow == FLOW_JUMP) && in->operands == 1 &&
           !labels_get(&b->labels, library_name(in->operand[0]));
}

static void count_one(const struct blocks *b, struct block *k, const struct instruction *in)
{
    instruction_count(in, k->count);
    if (blocks_call_library(b, in))
        library_call(in->operand[0], k->count);
}

/* Assembly of another syntax: nobody knows what it does. */
static void take_foreign(struct walk *w, int i)
{
    int section = w->s->statement[i].section;
    struct block *k = w->open == NOWHERE ? NULL : &w->b->block[w->open];
    if (!k || k->section != section)
        k = begin_block(w, i);
    k->last = i;
    k->opaque = true;
    vectors_unknown(&k->vectors);
    w->b->function[k->function].vectors = VECTORS_ALL;
}

static bool calls_itself(const struct walk *w, const struct instruction *in)
{
    struct piece to = in->operands == 1 ? in->operand[0] : (struct piece){0};
    return to.n > 0 && to.n == w->name.n && memcmp(to.at, w->name.at, to.n) == 0;
}

static void take_instruction(struct walk *w, int i)
{
    const struct statement *t = &w->s->statement[i];
    struct instruction in = instruction_read(t->text);
    enum flow flow = instruction_flow(&in);
    struct block *k = w->open == NOWHERE ? NULL : &w->b->block[w->open];
    if (k && k->section != t->section)
        k->opaque = true; /* control comes back to where this section goes on */
    if (!k || k->section != t->section)
        k = begin_block(w, i);
    struct function *f = &w->b->function[k->function];
    f->avx = f->avx || instruction_is_avx(&in);
    vectors_add(&k->vectors, t->text, &in, t->by_hand);
    f->vectors |= k->vectors.names;
    k->last = i;
    k->calls = flow == FLOW_CALL;
    count_one(w->b, k, &in);
    if (flow == FLOW_CALL && calls_itself(w, &in) && !t->by_hand) {
        k->recurs = true;
        w->open = NOWHERE;
    } else if (flow == FLOW_CALL)
        k->opaque = true;
    else if (flow != FLOW_ON)
        end_block(w, k, &in, flow, t->by_hand);
}

static int root(const struct blocks *b, int f)
{
    while (b->function[f].same != f)
        f = b->function[f].same;
    return f;
}

struct function *blocks_function(const struct blocks *b, int function)
{
    return &b->function[root(b, function)];
}

static void unite(struct blocks *b, int x, int y)
{
    x = root(b, x);
    y = root(b, y);
    if (x == y)
        return;
    b->function[y].same = x;
    b->function[x].vectors |= b->function[y].vectors;
    b->function[x].avx = b->function[x].avx || b->function[y].avx;
}

/* A jump to a function's name goes to another one, or to this one's begin; either way it begins. */
static void aim(struct blocks *b)
{
    for (int i = 0; i < b->count; i++) {
        struct block *k = &b->block[i];
        if (k->jump == NOWHERE)
            continue;
        const struct label *l = labels_get(&b->labels, k->to);
        if (l ? l->block == NOWHERE || !l->code : label_is_local(k->to) || k->to.at[0] <= '9')
            k->opaque = k->lost = true;
        if (!l || k->lost)
            continue;
        unite(b, k->function, b->block[l->block].function);
        k->goes = l->block;
        if (label_is_local(l->name))
            k->target = l->block;
    }
    for (int i = 0; i + 1 < b->count; i++)
        if (blocks_fall(b, i))
            unite(b, b->block[i].function, b->block[i + 1].function);
}

bool blocks_fall(const struct blocks *b, int i)
{
    if (i < 0 || i + 1 == b->count)
        return false;
    const struct block *k = &b->block[i], *next = k + 1;
    return k->falls && k->section == next->section && !(k->calls && next->begins);
}

int blocks_next(const struct blocks *b, int i, int way)
{
    if (way == 1)
        return b->block[i].target;
    return blocks_fall(b, i) ? i + 1 : NOWHERE;
}

/* --- registers of the vector unit --- */

/* What is read after block i. A function that is not in this text finds its arguments in the first
 * registers; who called this one, its result; and an unknown place of this one what it names. */
static unsigned live_after(const struct blocks *b, int i)
{
    const struct block *k = &b->block[i];
    unsigned live = 0;
    if (k->lost || (k->falls && !blocks_fall(b, i)))
        return VECTORS_PASSED | blocks_function(b, k->function)->vectors;
    if (k->falls)
        live |= b->block[i + 1].live;
    if (k->leaves || (k->jump != NOWHERE && k->goes == NOWHERE))
        live |= VECTORS_PASSED;
    if (k->goes != NOWHERE)
        live |= b->block[k->goes].live;
    return live;
}

static void find_live(struct blocks *b)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = b->count - 1; i >= 0; i--) {
            struct block *k = &b->block[i];
            unsigned live = k->vectors.reads | (live_after(b, i) & ~k->vectors.writes);
            changed = changed || live != k->live;
            k->live = live;
        }
    }
}

int free_vector(unsigned used)
{
    for (int v = VECTORS - 1; v >= 0; v--)
        if ((used & 1u << v) == 0)
            return v;
    return NOWHERE;
}

void blocks_find(struct blocks *b, const struct source *s)
{
    struct walk w = {.b = b, .s = s, .open = NOWHERE, .function = NOWHERE};
    *b = (struct blocks){0};
    labels_find(&b->labels, s);
    clear_next(&w);
    for (int i = 0; i < s->statements; i++) {
        const struct statement *t = &s->statement[i];
        if (!s->section[t->section].code)
            continue;
        if (t->kind == LABEL)
            take_label(&w, i);
        else if (t->kind == FOREIGN)
            take_foreign(&w, i);
        else if (t->kind == INSTRUCTION)
            take_instruction(&w, i);
    }
    aim(b);
    find_live(b);
    free(w.waiting);
}

void blocks_free(struct blocks *b)
{
    labels_free(&b->labels);
    free(b->block);
    free(b->function);
}
