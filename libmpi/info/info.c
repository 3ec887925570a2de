/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include <base/error.h>
#include <base/fmt.h>
#include <base/mem.h>
#include <mpiutil/machine.h>

#include "core/check.h"
#include "info/info.h"

/* MPI_INFO_ENV, made when it is asked for: before MPI_Init it has less. */
static struct mpi_info *env(struct mpi_process *p)
{
    if (!p->env)
        p->env = mpi_info_new(p);
    if (!p->env || p->env_filled == 1 + (int)p->phase)
        return p->env;
    if (mpi_info_start(p, p->env, INT_MAX, p->arguments) == 0)
        p->env_filled = 1 + (int)p->phase;
    return p->env;
}

struct mpi_info *mpi_info(struct mpi_process *p, MPI_Info handle)
{
    if (handle == MPI_INFO_ENV)
        return env(p);
    struct mpi_info *i = (struct mpi_info *)handle;
    return mpi_may_be_object(i) && i->magic == MPI_IS_INFO ? i : NULL;
}

int mpi_check_info(struct mpi_process *p, struct mpi_comm *c, const char *call, MPI_Info handle,
                   bool null, struct mpi_info **i)
{
    *i = NULL;
    if (handle == MPI_INFO_NULL && null)
        return MPI_SUCCESS;
    *i = mpi_info(p, handle);
    if (*i)
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_INFO, call, "%s is no info object",
                     handle == MPI_INFO_NULL ? "MPI_INFO_NULL" : "the handle");
}

int mpi_check_info_own(struct mpi_process *p, const char *call, MPI_Info handle,
                       struct mpi_info **i)
{
    if (handle == MPI_INFO_ENV)
        return mpi_error(NULL, MPI_ERR_INFO, call, "MPI_INFO_ENV can only be read");
    return mpi_check_info(p, NULL, call, handle, false, i);
}

int mpi_check_key(const char *call, const char *key)
{
    if (key && key[0] && strlen(key) < MPI_MAX_INFO_KEY)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_INFO_KEY, call, "a key has 1 to %d characters",
                     MPI_MAX_INFO_KEY - 1);
}

int mpi_check_lookup(struct mpi_process *p, const char *call, MPI_Info handle, const char *key,
                     const int *flag, struct mpi_info **i)
{
    int rc = mpi_check_info(p, NULL, call, handle, false, i);
    if (rc || (rc = mpi_check_key(call, key)))
        return rc;
    return mpi_check_out(NULL, call, flag, "flag");
}

struct mpi_info *mpi_info_new(struct mpi_process *p)
{
    struct mpi_info *i = mpi_alloc(p, sizeof *i);
    if (i)
        i->magic = MPI_IS_INFO;
    return i;
}

void mpi_info_end(struct mpi_process *p, struct mpi_info *i)
{
    while (i->first)
        mpi_info_cut(p, &i->first);
    i->magic = MPI_DEAD;
    mpi_free(p, i);
}

struct mpi_pair **mpi_info_find(struct mpi_info *i, const char *key)
{
    struct mpi_pair **at = &i->first;
    while (*at && strcmp((*at)->key, key) != 0)
        at = &(*at)->next;
    return at;
}

const char *mpi_info_value(const struct mpi_info *i, const char *key)
{
    for (const struct mpi_pair *pair = i ? i->first : NULL; pair; pair = pair->next)
        if (strcmp(pair->key, key) == 0)
            return pair->value;
    return NULL;
}

char *mpi_text_new(struct mpi_process *p, const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = mpi_alloc(p, n);
    if (copy)
        memcpy(copy, text, n);
    return copy;
}

int mpi_text_give(char *to, size_t room, const char *text)
{
    return b_fmt(to, room, "%s", text) + 1;
}

int mpi_info_put(struct mpi_process *p, struct mpi_info *i, const char *key, const char *value)
{
    struct mpi_pair **at = mpi_info_find(i, key), *pair = *at;
    char *copy = mpi_text_new(p, value);
    if (!copy)
        return -B_ENOMEM;
    if (!pair) {
        size_t n = strlen(key) + 1;
        pair = mpi_alloc(p, sizeof *pair + n);
        if (!pair) {
            mpi_free(p, copy);
            return -B_ENOMEM;
        }
        memcpy(pair->key, key, n);
        *at = pair;
    }
    mpi_free(p, pair->value);
    pair->value = copy;
    return 0;
}

void mpi_info_cut(struct mpi_process *p, struct mpi_pair **place)
{
    struct mpi_pair *pair = *place;
    *place = pair->next;
    mpi_free(p, pair->value);
    mpi_free(p, pair);
}

int mpi_info_add(struct mpi_process *p, struct mpi_info *to, const struct mpi_info *from)
{
    int rc = 0;
    for (const struct mpi_pair *pair = from->first; pair && !rc; pair = pair->next)
        rc = mpi_info_put(p, to, pair->key, pair->value);
    return rc;
}

const char *mpi_level_name(int level)
{
    switch (level) {
    case MPI_THREAD_MULTIPLE:
        return "MPI_THREAD_MULTIPLE";
    case MPI_THREAD_SERIALIZED:
        return "MPI_THREAD_SERIALIZED";
    case MPI_THREAD_FUNNELED:
        return "MPI_THREAD_FUNNELED";
    default:
        return "MPI_THREAD_SINGLE";
    }
}

/* The arguments of the program with blanks between them, cut to the longest value. */
static int put_arguments(struct mpi_process *p, struct mpi_info *i, int argc, char **argv)
{
    size_t n = 0, room = 1;
    int rc = mpi_info_put(p, i, "command", argv[0]);
    if (rc || argc == 1 || !argv[1])
        return rc;
    for (int a = 1; a < argc && argv[a]; a++)
        room += strlen(argv[a]) + 1;
    room = room < MPI_MAX_INFO_VAL ? room : MPI_MAX_INFO_VAL;
    char *text = mpi_alloc(p, room);
    if (!text)
        return -B_ENOMEM;
    for (int a = 1; a < argc && argv[a] && n + 1 < room; a++)
        n += (size_t)b_fmt(text + n, room - n, "%s%s", a > 1 ? " " : "", argv[a]);
    rc = mpi_info_put(p, i, "argv", text);
    mpi_free(p, text);
    return rc;
}

int mpi_info_start(struct mpi_process *p, struct mpi_info *i, int argc, char **argv)
{
    char ranks[24];
    b_fmt(ranks, sizeof ranks, "%d", mpu_world_size(p->rank));
    int rc = argc > 0 && argv && argv[0] ? put_arguments(p, i, argc, argv) : 0;
    if (rc || (rc = mpi_info_put(p, i, "maxprocs", ranks)) ||
        (rc = mpi_info_put(p, i, "arch", mpu_info()->machine)))
        return rc;
    return mpi_info_put(p, i, "thread_level", mpi_level_name(p->thread_level));
}
