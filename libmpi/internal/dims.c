/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "internal/dims.h"

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

/* The first dimension as small as the others allow, which may not be larger. */
static bool balance(const struct divisors *list, int n, int k, int most, int *dims)
{
    if (k == 1) {
        dims[0] = n;
        return n <= most;
    }
    for (int i = 0; i < list->count && list->d[i] <= most; i++) {
        int d = list->d[i];
        if (n % d == 0 && reaches(d, k, n) && balance(list, n / d, k - 1, d, dims + 1)) {
            dims[0] = d;
            return true;
        }
    }
    return false;
}

int mpi_dims_balance(struct mpi_process *p, int n, int k, int *dims)
{
    struct divisors list;
    int rc = list_divisors(p, n, &list);
    if (rc)
        return rc;
    int used = 0; /* more dimensions than factors: the rest is 1, and the depth is bounded */
    for (; used < k && used < 31; used++)
        dims[used] = 1;
    for (int i = used; i < k; i++)
        dims[i] = 1;
    balance(&list, n, used, n, dims);
    mpi_free(p, list.d);
    return 0;
}
