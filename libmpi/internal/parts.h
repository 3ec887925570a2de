/* SPDX-License-Identifier: MIT */
/* Data with gaps that is packed, or unpacked, in small parts while it travels, for want of memory
 * to pack it whole. */
#ifndef MPI_INTERNAL_PARTS_H
#define MPI_INTERNAL_PARTS_H

#include <mpiutil/message.h>

#include "internal/object.h"
#include "internal/type.h"

struct mpi_parts {
    uint8_t window[MPU_TRUCKLOAD];
    struct mpu_stream stream; /* for mpiutil, with MPU_STREAMED */
    const struct mpi_type *type;
    MPI_Count count;
    void *buf;
};

/* For sending (pack) or receiving count elements of a type at buf; all three must stay as they are
 * until the message is done. To be freed by mpi_free. NULL: no memory. */
struct mpi_parts *mpi_parts_make(struct mpi_process *p, void *buf, MPI_Count count,
                                 const struct mpi_type *type, bool pack);

#endif
