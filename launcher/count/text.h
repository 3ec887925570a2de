/* SPDX-License-Identifier: MIT */
/* Assembly text as a list of statements, and changes to it. The syntax is that of GNU as for
 * x86-64 as compilers write it (AT&T operands). */
#ifndef COUNT_TEXT_H
#define COUNT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* FOREIGN: where assembly that is written by hand begins to be in Intel's syntax, and where that
 * ends. What lies between is not looked at, and nothing can be put there. */
enum kind { LABEL, DIRECTIVE, INSTRUCTION, FOREIGN };

/* A piece of the text. */
struct piece {
    const char *at;
    size_t n;
};

struct statement {
    enum kind kind;
    struct piece text; /* without blanks around it; of a label without its colon */
    int section;       /* of source.section */
    bool by_hand;      /* between #APP and #NO_APP: the compiler does not know what it does */
};

struct section {
    struct piece directive; /* that opens it; empty: the one that a file begins in, .text */
    bool code;
    bool debug; /* what it says of labels is for debuggers only */
};

/* A change: `n` bytes at `at` give way to `text`. */
struct edit {
    const char *at;
    size_t n;
    char *text;
    size_t order; /* of equals at one place, the earlier comes first */
};

struct source {
    const char *text; /* NUL terminated */
    size_t size;
    struct statement *statement;
    int statements, statement_room;
    struct section *section;
    int sections, section_room;
    struct edit *edit;
    size_t edits, edit_room;
    char *more; /* what is appended */
    size_t more_size, more_room;
};

/* Splits the text, which must live as long as *s. Ends the process if memory is short. */
void source_read(struct source *s, const char *text, size_t size);
void source_free(struct source *s);

/* Puts formatted text before `at`, or in the place of the n bytes there. */
__attribute__((format(printf, 4, 5))) void source_edit(struct source *s, const char *at, size_t n,
                                                       const char *format, ...);
/* Appends formatted text. */
__attribute__((format(printf, 2, 3))) void source_append(struct source *s, const char *format, ...);

/* The changed text, to be freed; its length in *size. */
char *source_result(struct source *s, size_t *size);

bool piece_is(struct piece p, const char *text);
bool piece_begins(struct piece p, const char *text);
/* The first word of a statement, and what comes after it and its blanks. */
struct piece piece_word(struct piece p, struct piece *rest);
/* Can this character be in the name of a symbol? */
bool is_name(char c);

/* Memory for `room` things of `size` bytes, more than before; ends the process if none is left. */
void *grow(void *old, size_t room, size_t size);

#endif
