/* SPDX-License-Identifier: MIT */
/* Communicators: what their members know of them alike, and where they meet. */
#include "hot.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#pragma weak PMPI_Comm_create_keyval
#pragma weak PMPI_Comm_get_attr
#pragma weak PMPI_Comm_get_name
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_remote_group
#pragma weak PMPI_Comm_set_attr
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_size
#pragma weak PMPI_Group_translate_ranks

/* Its handle may be that of another one soon. */
static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct profile_own *o = extra;
    (void)comm, (void)keyval;
    o->recent = MPI_COMM_NULL;
    o->recent_comm = NULL;
    profile_release(value);
    return MPI_SUCCESS;
}

/* --- members --- */

/* One list for all ranks of this process whose communicators have these members, as each would
 * be as long as the job. It is no memory of a rank's, whose cluster would be charged for it. */
struct members {
    struct members *next;
    uint64_t hash;
    int users, size;
    int world[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct members *lists;

static size_t room_of(int size)
{
    return sizeof(struct members) + (size_t)size * sizeof(int);
}

static uint64_t hash_of(const int world[], int size)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < size; i++)
        hash = (hash ^ (uint64_t)world[i]) * UINT64_C(0xd6e8feb86659fd93) + 1;
    return hash;
}

static void forget_asked(struct members *m)
{
    munmap(m, room_of(m->size));
}

/* The group's members in MPI_COMM_WORLD; false: no memory. */
static bool list(MPI_Group group, int size, int world[])
{
    MPI_Group all;
    size_t bytes = (size_t)size * sizeof(int);
    int *number = profile_memory(bytes);
    for (int i = 0; number && i < size; i++)
        number[i] = i;
    if (!number)
        return false;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, size, number, all, world);
    PMPI_Group_free(&all);
    munmap(number, bytes);
    return true;
}

/* Of two groups the other one comes first, in *peers members; their hash is the same in both. */
static struct members *ask(MPI_Comm comm, bool inter, int *peers)
{
    MPI_Group group[2];
    int size[2] = {0, 0}, begin = 0;
    PMPI_Comm_group(comm, &group[inter]);
    if (inter)
        PMPI_Comm_remote_group(comm, &group[0]);
    for (int i = 0; i <= inter; i++)
        PMPI_Group_size(group[i], &size[i]);
    struct members *m = profile_memory(room_of(size[0] + size[1]));
    if (m)
        m->size = size[0] + size[1];
    for (int i = 0; i <= inter; begin += size[i++]) {
        if (m && !list(group[i], size[i], &m->world[begin])) {
            forget_asked(m);
            m = NULL;
        }
        if (m)
            m->hash += hash_of(&m->world[begin], size[i]);
        PMPI_Group_free(&group[i]);
    }
    *peers = size[0];
    return m;
}

/* The list that is there already, or this one from now on. */
static struct members *join(struct members *asked)
{
    size_t bytes = (size_t)asked->size * sizeof asked->world[0];
    pthread_mutex_lock(&lock);
    struct members *m = lists;
    while (m && (m->hash != asked->hash || m->size != asked->size ||
                 memcmp(m->world, asked->world, bytes) != 0))
        m = m->next;
    if (!m) {
        m = asked;
        m->next = lists;
        lists = m;
    }
    m->users++;
    pthread_mutex_unlock(&lock);
    if (m != asked)
        forget_asked(asked);
    return m;
}

static void leave(const int *world)
{
    pthread_mutex_lock(&lock);
    struct members **at = &lists;
    while ((*at)->world != world)
        at = &(*at)->next;
    struct members *m = *at;
    bool last = --m->users == 0;
    if (last)
        *at = m->next;
    pthread_mutex_unlock(&lock);
    if (last)
        forget_asked(m);
}

/* --- communicators --- */

void profile_release(struct profile_comm *comm)
{
    if (--comm->users > 0)
        return;
    leave(comm->world);
    free(comm);
}

/* Members make communicators of the same members in the same order, so the members and how many
 * there were of them before name one. */
static uint64_t key_of(struct profile_own *o, uint64_t hash)
{
    uint64_t before = 0;
    profile_lock(o->rank);
    struct profile_entry *given = profile_table_take(&o->given, hash | 1, 0);
    if (given) /* without memory they are not counted */
        before = given->value++;
    profile_unlock(o->rank);
    return (hash + before * UINT64_C(0x94d049bb133111eb)) | 1;
}

static void name_of(struct profile_own *o, MPI_Comm comm, const struct profile_comm *known)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    if (PMPI_Comm_get_name(comm, name, &length) != MPI_SUCCESS || name[0] == '\0')
        return;
    profile_lock(o->rank);
    profile_named(o, (uint32_t)known->key, name);
    profile_unlock(o->rank);
}

static void made(struct profile_own *o, MPI_Comm comm)
{
    int inter = 0, size;
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
        return;
    struct profile_comm *made = malloc(sizeof *made);
    struct members *members = made ? ask(comm, inter != 0, &size) : NULL;
    if (!members) {
        free(made);
        return;
    }
    members = join(members);
    *made = (struct profile_comm){.size = size,
                                  .all = members->size,
                                  .users = 1,
                                  .key = key_of(o, members->hash),
                                  .world = members->world};
    PMPI_Comm_rank(comm, &made->rank);
    if (PMPI_Comm_set_attr(comm, o->keyval, made) != MPI_SUCCESS)
        profile_release(made);
    else
        name_of(o, comm, made);
}

void profile_made(struct profile_call *c, MPI_Comm comm)
{
    made(c->own, comm);
}

void profile_renamed(MPI_Comm comm)
{
    struct profile_own *o = profile_asked();
    struct profile_comm *known = o ? profile_comm(o, comm) : NULL;
    if (known)
        name_of(o, comm, known);
}

struct profile_comm *profile_comm_asked(struct profile_own *o, MPI_Comm comm)
{
    int found = 0;
    void *value = NULL;
    if (comm == MPI_COMM_NULL || comm == MPI_COMM_SELF ||
        PMPI_Comm_get_attr(comm, o->keyval, &value, &found) != MPI_SUCCESS || !found)
        return NULL;
    if (!profile_layer.threads) {
        o->recent = comm;
        o->recent_comm = value;
    }
    return value;
}

void profile_communicators(struct profile_own *o)
{
    o->recent = MPI_COMM_NULL;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &o->keyval, o);
    made(o, MPI_COMM_WORLD);
    o->world = profile_comm_asked(o, MPI_COMM_WORLD);
}

static bool is_of(struct profile_call *c, struct profile_message *m, enum profile_shape shape,
                  int root, MPI_Comm comm)
{
    struct profile_comm *known = profile_comm(c->own, comm);
    *m = (struct profile_message){
        .comm = known, .begin = c->record.begin, .collective = true, .shape = shape, .root = root};
    return known != NULL;
}

static bool has_root(const struct profile_message *m)
{
    return m->shape == PROFILE_FROM_ROOT || m->shape == PROFILE_TO_ROOT;
}

static void comes(struct profile_call *c, const struct profile_message *m)
{
    c->record.comm = (uint32_t)m->comm->key;
    if (has_root(m))
        c->record.peer = m->root;
    profile_event(c->own->rank, m->id, m->begin);
}

void profile_meets(struct profile_call *c, struct profile_message *m, enum profile_shape shape,
                   int root, MPI_Comm comm)
{
    if (!is_of(c, m, shape, root, comm))
        return;
    m->id = profile_mix(m->comm->key, ++m->comm->serial);
    comes(c, m);
}

static bool is_root(const struct profile_message *m)
{
    return has_root(m) && m->root == (m->comm->all > m->comm->size ? MPI_ROOT : m->comm->rank);
}

/* Whether this rank cannot leave before member i has come. */
static bool needs_member(const struct profile_message *m, int i)
{
    const bool needs[] = {[PROFILE_ALL] = true,
                          [PROFILE_FROM_ROOT] = i == m->root,
                          [PROFILE_TO_ROOT] = is_root(m),
                          [PROFILE_BELOW] = i < m->comm->rank,
                          [PROFILE_SOME] = false};
    return i < m->comm->size && needs[m->shape];
}

static void takes_part(struct profile_call *c, const struct profile_message *m, unsigned how)
{
    static const unsigned parts[] = {[PROFILE_ALL] = PROFILE_MEETS_ALL,
                                     [PROFILE_FROM_ROOT] = PROFILE_MEETS_ROOT,
                                     [PROFILE_TO_ROOT] = PROFILE_ROOT_MEETS,
                                     [PROFILE_BELOW] = 0,
                                     [PROFILE_SOME] = 0};
    profile_takes_part(c, parts[m->shape] | (is_root(m) ? PROFILE_IS_ROOT : 0) | how, m->id,
                       m->begin);
}

/* Whoever this rank needed has come, and said when. Who else was on the way to it or to a root is
 * known to the algorithm only; the last one that came before the call ended is near enough, unless
 * the call was over so soon that it would be looked for later. */
static void leaves(struct profile_call *c, const struct profile_message *m)
{
    for (int i = 0; c->lasted && i < m->comm->all; i++) {
        int who = m->comm->world[i];
        if (needs_member(m, i))
            profile_needs_soon(c, PROFILE_COLLECTIVE, who, m->id);
        else if (!c->soon)
            profile_may_need(&c->record, PROFILE_COLLECTIVE, who, m->id);
    }
}

void profile_met(struct profile_call *c, const struct profile_message *m)
{
    if (!m->comm)
        return;
    takes_part(c, m, PROFILE_COMES | PROFILE_LEAVES);
    leaves(c, m);
}

void profile_began(struct profile_call *c, const struct profile_message *m, MPI_Request request)
{
    if (!m->comm)
        return;
    takes_part(c, m, PROFILE_COMES);
    if (request == MPI_REQUEST_NULL)
        return;
    m->comm->users++;
    profile_keep(c, m, request, false);
}

/* Members plan in the same order, and each starts what it planned as often. */
void profile_plans(struct profile_call *c, enum profile_shape shape, int root, MPI_Comm comm,
                   MPI_Request request)
{
    struct profile_message m;
    if (!is_of(c, &m, shape, root, comm))
        return;
    m.tag = (int)++m.comm->serial;
    m.comm->users++;
    profile_keep(c, &m, request, true);
}

void profile_starts(struct profile_call *c, struct profile_message *m)
{
    m->begin = c->record.begin;
    m->id = profile_mix(profile_mix(m->comm->key, (uint64_t)m->tag), (uint64_t)++m->peer);
    comes(c, m);
    takes_part(c, m, PROFILE_COMES);
}

void profile_left(struct profile_call *c, struct profile_message *m)
{
    if (m->id == 0)
        return;
    takes_part(c, m, PROFILE_LEAVES);
    leaves(c, m);
    m->id = 0;
    if (m->persistent)
        return;
    profile_release(m->comm);
    profile_lock(c->own->rank); /* another thread may take the place at once */
    m->request = NULL;
    profile_unlock(c->own->rank);
}

void profile_stays(struct profile_call *c, const struct profile_message *m)
{
    for (int i = 0; m->id != 0 && i < m->comm->size && c->record.last < c->record.end; i++)
        if (needs_member(m, i))
            profile_in_vain(&c->record, PROFILE_COLLECTIVE, m->comm->world[i], m->id);
}
