/* SPDX-License-Identifier: MIT */
/* What is put into the text touches no flag and no memory of the program's: a signal handler or an
 * instruction that reads flags may come after any of it. */
#include "emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction.h"

#define TABLE ".Llwmpi_table"
#define INSIDE                                                                                     \
    ".Llwmpi_inside" /* of a function that begins with this block: the counter is loaded */

enum { COUNTER_BYTES = COUNT_COUNTERS * sizeof(union count_entry) };

struct emitter {
    struct source *s;
    const struct blocks *b;
    const struct loops *l;
    union count_entry *entry;
    int entries, entry_room;
    int *by_hash; /* entry + 1, 0: free */
    int hash_room;
    int detours;
};

/* How a block counts: in a register of the vector unit, which AVX's instructions write or not, and
 * in a place in memory. */
struct counter {
    int vector;
    int other; /* of a loop: struct loop */
    bool avx;
    char place[48];
};

static struct counter counter_of(const struct emitter *e, int block)
{
    const struct block *k = &e->b->block[block];
    const struct function *f = blocks_function(e->b, k->function);
    struct counter c = {.vector = free_vector(f, VECTORS), .other = NOWHERE, .avx = f->avx};
    if (k->loop != NOWHERE)
        c.other = e->l->loop[k->loop].other;
    int first = k->loop == NOWHERE ? block : e->l->loop[k->loop].first;
    snprintf(c.place, sizeof c.place, COUNT_COUNTER "+%d(%%rip)",
             (int)sizeof(union count_entry) * (first % COUNT_COUNTERS));
    return c;
}

/* --- the table --- */

static unsigned hash_entry(const union count_entry *n)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < COUNT_CLASSES; i++)
        h = (h ^ n->count[i]) * 16777619u;
    return h ^ h >> 15;
}

static void make_room(struct emitter *e)
{
    e->entry_room = 2 * e->entry_room + 256;
    e->entry = grow(e->entry, (size_t)e->entry_room, sizeof *e->entry);
    e->hash_room = 4 * e->entry_room;
    e->by_hash = grow(e->by_hash, (size_t)e->hash_room, sizeof *e->by_hash);
    memset(e->by_hash, 0, (size_t)e->hash_room * sizeof *e->by_hash);
    for (int i = 0; i < e->entries; i++) {
        unsigned h = hash_entry(&e->entry[i]) % (unsigned)e->hash_room;
        while (e->by_hash[h] != 0)
            h = (h + 1) % (unsigned)e->hash_room;
        e->by_hash[h] = i + 1;
    }
}

/* Blocks with the same operations share an entry. Its offset in the table. */
static int entry_for(struct emitter *e, const uint16_t count[COUNT_CLASSES])
{
    union count_entry new;
    memcpy(new.count, count, sizeof new.count);
    if (e->entries == e->entry_room)
        make_room(e);
    unsigned h = hash_entry(&new) % (unsigned)e->hash_room;
    for (; e->by_hash[h] != 0; h = (h + 1) % (unsigned)e->hash_room)
        if (memcmp(&e->entry[e->by_hash[h] - 1], &new, sizeof new) == 0)
            return 16 * (e->by_hash[h] - 1);
    e->entry[e->entries++] = new;
    e->by_hash[h] = e->entries;
    return 16 * (e->entries - 1);
}

static void append_table(const struct emitter *e)
{
    struct source *s = e->s;
    source_append(s, "\t.section " COUNT_SECTION ",\"aw\",@progbits\n\t.balign 16\n" TABLE ":\n");
    for (int i = 0; i < e->entries; i++) {
        const uint16_t *n = e->entry[i].count;
        source_append(s, "\t.value %u,%u,%u,%u,%u,%u,%u,%u\n", n[0], n[1], n[2], n[3], n[4], n[5],
                      n[6], n[7]);
    }
    source_append(s, "\t.hidden __start_" COUNT_SECTION "\n\t.hidden __stop_" COUNT_SECTION "\n");
    source_append(s,
                  "\t.section .note.lwmpi,\"a\",@note\n\t.balign 4\n\t.long 8, 12, %d\n"
                  "\t.ascii \"" COUNT_NOTE "\\0\\0\\0\"\n"
                  "\t.long __start_" COUNT_SECTION " - .\n\t.long __stop_" COUNT_SECTION
                  " - .\n\t.long " COUNT_COUNTER " - .\n",
                  COUNT_NOTE_TYPE);
    source_append(s,
                  "\t.section .bss." COUNT_COUNTER ",\"awG\",@nobits," COUNT_COUNTER ",comdat\n"
                  "\t.balign 16\n\t.weak " COUNT_COUNTER "\n\t.hidden " COUNT_COUNTER
                  "\n\t.type " COUNT_COUNTER ", @object\n\t.size " COUNT_COUNTER
                  ", %d\n" COUNT_COUNTER ":\n\t.zero %d\n",
                  COUNTER_BYTES, COUNTER_BYTES);
}

/* --- instructions --- */

enum { TEXT = 512 };

static void load(char *to, struct counter c)
{
    snprintf(to + strlen(to), TEXT - strlen(to), "%smovdqa %s, %%xmm%d; ", c.avx ? "v" : "",
             c.place, c.vector);
}

static void store(char *to, struct counter c)
{
    snprintf(to + strlen(to), TEXT - strlen(to), "%smovdqa %%xmm%d, %s; ", c.avx ? "v" : "",
             c.vector, c.place);
}

/* `operation` with `from` as its other operand. */
static void apply(char *to, struct counter c, const char *operation, const char *from)
{
    size_t n = strlen(to);
    if (c.avx)
        snprintf(to + n, TEXT - n, "v%s %s, %%xmm%d, %%xmm%d; ", operation, from, c.vector,
                 c.vector);
    else
        snprintf(to + n, TEXT - n, "%s %s, %%xmm%d; ", operation, from, c.vector);
}

static void apply_entry(char *to, struct counter c, const char *operation, int entry)
{
    char from[64];
    snprintf(from, sizeof from, TABLE "+%d(%%rip)", entry);
    apply(to, c, operation, from);
}

static struct counter other_of(struct counter c)
{
    return (struct counter){.vector = c.other, .avx = c.avx};
}

/* Nothing is in the other register any more, or not yet. */
static void clear_other(char *to, struct counter c)
{
    char itself[16];
    snprintf(itself, sizeof itself, "%%xmm%d", c.other);
    if (c.other != NOWHERE)
        apply(to, other_of(c), "pxor", itself);
}

/* Where control comes into a loop, and where it leaves it. */
static void enter(char *to, struct counter c)
{
    load(to, c);
    clear_other(to, c);
}

static void leave(char *to, struct counter c, bool recurs)
{
    char other[16];
    snprintf(other, sizeof other, "%%xmm%d", c.other);
    if (c.other != NOWHERE)
        apply(to, c, "paddq", other);
    store(to, c);
    if (recurs)
        clear_other(to, c);
}

/* Where no register is free one is kept on the stack meanwhile, beyond what the function may use
 * below its end. Without AVX's instructions the upper part of the register stays. */
static struct counter borrow(char *to, struct counter c)
{
    if (c.vector != NOWHERE)
        return c;
    strcat(to, "leaq -144(%rsp), %rsp; movdqu %xmm15, (%rsp); ");
    c.vector = 15;
    c.avx = false;
    return c;
}

static void give_back(char *to, struct counter before)
{
    if (before.vector == NOWHERE)
        strcat(to, "movdqu (%rsp), %xmm15; leaq 144(%rsp), %rsp; ");
}

/* Adds an entry outside of loops. */
static void add_in_memory(char *to, struct counter free, int entry)
{
    struct counter c = borrow(to, free);
    load(to, c);
    apply_entry(to, c, "paddq", entry);
    store(to, c);
    give_back(to, free);
}

/* Adds an entry as often as register `a->reg` says, by 2^shift, or takes it back so often. In a
 * loop the counter is in c. */
static void put_amount(char *to, struct counter free, bool in_loop, bool back,
                       const struct amount *a, int entry)
{
    char shift[16], itself[16];
    struct counter c = borrow(to, free);
    snprintf(shift, sizeof shift, "$%d", a->shift);
    snprintf(itself, sizeof itself, "%%xmm%d", c.vector);
    if (in_loop)
        store(to, c);
    snprintf(to + strlen(to), TEXT - strlen(to), "%smovq %%%s, %s; ", c.avx ? "v" : "", a->reg,
             itself);
    apply_entry(to, c, "pmuludq", entry);
    apply(to, c, "psrlq", shift);
    apply(to, c, back ? "psubq" : "paddq", c.place);
    if (back) { /* what is there now is the counter with the other sign */
        store(to, c);
        apply(to, c, "pxor", itself);
        apply(to, c, "psubq", c.place);
    }
    if (!in_loop)
        store(to, c);
    give_back(to, free);
}

/* --- blocks --- */

static const char *end_of(const struct statement *t)
{
    return t->text.at + t->text.n;
}

/* Puts `text`, which ends with "; ", before the instruction, or after it. */
static void put_before(const struct emitter *e, int statement, const char *text)
{
    source_edit(e->s, e->s->statement[statement].text.at, 0, "%s", text);
}

static void put_after(const struct emitter *e, int statement, const char *text)
{
    int n = (int)strlen(text) - 2;
    source_edit(e->s, end_of(&e->s->statement[statement]), 0, "; %.*s", n, text);
}

/* A function that is called through a pointer must begin with this. */
static bool is_mark(const struct statement *t)
{
    return piece_begins(t->text, "endbr");
}

static void count_block(struct emitter *e, int i, char *text)
{
    const struct block *k = &e->b->block[i];
    unsigned left[COUNT_CLASSES];
    memcpy(left, k->count, sizeof left);
    for (;;) {
        uint16_t part[COUNT_CLASSES];
        bool any = false;
        for (int c = 0; c < COUNT_CLASSES; c++) {
            part[c] = (uint16_t)(left[c] < UINT16_MAX ? left[c] : UINT16_MAX);
            left[c] -= part[c];
            any = any || part[c] > 0;
        }
        if (!any || strlen(text) > TEXT - 300)
            return;
        int entry = entry_for(e, part);
        struct counter c = counter_of(e, i);
        if (i % 2 != 0 && c.other != NOWHERE)
            c = other_of(c);
        if (k->loop != NOWHERE)
            apply_entry(text, c, "paddq", entry);
        else
            add_in_memory(text, c, entry);
    }
}

/* What comes at the begin of block i: the counter into its register if a loop begins here, then the
 * block's operations. */
static void emit_begin(struct emitter *e, int i)
{
    const struct block *k = &e->b->block[i];
    bool enters = k->loop != NOWHERE && e->l->loop[k->loop].first == i &&
                  (k->begins || blocks_fall(e->b, i - 1));
    char text[TEXT] = "";
    if (enters)
        enter(text, counter_of(e, i));
    if (enters && e->l->loop[k->loop].recurs)
        sprintf(text + strlen(text), INSIDE "%d:; ", i);
    if (enters && k->entrance != NOWHERE) {
        put_before(e, k->entrance, text);
        text[0] = '\0';
    }
    count_block(e, i, text);
    if (text[0] == '\0')
        return;
    if (is_mark(&e->s->statement[k->first]))
        put_after(e, k->first, text);
    else
        put_before(e, k->first, text);
}

/* The amounts that instructions of block i tell in a register. */
static void emit_amounts(struct emitter *e, int i)
{
    const struct block *k = &e->b->block[i];
    for (int t = k->first; t <= k->last; t++) {
        const struct statement *st = &e->s->statement[t];
        if (st->kind != INSTRUCTION || st->section != k->section)
            continue;
        unsigned unused[COUNT_CLASSES] = {0};
        struct instruction in = instruction_read(st->text);
        struct amount a = instruction_repeats(&in);
        struct counter c = counter_of(e, i);
        enum flow flow = instruction_flow(&in);
        if (flow == FLOW_CALL || flow == FLOW_JUMP) {
            if (blocks_call_library(e->b, &in))
                a = library_call(in.operand[0], unused);
            c.vector = 15; /* nothing is in it at a call */
        }
        if (!a.reg || (flow == FLOW_JUMP && k->loop != NOWHERE))
            continue;
        char text[TEXT] = "", back[TEXT] = "";
        int entry = entry_for(e, a.of);
        put_amount(text, c, k->loop != NOWHERE, false, &a, entry);
        put_before(e, t, text);
        if (!a.ends_early)
            continue;
        put_amount(back, c, k->loop != NOWHERE, true, &a, entry);
        put_after(e, t, back);
    }
}

/* The calls of block i of the function that it is in go past what loads the counter. */
static void emit_recursion(struct emitter *e, int i)
{
    const struct block *k = &e->b->block[i];
    if (!k->recurs || k->loop == NOWHERE)
        return;
    for (int t = k->first; t <= k->last; t++) {
        const struct statement *st = &e->s->statement[t];
        if (st->kind != INSTRUCTION || st->section != k->section)
            continue;
        struct instruction in = instruction_read(st->text);
        if (instruction_flow(&in) == FLOW_CALL)
            source_edit(e->s, in.operand[0].at, in.operand[0].n, INSIDE "%d",
                        e->l->loop[k->loop].first);
    }
}

/* Out of line: what is to be done where a conditional jump goes from one loop to another. */
static void detour(struct emitter *e, const struct block *k, const char *text)
{
    struct piece d = e->s->section[k->section].directive;
    source_append(e->s, "%.*s\n.Llwmpi_detour%d: %sjmp %.*s\n", d.n == 0 ? 5 : (int)d.n,
                  d.n == 0 ? ".text" : d.at, e->detours, text, (int)k->to.n, k->to.at);
    source_edit(e->s, k->to.at, k->to.n, ".Llwmpi_detour%d", e->detours++);
}

/* Where control leaves block i for another loop, or for none. */
static void emit_end(struct emitter *e, int i)
{
    const struct block *k = &e->b->block[i];
    int to = k->target == NOWHERE ? NOWHERE : e->b->block[k->target].loop;
    char out[TEXT] = "", across[TEXT] = "";
    if (k->loop != NOWHERE)
        leave(out, counter_of(e, i), e->l->loop[k->loop].recurs);
    if (k->jump != NOWHERE && to != k->loop) {
        strcpy(across, out);
        if (to != NOWHERE)
            enter(across, counter_of(e, k->target));
        if (k->branches)
            detour(e, k, across);
        else
            put_before(e, k->jump, across);
    }
    if (k->loop == NOWHERE)
        return;
    if (k->leaves)
        put_before(e, k->last, out);
    else if (k->falls && (i + 1 == e->b->count || e->b->block[i + 1].loop != k->loop))
        put_after(e, k->last, out);
}

void emit(struct source *s, const struct blocks *b, const struct loops *l)
{
    struct emitter e = {.s = s, .b = b, .l = l};
    for (int i = 0; i < b->count; i++) {
        emit_begin(&e, i);
        emit_amounts(&e, i);
        emit_recursion(&e, i);
        emit_end(&e, i);
    }
    if (e.entries > 0)
        append_table(&e);
    free(e.entry);
    free(e.by_hash);
}
