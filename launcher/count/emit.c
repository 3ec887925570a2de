/* SPDX-License-Identifier: MIT */
/* What is put into the text touches no flag and no memory of the program's: a signal handler or an
 * instruction that reads flags may come after any of it. */
#include "emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction.h"
#include "lags.h"
#include "unroll.h"

#define TABLE ".Llwmpi_table"
#define INSIDE                                                                                     \
    ".Llwmpi_inside" /* of a function that begins with this block: the counter is loaded */

enum { COUNTER_BYTES = COUNT_COUNTERS * sizeof(union count_entry) };

struct emitter {
    struct source *s;
    const struct blocks *b;
    const struct regions *r;
    const struct lag *lag; /* of each block */
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
    bool avx;
    char place[48];
};

static const struct region *region_of(const struct emitter *e, int block)
{
    int region = e->b->block[block].region;
    return region == NOWHERE ? NULL : &e->r->region[region];
}

/* At the begin of a block or, if `anywhere`, also between its instructions. */
static struct counter counter_of(const struct emitter *e, int block, bool anywhere)
{
    const struct block *k = &e->b->block[block];
    const struct region *r = region_of(e, block);
    unsigned used = k->live | (anywhere ? k->vectors.names : 0);
    struct counter c = {.vector = r ? r->vector : free_vector(used),
                        .avx = blocks_function(e->b, k->function)->avx};
    snprintf(c.place, sizeof c.place, COUNT_COUNTER "+%d(%%rip)",
             (int)sizeof(union count_entry) * ((r ? r->first : block) % COUNT_COUNTERS));
    return c;
}

/* --- the table --- */

static unsigned hash_entry(const union count_entry *n)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < COUNT_CLASSES; i++)
        h = (h ^ (uint16_t)n->count[i]) * 16777619u;
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

/* The same operations share an entry. Its offset in the table. */
static int entry_for(struct emitter *e, const int16_t count[COUNT_CLASSES])
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
        const int16_t *n = e->entry[i].count;
        source_append(s, "\t.value %d,%d,%d,%d,%d,%d,%d,%d\n", n[0], n[1], n[2], n[3], n[4], n[5],
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

enum { TEXT = 2048 };

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

/* Adds operations to the counter in its register. An entry has room for so many of a class; blocks
 * of more than a million instructions are not counted whole. */
static void add(struct emitter *e, char *to, struct counter c, const int count[COUNT_CLASSES])
{
    int left[COUNT_CLASSES];
    memcpy(left, count, sizeof left);
    while (strlen(to) < TEXT - 300) {
        int16_t part[COUNT_CLASSES];
        bool any = false;
        for (int i = 0; i < COUNT_CLASSES; i++) {
            int n = left[i] < -INT16_MAX ? -INT16_MAX : left[i];
            part[i] = (int16_t)(n > INT16_MAX ? INT16_MAX : n);
            left[i] -= part[i];
            any = any || part[i] != 0;
        }
        if (!any)
            return;
        apply_entry(to, c, "paddq", entry_for(e, part));
    }
}

/* Adds an entry as often as register `a->reg` says, by 2^shift, or takes it back so often. In a
 * region the counter is in c. */
static void put_amount(char *to, struct counter free, bool inside, bool back,
                       const struct amount *a, int entry)
{
    char shift[16], itself[16];
    struct counter c = borrow(to, free);
    snprintf(shift, sizeof shift, "$%d", a->shift);
    snprintf(itself, sizeof itself, "%%xmm%d", c.vector);
    if (inside)
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
    if (!inside)
        store(to, c);
    give_back(to, free);
}

/* --- blocks --- */

static const char *end_of(const struct statement *t)
{
    return t->text.at + t->text.n;
}

/* Puts `text`, which is empty or ends with "; ", before the instruction, or after it. */
static void put_before(const struct emitter *e, int statement, const char *text)
{
    if (text[0] != '\0')
        source_edit(e->s, e->s->statement[statement].text.at, 0, "%s", text);
}

static void put_after(const struct emitter *e, int statement, const char *text)
{
    int n = (int)strlen(text) - 2;
    if (n > 0)
        source_edit(e->s, end_of(&e->s->statement[statement]), 0, "; %.*s", n, text);
}

/* A function that is called through a pointer must begin with this. */
static bool is_mark(const struct statement *t)
{
    return piece_begins(t->text, "endbr");
}

/* Out of line, in the section of block k. */
static void append_code(const struct emitter *e, const struct block *k, const char *text)
{
    struct piece d = e->s->section[k->section].directive;
    source_append(e->s, "%.*s\n%s", d.n == 0 ? 5 : (int)d.n, d.n == 0 ? ".text" : d.at, text);
}

static void count_block(struct emitter *e, int i, char *text)
{
    static const int nothing[COUNT_CLASSES];
    const int *count = e->lag[i].add;
    struct counter free = counter_of(e, i, false);
    if (memcmp(count, nothing, sizeof nothing) == 0 || unroll_can(e->s, e->b, i))
        return;
    if (e->b->block[i].region != NOWHERE) {
        add(e, text, free, count);
        return;
    }
    struct counter c = borrow(text, free);
    load(text, c);
    add(e, text, c, count);
    store(text, c);
    give_back(text, free);
}

/* What `rounds` rounds of the loop at block i add. */
static void add_rounds(struct emitter *e, FILE *to, int i, int rounds)
{
    char text[TEXT] = "";
    int count[COUNT_CLASSES];
    for (int c = 0; c < COUNT_CLASSES; c++)
        count[c] = rounds * e->lag[i].add[c];
    add(e, text, counter_of(e, i, false), count);
    fputs(text, to);
}

/* In the place of the jump of a short loop: more rounds, after each of which it may end. It ends
 * out of line, where the rounds since the last addition are added. */
static void emit_rounds(struct emitter *e, int i)
{
    const struct block *k = &e->b->block[i];
    struct piece jump = e->s->statement[k->last].text;
    char *rounds = NULL, *ends = NULL;
    size_t size;
    if (!unroll_can(e->s, e->b, i))
        return;
    FILE *to = open_memstream(&rounds, &size), *out = open_memstream(&ends, &size);
    for (int n = 1; n < UNROLL_TIMES; n++) {
        unroll_end(to, e->s, k);
        fprintf(to, " .Llwmpi_end%d_%d; ", i, n);
        unroll_round(to, e->s, k);
        fprintf(out, ".Llwmpi_end%d_%d: ", i, n);
        add_rounds(e, out, i, n);
        fprintf(out, "jmp .Llwmpi_ended%d\n", i);
    }
    add_rounds(e, to, i, UNROLL_TIMES);
    fclose(to);
    fclose(out);
    source_edit(e->s, jump.at, jump.n, "%s%.*s; .Llwmpi_ended%d:", rounds, (int)jump.n, jump.at, i);
    append_code(e, k, ends);
    free(rounds);
    free(ends);
}

/* What is to be done where control comes to block i, which is in a region, from elsewhere. */
static void come(struct emitter *e, int i, char *text)
{
    struct counter c = counter_of(e, i, false);
    int ahead[COUNT_CLASSES];
    for (int k = 0; k < COUNT_CLASSES; k++)
        ahead[k] = -e->lag[i].before[k];
    load(text, c);
    add(e, text, c, ahead);
}

/* What comes at the begin of block i: the counter into its register if a function begins here that
 * has it there, then the block's operations. */
static void emit_begin(struct emitter *e, int i)
{
    const struct block *k = &e->b->block[i];
    const struct region *r = region_of(e, i);
    char text[TEXT] = "";
    if (r && k->begins)
        come(e, i, text);
    if (r && k->begins && r->recurs)
        sprintf(text + strlen(text), INSIDE "%d:; ", i);
    if (r && k->begins && k->entrance != NOWHERE) {
        put_before(e, k->entrance, text);
        text[0] = '\0';
    }
    count_block(e, i, text);
    if (is_mark(&e->s->statement[k->first]))
        put_after(e, k->first, text);
    else
        put_before(e, k->first, text);
}

/* The amounts that instructions of block i tell in a register. */
static void emit_amounts(struct emitter *e, int i)
{
    const struct block *k = &e->b->block[i];
    bool inside = k->region != NOWHERE;
    for (int t = k->first; t <= k->last; t++) {
        const struct statement *st = &e->s->statement[t];
        if (st->kind != INSTRUCTION || st->section != k->section)
            continue;
        unsigned unused[COUNT_CLASSES] = {0};
        struct instruction in = instruction_read(st->text);
        struct amount a = instruction_repeats(&in);
        struct counter c = counter_of(e, i, true);
        enum flow flow = instruction_flow(&in);
        if (flow == FLOW_CALL || flow == FLOW_JUMP) {
            if (blocks_call_library(e->b, &in))
                a = library_call(in.operand[0], unused);
            c.vector = 15; /* nothing is in it at a call */
        }
        if (!a.reg || (flow == FLOW_JUMP && inside))
            continue;
        char text[TEXT] = "", back[TEXT] = "";
        int entry = entry_for(e, a.of);
        put_amount(text, c, inside, false, &a, entry);
        put_before(e, t, text);
        if (!a.ends_early)
            continue;
        put_amount(back, c, inside, true, &a, entry);
        put_after(e, t, back);
    }
}

/* The call at the end of block i of the function that it is in goes past what loads the counter. */
static void emit_recursion(struct emitter *e, int i)
{
    const struct block *k = &e->b->block[i];
    const struct region *r = region_of(e, i);
    if (!k->recurs || !r)
        return;
    struct instruction call = instruction_read(e->s->statement[k->last].text);
    source_edit(e->s, call.operand[0].at, call.operand[0].n, INSIDE "%d", r->first);
}

/* What is to be done on the way from block i to block `to`, NOWHERE: to another function. */
static void cross(struct emitter *e, int i, int to, char *text)
{
    const struct region *from = region_of(e, i), *into = to == NOWHERE ? NULL : region_of(e, to);
    text[0] = '\0';
    if (from == into)
        return;
    if (from) {
        add(e, text, counter_of(e, i, false), e->lag[i].after);
        store(text, counter_of(e, i, false));
    }
    if (into)
        come(e, to, text);
}

/* Out of line: what is to be done on the way of a conditional jump. */
static void detour(struct emitter *e, const struct block *k, const char *text)
{
    append_code(e, k, "");
    source_append(e->s, ".Llwmpi_detour%d: %sjmp %.*s\n", e->detours, text, (int)k->to.n, k->to.at);
    source_edit(e->s, k->to.at, k->to.n, ".Llwmpi_detour%d", e->detours++);
}

/* Where control leaves block i for another region, or for none. */
static void emit_end(struct emitter *e, int i)
{
    const struct block *k = &e->b->block[i];
    char text[TEXT];
    cross(e, i, k->target, text);
    if (k->jump != NOWHERE && text[0] != '\0') {
        if (k->branches)
            detour(e, k, text);
        else
            put_before(e, k->jump, text);
    }
    if (k->leaves) {
        cross(e, i, NOWHERE, text);
        put_before(e, k->last, text);
    }
    if (k->falls) {
        cross(e, i, blocks_next(e->b, i, 0), text);
        put_after(e, k->last, text);
    }
}

void emit(struct source *s, const struct blocks *b, const struct regions *r)
{
    struct lag *lag = lags_find(b, r);
    struct emitter e = {.s = s, .b = b, .r = r, .lag = lag};
    for (int i = 0; i < b->count; i++) {
        emit_begin(&e, i);
        emit_rounds(&e, i);
        emit_amounts(&e, i);
        emit_recursion(&e, i);
        emit_end(&e, i);
    }
    if (e.entries > 0)
        append_table(&e);
    free(e.entry);
    free(e.by_hash);
    free(lag);
}
