/* SPDX-License-Identifier: MIT */
/* The third rank to come ends without MPI_Init; the others must hear of it instead of waiting.
 * Before MPI_Init a rank does not know its number, so ranks that share the process count
 * themselves. */
#include <stdatomic.h>

#include "check.h"

static atomic_int came;

int main(int argc, char **argv)
{
    if (atomic_fetch_add(&came, 1) == 2)
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
