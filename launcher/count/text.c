/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void no_memory(void)
{
    fprintf(stderr, "mpicc --count: out of memory\n");
    exit(1);
}

void *grow(void *old, size_t room, size_t size)
{
    void *p = realloc(old, room * size);
    if (!p)
        no_memory();
    return p;
}

bool piece_is(struct piece p, const char *text)
{
    return p.n == strlen(text) && memcmp(p.at, text, p.n) == 0;
}

bool piece_begins(struct piece p, const char *text)
{
    size_t n = strlen(text);
    return p.n >= n && memcmp(p.at, text, n) == 0;
}

bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@';
}

struct piece piece_word(struct piece p, struct piece *rest)
{
    size_t n = 0;
    while (n < p.n && !isspace((unsigned char)p.at[n]) && p.at[n] != ';')
        n++;
    struct piece word = {p.at, n};
    while (n < p.n && (isspace((unsigned char)p.at[n]) || p.at[n] == ';'))
        n++;
    *rest = (struct piece){p.at + n, p.n - n};
    return word;
}

/* --- sections --- */

#define DEPTH 32

/* The section that statements are in, the one before it, and those that .popsection goes back to */
struct place {
    int now, before;
    int stack[DEPTH];
    int depth;
    bool by_hand, hidden; /* hidden: the body of a macro, which is no code yet */
    bool foreign;
};

static bool has_flag(struct piece p, char flag)
{
    const char *quote = memchr(p.at, '"', p.n);
    for (const char *c = quote + 1; quote && c < p.at + p.n && *c != '"'; c++)
        if (*c == flag)
            return true;
    return false;
}

static int open_section(struct source *s, struct piece directive)
{
    struct piece name, word = piece_word(directive, &name);
    bool named = directive.n > 0 && !piece_is(word, ".text") && !piece_is(word, ".data") &&
                 !piece_is(word, ".bss");
    for (int i = 0; i < s->sections; i++) {
        struct piece d = s->section[i].directive;
        if (d.n == directive.n && memcmp(d.at, directive.at, d.n) == 0)
            return i;
    }
    if (s->sections == s->section_room) {
        s->section_room = 2 * s->section_room + 16;
        s->section = grow(s->section, (size_t)s->section_room, sizeof *s->section);
    }
    s->section[s->sections] = (struct section){
        .directive = directive,
        .code = named ? piece_begins(name, ".text") || has_flag(name, 'x')
                      : piece_is(word, ".text") || directive.n == 0,
        .debug = named && (piece_begins(name, ".debug") || piece_begins(name, ".gnu.lto")),
    };
    return s->sections++;
}

static void enter(struct place *p, int section)
{
    p->before = p->now;
    p->now = section;
}

static void follow(struct source *s, struct place *p, struct piece d)
{
    struct piece rest, word = piece_word(d, &rest);
    if (piece_is(word, ".intel_syntax"))
        p->foreign = p->by_hand && !p->hidden;
    else if (piece_is(word, ".att_syntax"))
        p->foreign = false;
    else if (piece_is(word, ".macro") || piece_is(word, ".rept") || piece_is(word, ".irp"))
        p->hidden = true;
    else if (piece_is(word, ".endm") || piece_is(word, ".endr"))
        p->hidden = false;
    else if (piece_is(word, ".text") || piece_is(word, ".data") || piece_is(word, ".bss") ||
             piece_is(word, ".section"))
        enter(p, open_section(s, d));
    else if (piece_is(word, ".previous"))
        enter(p, p->before);
    else if (piece_is(word, ".pushsection") && p->depth < DEPTH) {
        p->stack[p->depth++] = p->now;
        enter(p, open_section(s, d));
    } else if (piece_is(word, ".popsection") && p->depth > 0)
        enter(p, p->stack[--p->depth]);
}

/* --- statements --- */

static void add(struct source *s, struct place *p, enum kind kind, struct piece text)
{
    if (s->statements == s->statement_room) {
        s->statement_room = 2 * s->statement_room + 1024;
        s->statement = grow(s->statement, (size_t)s->statement_room, sizeof *s->statement);
    }
    if (p->hidden || (p->foreign && kind != FOREIGN))
        kind = DIRECTIVE;
    s->statement[s->statements++] =
        (struct statement){.kind = kind, .text = text, .section = p->now, .by_hand = p->by_hand};
}

/* Length of the label at `at`, colon excluded; 0: there is none. */
static size_t label(const char *at, const char *end)
{
    const char *c = at;
    if (c < end && *c == '"') {
        for (c++; c < end && *c != '"'; c++) {
        }
        c += c < end;
    } else {
        while (c < end && is_name(*c))
            c++;
    }
    return c > at && c < end && *c == ':' ? (size_t)(c - at) : 0;
}

/* Labels and what follows them, up to a line end or semicolon. */
static void take(struct source *s, struct place *p, const char *at, const char *end)
{
    for (;;) {
        while (at < end && isspace((unsigned char)*at))
            at++;
        size_t n = label(at, end);
        if (n == 0)
            break;
        add(s, p, LABEL, (struct piece){at, n});
        at += n + 1;
    }
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    struct piece text = {at, (size_t)(end - at)};
    if (text.n == 0)
        return;
    bool assigns = memchr(text.at, '=', text.n) && !memchr(text.at, '(', text.n);
    bool directive = *at == '.' || assigns, foreign = p->foreign;
    if (directive)
        follow(s, p, text);
    add(s, p, foreign != p->foreign ? FOREIGN : directive ? DIRECTIVE : INSTRUCTION, text);
}

/* The end of the string that begins at `c`. */
static const char *past_string(const char *c)
{
    for (c++; *c != '\0' && *c != '"' && *c != '\n'; c++)
        if (*c == '\\' && c[1] != '\0')
            c++;
    return c + (*c == '"');
}

static const char *line_end(const char *c)
{
    while (*c != '\0' && *c != '\n')
        c++;
    return c;
}

/* `rep;movsb` is one instruction: nothing may come between the two. */
static bool is_prefix(const char *at, const char *end)
{
    static const char *const prefixes[] = {"rep", "repe", "repz", "repne", "repnz", "lock"};
    while (at < end && isspace((unsigned char)*at))
        at++;
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (piece_is((struct piece){at, (size_t)(end - at)}, prefixes[i]))
            return true;
    return false;
}

static void note(struct place *p, const char *comment)
{
    if (strncmp(comment, "#APP", 4) == 0)
        p->by_hand = true;
    else if (strncmp(comment, "#NO_APP", 7) == 0)
        p->by_hand = false;
}

void source_read(struct source *s, const char *text, size_t size)
{
    *s = (struct source){.text = text, .size = size};
    struct place p = {.now = open_section(s, (struct piece){text, 0})};
    const char *begin = text, *c = text;
    while (c < text + size) {
        if (*c == '"') {
            c = past_string(c);
        } else if (*c == '#') {
            take(s, &p, begin, c);
            note(&p, c);
            begin = c = line_end(c);
        } else if (c[0] == '/' && c[1] == '*') {
            take(s, &p, begin, c);
            const char *end = strstr(c, "*/");
            begin = c = end ? end + 2 : text + size;
        } else if (*c == ';' && is_prefix(begin, c)) {
            c++;
        } else if (*c == ';' || *c == '\n') {
            take(s, &p, begin, c);
            begin = ++c;
        } else {
            c++;
        }
    }
    take(s, &p, begin, text + size);
}

void source_free(struct source *s)
{
    for (size_t i = 0; i < s->edits; i++)
        free(s->edit[i].text);
    free(s->statement);
    free(s->section);
    free(s->edit);
    free(s->more);
}

/* --- changes --- */

static char *formatted(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        no_memory();
    return text;
}

void source_edit(struct source *s, const char *at, size_t n, const char *format, ...)
{
    va_list args;
    if (s->edits == s->edit_room) {
        s->edit_room = 2 * s->edit_room + 1024;
        s->edit = grow(s->edit, s->edit_room, sizeof *s->edit);
    }
    va_start(args, format);
    s->edit[s->edits] = (struct edit){at, n, formatted(format, args), s->edits};
    va_end(args);
    s->edits++;
}

static void put(char **to, size_t *size, size_t *room, const char *from, size_t n)
{
    if (*size + n + 1 > *room) {
        *room = 2 * *room + n + 4096;
        *to = grow(*to, *room, 1);
    }
    memcpy(*to + *size, from, n);
    *size += n;
    (*to)[*size] = '\0';
}

void source_append(struct source *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = formatted(format, args);
    va_end(args);
    put(&s->more, &s->more_size, &s->more_room, text, strlen(text));
    free(text);
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

char *source_result(struct source *s, size_t *size)
{
    char *to = NULL;
    size_t room = 0;
    const char *done = s->text;
    *size = 0;
    if (s->edits > 0)
        qsort(s->edit, s->edits, sizeof *s->edit, by_place);
    for (size_t i = 0; i < s->edits; i++) {
        const struct edit *e = &s->edit[i];
        put(&to, size, &room, done, (size_t)(e->at - done));
        put(&to, size, &room, e->text, strlen(e->text));
        done = e->at + e->n;
    }
    put(&to, size, &room, done, s->size - (size_t)(done - s->text));
    if (s->more) {
        put(&to, size, &room, "\n", 1);
        put(&to, size, &room, s->more, s->more_size);
    }
    return to;
}
