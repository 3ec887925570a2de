/* SPDX-License-Identifier: MIT */
/* Which registers of the vector unit hold something that is still wanted. What is not known well
 * counts as read. */
#include <ctype.h>
#include <string.h>

#include "vector.h"

static unsigned named(struct piece text)
{
    unsigned set = 0;
    for (size_t i = 0; i + 4 < text.n; i++) {
        const char *c = text.at + i;
        if (c[0] != '%' || c[1] < 'x' || c[1] > 'z' || c[2] != 'm' || c[3] != 'm')
            continue;
        int number = c[4] - '0';
        if (i + 5 < text.n && isdigit((unsigned char)c[5]))
            number = number * 10 + c[5] - '0';
        if (number >= 0 && number < 16)
            set |= 1u << number;
    }
    return set;
}

/* Instructions whose last operand is written and not read, by the begin of their names: those of
 * two operands, and those that have three with AVX. */
static const char *const moves[] = {
    "movap",  "movup",  "movdq",  "movq",   "movd",   "movsh",  "movsl",  "lddqu",
    "pshufd", "pshufh", "pshufl", "pmovsx", "pmovzx", "cvtdq2", "cvtps2", "cvtpd2",
    "cvtt",   "sqrtp",  "rcpp",   "rsqrtp", "pabs",   "roundp",
};
static const char *const with_avx[] = {
    "mov",    "add",    "sub",   "mul",  "div",     "sqrt",    "max",    "min",    "and",
    "or",     "xor",    "unpck", "shuf", "cvt",     "round",   "broad",  "insert", "extract",
    "hadd",   "hsub",   "cmp",   "rcp",  "rsqrt",   "lddqu",   "blend",  "pand",   "por",
    "pxor",   "padd",   "psub",  "pmul", "pmaddwd", "pmaddub", "pcmpeq", "pcmpgt", "pmin",
    "pmax",   "psll",   "psrl",  "psra", "punpck",  "pack",    "pshuf",  "palign", "pbroad",
    "pblend", "pmov",   "pabs",  "pavg", "psad",    "pinsr",   "permil", "permq",  "permpd",
    "permd",  "permps", "perm2",
};

static bool is_among(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (name_begins(name, list[i]))
            return true;
    return false;
}
#define AMONG(name, list) is_among(name, list, sizeof(list) / sizeof(list)[0])

/* `pxor %xmm0, %xmm0` and its like do not depend on what was there. */
static bool is_constant(const struct instruction *in, const char *stem)
{
    static const char *const same[] = {"pxor", "xorp", "psub", "pcmpeq", "pandn", "pcmpgt"};
    struct piece a = in->operand[0], b = in->operands > 1 ? in->operand[1] : (struct piece){0};
    return AMONG(stem, same) && a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

/* The one register that an instruction replaces. */
static unsigned replaced(struct piece text, const struct instruction *in)
{
    if (in->operands == 0 || memchr(text.at, '{', text.n))
        return 0; /* with a mask some of it stays */
    struct piece last = in->operand[in->operands - 1];
    unsigned to = last.at[0] == '%' ? named(last) : 0, from = 0;
    bool avx = in->name[0] == 'v', memory = operand_is_memory(in->operand[0]);
    const char *stem = in->name + avx;
    if (is_constant(in, stem))
        return to;
    for (int i = 0; i + 1 < in->operands; i++)
        from |= named(in->operand[i]);
    bool writes = avx ? AMONG(stem, with_avx)
                      : AMONG(stem, moves) ||
                            (memory && (strcmp(stem, "movss") == 0 || strcmp(stem, "movsd") == 0));
    return writes ? to & ~from : 0;
}

void vectors_unknown(struct vectors *v)
{
    v->names = VECTORS_ALL;
    v->reads |= VECTORS_ALL & ~v->writes;
}

void vectors_add(struct vectors *v, struct piece text, const struct instruction *in, bool by_hand)
{
    unsigned names = named(text), writes = by_hand ? 0 : replaced(text, in);
    unsigned reads = names & ~writes;
    bool calls = name_begins(in->name, "call");
    if (calls && by_hand) {
        reads = VECTORS_ALL;
    } else if (calls && !memmem(text.at, text.n, "tlscall", 7)) { /* which keeps all registers */
        reads |= VECTORS_PASSED;
        writes = VECTORS_ALL;
    }
    v->names |= names;
    v->reads |= reads & ~v->writes;
    v->writes |= writes;
}
