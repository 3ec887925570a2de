/* SPDX-License-Identifier: MIT */
/* Data with gaps that is packed, or unpacked, part by part while it travels. */
#ifndef MPI_DATATYPE_PARTS_H
#define MPI_DATATYPE_PARTS_H

#include <mpiutil/message.h>

#include "core/object.h"
#include "datatype/type.h"

struct mpi_parts {
    void *buf;
    struct mpu_stream stream; /* for mpiutil, with MPU_STREAMED; not first, mpi_data_streamed */
    const struct mpi_type *type;
    MPI_Count count;
    uint8_t window[]; /* MPU_STREAM_WINDOW bytes, or none */
};

/* For sending (pack) or receiving count elements of a type at buf; all three must stay as they are
 * until the message is done. With a window unless mpu_streams says that none is needed. To be freed
 * by mpi_free. NULL: no memory. */
struct mpi_parts *mpi_parts_make(struct mpi_process *p, void *buf, MPI_Count count,
                                 const struct mpi_type *type, bool pack, bool window);

#endif
