/* SPDX-License-Identifier: MIT */
/* disagree FIRST COUNT [say]: ranks call what a number says, some of them something else: somebody
 * gets an error, nobody waits for ever, and afterwards all is as before; or, if they mistook a
 * blocking operation for another one, the communicator is of no use any more. At the end some are
 * in MPI_Finalize where others still call something. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

#define MOST  16        /* ranks */
#define BYTES (1 << 18) /* of a buffer */

static char in[BYTES], out[BYTES];

enum kind {
    BARRIER,
    BCAST,
    REDUCE,
    ALLREDUCE,
    SCAN,
    EXSCAN,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    COMM_DUP, /* from here on there is only the blocking form */
    COMM_SPLIT,
    COMM_CREATE,
    CART_CREATE,
    INTERCOMM_CREATE,
    KINDS
};
static const char *const names[KINDS] = {"Barrier",
                                         "Bcast",
                                         "Reduce",
                                         "Allreduce",
                                         "Scan",
                                         "Exscan",
                                         "Gather",
                                         "Gatherv",
                                         "Scatter",
                                         "Scatterv",
                                         "Allgather",
                                         "Allgatherv",
                                         "Alltoall",
                                         "Alltoallv",
                                         "Reduce_scatter",
                                         "Reduce_scatter_block",
                                         "Comm_dup",
                                         "Comm_split",
                                         "Comm_create",
                                         "Cart_create",
                                         "Intercomm_create"};

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };
enum wrong { NOTHING_WRONG, WRONG_COUNT, WRONG_ROOT, WRONG_TYPE, WRONGS };

struct call {
    enum kind kind;
    enum form form;
    enum wrong wrong;
    int root, count;
    MPI_Op op;
    MPI_Datatype type;
};

static uint64_t state;

/* The same on all ranks. */
static int random_below(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % (uint64_t)n);
}

/* Near the limits of algorithms, small ones more often. */
static int random_count(int size)
{
    static const int sizes[] = {0,   1,   2,    3,    8,    20,   31,   128,  129,
                                256, 257, 1000, 1021, 2042, 4096, 5000, 16384};
    int n = sizes[random_below(random_below(2) ? 9 : 17)];
    return n * size * 8 <= BYTES ? n : BYTES / 8 / size;
}

static struct call random_call(int size)
{
    struct call c = {.kind = (enum kind)random_below(KINDS),
                     .form = random_below(2) ? BLOCKING : (enum form)random_below(FORMS),
                     .root = random_below(size),
                     .count = random_count(size),
                     .op = random_below(2) ? MPI_SUM : MPI_MAX,
                     .type = random_below(2) ? MPI_INT : MPI_INT64_T};
    if (c.kind >= COMM_DUP)
        c.form = BLOCKING;
    return c;
}

static bool rooted(enum kind k)
{
    return k == BCAST || k == REDUCE || k == GATHER || k == GATHERV || k == SCATTER ||
           k == SCATTERV;
}

/* Whether all ranks wait for all others, so that all have an error if some of them call a blocking
 * one and others another one. */
static bool waits_for_all(const struct call *c)
{
    bool data = c->kind == ALLREDUCE || c->kind == ALLGATHER || c->kind == ALLTOALL ||
                c->kind == REDUCE_SCATTER_BLOCK;
    return c->kind == BARRIER || (data && c->count && !c->wrong);
}

/* *c in one way changed. */
static void change(struct call *c, int size)
{
    struct call other = random_call(size);
    switch (random_below(9)) {
    case 0:
        c->root = (c->root + 1 + random_below(size - 1)) % size;
        break;
    case 1:
        c->count = other.count;
        break;
    case 2:
        c->count = random_below(2) ? c->count + 1021 : c->count / 2;
        if (c->count > BYTES / 8 / size)
            c->count = 1;
        break;
    case 3:
        c->op = c->op == MPI_SUM ? MPI_MAX : MPI_SUM;
        break;
    case 4:
        c->wrong = (enum wrong)(1 + random_below(WRONGS - 1));
        break;
    case 5:
    case 6:
        if (other.kind < COMM_DUP || c->form == BLOCKING) {
            other.form = c->form;
            *c = other;
        }
        break;
    case 7:
        if (waits_for_all(c))
            c->form = c->form == BLOCKING ? NONBLOCKING : BLOCKING;
        break;
    default:
        if (other.kind < COMM_DUP || c->form == BLOCKING)
            c->kind = other.kind;
    }
}

struct arrays {
    int counts[MOST], starts[MOST];
};

static void fill_arrays(struct arrays *a, int count, int size)
{
    for (int i = 0; i < size; i++) {
        a->counts[i] = count;
        a->starts[i] = i * count;
    }
}

/* The form that c asks for, of the arguments before the last one: MPI_INFO_NULL or the request. */
#define FORM(c, q, now, later, ...)                                                                \
    do {                                                                                           \
        if ((c)->form == BLOCKING)                                                                 \
            return MPI_##now(__VA_ARGS__);                                                         \
        if ((c)->form == NONBLOCKING)                                                              \
            return MPI_##later(__VA_ARGS__, q);                                                    \
        int rc_ = MPI_##now##_init(__VA_ARGS__, MPI_INFO_NULL, q);                                 \
        return rc_ ? rc_ : MPI_Start(q);                                                           \
    } while (0)

static int reduces(const struct call *c, int n, int root, MPI_Datatype t, MPI_Comm on,
                   MPI_Request *q)
{
    struct arrays a;
    fill_arrays(&a, n, MOST);
    switch (c->kind) {
    case REDUCE:
        FORM(c, q, Reduce, Ireduce, in, out, n, t, c->op, root, on);
    case ALLREDUCE:
        FORM(c, q, Allreduce, Iallreduce, in, out, n, t, c->op, on);
    case SCAN:
        FORM(c, q, Scan, Iscan, in, out, n, t, c->op, on);
    case EXSCAN:
        FORM(c, q, Exscan, Iexscan, in, out, n, t, c->op, on);
    case REDUCE_SCATTER:
        FORM(c, q, Reduce_scatter, Ireduce_scatter, in, out, a.counts, t, c->op, on);
    default:
        FORM(c, q, Reduce_scatter_block, Ireduce_scatter_block, in, out, n, t, c->op, on);
    }
}

static int moves_some(const struct call *c, int n, int root, MPI_Datatype t, MPI_Comm on,
                      MPI_Request *q)
{
    struct arrays a;
    fill_arrays(&a, n, MOST);
    switch (c->kind) {
    case GATHERV:
        FORM(c, q, Gatherv, Igatherv, in, n, t, out, a.counts, a.starts, t, root, on);
    case SCATTERV:
        FORM(c, q, Scatterv, Iscatterv, in, a.counts, a.starts, t, out, n, t, root, on);
    case ALLGATHERV:
        FORM(c, q, Allgatherv, Iallgatherv, in, n, t, out, a.counts, a.starts, t, on);
    default:
        FORM(c, q, Alltoallv, Ialltoallv, in, a.counts, a.starts, t, out, a.counts, a.starts, t,
             on);
    }
}

/* The communicator is not used. */
static int make(const struct call *c, MPI_Comm on)
{
    int me, size, period = 0;
    MPI_Comm made = MPI_COMM_NULL, half;
    MPI_Group all;
    MPI_Comm_rank(on, &me);
    MPI_Comm_size(on, &size);
    int rc = MPI_SUCCESS;
    switch (c->kind) {
    case COMM_DUP:
        rc = MPI_Comm_dup(on, &made);
        break;
    case COMM_SPLIT:
        rc = MPI_Comm_split(on, me % 2, 0, &made);
        break;
    case COMM_CREATE:
        MPI_Comm_group(on, &all);
        rc = MPI_Comm_create(on, all, &made);
        MPI_Group_free(&all);
        break;
    case CART_CREATE:
        rc = MPI_Cart_create(on, 1, &size, &period, 0, &made);
        break;
    default:
        rc = MPI_Comm_split(on, me < size / 2, 0, &half);
        if (!rc) {
            MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
            rc = MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me < size / 2 ? size / 2 : 0, 3,
                                      &made);
            MPI_Comm_free(&half);
        }
    }
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    return rc;
}

static int begin(const struct call *c, MPI_Comm on, MPI_Request *q)
{
    int n = c->wrong == WRONG_COUNT ? -1 : c->count, root = c->wrong == WRONG_ROOT ? -7 : c->root;
    MPI_Datatype t = c->wrong == WRONG_TYPE ? MPI_DATATYPE_NULL : c->type;
    switch (c->kind) {
    case BARRIER:
        FORM(c, q, Barrier, Ibarrier, on);
    case BCAST:
        FORM(c, q, Bcast, Ibcast, in, n, t, root, on);
    case GATHER:
        FORM(c, q, Gather, Igather, in, n, t, out, n, t, root, on);
    case SCATTER:
        FORM(c, q, Scatter, Iscatter, in, n, t, out, n, t, root, on);
    case ALLGATHER:
        FORM(c, q, Allgather, Iallgather, in, n, t, out, n, t, on);
    case ALLTOALL:
        FORM(c, q, Alltoall, Ialltoall, in, n, t, out, n, t, on);
    case GATHERV:
    case SCATTERV:
    case ALLGATHERV:
    case ALLTOALLV:
        return moves_some(c, n, root, t, on, q);
    case COMM_DUP:
    case COMM_SPLIT:
    case COMM_CREATE:
    case CART_CREATE:
    case INTERCOMM_CREATE:
        return make(c, on);
    default:
        return reduces(c, n, root, t, on, q);
    }
}

static int run(const struct call *c, MPI_Comm on)
{
    MPI_Request q = MPI_REQUEST_NULL;
    int rc = begin(c, on, &q);
    int later = MPI_Wait(&q, MPI_STATUS_IGNORE);
    if (q != MPI_REQUEST_NULL)
        MPI_Request_free(&q);
    return rc ? rc : later;
}

static bool data(enum kind k)
{
    return k != BARRIER && k < COMM_DUP;
}

static bool reduction(enum kind k)
{
    return k == REDUCE || k == ALLREDUCE || k == SCAN || k == EXSCAN || k == REDUCE_SCATTER ||
           k == REDUCE_SCATTER_BLOCK;
}

/* Whether the call is wrong by itself: what it does not have cannot be. */
static bool wrong(const struct call *c)
{
    return c->wrong == WRONG_ROOT ? rooted(c->kind) : c->wrong != NOTHING_WRONG && data(c->kind);
}

static bool equal(const struct call *a, const struct call *b)
{
    return a->kind == b->kind && wrong(a) == wrong(b) &&
           (!data(a->kind) || (a->count == b->count && a->type == b->type)) &&
           (!rooted(a->kind) || a->root == b->root) && (!reduction(a->kind) || a->op == b->op);
}

/* Where nobody waits for another one it is noticed in a later operation, which is done all the
 * same. */
static int afterwards(MPI_Comm on)
{
    int me, size, give[MOST], got[MOST], rc[2];
    MPI_Comm_rank(on, &me);
    MPI_Comm_size(on, &size);
    for (int i = 0; i < size; i++)
        give[i] = me * size + i;
    MPI_Request q;
    MPI_Ialltoall(give, 1, MPI_INT, got, 1, MPI_INT, on, &q);
    rc[0] = MPI_Wait(&q, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; i++)
        CHECK_EQ(got[i], i * size + me);
    MPI_Ibarrier(on, &q);
    rc[1] = MPI_Wait(&q, MPI_STATUS_IGNORE);
    return rc[0] != MPI_SUCCESS || rc[1] != MPI_SUCCESS;
}

static void describe(int number, const struct call *c)
{
    static const char *const forms[] = {"", "I", "init "};
    fprintf(stderr, "%d, rank %d: %s%s wrong %d root %d count %d%s %s\n", number, world_rank(),
            forms[c->form], names[c->kind], c->wrong, c->root, c->count,
            c->type == MPI_INT ? "" : " long", c->op == MPI_SUM ? "sum" : "max");
}

/* What is called, the same on all ranks: one thing by some, another by those that are odd. */
struct calls {
    struct call usual, odd;
    bool am_odd, all_odd, none;
};

static struct calls choose(int number)
{
    int me = world_rank(), size = world_size();
    struct calls c;
    state = (uint64_t)(number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 8; i++)
        random_below(2);
    c.usual = c.odd = random_call(size);
    change(&c.odd, size);
    int one = random_below(size), half = random_below(1 << size);
    bool single = random_below(2);
    c.am_odd = single ? me == one : half >> me & 1;
    c.all_odd = !single && half == (1 << size) - 1;
    c.none = !single && half == 0;
    return c;
}

static void disagree(int number, MPI_Comm on, MPI_Comm count, bool say)
{
    int me = world_rank(), failed, errors;
    struct calls c = choose(number);
    const struct call *own = c.am_odd ? &c.odd : &c.usual;
    bool same = c.all_odd || c.none;
    bool crossed = !same && (c.usual.form == BLOCKING) != (c.odd.form == BLOCKING);
    if (say)
        describe(number, own);
    bool agreed = same || (!crossed && equal(&c.usual, &c.odd));
    bool good = agreed && !wrong(c.all_odd ? &c.odd : &c.usual);
    failed = run(own, on) != MPI_SUCCESS;
    if (say)
        fprintf(stderr, "%d, rank %d: %s\n", number, me, failed ? "error" : "done");
    if (!crossed)
        failed |= afterwards(on);
    else if (!failed) /* now it waits for those who wait for it */
        failed = MPI_Barrier(on) != MPI_SUCCESS;
    CHECK_EQ(MPI_Allreduce(&failed, &errors, 1, MPI_INT, MPI_SUM, count), MPI_SUCCESS);
    if (good ? errors > 0 : errors == 0 && !agreed) {
        describe(number, own);
        CHECK_EQ(errors, good ? 0 : 1);
    }
    if (!crossed) {
        CHECK_EQ(afterwards(on), 0);
        CHECK_EQ(MPI_Barrier(on), MPI_SUCCESS);
    }
    CHECK_EQ(MPI_Barrier(count), MPI_SUCCESS);
}

/* Ranks that are odd have nothing more to do. */
static void leave(int number)
{
    struct calls c = choose(number);
    int size = world_size();
    if (c.am_odd || c.none)
        return;
    int rc = run(&c.usual, MPI_COMM_WORLD);
    rc = rc ? rc : MPI_Barrier(MPI_COMM_WORLD);
    CHECK(rc != MPI_SUCCESS || size == 1);
}

int main(int argc, char **argv)
{
    MPI_Comm count, on;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &count);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int first = argc > 1 ? atoi(argv[1]) : 1, n = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = first; i < first + n; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &on);
        disagree(i, on, count, argc > 3);
        MPI_Comm_free(&on);
    }
    MPI_Comm_free(&count);
    leave(first);
    MPI_Finalize();
    return 0;
}
