/* SPDX-License-Identifier: MIT */
/* Memory of a cluster that is charged beside what its kernel gave out: budget.c, malloc.c. */
#ifndef IMAGE_BUDGET_H
#define IMAGE_BUDGET_H

#include <stddef.h>

#include <hal/machine.h>

struct cluster;

/* So many bytes in whole pages of the machine. */
static inline size_t image_pages(size_t n)
{
    size_t page = hal_machine()->page_size;
    return (n + page - 1) / page * page;
}

/* So much more is in use there, which no page is charged for: for the line at the end of the job
 * that says by how much the program does not fit. */
void image_heap_count(struct cluster *c, size_t bytes);

/* stacks.c. The calling rank ends: how deep was it? Adds the line about what was too deep, if any;
 * its length. */
void image_stack_end(int rank);
int image_stack_report(char *text, size_t size);

#endif
