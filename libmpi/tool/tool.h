/* SPDX-License-Identifier: MIT */
/* The tool information interface, MPI_T (MPI 5.0, chapter 15): tables of control and performance
 * variables and their categories. Its functions call no error handler; they return MPI_SUCCESS or
 * MPI_T_ERR_x. All objects belong to the rank, whose thread calls. */
#ifndef MPI_TOOL_TOOL_H
#define MPI_TOOL_TOOL_H

#include <mpiutil/stats.h>
#include <mpiutil/tuning.h>

#include "core/object.h"

struct mpi_tool_session;

/* The tool's state of a rank; it outlives MPI_T_finalize. */
struct mpi_tool {
    int inits; /* MPI_T_init_thread without MPI_T_finalize */
    struct mpi_process *p;
    struct mpi_tool_session *sessions;
};

/* A control variable that a tool has hold of. */
struct mpi_tool_cvar {
    enum mpi_magic magic;
    int index;
};

/* A performance variable in a session. Counters run between start and stop. */
struct mpi_tool_pvar {
    enum mpi_magic magic;
    struct mpi_tool_pvar *next; /* of the session */
    int index;
    bool running;
    uint64_t sum;  /* while it was running, up to... */
    uint64_t from; /* ...this value of the number */
};

struct mpi_tool_session {
    enum mpi_magic magic;
    struct mpi_tool_session *next;
    struct mpi_tool_pvar *pvars;
};

/* The state, if the interface is initialized, else MPI_T_ERR_NOT_INITIALIZED. */
int mpi_tool_begin(struct mpi_tool **t);

/* Gives a text as all functions of the interface do: at most *length - 1 characters and a NUL into
 * text, if there are both; then the length that all of it needs, with the NUL, into *length. */
void mpi_tool_text(const char *from, char *text, int *length);

/* Gives a value, if the caller wants it: pointers of results may be null. */
#define MPI_TOOL_GIVE(pointer, value)                                                              \
    do {                                                                                           \
        if (pointer)                                                                               \
            *(pointer) = (value);                                                                  \
    } while (0)

/* --- Control variables: protocols and thresholds (mpiutil/tuning.h), then one per collective
 * operation that has a choice of algorithms. --- */

int mpi_tool_cvars(void);
const char *mpi_tool_cvar_name(int i);
const char *mpi_tool_cvar_what(int i);

/* Its enumeration, MPI_T_ENUM_NULL for a number. */
MPI_T_enum mpi_tool_cvar_enum(int i);

/* MPI_T_SCOPE_x. */
int mpi_tool_cvar_scope(int i);

/* Values; writing gives MPI_T_ERR_CVAR_SET_NOT_NOW before there are ranks, MPI_T_ERR_CVAR_SET_NEVER
 * for a constant, MPI_T_ERR_INVALID for a value out of range. */
int mpi_tool_cvar_get(struct mpi_process *p, int i, void *buf);
int mpi_tool_cvar_set(struct mpi_process *p, int i, const void *buf);

struct mpi_tool_cvar *mpi_tool_cvar(MPI_T_cvar_handle handle);

/* --- Enumerations: of algorithms, whose value 0 leaves the choice to the library, and of words.
 * --- */

/* The control variable whose values they are; -1: none. */
int mpi_tool_enum(MPI_T_enum handle);
int mpi_tool_enum_items(int i);
const char *mpi_tool_enum_item(int i, int value);

/* --- Performance variables: mpiutil/stats.h. --- */

int mpi_tool_pvar_class(const struct mpu_stat *s);

/* Counters and sums can be started, stopped and written; others always run. */
static inline bool mpi_tool_pvar_counts(int index)
{
    return mpu_stats[index].kind == MPU_STAT_COUNTER;
}

/* MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE; *v is NULL for MPI_T_PVAR_ALL_HANDLES where
 * `all`. */
int mpi_tool_check_session(MPI_T_pvar_session handle, struct mpi_tool_session **s);
int mpi_tool_check_pvar(MPI_T_pvar_session session, MPI_T_pvar_handle handle, bool all,
                        struct mpi_tool_session **s, struct mpi_tool_pvar **v);

void mpi_tool_pvar_put(const struct mpi_tool *t, struct mpi_tool_pvar *v, uint64_t value);
void mpi_tool_pvar_run(const struct mpi_tool *t, struct mpi_tool_pvar *v, bool running);

/* What MPI_T_pvar_start, stop and reset have in common: `change` one counter, or all of a session;
 * `refusal` where the one is no counter. */
int mpi_tool_pvar_change(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int refusal,
                         void (*change)(const struct mpi_tool *t, struct mpi_tool_pvar *v));

/* What MPI_T_pvar_read and readreset have in common. */
int mpi_tool_pvar_get(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf, bool reset);

/* --- Categories: a variable is in the first whose condition it meets. --- */

struct mpi_tool_category {
    const char *name, *what;
    bool (*has_cvar)(int i);
    bool (*has_pvar)(int i);
};

extern const struct mpi_tool_category mpi_tool_categories[];
extern const int mpi_tool_categories_count;

/* How many of 0 .. n - 1 are `in` (NULL: none); the first `room` of them go to indices. */
int mpi_tool_members(bool (*in)(int i), int n, int room, int *indices);

/* What MPI_T_category_get_cvars and get_pvars have in common: the variables of a category. */
int mpi_tool_category_list(int category, bool cvars, int room, int *indices);

/* An index below n. */
static inline int mpi_tool_check_index(int i, int n)
{
    return i >= 0 && i < n ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
}

#endif
