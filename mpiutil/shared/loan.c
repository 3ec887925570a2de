/* SPDX-License-Identifier: MIT */
#include "shared/loan.h"

bool mpu_loan_keep(struct mpu_loans *l, const struct mpu_slab_shape *shape, int keepers,
                   uint64_t offset, struct mpu_slab_cell *cell)
{
    long i = mpu_slab_size_at(shape, offset) - shape->size;
    if (l->size[i].kept >= shape->size[i].count / 2 / (uint32_t)keepers)
        return false;
    cell->a.next = l->size[i].first;
    l->size[i].first = &cell->a;
    l->size[i].kept++;
    return true;
}

struct mpu_slab_cell *mpu_loan_take(struct mpu_loans *l, uint32_t n, enum mpu_slab_use use)
{
    int i = mpu_slab_size_for(n, use);
    struct mpu_arrival *a = l->size[i].first;
    if (!a)
        return NULL;
    l->size[i].first = a->next;
    l->size[i].kept--;
    return (struct mpu_slab_cell *)a;
}
