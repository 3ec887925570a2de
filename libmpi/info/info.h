/* SPDX-License-Identifier: MIT */
/* Info objects: pairs of key and value in the order in which the keys came. */
#ifndef MPI_INFO_INFO_H
#define MPI_INFO_INFO_H

#include "core/err.h"

struct mpi_pair {
    struct mpi_pair *next;
    char *value;
    char key[];
};

struct mpi_info {
    enum mpi_magic magic;
    struct mpi_pair *first;
};

/* The object of a handle, MPI_INFO_ENV too; NULL if it is none. */
struct mpi_info *mpi_info(struct mpi_process *p, MPI_Info handle);

/* Raises MPI_ERR_INFO for what is no info object. `null`: MPI_INFO_NULL is fine, then *i is NULL.
 * Raised on c (NULL: none). */
int mpi_check_info(struct mpi_process *p, struct mpi_comm *c, const char *call, MPI_Info handle,
                   bool null, struct mpi_info **i);

/* One that the program may change: not MPI_INFO_ENV. */
int mpi_check_info_own(struct mpi_process *p, const char *call, MPI_Info handle,
                       struct mpi_info **i);

/* A key that may be: 1 .. MPI_MAX_INFO_KEY - 1 bytes. Raises MPI_ERR_INFO_KEY. */
int mpi_check_key(const char *call, const char *key);

/* The arguments of a call that asks for the value of a key. Raises. */
int mpi_check_lookup(struct mpi_process *p, const char *call, MPI_Info handle, const char *key,
                     const int *flag, struct mpi_info **i);

struct mpi_info *mpi_info_new(struct mpi_process *p); /* NULL: no memory */
void mpi_info_end(struct mpi_process *p, struct mpi_info *i);

/* The value of a key, NULL if it has none; i may be NULL. */
const char *mpi_info_value(const struct mpi_info *i, const char *key);

/* The pair, and the place that points to it; NULL place: none. */
struct mpi_pair **mpi_info_find(struct mpi_info *i, const char *key);

/* Sets or replaces. -B_ENOMEM. */
int mpi_info_put(struct mpi_process *p, struct mpi_info *i, const char *key, const char *value);
void mpi_info_cut(struct mpi_process *p, struct mpi_pair **place);

/* All pairs of `from` to `to`. -B_ENOMEM. */
int mpi_info_add(struct mpi_process *p, struct mpi_info *to, const struct mpi_info *from);

/* How the program was started (MPI 5.0, 10.2): command and argv if there are any, maxprocs, arch,
 * thread_level. -B_ENOMEM. */
int mpi_info_start(struct mpi_process *p, struct mpi_info *i, int argc, char **argv);

/* Key and value: memory that may be used with any communicator, whatever was asked for. */
#define MPI_INFO_MEMORY_KINDS "mpi_memory_alloc_kinds", "mpi,system"

/* "MPI_THREAD_SINGLE" and so on. */
const char *mpi_level_name(int level);

/* Keeps a copy of the arguments of MPI_Init, which may be gone later, for MPI_INFO_ENV. Raises and
 * returns an error class. */
int mpi_keep_arguments(struct mpi_process *p, const char *call, int argc, char **argv);

/* A copy of a text. NULL: no memory. */
char *mpi_text_new(struct mpi_process *p, const char *text);

/* Copies text to a place of `room` bytes, cut to fit; returns what it needs, with its end. */
int mpi_text_give(char *to, size_t room, const char *text);

#endif
