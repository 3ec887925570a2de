/* SPDX-License-Identifier: MIT */
#include "labels.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "instruction.h"

static size_t hash(struct piece p)
{
    size_t h = 14695981039346656037u;
    for (size_t i = 0; i < p.n; i++)
        h = (h ^ (unsigned char)p.at[i]) * 1099511628211u;
    return h ^ h >> 29;
}

static struct label *slot(const struct labels *l, struct piece name)
{
    size_t i = hash(name) & (l->room - 1);
    while (l->label[i].name.n > 0 &&
           (l->label[i].name.n != name.n || memcmp(l->label[i].name.at, name.at, name.n) != 0))
        i = (i + 1) & (l->room - 1);
    return &l->label[i];
}

struct label *labels_get(const struct labels *l, struct piece name)
{
    struct label *found = l->room == 0 || name.n == 0 ? NULL : slot(l, name);
    return !found || found->name.n == 0 ? NULL : found;
}

bool label_is_local(struct piece name)
{
    return piece_begins(name, ".L") || label_is_number(name);
}

bool label_is_number(struct piece name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!isdigit((unsigned char)name.at[i]))
            return false;
    return true;
}

static void make_room(struct labels *l, const struct source *s)
{
    size_t n = 0;
    for (int i = 0; i < s->statements; i++)
        n += s->statement[i].kind == LABEL;
    for (l->room = 64; l->room < 2 * n;)
        l->room *= 2;
    l->label = grow(NULL, l->room, sizeof *l->label);
    memset(l->label, 0, l->room * sizeof *l->label);
}

/* Every name in the piece that is a label's. */
static void take_names(struct labels *l, struct piece p)
{
    for (size_t i = 0; i < p.n;) {
        size_t from = i;
        while (i < p.n && is_name(p.at[i]))
            i++;
        struct label *found = labels_get(l, (struct piece){p.at + from, i - from});
        if (found)
            found->taken = true;
        i += i == from;
    }
}

/* What these say of labels is no way for control to come. */
static bool is_harmless(struct piece word)
{
    static const char *const words[] = {".size", ".type",   ".globl",     ".global",
                                        ".weak", ".hidden", ".protected", ".internal",
                                        ".loc",  ".file",   ".ident",     ".section"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (piece_is(word, words[i]))
            return true;
    return piece_begins(word, ".cfi_");
}

static void refer(struct labels *l, const struct source *s, const struct statement *t)
{
    struct piece rest, word = piece_word(t->text, &rest);
    if (t->kind == DIRECTIVE) {
        if (!s->section[t->section].debug && !is_harmless(word))
            take_names(l, rest);
        return;
    }
    struct instruction in = instruction_read(t->text);
    enum flow flow = instruction_flow(&in);
    struct label *to = in.operands == 1 && (flow == FLOW_JUMP || flow == FLOW_BRANCH)
                           ? labels_get(l, in.operand[0])
                           : NULL;
    if (!to || t->by_hand)
        take_names(l, rest);
    else
        to->jumped = true;
}

void labels_find(struct labels *l, const struct source *s)
{
    *l = (struct labels){0};
    make_room(l, s);
    for (int i = 0; i < s->statements; i++) {
        const struct statement *t = &s->statement[i];
        if (t->kind != LABEL)
            continue;
        struct label *new = slot(l, t->text);
        *new = (struct label){.name = t->text,
                              .statement = i,
                              .code = s->section[t->section].code,
                              .taken = label_is_number(t->text),
                              .block = -1};
    }
    for (int i = 0; i < s->statements; i++)
        if (s->statement[i].kind != LABEL)
            refer(l, s, &s->statement[i]);
}

void labels_free(struct labels *l)
{
    free(l->label);
}
