/* SPDX-License-Identifier: MIT */
#include <process/getopt.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERAND = 1, END = -1, NOT_LONG = -2 };

/* A call: its arguments, and what the first characters of `options` say. */
struct reader {
    struct image_options *o;
    const struct image_optvars *v;
    int argc;
    char **argv;
    const char *options;
    const struct option *longs;
    int *index;
    bool only_long;
    bool stops, returns; /* at the first operand; operands as options of code 1 */
    bool colon;          /* a missing argument is ':', and nothing is printed */
};

static bool is_operand(const char *word)
{
    return word[0] != '-' || word[1] == '\0';
}

static int complain(const struct reader *r, const char *format, const char *dashes,
                    const char *name)
{
    if (*r->v->opterr && !r->colon) {
        fprintf(stderr, "%s: ", r->argv[0]);
        fprintf(stderr, format, dashes, name);
        fputc('\n', stderr);
    }
    return '?';
}

static void swap_ends(char **word, int from, int to)
{
    while (from < --to) {
        char *w = word[from];
        word[from++] = word[to];
        word[to] = w;
    }
}

/* The options after the operands that were passed over go before them. */
static void permute(struct reader *r)
{
    struct image_options *o = r->o;
    int here = *r->v->optind;
    if (o->first < o->behind && o->behind < here) {
        swap_ends(r->argv, o->first, o->behind);
        swap_ends(r->argv, o->behind, here);
        swap_ends(r->argv, o->first, here);
    }
    o->first += here - o->behind;
    o->behind = here;
}

/* Finds the next word of options: 0, or what the call returns. */
static int next_word(struct reader *r)
{
    struct image_options *o = r->o;
    int *at = r->v->optind;
    if (o->behind > *at) /* the program set it back */
        o->first = o->behind = *at;
    if (!r->stops && !r->returns) {
        permute(r);
        while (*at < r->argc && is_operand(r->argv[*at]))
            ++*at;
        o->behind = *at;
    } else {
        o->first = o->behind = *at;
    }
    if (*at < r->argc && strcmp(r->argv[*at], "--") == 0) {
        ++*at;
        permute(r);
        o->behind = *at = r->argc;
    }
    if (*at >= r->argc) {
        *at = o->first < o->behind ? o->first : *at;
        return END;
    }
    if (!is_operand(r->argv[*at]))
        return 0;
    if (r->stops)
        return END;
    *r->v->optarg = r->argv[(*at)++];
    return OPERAND;
}

/* The long option of this name or, if only one begins so, of this beginning; NULL: none, or
 * *several. */
static const struct option *find(const struct reader *r, const char *name, size_t n, bool *several)
{
    const struct option *found = NULL;
    *several = false;
    for (const struct option *l = r->longs; l->name; l++) {
        if (strncmp(l->name, name, n) != 0)
            continue;
        if (strlen(l->name) == n) {
            *several = false;
            return l;
        }
        if (!found)
            found = l;
        else if (r->only_long || found->has_arg != l->has_arg || found->flag != l->flag ||
                 found->val != l->val)
            *several = true;
    }
    return *several ? NULL : found;
}

/* A long option that was found, whose value, if any, follows the = at `value`. */
static int take(struct reader *r, const struct option *l, const char *dashes, const char *value)
{
    int *at = r->v->optind;
    if (*value && l->has_arg == no_argument) {
        *r->v->optopt = l->val;
        return complain(r, "option '%s%s' doesn't allow an argument", dashes, l->name);
    }
    if (*value) {
        *r->v->optarg = (char *)value + 1;
    } else if (l->has_arg == required_argument) {
        if (*at >= r->argc) {
            *r->v->optopt = l->val;
            complain(r, "option '%s%s' requires an argument", dashes, l->name);
            return r->colon ? ':' : '?';
        }
        *r->v->optarg = r->argv[(*at)++];
    }
    if (r->index)
        *r->index = (int)(l - r->longs);
    if (!l->flag)
        return l->val;
    *l->flag = l->val;
    return 0;
}

/* The word at optind, or its rest, as a long option. NOT_LONG: with one dash, and it may be short
 * ones. */
static int long_option(struct reader *r, const char *dashes, const char *name)
{
    size_t n = strcspn(name, "=");
    bool several;
    const struct option *l = find(r, name, n, &several);
    if (!l && !several && dashes[1] == '\0' && strchr(r->options, *name))
        return NOT_LONG;
    ++*r->v->optind;
    r->o->next = NULL;
    if (l)
        return take(r, l, dashes, name + n);
    *r->v->optopt = 0;
    return complain(r, several ? "option '%s%s' is ambiguous" : "unrecognized option '%s%s'",
                    dashes, name);
}

static int miss_argument(const struct reader *r, char c)
{
    *r->v->optopt = (unsigned char)c;
    complain(r, "option requires an argument%s '%s'", " --", (char[]){c, '\0'});
    return r->colon ? ':' : '?';
}

/* After -W, where options say "W;", stands a long one: the rest of its word, or the next word. */
static int long_behind(struct reader *r)
{
    const char *rest = r->o->next;
    int at = *r->v->optind;
    if (*rest == '\0' && at >= r->argc)
        return miss_argument(r, 'W');
    return long_option(r, "-W ", *rest ? rest : r->argv[at]);
}

/* The argument of a short option: the rest of its word, or the next word. */
static int argument(struct reader *r, char c, bool optional)
{
    int *at = r->v->optind;
    const char *rest = r->o->next;
    r->o->next = NULL;
    if (*rest) {
        *r->v->optarg = (char *)rest;
        ++*at;
    } else if (!optional && *at < r->argc) {
        *r->v->optarg = r->argv[(*at)++];
    } else if (!optional) {
        return miss_argument(r, c);
    }
    return (unsigned char)c;
}

static int short_option(struct reader *r)
{
    char c = *r->o->next++;
    const char *spec = strchr(r->options, c);
    if (*r->o->next == '\0')
        ++*r->v->optind;
    if (!spec || c == ':' || c == ';') {
        *r->v->optopt = (unsigned char)c;
        return complain(r, "invalid option%s '%s'", " --", (char[]){c, '\0'});
    }
    if (c == 'W' && spec[1] == ';' && r->longs)
        return long_behind(r);
    return spec[1] == ':' ? argument(r, c, spec[2] == ':') : (unsigned char)c;
}

static void begin(struct image_options *o, int *optind_)
{
    if (o->begun && *optind_ != 0)
        return;
    *optind_ += *optind_ == 0;
    *o = (struct image_options){.first = *optind_, .behind = *optind_, .begun = true};
}

int image_getopt(struct image_options *o, const struct image_optvars *v, int argc,
                 char *const *argv, const char *options, const struct option *longs, int *index,
                 bool only_long)
{
    if (argc < 1)
        return END;
    begin(o, v->optind);
    struct reader r = {.o = o,
                       .v = v,
                       .argc = argc,
                       .argv = (char **)argv,
                       .longs = longs,
                       .index = index,
                       .only_long = only_long};
    r.returns = *options == '-';
    r.stops = *options == '+' || (!r.returns && getenv("POSIXLY_CORRECT"));
    r.options = options + (*options == '-' || *options == '+');
    r.colon = *r.options == ':';
    *v->optarg = NULL;
    if (!o->next || *o->next == '\0') {
        int end = next_word(&r);
        if (end)
            return end;
        const char *word = argv[*v->optind];
        int code = NOT_LONG;
        if (longs && word[1] == '-')
            code = long_option(&r, "--", word + 2);
        else if (longs && only_long && (word[2] || !strchr(r.options, word[1])))
            code = long_option(&r, "-", word + 1);
        if (code != NOT_LONG)
            return code;
        o->next = word + 1;
    }
    return short_option(&r);
}
