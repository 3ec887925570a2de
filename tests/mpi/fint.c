/* SPDX-License-Identifier: MIT */
/* What a C function that Fortran calls does with what it was handed: handles and statuses there and
 * back. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Status got, back;
    MPI_Fint word[MPI_F_STATUS_SIZE];
    int rank, in = 3, out = 0, count = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(type)) == type);
    CHECK(PMPI_Type_f2c(PMPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE);
    CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
    MPI_Sendrecv(&in, 1, type, rank, 7, &out, 1, type, rank, 7, comm, &got);
    CHECK_EQ(MPI_Status_c2f(&got, word), MPI_SUCCESS);
    CHECK(word[MPI_F_SOURCE] == rank && word[MPI_F_TAG] == 7);
    CHECK_EQ(MPI_Status_f2c(word, &back), MPI_SUCCESS);
    CHECK_EQ(MPI_Get_count(&back, type, &count), MPI_SUCCESS);
    CHECK(out == 3 && count == 1 && back.MPI_SOURCE == rank);
    CHECK_EQ(MPI_Status_c2f(MPI_STATUS_IGNORE, word), MPI_ERR_ARG);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
