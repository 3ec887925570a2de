/* SPDX-License-Identifier: MIT */
/* The third rank to come ends without MPI_Init; the others must hear of it instead of waiting.
 * Before MPI_Init a rank does not know its number, and its variables are its own, so ranks that
 * share the process count themselves in a page that the first of them makes. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#include "check.h"

#define PAGE ((void *)(uintptr_t)0x7ea000000000)

int main(int argc, char **argv)
{
    mmap(PAGE, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
         0);
    if (atomic_fetch_add((atomic_int *)PAGE, 1) == 2)
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
