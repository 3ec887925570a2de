/* SPDX-License-Identifier: MIT */
/* Ranks that share a node. Arguments: how many ranks of MPI_COMM_WORLD are on that of rank 0, and,
 * on machine linux, "host": the node is this computer. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char **argv)
{
    char name[MPI_MAX_PROCESSOR_NAME], host[MPI_MAX_PROCESSOR_NAME] = "";
    int n, size;
    MPI_Comm near;
    MPI_Init(&argc, &argv);
    CHECK(argc > 1);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Comm_size(near, &size);
    if (world_rank() == 0)
        CHECK_EQ(size, atoi(argv[1]));
    MPI_Get_processor_name(name, &n);
    gethostname(host, sizeof host - 1);
    if (argc > 2)
        CHECK(strcmp(name, host) == 0);
    MPI_Comm_free(&near);
    MPI_Finalize();
    return 0;
}
