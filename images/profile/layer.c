/* SPDX-License-Identifier: MIT */
/* What the wrappers do. State of a rank lies in the memory that mpiexec reads (launcher/profile.h)
 * and in attributes of its communicators, so ranks may share the process. */
#include "layer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <hal/site.h>

/* This library may be loaded where no MPI is (a shell of the job), so nothing of it is needed. */
#pragma weak PMPI_Comm_create_keyval
#pragma weak PMPI_Comm_get_attr
#pragma weak PMPI_Comm_get_name
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_remote_size
#pragma weak PMPI_Comm_set_attr
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Finalized
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Initialized
#pragma weak PMPI_Query_thread
#pragma weak PMPI_Type_size_c
#pragma weak PMPI_Wtime

#define PREDEFINED    1024 /* handles of the standard's ABI */
#define NEGLIGIBLE_NS 300
#define CALIBRATE_NS  20000

/* A process has one map; ranks come and go in it. */
static struct profile_rank *ranks;
static int rank_count;
static enum profile_clock clock_kind;
static uint64_t negligible; /* ticks: whoever called that short has waited for nobody */
bool profile_threads;
static struct hal_map map;
static atomic_flag map_busy = ATOMIC_FLAG_INIT;

/* Of each rank: what its communicators have as attribute, and the keys given so far. */
static struct own {
    struct profile_comm *world; /* of MPI_COMM_WORLD, which most calls are about */
    int keyval;
    uint64_t *keys;
    int key_count;
} * own;

void *profile_memory(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static uint64_t now(void)
{
    struct timespec t;
    if (clock_kind == PROFILE_PROCESSOR)
        return hal_host_ticks();
    if (clock_kind == PROFILE_MACHINE)
        return (uint64_t)(PMPI_Wtime() * 1e9 + 0.5);
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* On linux what is shorter than a few trips of a line between processors is no waiting. */
static uint64_t ticks_negligible(void)
{
    if (clock_kind == PROFILE_MACHINE)
        return 0;
    struct timespec t;
    uint64_t begin = now(), from, ns;
    clock_gettime(CLOCK_MONOTONIC, &t);
    from = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    do {
        clock_gettime(CLOCK_MONOTONIC, &t);
        ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec - from;
    } while (ns < CALIBRATE_NS);
    return (now() - begin) * NEGLIGIBLE_NS / ns;
}

static void read_records(void)
{
    const char *text = getenv(PROFILE_VARIABLE);
    int fd, n, room, kind;
    if (text == NULL || sscanf(text, "%d:%d:%d:%d", &fd, &n, &room, &kind) != 4 || n < 1)
        return;
    size_t each = sizeof *ranks + (size_t)room * sizeof(struct profile_record);
    void *p = mmap(NULL, (size_t)n * each, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    own = profile_memory((size_t)n * sizeof *own);
    if (p == MAP_FAILED || own == NULL || !profile_messages(n))
        return;
    unsetenv(PROFILE_VARIABLE); /* what a rank starts is no rank of this job */
    profile_records(p, n, room);
    clock_kind = (enum profile_clock)kind;
    negligible = ticks_negligible();
    rank_count = n;
    ranks = p;
}

/* Ranks that share the process may come at once, on several threads. */
static void find_records(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_records);
}

/* Number of the calling rank; -1: it is not between MPI_Init and MPI_Finalize. */
static int asked(void)
{
    int begun = 0, ended = 1, rank = -1;
    if (ranks == NULL || PMPI_Initialized(&begun) != MPI_SUCCESS || !begun ||
        PMPI_Finalized(&ended) != MPI_SUCCESS || ended)
        return -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank < rank_count ? rank : -1;
}

/* The rank of this process that is between the two, if there was no other: it need not ask. */
enum { NONE_YET = -1, SEVERAL = -2, OVER = -3 };
static atomic_int only = NONE_YET;

static int self(void)
{
    int rank = atomic_load_explicit(&only, memory_order_relaxed);
    return rank >= 0 ? rank : asked();
}

/* Field by field, as most calls are short. */
void profile_begin(struct profile_call *c, int function, const char *name, const void *site)
{
    int rank = self();
    c->function = rank < 0 ? -1 : function;
    if (rank < 0)
        return;
    c->self = rank;
    c->name = name;
    c->site = site;
    c->rank = &ranks[rank];
    c->end = c->bytes = c->id = c->posted = 0;
    c->cause = PROFILE_SENDER;
    c->parts = c->comm = 0;
    c->who = c->tag = 0;
    c->peer = PROFILE_NOBODY;
    c->begin = c->last = now();
    profile_event(c->rank, PROFILE_CAME, c->begin);
}

/* Clocks of several processors may differ. */
static uint64_t end_of(struct profile_call *c)
{
    if (c->end == 0) {
        uint64_t end = now();
        c->end = end < c->begin ? c->begin : end;
    }
    return c->end;
}

bool profile_lasted(struct profile_call *c)
{
    return end_of(c) - c->begin > negligible;
}

/* Where the call stands: in the file, so that ranks can be compared. */
static void find_place(struct profile_site *s)
{
    static struct hal_place p;
    while (atomic_flag_test_and_set_explicit(&map_busy, memory_order_acquire))
        ;
    bool found = hal_map_find(&map, s->address - 1, &p);
    if (!found) {
        hal_map_read(&map, getpid());
        found = hal_map_find(&map, s->address - 1, &p);
    }
    if (found && strlen(p.path) < sizeof s->path) {
        strcpy(s->path, p.path);
        s->offset = p.offset;
    }
    atomic_flag_clear_explicit(&map_busy, memory_order_release);
}

static struct profile_site *site_of(const struct profile_call *c)
{
    uint64_t address = (uint64_t)(uintptr_t)c->site;
    uint64_t hash = (address ^ (uint64_t)c->function << 40) * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned int i = 0; i < PROFILE_SITES; i++) {
        struct profile_site *s = &c->rank->site[((hash >> 48) + i) % PROFILE_SITES];
        if (s->address == 0) {
            s->address = address;
            s->function = c->function;
            find_place(s);
        }
        if (s->address == address && s->function == c->function)
            return s;
    }
    return NULL;
}

/* Until the last of those whom the call needed had done their part, it waited. */
static void charge_wait(const struct profile_call *c, struct profile_function *f,
                        struct profile_site *s)
{
    uint64_t waited = c->last - c->begin;
    if (waited == 0)
        return;
    f->waited[c->cause] += waited;
    atomic_fetch_add(&ranks[c->who].blamed[c->cause], waited);
    if (s == NULL)
        return;
    s->waited[c->cause] += waited;
    if (waited > s->longest) {
        s->longest = waited;
        s->who = c->who;
    }
}

void profile_end(struct profile_call *c)
{
    if (c->function < 0)
        return;
    uint64_t end = end_of(c);
    if (c->last > end)
        c->last = end;
    struct profile_function *f = &c->rank->function[c->function];
    profile_lock(c->rank);
    if (f->name[0] == '\0')
        snprintf(f->name, sizeof f->name, "%s", c->name);
    f->calls++;
    f->bytes += c->bytes;
    f->ticks += end - c->begin;
    struct profile_site *s = site_of(c);
    if (s != NULL) {
        s->calls++;
        s->ticks += end - c->begin;
    } else {
        c->rank->dropped++;
    }
    charge_wait(c, f, s);
    profile_record(c, s == NULL ? PROFILE_SITES : (int)(s - c->rank->site), end);
    profile_unlock(c->rank);
}

static uint64_t ask_size(MPI_Datatype type)
{
    MPI_Count size = 0;
    return type != MPI_DATATYPE_NULL && PMPI_Type_size_c(type, &size) == MPI_SUCCESS && size > 0
               ? (uint64_t)size
               : 0;
}

/* Handles of predefined types are small numbers, and their sizes are asked for once. */
static uint64_t size_of(MPI_Datatype type)
{
    static atomic_ushort known[PREDEFINED]; /* 1 + size; 0: not asked yet */
    uintptr_t i = (uintptr_t)type;
    if (i >= PREDEFINED)
        return ask_size(type);
    unsigned size = atomic_load_explicit(&known[i], memory_order_relaxed);
    if (size == 0) {
        size = (unsigned)ask_size(type) + 1;
        atomic_store_explicit(&known[i], (unsigned short)size, memory_order_relaxed);
    }
    return size - 1;
}

void profile_bytes(struct profile_call *c, MPI_Count count, MPI_Datatype type)
{
    if (c->function >= 0 && count > 0)
        c->bytes = (uint64_t)count * size_of(type);
}

static int size_of_comm(MPI_Comm comm)
{
    int inter = 0, n = 0;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_size(comm, &n);
    else
        PMPI_Comm_size(comm, &n);
    return n;
}

void profile_bytes_int(struct profile_call *c, const int counts[], MPI_Datatype type, MPI_Comm comm)
{
    int n = c->function < 0 || counts == NULL ? 0 : size_of_comm(comm);
    for (int i = 0; i < n; i++)
        c->bytes += (uint64_t)counts[i] * size_of(type);
}

void profile_bytes_large(struct profile_call *c, const MPI_Count counts[], MPI_Datatype type,
                         MPI_Comm comm)
{
    int n = c->function < 0 || counts == NULL ? 0 : size_of_comm(comm);
    for (int i = 0; i < n; i++)
        c->bytes += (uint64_t)counts[i] * size_of(type);
}

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    profile_release(value);
    return MPI_SUCCESS;
}

void profile_release(struct profile_comm *comm)
{
    if (--comm->users == 0)
        free(comm);
}

/* Members make communicators of the same members in the same order, so the members and how many
 * there were of them before name one. */
static uint64_t key_of(struct own *o, const struct profile_comm *made)
{
    uint64_t key = UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < made->size; i++)
        key = (key ^ (uint64_t)made->world[i]) * UINT64_C(0xd6e8feb86659fd93) + 1;
    uint64_t before = 0;
    for (int i = 0; i < o->key_count; i++)
        before += o->keys[i] == key;
    uint64_t *more = realloc(o->keys, ((size_t)o->key_count + 1) * sizeof *more);
    if (more != NULL) {
        o->keys = more;
        o->keys[o->key_count++] = key;
    }
    return (key + before * UINT64_C(0x94d049bb133111eb)) | 1;
}

static void name_of(const struct profile_call *c, MPI_Comm comm, const struct profile_comm *known)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    if (PMPI_Comm_get_name(comm, name, &length) == MPI_SUCCESS && name[0] != '\0')
        profile_named(c, (uint32_t)known->key, name);
}

void profile_made(const struct profile_call *c, MPI_Comm comm)
{
    int inter = 1, size = 0;
    MPI_Group group, all;
    if (c->function < 0 || comm == MPI_COMM_NULL)
        return;
    struct own *o = &own[c->self];
    if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
        return;
    PMPI_Comm_size(comm, &size);
    struct profile_comm *made = malloc(sizeof *made + 2 * (size_t)size * sizeof made->world[0]);
    if (made == NULL)
        return;
    *made = (struct profile_comm){.size = size, .users = 1};
    PMPI_Comm_rank(comm, &made->rank);
    int *own_ranks = made->world + size;
    for (int i = 0; i < size; i++)
        own_ranks[i] = i;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, size, own_ranks, all, made->world);
    PMPI_Group_free(&group);
    PMPI_Group_free(&all);
    made->key = key_of(o, made);
    if (PMPI_Comm_set_attr(comm, o->keyval, made) != MPI_SUCCESS)
        free(made);
    else
        name_of(c, comm, made);
}

void profile_renamed(MPI_Comm comm)
{
    int rank = self();
    if (rank < 0)
        return;
    struct profile_call c = {.rank = &ranks[rank], .self = rank};
    struct profile_comm *known = profile_comm(&c, comm);
    if (known != NULL)
        name_of(&c, comm, known);
}

struct profile_comm *profile_comm(const struct profile_call *c, MPI_Comm comm)
{
    int found = 0;
    void *value = NULL;
    if (c->function >= 0 && comm == MPI_COMM_WORLD)
        return own[c->self].world;
    if (c->function < 0 || comm == MPI_COMM_NULL || comm == MPI_COMM_SELF ||
        PMPI_Comm_get_attr(comm, own[c->self].keyval, &value, &found) != MPI_SUCCESS)
        return NULL;
    return found ? value : NULL;
}

/* When the event was; 0: not yet, or so long ago that another took its place. */
static uint64_t time_of(struct profile_rank *r, uint64_t id)
{
    struct profile_event *e = &r->event[(id >> 8) % PROFILE_EVENTS];
    if (atomic_load_explicit(&e->id, memory_order_acquire) != id)
        return 0;
    uint64_t time = atomic_load_explicit(&e->time, memory_order_acquire);
    return atomic_load_explicit(&e->id, memory_order_relaxed) == id ? time : 0;
}

/* A lack of credit is what is left when nothing else was late. */
bool profile_needs(struct profile_call *c, enum profile_cause cause, int who, uint64_t id)
{
    uint64_t time = who >= 0 && who < rank_count ? time_of(&ranks[who], id) : 0;
    bool is_flow = cause == PROFILE_FLOW, was_flow = c->cause == PROFILE_FLOW;
    bool is_late = c->last > c->begin;
    if (is_late && is_flow != was_flow ? was_flow && time > c->begin : time > c->last) {
        c->last = time;
        c->cause = cause;
        c->who = who;
    }
    return time > 0;
}

void profile_meets(struct profile_call *c, struct profile_meeting *m, MPI_Comm comm)
{
    m->comm = profile_comm(c, comm);
    if (m->comm == NULL)
        return;
    m->serial = ++m->comm->serial;
    c->comm = (uint32_t)m->comm->key;
    profile_event(c->rank, profile_mix(m->comm->key, m->serial), c->begin);
}

/* Whoever this rank needed has come, and said when. */
void profile_met(struct profile_call *c, const struct profile_meeting *m, enum profile_shape shape,
                 int root)
{
    static const unsigned parts[] = {[PROFILE_ALL] = PROFILE_MEETS_ALL,
                                     [PROFILE_FROM_ROOT] = PROFILE_MEETS_ROOT,
                                     [PROFILE_TO_ROOT] = PROFILE_ROOT_MEETS};
    if (m->comm == NULL)
        return;
    bool is_root = shape != PROFILE_ALL && root == m->comm->rank;
    uint64_t id = profile_mix(m->comm->key, m->serial);
    profile_takes_part(c, parts[shape] | (is_root ? PROFILE_IS_ROOT : 0), id, c->begin);
    if (shape != PROFILE_ALL)
        c->peer = root;
    if ((shape == PROFILE_TO_ROOT && !is_root) || !profile_lasted(c))
        return;
    for (int i = 0; i < m->comm->size; i++) {
        if (shape != PROFILE_FROM_ROOT || i == root)
            profile_needs(c, PROFILE_COLLECTIVE, m->comm->world[i], id);
    }
}

void profile_open(void)
{
    find_records();
    int rank = asked();
    if (rank < 0)
        return;
    struct profile_call c = {.rank = &ranks[rank], .self = rank};
    int found = 0, nobody = NONE_YET, level = MPI_THREAD_SINGLE;
    void *world = NULL;
    PMPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE)
        profile_threads = true;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &own[rank].keyval, NULL);
    profile_made(&c, MPI_COMM_WORLD);
    PMPI_Comm_get_attr(MPI_COMM_WORLD, own[rank].keyval, &world, &found);
    own[rank].world = found ? world : NULL;
    profile_limits(&c);
    if (!atomic_compare_exchange_strong(&only, &nobody, rank))
        atomic_store(&only, SEVERAL);
    if (clock_kind != PROFILE_MACHINE)
        profile_touch(&ranks[rank]);
    ranks[rank].begin = now();
}

void profile_close(void)
{
    int rank = self();
    if (rank < 0)
        return;
    ranks[rank].end = now();
    atomic_compare_exchange_strong(&only, &rank, OVER);
}
