/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "internal/type.h"

#define FIRST 0x200
#define LAST  0x2ff

/* Made from libmpi/abi/datatypes.csv by libmpi/tools/abi.py. */
static const struct mpi_type types[LAST - FIRST + 1] = {
#define TYPE(handle, size, extent) [(handle)-FIRST] = {size, extent},
#include "internal/datatypes.def"
#undef TYPE
};

const struct mpi_type *mpi_type(MPI_Datatype handle)
{
    uintptr_t h = (uintptr_t)handle;
    if (h < FIRST || h > LAST || types[h - FIRST].extent == 0)
        return NULL;
    return &types[h - FIRST];
}
