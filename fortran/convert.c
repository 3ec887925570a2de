/* SPDX-License-Identifier: MIT */
#include "convert.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ABI_HANDLES 4096 /* handles below are the numbers of the ABI */

/* Fortran's common blocks: what matters is where they are. A program that declares them has them
 * itself, and these are the same. */
#define COMMON(name, size) extern char mpif_##name##_[size]
COMMON(bottom, 4);
COMMON(in_place, 4);
COMMON(buffer_automatic, 4);
COMMON(status_ignore, 32);
COMMON(statuses_ignore, 32);
COMMON(errcodes_ignore, 4);
COMMON(unweighted, 4);
COMMON(weights_empty, 4);
COMMON(argv_null, 1);
COMMON(argvs_null, 1);
__attribute__((aligned(64))) char mpif_bottom_[4], mpif_in_place_[4], mpif_buffer_automatic_[4],
    mpif_status_ignore_[32], mpif_statuses_ignore_[32], mpif_errcodes_ignore_[4],
    mpif_unweighted_[4], mpif_weights_empty_[4], mpif_argv_null_[1], mpif_argvs_null_[1];

void *mpif_buffer(void *p)
{
    return p == mpif_bottom_             ? MPI_BOTTOM
           : p == mpif_in_place_         ? MPI_IN_PLACE
           : p == mpif_buffer_automatic_ ? MPI_BUFFER_AUTOMATIC
                                         : p;
}

/* A status of Fortran is eight integers in the order of MPI_Status. */
MPI_Status *mpif_status(MPI_Fint *p)
{
    return (char *)p == mpif_status_ignore_ ? MPI_STATUS_IGNORE : (MPI_Status *)p;
}

MPI_Status *mpif_statuses(MPI_Fint *p)
{
    return (char *)p == mpif_statuses_ignore_ ? MPI_STATUSES_IGNORE : (MPI_Status *)p;
}

int *mpif_weights(MPI_Fint *p)
{
    return (char *)p == mpif_unweighted_      ? MPI_UNWEIGHTED
           : (char *)p == mpif_weights_empty_ ? MPI_WEIGHTS_EMPTY
                                              : p;
}

char *mpif_text(const char *text, size_t length)
{
    while (length > 0 && *text == ' ')
        text++, length--;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

void mpif_give(char *to, size_t length, const char *text)
{
    size_t n = strlen(text);
    n = n < length ? n : length;
    memcpy(to, text, n);
    memset(to + n, ' ', length - n);
}

#define ARRAY(Kind, Name)                                                                          \
    MPI_##Kind *mpif_##Name##_in(MPI_##Kind *few, const MPI_Fint *numbers, int n)                  \
    {                                                                                              \
        MPI_##Kind *handles = n <= MPIF_FEW ? few : malloc((size_t)n * sizeof *handles);           \
        for (int i = 0; handles && i < n; i++)                                                     \
            handles[i] = MPI_##Name##_fromint(numbers[i]);                                         \
        return handles;                                                                            \
    }                                                                                              \
    void mpif_##Name##_out(const MPI_##Kind *few, MPI_##Kind *handles, MPI_Fint *numbers, int n)   \
    {                                                                                              \
        for (int i = 0; numbers && handles && i < n; i++)                                          \
            mpif_number(&numbers[i], MPI_##Name##_toint(handles[i]));                              \
        if (handles != few)                                                                        \
            free(handles);                                                                         \
    }
ARRAY(Request, Request)
ARRAY(Datatype, Type)
ARRAY(Info, Info)

/* No communicator is an error of the function that was called, not of those called here. */
static bool none(MPI_Comm comm)
{
    bool predefined = comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF;
    return !predefined && (uintptr_t)comm < ABI_HANDLES;
}

int mpif_peers(MPI_Comm comm, int side)
{
    int inter = 0, n = 0;
    (void)side;
    if (!none(comm) && PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS)
        inter ? PMPI_Comm_remote_size(comm, &n) : PMPI_Comm_size(comm, &n);
    return n;
}

int mpif_neighbors(MPI_Comm comm, int side)
{
    int kind = MPI_UNDEFINED, out = 0, in = 0, weighted, rank;
    if (none(comm) || PMPI_Topo_test(comm, &kind) != MPI_SUCCESS)
        return 0;
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &in);
        in = out = 2 * in;
    } else if (kind == MPI_GRAPH) {
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, &in);
        out = in;
    } else if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    }
    return side == 0 ? out : in;
}

MPI_Aint mpif_attribute(int keyval, void *p)
{
    if (keyval == MPI_WIN_BASE)
        return (MPI_Aint)p;
    if (keyval == MPI_WIN_SIZE)
        return *(MPI_Aint *)p;
    if ((keyval >= MPI_TAG_UB && keyval <= MPI_UNIVERSE_SIZE) || keyval == MPI_WIN_DISP_UNIT ||
        keyval == MPI_WIN_CREATE_FLAVOR || keyval == MPI_WIN_MODEL)
        return *(int *)p;
    return (MPI_Aint)p;
}
