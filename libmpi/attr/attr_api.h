/* SPDX-License-Identifier: MIT */
/* The functions on attributes are alike for all kinds of objects. */
#ifndef MPI_ATTR_ATTR_API_H
#define MPI_ATTR_ATTR_API_H

#include "core/attr.h"

int mpi_attr_api_set(struct mpi_process *p, const char *call, enum mpi_attr_kind kind, void *handle,
                     int keyval, void *value);
int mpi_attr_api_get(struct mpi_process *p, const char *call, enum mpi_attr_kind kind, void *handle,
                     int keyval, void *value, int *flag);
int mpi_attr_api_delete(struct mpi_process *p, const char *call, enum mpi_attr_kind kind,
                        void *handle, int keyval);

#endif
