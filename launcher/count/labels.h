/* SPDX-License-Identifier: MIT */
/* The labels of an assembly text, by name. */
#ifndef COUNT_LABELS_H
#define COUNT_LABELS_H

#include "text.h"

struct label {
    struct piece name;
    int statement;
    bool code;
    bool jumped; /* by a jump that is seen */
    bool taken;  /* something else names it, so control may come from anywhere */
    int block;   /* that it is before */
};

struct labels {
    struct label *label; /* a hash table: name.n == 0: free */
    size_t room, used;
};

/* All labels of code and data, and who refers to them. */
void labels_find(struct labels *l, const struct source *s);
void labels_free(struct labels *l);

/* NULL: there is none of this name. */
struct label *labels_get(const struct labels *l, struct piece name);

/* A name that the compiler makes for itself: it begins no function. */
bool label_is_local(struct piece name);
/* A number, which means the nearest label of that name. */
bool label_is_number(struct piece name);

#endif
