/* SPDX-License-Identifier: MIT */
/* The algorithm of a collective, chosen by its control variable ("reduce.algorithm") on the calling
 * rank: all ranks must choose alike. It is used where it applies. */
#ifndef TESTS_MPI_CHOOSE_H
#define TESTS_MPI_CHOOSE_H

#include <string.h>

#include "check.h"

static void choose(const char *variable, const char *algorithm)
{
    int index, count, items, value;
    MPI_T_cvar_handle handle;
    MPI_T_enum algorithms;
    char name[64] = "";
    MPI_T_init_thread(MPI_THREAD_SINGLE, &count);
    CHECK_EQ(MPI_T_cvar_get_index(variable, &index), MPI_SUCCESS);
    MPI_T_cvar_get_info(index, NULL, NULL, NULL, NULL, &algorithms, NULL, NULL, NULL, NULL);
    MPI_T_enum_get_info(algorithms, &items, NULL, NULL);
    while (items-- > 0 && strcmp(name, algorithm) != 0) {
        int length = sizeof name;
        MPI_T_enum_get_item(algorithms, items, &value, name, &length);
    }
    CHECK(strcmp(name, algorithm) == 0);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    CHECK_EQ(MPI_T_cvar_write(handle, &value), MPI_SUCCESS);
    MPI_T_cvar_handle_free(&handle);
    MPI_T_finalize();
}

#endif
