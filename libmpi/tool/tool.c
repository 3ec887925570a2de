/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "coll/forms.h"
#include "coll/kind.h"
#include "tool/tool.h"

int mpi_tool_begin(struct mpi_tool **t)
{
    struct mpi_process *p = mpi_process();
    *t = p ? p->tool : NULL;
    return *t && (*t)->inits ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED;
}

void mpi_tool_text(const char *from, char *text, int *length)
{
    int need = (int)strlen(from) + 1;
    if (!length)
        return;
    if (text && *length > 0) {
        int n = need <= *length ? need - 1 : *length - 1;
        memcpy(text, from, (size_t)n);
        text[n] = '\0';
    }
    *length = need;
}

/* --- Control variables. --- */

#define CHOICE(of, function)                                                                       \
    {                                                                                              \
        .name = #of ".algorithm", .what = "algorithm of " function ", where it applies",           \
        .kind = &mpi_coll_##of                                                                     \
    }

/* Those behind the tunable numbers: collective operations whose algorithm can be chosen. */
static const struct choice {
    const char *name, *what;
    const struct mpi_coll_kind *kind;
} choices[] = {
    CHOICE(barrier, "MPI_Barrier"),
    CHOICE(bcast, "MPI_Bcast"),
    CHOICE(gather, "MPI_Gather"),
    CHOICE(gatherv, "MPI_Gatherv"),
    CHOICE(scatter, "MPI_Scatter"),
    CHOICE(scatterv, "MPI_Scatterv"),
    CHOICE(allgather, "MPI_Allgather"),
    CHOICE(allgatherv, "MPI_Allgatherv"),
    CHOICE(alltoall, "MPI_Alltoall"),
    CHOICE(alltoallv, "MPI_Alltoallv"),
    CHOICE(alltoallw, "MPI_Alltoallw"),
    CHOICE(reduce, "MPI_Reduce"),
    CHOICE(allreduce, "MPI_Allreduce"),
    CHOICE(reduce_scatter, "MPI_Reduce_scatter"),
    CHOICE(reduce_scatter_block, "MPI_Reduce_scatter_block"),
    CHOICE(scan, "MPI_Scan"),
    CHOICE(exscan, "MPI_Exscan"),
};

static const struct choice *choice(int i)
{
    return i < MPU_TUNES ? NULL : &choices[i - MPU_TUNES];
}

/* The name of its i-th algorithm; NULL: there are no more. */
static const char *algorithm(const struct choice *c, int i)
{
    const struct mpi_coll_algorithm *a = mpi_coll_at(c->kind->intra, i);
    return a ? a->name : NULL;
}

int mpi_tool_cvars(void)
{
    return MPU_TUNES + (int)(sizeof choices / sizeof choices[0]);
}

const char *mpi_tool_cvar_name(int i)
{
    return choice(i) ? choice(i)->name : mpu_tunes[i].name;
}

const char *mpi_tool_cvar_what(int i)
{
    return choice(i) ? choice(i)->what : mpu_tunes[i].what;
}

MPI_T_enum mpi_tool_cvar_enum(int i)
{
    if (choice(i))
        return (MPI_T_enum)(uintptr_t)choice(i);
    return (MPI_T_enum)(uintptr_t)(mpu_tunes[i].words ? &mpu_tunes[i] : NULL);
}

int mpi_tool_cvar_scope(int i)
{
    if (choice(i))
        return MPI_T_SCOPE_ALL_EQ;
    return mpu_tunes[i].fixed ? MPI_T_SCOPE_CONSTANT : MPI_T_SCOPE_LOCAL;
}

int mpi_tool_cvar_get(struct mpi_process *p, int i, void *buf)
{
    int number = choice(i) ? p->algorithm[choice(i)->kind->id] : 0;
    if (choice(i))
        memcpy(buf, &number, sizeof number);
    else
        memcpy(buf, mpu_tune(p->rank, (enum mpu_tune_id)i), sizeof(uint32_t));
    return MPI_SUCCESS;
}

int mpi_tool_cvar_set(struct mpi_process *p, int i, const void *buf)
{
    uint32_t value;
    memcpy(&value, buf, sizeof value);
    if (mpi_tool_cvar_scope(i) == MPI_T_SCOPE_CONSTANT)
        return MPI_T_ERR_CVAR_SET_NEVER;
    if (choice(i) && value >= (uint32_t)mpi_tool_enum_items(i))
        return MPI_T_ERR_INVALID;
    if (choice(i))
        p->algorithm[choice(i)->kind->id] = (uint8_t)value;
    else if (value > mpu_tunes[i].most)
        return MPI_T_ERR_INVALID;
    else
        *mpu_tune(p->rank, (enum mpu_tune_id)i) = value;
    return MPI_SUCCESS;
}

struct mpi_tool_cvar *mpi_tool_cvar(MPI_T_cvar_handle handle)
{
    struct mpi_tool_cvar *v = (struct mpi_tool_cvar *)handle;
    return mpi_may_be_object(v) && v->magic == MPI_IS_TOOL_CVAR ? v : NULL;
}

int mpi_tool_enum(MPI_T_enum handle)
{
    for (int i = 0; handle != MPI_T_ENUM_NULL && i < mpi_tool_cvars(); i++)
        if (mpi_tool_cvar_enum(i) == handle)
            return i;
    return -1;
}

int mpi_tool_enum_items(int i)
{
    int n = choice(i) ? 0 : (int)mpu_tunes[i].most;
    while (choice(i) && algorithm(choice(i), n))
        n++;
    return n + 1;
}

const char *mpi_tool_enum_item(int i, int value)
{
    if (!choice(i))
        return mpu_tunes[i].words[value];
    return value ? algorithm(choice(i), value - 1) : "auto";
}

/* --- Performance variables. --- */

int mpi_tool_pvar_class(const struct mpu_stat *s)
{
    static const int classes[] = {[MPU_STAT_COUNTER] = MPI_T_PVAR_CLASS_COUNTER,
                                  [MPU_STAT_LEVEL] = MPI_T_PVAR_CLASS_LEVEL,
                                  [MPU_STAT_HIGH] = MPI_T_PVAR_CLASS_HIGHWATERMARK,
                                  [MPU_STAT_SIZE] = MPI_T_PVAR_CLASS_SIZE};
    bool sum = s->kind == MPU_STAT_COUNTER && s->bytes;
    return sum ? MPI_T_PVAR_CLASS_AGGREGATE : classes[s->kind];
}

int mpi_tool_check_session(MPI_T_pvar_session handle, struct mpi_tool_session **s)
{
    *s = (struct mpi_tool_session *)handle;
    return mpi_may_be_object(*s) && (*s)->magic == MPI_IS_TOOL_SESSION ? MPI_SUCCESS
                                                                       : MPI_T_ERR_INVALID_SESSION;
}

int mpi_tool_check_pvar(MPI_T_pvar_session session, MPI_T_pvar_handle handle, bool all,
                        struct mpi_tool_session **s, struct mpi_tool_pvar **v)
{
    int rc = mpi_tool_check_session(session, s);
    *v = NULL;
    if (rc || (all && handle == MPI_T_PVAR_ALL_HANDLES))
        return rc;
    for (*v = (*s)->pvars; *v; *v = (*v)->next)
        if ((MPI_T_pvar_handle)*v == handle)
            return MPI_SUCCESS;
    return MPI_T_ERR_INVALID_HANDLE;
}

static uint64_t now(const struct mpi_tool *t, const struct mpi_tool_pvar *v)
{
    return mpu_stat_read(t->p->rank, v->index);
}

static uint64_t pvar_value(const struct mpi_tool *t, const struct mpi_tool_pvar *v)
{
    if (!mpi_tool_pvar_counts(v->index))
        return now(t, v);
    return v->sum + (v->running ? now(t, v) - v->from : 0);
}

void mpi_tool_pvar_put(const struct mpi_tool *t, struct mpi_tool_pvar *v, uint64_t value)
{
    v->sum = value;
    v->from = now(t, v);
}

void mpi_tool_pvar_run(const struct mpi_tool *t, struct mpi_tool_pvar *v, bool running)
{
    mpi_tool_pvar_put(t, v, pvar_value(t, v));
    v->running = running;
}

int mpi_tool_pvar_change(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int refusal,
                         void (*change)(const struct mpi_tool *t, struct mpi_tool_pvar *v))
{
    struct mpi_tool *t;
    struct mpi_tool_session *s;
    struct mpi_tool_pvar *v;
    int rc = mpi_tool_begin(&t);
    if (rc || (rc = mpi_tool_check_pvar(session, handle, true, &s, &v)))
        return rc;
    if (v && !mpi_tool_pvar_counts(v->index))
        return refusal;
    if (v)
        change(t, v);
    for (v = v ? NULL : s->pvars; v; v = v->next)
        if (mpi_tool_pvar_counts(v->index))
            change(t, v);
    return MPI_SUCCESS;
}

int mpi_tool_pvar_get(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf, bool reset)
{
    struct mpi_tool *t;
    struct mpi_tool_session *s;
    struct mpi_tool_pvar *v;
    int rc = mpi_tool_begin(&t);
    if (rc || (rc = mpi_tool_check_pvar(session, handle, false, &s, &v)))
        return rc;
    if (!buf)
        return MPI_T_ERR_INVALID;
    if (reset && !mpi_tool_pvar_counts(v->index))
        return MPI_T_ERR_PVAR_NO_ATOMIC;
    uint64_t value = pvar_value(t, v);
    memcpy(buf, &value, sizeof value);
    if (reset)
        mpi_tool_pvar_put(t, v, 0);
    return MPI_SUCCESS;
}

/* --- Categories. --- */

static bool is_threshold(int i)
{
    return !choice(i);
}

static bool is_algorithm(int i)
{
    return choice(i) != NULL;
}

static bool is_traffic(int i)
{
    return mpu_stats[i].kind == MPU_STAT_COUNTER;
}

static bool is_memory(int i)
{
    return !is_traffic(i);
}

const struct mpi_tool_category mpi_tool_categories[] = {
    {"protocols", "how messages travel: thresholds, and what was sent by which protocol",
     is_threshold, is_traffic},
    {"collectives", "algorithms of collective operations", is_algorithm, NULL},
    {"memory", "what waits, and the memory that it takes", NULL, is_memory},
};
const int mpi_tool_categories_count = sizeof mpi_tool_categories / sizeof mpi_tool_categories[0];

int mpi_tool_members(bool (*in)(int i), int n, int room, int *indices)
{
    int members = 0;
    for (int i = 0; in && i < n; i++)
        if (in(i) && members++ < room)
            indices[members - 1] = i;
    return members;
}

int mpi_tool_category_list(int category, bool cvars, int room, int *indices)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc || (rc = mpi_tool_check_index(category, mpi_tool_categories_count)))
        return rc;
    if (room < 0 || (room && !indices))
        return MPI_T_ERR_INVALID;
    const struct mpi_tool_category *c = &mpi_tool_categories[category];
    mpi_tool_members(cvars ? c->has_cvar : c->has_pvar, cvars ? mpi_tool_cvars() : mpu_stats_count,
                     room, indices);
    return MPI_SUCCESS;
}
