/* SPDX-License-Identifier: MIT */
/* What an unknown word might have meant: the shortest known one that begins so, or the nearest one
 * by edit distance. */
#include <string.h>

#include "options.h"

#define WORD_MAX  40
#define BEGIN_MIN 3 /* letters that say how a word begins */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b. */
static int distance(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int d[WORD_MAX + 1][WORD_MAX + 1];
    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            int other = a[i - 1] != b[j - 1];
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + other);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[n][m];
}

static const char *completed(const char *word, const char *const *names)
{
    const char *best = NULL;
    size_t n = strlen(word);
    for (int i = 0; names[i] && n >= BEGIN_MIN; i++)
        if (strncmp(word, names[i], n) == 0 && (!best || strlen(names[i]) < strlen(best)))
            best = names[i];
    return best;
}

const char *suggest(const char *word, const char *const *names)
{
    const char *best = completed(word, names);
    if (best)
        return best;
    int best_distance = (int)strlen(word) / 3 + 1;
    for (int i = 0; names[i]; i++) {
        int d = distance(word, names[i]);
        if (d < best_distance && d < (int)strlen(names[i])) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}
