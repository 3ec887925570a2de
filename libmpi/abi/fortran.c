/* SPDX-License-Identifier: MIT */
#include "abi/fortran.h"

#include <base/fmt.h>
#include <base/mem.h>

#include "datatype/type.h"

const struct mpi_fortran_fact mpi_fortran_facts[MPI_FORTRAN_FACTS] = {
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

/* A type that the compiler has not is without size. */
const char *mpi_fortran_value(const struct mpi_fortran_fact *f, char *text)
{
    const struct mpi_type *t = mpi_type_of(f->type);
    if (!f->size)
        return t && t->size ? "true" : "false";
    b_fmt(text, 8, "%lld", (long long)t->size);
    return text;
}

bool mpi_fortran_logical(int size, bool truth, void *value)
{
    uint8_t *bytes = value;
    if (size != 1 && size != 2 && size != 4 && size != 8 && size != 16)
        return false;
    memset(bytes, 0, (size_t)size);
    int number = truth;
    memcpy(bytes, &number, size < (int)sizeof number ? 1 : sizeof number); /* little-endian */
    return true;
}
