/* SPDX-License-Identifier: MIT */
/* Memory of a cluster that is charged beside what its kernel gave out: budget.c, malloc.c. */
#ifndef IMAGE_BUDGET_H
#define IMAGE_BUDGET_H

#include <stddef.h>

struct cluster;

/* So much more is in use there, which no page is charged for: for the line at the end of the job
 * that says by how much the program does not fit. */
void image_heap_count(struct cluster *c, size_t bytes);

#endif
