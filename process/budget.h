/* SPDX-License-Identifier: MIT */
/* Memory of a cluster that is charged beside what its kernel gave out: budget.c, malloc.c. */
#ifndef IMAGE_BUDGET_H
#define IMAGE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include <base/link.h>
#include <hal/machine.h>

/* So many bytes in whole pages of the machine. */
static inline size_t image_pages(size_t n)
{
    size_t page = hal_machine()->page_size;
    return (n + page - 1) / page * page;
}

/* memory_map.c. Where that is to be reported: by how much the fullest cluster is too small for what
 * was in use there, as memory is lent; 0: by nothing. */
size_t image_memory_over(int *cluster);

/* stacks.c. Rank r ends and gives back what its stack was charged when it grew. */
struct image_rank;
void image_stack_end(struct image_rank *r);

/* Has a rank begun whose stack grows by signals? */
bool image_stacks_grow(void);

/* faults.c. Is a handler of this signal, which `caller` installs, the machine's to call? */
B_IF_LINKED bool image_keeps_signal(int number, const void *caller);

#endif
