/* SPDX-License-Identifier: MIT */
/* Reading the file of -configfile: text to words, and the lines where they stand. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

#define FILE_MOST (1u << 20)

struct reader {
    const char *at; /* what is left of the file */
    char *out;      /* where the next word goes: as large as the file */
    int line;
    char **word;
    int *at_line; /* of each word */
    size_t words, room;
};

static bool more_room(struct reader *r)
{
    size_t room = r->room * 2 + 16;
    char **word = realloc(r->word, room * sizeof *word);
    r->word = word ? word : r->word;
    int *at_line = word ? realloc(r->at_line, room * sizeof *at_line) : NULL;
    if (!at_line)
        return false;
    r->at_line = at_line;
    r->room = room;
    return true;
}

/* The end of the list stands in the line of the last word. */
static bool add(struct reader *r, char *word, int line)
{
    if (r->words + 1 >= r->room && !more_room(r))
        return false;
    r->at_line[r->words] = r->at_line[r->words + 1] = line;
    r->word[r->words++] = word;
    r->word[r->words] = NULL;
    return true;
}

static bool line_end(char c)
{
    return c == '\n' || c == '\0';
}

/* Blanks, comments, and line ends behind a backslash: all that stands before a word. */
static void skip(struct reader *r)
{
    for (;;) {
        if (r->at[0] == '\\' && r->at[1] == '\n') {
            r->at += 2;
            r->line++;
        } else if (r->at[0] == ' ' || r->at[0] == '\t' || r->at[0] == '\r') {
            r->at++;
        } else if (r->at[0] == '#') {
            r->at += strcspn(r->at, "\n");
        } else {
            return;
        }
    }
}

/* Does a backslash in this quote ('\0': outside of any) say that what follows stands for itself? */
static bool escapes(char quote, char next)
{
    return next != '\0' && (quote == '\0' || (quote == '"' && strchr("$`\"\\\n", next)));
}

/* One word, as a shell takes it. False: its quote is not closed. */
static bool take(struct reader *r)
{
    char quote = '\0';
    for (; *r->at != '\0'; r->at++) {
        char c = *r->at;
        if (quote == '\0' && (strchr(" \t\r\n", c) || (c == '\\' && r->at[1] == '\n')))
            break;
        if (quote == '\0' && (c == '"' || c == '\''))
            quote = c;
        else if (quote != '\0' && c == quote)
            quote = '\0';
        else if (c == '\\' && escapes(quote, r->at[1])) {
            if (*++r->at != '\n')
                *r->out++ = *r->at;
        } else
            *r->out++ = c;
    }
    *r->out++ = '\0';
    return quote == '\0';
}

/* All words of the file; line ends that separate two programs become ":". */
static bool words(struct reader *r, const char *path)
{
    static char separator[] = ":";
    bool fresh = true; /* no word on this line yet */
    for (skip(r); *r->at != '\0'; skip(r)) {
        if (line_end(*r->at)) {
            r->at++;
            r->line++;
            fresh = true;
            continue;
        }
        char *begin = r->out;
        const char *from = r->at;
        if (fresh && r->words > 0 && strcmp(r->word[r->words - 1], separator) != 0 &&
            !add(r, separator, r->line)) {
            complain("%.400s: out of memory", path);
            return false;
        }
        fresh = false;
        int line = r->line;
        if (!take(r)) {
            complain("%.400s:%d: a quote is not closed", path, r->line);
            return false;
        }
        for (; from < r->at; from++)
            r->line += *from == '\n';
        if (!add(r, begin, line)) {
            complain("%.400s: out of memory", path);
            return false;
        }
    }
    if (r->words == 0)
        complain("%.400s: no program in this file; a line is: -n 2 program arguments", path);
    return r->words > 0;
}

char **config_words(const char *path, char **buffer, int **lines)
{
    FILE *f = fopen(path, "r");
    char *text = malloc(FILE_MOST + 1), *out = malloc(2 * FILE_MOST);
    if (!f || !text || !out) {
        complain("-configfile %.400s: cannot read this file: %s", path,
                 f ? "out of memory" : strerror(errno));
        free(text);
        free(out);
        if (f)
            fclose(f);
        return NULL;
    }
    size_t n = fread(text, 1, FILE_MOST, f);
    bool whole = n < FILE_MOST && !ferror(f);
    fclose(f);
    text[n] = '\0';
    struct reader r = {.at = text, .out = out, .line = 1};
    bool good = whole && strlen(text) == n;
    if (!good)
        complain("-configfile %.400s: this is no text file of less than %u bytes", path, FILE_MOST);
    good = good && words(&r, path);
    free(text);
    *buffer = out;
    *lines = r.at_line;
    if (good)
        return r.word;
    free(r.word);
    return NULL;
}
