/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include <base/error.h>
#include <base/mem.h>

#include "topo/dims.h"

#define MOST 31 /* an int has no more prime factors: further dimensions are 1 */

struct divisors {
    int count;
    int *d; /* increasing */
};

static int list_divisors(struct mpi_process *p, int n, struct divisors *list)
{
    int low = 0, high = 0;
    for (int i = 1; (int64_t)i * i <= n; i++)
        low += n % i == 0;
    list->d = mpi_alloc(p, 2 * (size_t)low * sizeof *list->d);
    if (!list->d)
        return -B_ENOMEM;
    for (int i = 1; (int64_t)i * i <= n; i++)
        if (n % i == 0)
            list->d[high++] = i;
    for (int i = low - 1; i >= 0; i--)
        if (n / list->d[i] != list->d[i])
            list->d[high++] = n / list->d[i];
    list->count = high;
    return 0;
}

/* Is d to the power of k at least n? */
static bool reaches(int d, int k, int n)
{
    int64_t product = 1;
    while (k-- > 0 && product < n)
        product *= d;
    return product >= n;
}

struct search {
    const struct divisors *list;
    int k;
    int now[MOST], best[MOST]; /* not increasing */
    int spread;                /* of the best: first - last */
};

static void found(struct search *s)
{
    int last = s->k - 1, spread = s->now[0] - s->now[last];
    while (last && s->now[last] == s->best[last])
        last--;
    if (spread > s->spread || (spread == s->spread && s->now[last] <= s->best[last]))
        return;
    s->spread = spread;
    memcpy(s->best, s->now, sizeof s->best);
}

/* Tries all ways to split n into the dimensions from the i-th on that can still come as close to
 * each other as the best: each d is at least the root of what is left, as none after it is larger,
 * and the last is at most the root of the rest. Both bounds tighten as d grows. */
static void split(struct search *s, int n, int i)
{
    int left = s->k - i, most = i ? s->now[i - 1] : n;
    if (left == 1) {
        s->now[i] = n;
        if (n <= most)
            found(s);
        return;
    }
    for (int j = 0; j < s->list->count && s->list->d[j] <= most; j++) {
        int d = s->list->d[j], least = (i ? s->now[0] : d) - s->spread;
        if (n % d || !reaches(d, left, n))
            continue;
        if (least > 1 && reaches(least, left - 1, n / d + 1))
            return;
        s->now[i] = d;
        split(s, n / d, i + 1);
    }
}

int mpi_dims_balance(struct mpi_process *p, int n, int k, int *dims)
{
    struct divisors list;
    int rc = list_divisors(p, n, &list);
    if (rc)
        return rc;
    struct search s = {.list = &list, .k = k < MOST ? k : MOST, .spread = INT_MAX};
    split(&s, n, 0);
    for (int i = 0; i < k; i++)
        dims[i] = i < s.k ? s.best[i] : 1;
    mpi_free(p, list.d);
    return 0;
}
