/* SPDX-License-Identifier: MIT */
#include "unroll.h"

#include <string.h>

enum { LONGEST = 16 }; /* instructions; an addition beside more of them is hardly felt */

/* What turns the condition of a jump around: "n" is put before it or taken away. Others, as those
 * that also count a register down, are not turned. */
static bool turned(const struct instruction *in, char *to, size_t size)
{
    static const char *const conditions[] = {"o", "b", "c", "ae", "e",  "z",  "be",
                                             "a", "s", "p", "l",  "ge", "le", "g"};
    bool negated = in->name[0] == 'j' && in->name[1] == 'n';
    const char *condition = in->name + 1 + negated;
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        if (in->name[0] != 'j' || strcmp(condition, conditions[i]) != 0)
            continue;
        snprintf(to, size, "j%s%s", negated ? "" : "n", condition);
        return true;
    }
    return false;
}

/* Directives that tell something of a place, but for a source line, which may be told twice. */
static bool binds(const struct statement *t)
{
    return t->kind == DIRECTIVE && !piece_begins(t->text, ".loc") &&
           !piece_begins(t->text, ".p2align");
}

bool unroll_can(const struct source *s, const struct blocks *b, int i)
{
    const struct block *k = &b->block[i];
    int instructions = 0;
    char name[16];
    if (k->region == NOWHERE || k->target != i || !k->branches || k->recurs)
        return false;
    for (int t = k->first; t <= k->last; t++) {
        const struct statement *st = &s->statement[t];
        struct instruction in = instruction_read(st->text);
        instructions += st->kind == INSTRUCTION;
        if (st->by_hand || st->section != k->section || binds(st) ||
            (st->kind == INSTRUCTION && in.repeated))
            return false;
    }
    struct instruction last = instruction_read(s->statement[k->last].text);
    return k->jump == k->last && instructions > 1 && instructions <= LONGEST &&
           turned(&last, name, sizeof name);
}

void unroll_end(FILE *to, const struct source *s, const struct block *k)
{
    char name[16] = "";
    struct instruction last = instruction_read(s->statement[k->last].text);
    turned(&last, name, sizeof name);
    fputs(name, to);
}

void unroll_round(FILE *to, const struct source *s, const struct block *k)
{
    for (int t = k->first; t < k->last; t++) {
        const struct statement *st = &s->statement[t];
        const char *view = memmem(st->text.at, st->text.n, " view ", 6);
        if (st->kind == INSTRUCTION)
            fprintf(to, "%.*s; ", (int)st->text.n, st->text.at);
        else if (st->kind == DIRECTIVE && piece_begins(st->text, ".loc"))
            fprintf(to, "%.*s; ", view ? (int)(view - st->text.at) : (int)st->text.n, st->text.at);
    }
}
