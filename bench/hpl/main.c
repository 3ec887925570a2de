/* SPDX-License-Identifier: MIT */
/* The HPL part of HPCC alone. */
#include <hpl.h>

int HPL_main(int argc, char **argv, HPL_RuntimeData *data, int *failed);
int HPCC_Defaults(void);

/* HPCC's own parameters, for want of a file. */
int HPCC_Defaults(void)
{
    fprintf(stderr, "hpccinf.txt cannot be read\n");
    return MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    HPL_RuntimeData data;
    int failed = 0;
    MPI_Init(&argc, &argv);
    HPL_main(argc, argv, &data, &failed);
    MPI_Finalize();
    return failed;
}
