/* SPDX-License-Identifier: MIT */
/* Vector and floating point instructions are in vector.c. */
#include "instruction.h"

#include <ctype.h>
#include <string.h>

#include "vector.h"

static bool is_prefix(struct piece word)
{
    static const char *const prefixes[] = {
        "lock", "notrack", "bnd",   "data16", "addr32", "cs",     "ds",     "es",       "ss",
        "fs",   "gs",      "rex64", "rex.W",  "{vex}",  "{evex}", "{vex3}", "xacquire", "xrelease"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (piece_is(word, prefixes[i]))
            return true;
    return false;
}

static bool is_repeat(struct piece word)
{
    return piece_is(word, "rep") || piece_is(word, "repz") || piece_is(word, "repe") ||
           piece_is(word, "repnz") || piece_is(word, "repne");
}

/* Splits at commas that are in no parentheses. */
static void read_operands(struct piece p, struct instruction *in)
{
    int depth = 0;
    size_t from = 0;
    for (size_t i = 0; i <= p.n; i++) {
        char c = i < p.n ? p.at[i] : ',';
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if ((c != ',' || depth > 0) && i < p.n)
            continue;
        size_t to = i;
        while (from < to && isspace((unsigned char)p.at[from]))
            from++;
        while (to > from && isspace((unsigned char)p.at[to - 1]))
            to--;
        if (to > from && in->operands < OPERANDS)
            in->operand[in->operands++] = (struct piece){p.at + from, to - from};
        from = i + 1;
    }
}

struct instruction instruction_read(struct piece text)
{
    struct instruction in = {0};
    struct piece rest, word = piece_word(text, &rest);
    bool repeat = false;
    while (rest.n > 0 && (is_prefix(word) || is_repeat(word))) {
        repeat = repeat || is_repeat(word);
        word = piece_word(rest, &rest);
    }
    size_t n = word.n < sizeof in.name ? word.n : sizeof in.name - 1;
    memcpy(in.name, word.at, n);
    in.repeated = repeat && (memchr("smlc", in.name[0], 4) != NULL);
    read_operands(rest, &in);
    return in;
}

bool name_begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

enum flow instruction_flow(const struct instruction *in)
{
    static const struct {
        const char *begin;
        enum flow flow;
    } table[] = {
        {"jmp", FLOW_JUMP},     {"j", FLOW_BRANCH},      {"call", FLOW_CALL},
        {"ret", FLOW_END},      {"iret", FLOW_END},      {"ud2", FLOW_END},
        {"hlt", FLOW_END},      {"loop", FLOW_BRANCH},   {"xbegin", FLOW_BRANCH},
        {"syscall", FLOW_CALL}, {"int", FLOW_CALL},      {"sysenter", FLOW_CALL},
        {"xrstor", FLOW_CALL},  {"vzeroall", FLOW_CALL}, {"fxrstor", FLOW_CALL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (name_begins(in->name, table[i].begin))
            return table[i].flow;
    return FLOW_ON;
}

bool operand_is_memory(struct piece p)
{
    if (p.n == 0 || p.at[0] == '$' || p.at[0] == '{')
        return false;
    return p.at[0] != '%' || memchr(p.at, ':', p.n);
}

/* How instructions differ that read or write memory. */
enum access {
    ACCESS_NONE, /* address or hint only */
    ACCESS_ONE,  /* one access, whichever operand it is */
    ACCESS_READ, /* a memory operand is only read */
    ACCESS_BOTH  /* as the last operand it is read and written */
};

/* Integer instructions by the begin of their names, the first that fits. `count` is what they do
 * beside accesses; `plain` is that of one without a memory operand if that differs. */
static const struct {
    const char *begin;
    enum count_class of;
    int count, plain;
    enum access access;
    int hidden; /* accesses by operands that are not written */
} integers[] = {
    {"nop", COUNT_INTEGER, 0, 0, ACCESS_NONE, 0},
    {"endbr", COUNT_INTEGER, 0, 0, ACCESS_NONE, 0},
    {"prefetch", COUNT_INTEGER, 0, 0, ACCESS_NONE, 0},
    {"pause", COUNT_INTEGER, 0, 0, ACCESS_NONE, 0},
    {"lfence", COUNT_INTEGER, 0, 0, ACCESS_NONE, 0},
    {"mfence", COUNT_INTEGER, 0, 0, ACCESS_NONE, 0},
    {"sfence", COUNT_INTEGER, 0, 0, ACCESS_NONE, 0},
    {"leave", COUNT_INTEGER, 1, 1, ACCESS_NONE, 1},
    {"lea", COUNT_INTEGER, 1, 1, ACCESS_NONE, 0},
    {"mov", COUNT_INTEGER, 0, 1, ACCESS_ONE, 0},
    {"push", COUNT_INTEGER, 0, 0, ACCESS_READ, 1},
    {"pop", COUNT_INTEGER, 0, 0, ACCESS_ONE, 1},
    {"call", COUNT_BRANCH, 1, 1, ACCESS_READ, 0},
    {"j", COUNT_BRANCH, 1, 1, ACCESS_READ, 0},
    {"ret", COUNT_BRANCH, 1, 1, ACCESS_NONE, 0},
    {"loop", COUNT_BRANCH, 1, 1, ACCESS_NONE, 0},
    {"imul", COUNT_MULTIPLY, 1, 1, ACCESS_READ, 0},
    {"mul", COUNT_MULTIPLY, 1, 1, ACCESS_READ, 0},
    {"idiv", COUNT_DIVIDE, 1, 1, ACCESS_READ, 0},
    {"div", COUNT_DIVIDE, 1, 1, ACCESS_READ, 0},
    {"cmpxchg", COUNT_INTEGER, 1, 1, ACCESS_BOTH, 0},
    {"cmp", COUNT_INTEGER, 1, 1, ACCESS_READ, 0},
    {"test", COUNT_INTEGER, 1, 1, ACCESS_READ, 0},
    {"set", COUNT_INTEGER, 1, 1, ACCESS_ONE, 0},
    {"ldmxcsr", COUNT_INTEGER, 0, 0, ACCESS_ONE, 0},
    {"stmxcsr", COUNT_INTEGER, 0, 0, ACCESS_ONE, 0},
    {"", COUNT_INTEGER, 1, 1, ACCESS_BOTH, 0},
};

/* movsb and its like without prefix; their operands, if written, are (%rsi) and (%rdi). */
static const struct string {
    const char *stem;
    int integer, memory;
    bool compares; /* repeated it may end early */
} strings[] = {{"movs", 0, 2, false},
               {"stos", 0, 1, false},
               {"lods", 0, 1, false},
               {"scas", 1, 1, true},
               {"cmps", 1, 2, true}};
#define STRINGS (sizeof strings / sizeof strings[0])

static bool is_string(const struct instruction *in, const struct string *s)
{
    size_t n = strlen(s->stem);
    int pointers = 0;
    for (int i = 0; i < in->operands; i++)
        pointers += memchr(in->operand[i].at, '(', in->operand[i].n) != NULL;
    return name_begins(in->name, s->stem) && strlen(in->name) == n + 1 &&
           strchr("bwlq", in->name[n]) && (in->operands == 0 || pointers == s->memory);
}

static bool count_string(const struct instruction *in, unsigned count[COUNT_CLASSES])
{
    for (size_t i = 0; i < STRINGS; i++) {
        if (is_string(in, &strings[i])) {
            count[COUNT_INTEGER] += (unsigned)strings[i].integer;
            count[COUNT_MEMORY] += (unsigned)strings[i].memory;
            return true;
        }
    }
    return false;
}

static void count_integer(const struct instruction *in, unsigned count[COUNT_CLASSES])
{
    size_t i = 0;
    while (!name_begins(in->name, integers[i].begin))
        i++;
    bool any = false, last = false;
    for (int k = 0; k < in->operands; k++) {
        struct piece p = in->operand[k];
        bool star = p.at[0] == '*'; /* jump through memory, or through a register */
        bool jumps = integers[i].of == COUNT_BRANCH;
        struct piece inner = star ? (struct piece){p.at + 1, p.n - 1} : p;
        last = (star || !jumps) && operand_is_memory(inner);
        any = any || last;
    }
    if (integers[i].access == ACCESS_NONE)
        any = false;
    unsigned accesses = !any ? 0 : integers[i].access == ACCESS_BOTH && last ? 2 : 1;
    count[integers[i].of] += (unsigned)(any ? integers[i].count : integers[i].plain);
    count[COUNT_MEMORY] += accesses + (unsigned)integers[i].hidden;
}

void instruction_count(const struct instruction *in, unsigned count[COUNT_CLASSES])
{
    if (in->repeated)
        return;
    if (!vector_count(in, count) && !count_string(in, count))
        count_integer(in, count);
}

struct amount instruction_repeats(const struct instruction *in)
{
    static const char units[] = "qlwb"; /* of 8, 4, 2, 1 bytes */
    struct amount a = {0};
    for (size_t i = 0; in->repeated && i < STRINGS; i++) {
        if (!is_string(in, &strings[i]))
            continue;
        a.reg = "rcx";
        a.ends_early = strings[i].compares;
        a.shift = (int)(strchr(units, in->name[4]) - units);
        a.of[COUNT_INTEGER] = (int16_t)strings[i].integer;
        a.of[COUNT_MEMORY] = (int16_t)strings[i].memory;
    }
    return a;
}

bool instruction_is_avx(const struct instruction *in)
{
    return in->name[0] == 'v' && vector_width(in) > 0;
}
