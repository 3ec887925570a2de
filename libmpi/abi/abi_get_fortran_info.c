/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/fmt.h>

#include "internal/check.h"
#include "internal/info.h"
#include "internal/type.h"

#pragma weak MPI_Abi_get_fortran_info = PMPI_Abi_get_fortran_info

/* "mpi_" name "_size", or "_supported". A type that a compiler has not is without size. */
static const struct answer {
    const char *key;
    MPI_Datatype type;
    bool size;
} answers[] = {
    {"mpi_logical_size", MPI_LOGICAL, true},
    {"mpi_integer_size", MPI_INTEGER, true},
    {"mpi_real_size", MPI_REAL, true},
    {"mpi_double_precision_size", MPI_DOUBLE_PRECISION, true},
    {"mpi_logical1_supported", MPI_LOGICAL1, false},
    {"mpi_logical2_supported", MPI_LOGICAL2, false},
    {"mpi_logical4_supported", MPI_LOGICAL4, false},
    {"mpi_logical8_supported", MPI_LOGICAL8, false},
    {"mpi_logical16_supported", MPI_LOGICAL16, false},
    {"mpi_integer1_supported", MPI_INTEGER1, false},
    {"mpi_integer2_supported", MPI_INTEGER2, false},
    {"mpi_integer4_supported", MPI_INTEGER4, false},
    {"mpi_integer8_supported", MPI_INTEGER8, false},
    {"mpi_integer16_supported", MPI_INTEGER16, false},
    {"mpi_real2_supported", MPI_REAL2, false},
    {"mpi_real4_supported", MPI_REAL4, false},
    {"mpi_real8_supported", MPI_REAL8, false},
    {"mpi_real16_supported", MPI_REAL16, false},
    {"mpi_complex4_supported", MPI_COMPLEX4, false},
    {"mpi_complex8_supported", MPI_COMPLEX8, false},
    {"mpi_complex16_supported", MPI_COMPLEX16, false},
    {"mpi_complex32_supported", MPI_COMPLEX32, false},
    {"mpi_double_complex_supported", MPI_DOUBLE_COMPLEX, false},
};

static int put(struct mpi_process *p, struct mpi_info *i, const struct answer *a)
{
    const struct mpi_type *t = mpi_type_of(a->type);
    char size[8];
    if (!a->size)
        return mpi_info_put(p, i, a->key, t && t->size ? "true" : "false");
    b_fmt(size, sizeof size, "%lld", (long long)t->size);
    return mpi_info_put(p, i, a->key, size);
}

/* The types of GNU Fortran, which are those of datatypes.def. May be called at any time. */
int PMPI_Abi_get_fortran_info(MPI_Info *info)
{
    static const char call[] = "MPI_Abi_get_fortran_info";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, info, "info");
    if (rc)
        return rc;
    struct mpi_info *i = mpi_info_new(p);
    rc = i ? 0 : -B_ENOMEM;
    for (size_t n = 0; n < sizeof answers / sizeof answers[0] && !rc; n++)
        rc = put(p, i, &answers[n]);
    if (rc) {
        if (i)
            mpi_info_end(p, i);
        return mpi_error_below(NULL, rc, call);
    }
    *info = (MPI_Info)i;
    return MPI_SUCCESS;
}
