/* SPDX-License-Identifier: MIT */
/* Random nested types against a model: the list of their basic elements, made by the definitions of
 * MPI 5.0, 5.1. Bounds, packing of arbitrary ranges, runs, counting. Needs no machine: memory and
 * errors of the library are replaced below. */
#include <stdarg.h>
#include <string.h>

#include <test/check.h>

#include "core/attr.h"
#include "datatype/type_array.h"
#include "datatype/type_plan.h"

enum { ENTRIES = 3000, AREA = 1 << 20 };

/* The library's memory: counted, so that what is not given back shows. */
static int living;

void *mpi_alloc(struct mpi_process *p, size_t n)
{
    (void)p;
    living++;
    return calloc(1, n);
}

void mpi_free(struct mpi_process *p, void *memory)
{
    (void)p;
    living -= memory != NULL;
    free(memory);
}

int mpi_error(struct mpi_comm *c, int class, const char *call, const char *format, ...)
{
    (void)c, (void)call, (void)format;
    return class;
}

int mpi_error_below(struct mpi_comm *c, int error, const char *call)
{
    (void)c, (void)error, (void)call;
    return MPI_ERR_OTHER;
}

struct mpi_process *mpi_running(const char *call)
{
    (void)call;
    return NULL;
}

int mpi_check_out(struct mpi_comm *c, const char *call, const void *pointer, const char *name)
{
    (void)c, (void)call, (void)name;
    return pointer ? MPI_SUCCESS : MPI_ERR_ARG;
}

int mpi_attrs_delete(struct mpi_process *p, void *object)
{
    (void)p, (void)object;
    return 0;
}

bool mpi_may_be_object(const void *handle)
{
    return (uintptr_t)handle >= 4096;
}

static uint32_t seed;

static int below(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
}

struct entry {
    MPI_Aint at;
    const struct mpi_type *basic;
};

struct model {
    int n;
    struct entry *entry;
    bool marked, parts;
    MPI_Aint mark_lb, mark_ub; /* of the parts that are marked */
    MPI_Aint lb, ub;           /* of the others */
};

static struct model model_new(void)
{
    return (struct model){.entry = malloc(ENTRIES * sizeof(struct entry))};
}

static MPI_Aint alignment(const struct model *m)
{
    MPI_Aint most = 1;
    for (int i = 0; i < m->n; i++)
        if (m->entry[i].basic->alignment > most)
            most = m->entry[i].basic->alignment;
    return most;
}

static struct mpi_bounds model_bounds(const struct model *m)
{
    MPI_Aint low = 0, high = 0;
    for (int i = 0; i < m->n; i++) {
        MPI_Aint at = m->entry[i].at, end = at + m->entry[i].basic->size;
        low = i == 0 || at < low ? at : low;
        high = i == 0 || end > high ? end : high;
    }
    struct mpi_bounds b = {m->mark_lb, m->mark_ub - m->mark_lb, low, high - low};
    if (!m->marked) {
        MPI_Aint k = alignment(m);
        b.lb = m->parts ? m->lb : low;
        b.extent = ((m->parts ? m->ub : high) - b.lb + k - 1) / k * k;
    }
    return b;
}

static MPI_Aint model_extent(const struct model *m)
{
    return model_bounds(m).extent;
}

/* Adds n copies of c, spaced by its extent, at `at`; false: too many entries. */
static bool add(struct model *to, const struct model *c, int n, MPI_Aint at)
{
    MPI_Aint extent = model_extent(c);
    for (int k = 0; k < n; k++) {
        MPI_Aint offset = at + k * extent;
        if (to->n + c->n > ENTRIES)
            return false;
        for (int i = 0; i < c->n; i++)
            to->entry[to->n++] = (struct entry){c->entry[i].at + offset, c->entry[i].basic};
        if (c->marked) {
            MPI_Aint lb = c->mark_lb + offset, ub = c->mark_ub + offset;
            to->mark_lb = !to->marked || lb < to->mark_lb ? lb : to->mark_lb;
            to->mark_ub = !to->marked || ub > to->mark_ub ? ub : to->mark_ub;
            to->marked = true;
        } else if (c->n) {
            struct mpi_bounds b = model_bounds(c);
            MPI_Aint lb = b.lb + offset, ub = lb + b.extent;
            to->lb = !to->parts || lb < to->lb ? lb : to->lb;
            to->ub = !to->parts || ub > to->ub ? ub : to->ub;
            to->parts = true;
        }
    }
    return true;
}

static const struct mpi_maker maker = {NULL, "test", false};

struct both {
    const struct mpi_type *type;
    struct model model;
};

static void drop(struct both *b)
{
    mpi_type_release(NULL, b->type);
    free(b->model.entry);
}

static struct both basic(void)
{
    static MPI_Datatype const simple[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE,
                                          MPI_C_DOUBLE_COMPLEX};
    static MPI_Datatype const pairs[] = {MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_FLOAT_INT};
    struct both b = {NULL, model_new()};
    if (below(5) == 0) {
        b.type = mpi_type_of(pairs[below(3)]);
        for (int i = 0; i < 2; i++)
            b.model.entry[b.model.n++] =
                (struct entry){b.type->blocks->displacement[i], b.type->blocks->types[i]};
    } else {
        b.type = mpi_type_of(simple[below(5)]);
        b.model.entry[b.model.n++] = (struct entry){0, b.type};
    }
    return b;
}

static struct both make(int depth);

/* Each constructor: false where the model would grow too large. */
static bool make_vector(struct both *b, struct both *c)
{
    static const int combiners[] = {MPI_COMBINER_CONTIGUOUS, MPI_COMBINER_VECTOR,
                                    MPI_COMBINER_HVECTOR};
    struct mpi_type *t;
    int combiner = combiners[below(3)], n = below(6), m = below(4), stride = below(9) - 3;
    MPI_Aint unit = combiner == MPI_COMBINER_VECTOR ? model_extent(&c->model) : 1;
    if (combiner == MPI_COMBINER_CONTIGUOUS)
        n = 1;
    if (combiner == MPI_COMBINER_HVECTOR)
        stride *= below(2) ? 1 : 8;
    for (int i = 0; i < n; i++)
        if (!add(&b->model, &c->model, m, i * stride * unit))
            return false;
    CHECK_EQ(mpi_make_vector(&maker, combiner, n, m, stride, c->type, &t), 0);
    b->type = t;
    return true;
}

static bool make_blocks(struct both *b, struct both *c)
{
    struct mpi_type *t;
    int lengths[8], n = below(7), in_extents = below(2), same = below(3) == 0, length = below(4);
    MPI_Aint displacements[8], unit = in_extents ? model_extent(&c->model) : 1;
    MPI_Aint next = 0;
    for (int i = 0; i < n; i++) {
        lengths[i] = same ? length : below(4);
        displacements[i] = below(3) == 0 ? next : below(40) - 10;
        next = displacements[i] + lengths[i];
        if (!add(&b->model, &c->model, lengths[i], displacements[i] * unit))
            return false;
    }
    struct mpi_blocks_args a = {.combiner =
                                    same ? MPI_COMBINER_HINDEXED_BLOCK : MPI_COMBINER_HINDEXED,
                                .count = n,
                                .lengths = {same ? NULL : lengths, false},
                                .length = length,
                                .displacements = {displacements, true},
                                .in_extents = in_extents,
                                .old = c->type};
    CHECK_EQ(mpi_make_blocks(&maker, &a, &t), 0);
    b->type = t;
    return true;
}

static bool make_struct(struct both *b, int depth)
{
    struct mpi_type *t;
    struct both child[4];
    const struct mpi_type *types[4];
    int lengths[4], n = 1 + below(4);
    MPI_Aint displacements[4], next = 0;
    bool fits = true;
    for (int i = 0; i < n; i++) {
        child[i] = make(depth - 1);
        types[i] = child[i].type;
        lengths[i] = below(3);
        displacements[i] = below(2) ? next : below(200) - 50;
        fits = fits && add(&b->model, &child[i].model, lengths[i], displacements[i]);
        next = displacements[i] + lengths[i] * model_extent(&child[i].model);
    }
    struct mpi_blocks_args a = {.combiner = MPI_COMBINER_STRUCT,
                                .count = n,
                                .lengths = {lengths, false},
                                .displacements = {displacements, true},
                                .types = types};
    if (fits) {
        CHECK_EQ(mpi_make_blocks(&maker, &a, &t), 0);
        b->type = t;
    }
    for (int i = 0; i < n; i++)
        drop(&child[i]);
    return fits;
}

static bool make_resized(struct both *b, struct both *c)
{
    struct mpi_type *t;
    MPI_Aint lb = below(20) - 10, extent = below(60);
    CHECK(add(&b->model, &c->model, 1, 0));
    b->model.marked = true;
    b->model.mark_lb = lb;
    b->model.mark_ub = lb + extent;
    CHECK_EQ(mpi_make_resized(&maker, c->type, lb, extent, &t), 0);
    b->type = t;
    return true;
}

/* One dimension cut from an array, by blocks dealt in turns. */
static bool make_array(struct both *b, struct both *c)
{
    struct mpi_layout l;
    struct mpi_type *t;
    int size = 1 + below(12), block = 1 + below(3), processes = 1 + below(3),
        mine = below(processes);
    MPI_Aint extent = model_extent(&c->model);
    for (int i = 0; i < size; i++)
        if (i / block % processes == mine && !add(&b->model, &c->model, 1, i * extent))
            return false;
    b->model.marked = true;
    b->model.mark_lb = 0;
    b->model.mark_ub = size * extent;
    mpi_layout_begin(&l, &maker, c->type);
    CHECK_EQ(mpi_layout_cyclic(&l, size, block, processes, mine), 0);
    CHECK_EQ(mpi_layout_end(&l, MPI_COMBINER_DARRAY, c->type, NULL, 0, &t), 0);
    b->type = t;
    return true;
}

static struct both make(int depth)
{
    static bool (*const ways[])(struct both *, struct both *) = {
        make_vector, make_vector, make_blocks, make_blocks, make_resized, make_array};
    if (depth == 0)
        return basic();
    struct both b = {NULL, model_new()};
    int way = below(8);
    bool fits;
    if (way >= 6) {
        fits = make_struct(&b, depth);
    } else {
        struct both c = make(depth - 1);
        fits = ways[way](&b, &c);
        drop(&c);
    }
    if (fits)
        return b;
    free(b.model.entry);
    return basic();
}

static unsigned char area[AREA], back[AREA], want[AREA], packed[AREA], got[AREA];

/* The packed form by the model; returns its size. */
static uint64_t pack_model(const struct model *m, int count, const unsigned char *buf)
{
    uint64_t n = 0;
    MPI_Aint extent = model_extent(m);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < m->n; i++) {
            uint64_t size = (uint64_t)m->entry[i].basic->size;
            memcpy(want + n, buf + k * extent + m->entry[i].at, size);
            n += size;
        }
    return n;
}

/* Bytes that the engine said it has moved: their time is the image's. */
static uint64_t moved;

void mpu_moved(uint64_t n)
{
    moved += n;
}

/* Pieces of any size must give what one piece gives. */
static void check_copying(const struct both *b, int count, const unsigned char *buf, uint64_t n)
{
    uint64_t at = 0;
    while (at < n) {
        uint64_t piece = 1 + (uint64_t)below(below(2) ? 7 : 300);
        piece = piece < n - at ? piece : n - at;
        mpi_type_pack(b->type, count, buf, at, piece, packed + at);
        at += piece;
    }
    CHECK_EQ(memcmp(packed, want, n), 0);
    moved = 0;
    mpi_type_pack(b->type, count, buf, 0, n, got);
    CHECK_EQ(moved, n);
    CHECK_EQ(memcmp(got, want, n), 0);
    for (int i = 0; n && i < 4; i++) { /* a part that begins and ends anywhere */
        uint64_t from = (uint64_t)below((int)n), some = (uint64_t)below((int)(n - from)) + 1;
        mpi_type_pack(b->type, count, buf, from, some, got);
        CHECK_EQ(memcmp(got, want + from, some), 0);
    }
}

/* What is unpacked in pieces and packed again is the same, and nothing else was touched. */
static void check_unpacking(const struct both *b, int count, unsigned char *buf, uint64_t n)
{
    memset(back, 0xee, AREA);
    unsigned char *there = back + (buf - area);
    MPI_Aint extent = model_extent(&b->model);
    for (uint64_t at = 0; at < n;) {
        uint64_t piece = 1 + (uint64_t)below(100);
        piece = piece < n - at ? piece : n - at;
        mpi_type_unpack(b->type, count, there, at, piece, want + at);
        at += piece;
    }
    for (int k = 0; k < count; k++)
        for (int i = 0; i < b->model.n; i++) {
            unsigned char *at = there + k * extent + b->model.entry[i].at;
            for (MPI_Count j = 0; j < b->model.entry[i].basic->size; j++)
                CHECK_EQ(at[j], buf[at + j - there]);
        }
    for (int k = 0; k < count; k++)
        for (int i = 0; i < b->model.n; i++)
            memset(there + k * extent + b->model.entry[i].at, 0xee,
                   (size_t)b->model.entry[i].basic->size);
    for (int i = 0; i < AREA; i++)
        if (back[i] != 0xee)
            CHECK_EQ(i, -1);
}

static void check_elements(const struct both *b, int count)
{
    MPI_Count elements = 0;
    uint64_t bytes = 0;
    CHECK_EQ(mpi_type_elements(b->type, 0), 0);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < b->model.n; i++) {
            MPI_Count size = b->model.entry[i].basic->size;
            if (size > 1)
                CHECK_EQ(mpi_type_elements(b->type, bytes + 1), -1);
            bytes += (uint64_t)size;
            elements++;
            CHECK_EQ(mpi_type_elements(b->type, bytes), elements);
            MPI_Count inverse = -1;
            CHECK_EQ(mpi_type_bytes(b->type, elements, &inverse), MPI_SUCCESS);
            CHECK_EQ(inverse, bytes);
        }
}

static void check(struct both *b)
{
    struct mpi_bounds is = mpi_type_bounds(b->type), should = model_bounds(&b->model);
    MPI_Aint offset;
    int count = 1 + below(below(3) ? 3 : 40);
    CHECK_EQ(is.lb, should.lb);
    CHECK_EQ(is.extent, should.extent);
    CHECK_EQ(is.true_lb, should.true_lb);
    CHECK_EQ(is.true_extent, should.true_extent);
    MPI_Aint span = (count - 1) * is.extent;
    MPI_Aint low = is.true_lb + (span < 0 ? span : 0),
             high = is.true_lb + is.true_extent + (span > 0 ? span : 0);
    if (low < -AREA / 2 || high > AREA / 2)
        return;
    unsigned char *buf = area + AREA / 2;
    uint64_t n = pack_model(&b->model, count, buf);
    CHECK_EQ(b->type->size * count, n);
    CHECK_EQ(mpi_type_compile(NULL, b->type), MPI_SUCCESS);
    check_copying(b, count, buf, n);
    if (mpi_type_run(b->type, count, &offset))
        CHECK_EQ(memcmp(buf + offset, want, n), 0);
    else
        CHECK(b->model.n * count > 1);
    check_elements(b, count);
}

/* Elements must not overlap to be received into. */
static bool overlaps(const struct model *m, int count)
{
    static unsigned char used[AREA];
    MPI_Aint extent = model_extent(m);
    memset(used, 0, AREA);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < m->n; i++)
            for (MPI_Count j = 0; j < m->entry[i].basic->size; j++) {
                MPI_Aint at = AREA / 2 + k * extent + m->entry[i].at + j;
                if (at < 0 || at >= AREA || used[at]++)
                    return true;
            }
    return false;
}

/* Two elements of t, whose bytes lie at place[i], are packed and unpacked. */
static void check_places(const struct mpi_type *t, const MPI_Aint *place, MPI_Count n)
{
    MPI_Aint extent = mpi_type_extent(t);
    CHECK_EQ(t->size, n);
    CHECK_EQ(mpi_type_compile(NULL, t), MPI_SUCCESS);
    mpi_type_pack(t, 2, area, 0, 2 * (uint64_t)n, packed);
    memset(back, 0, AREA);
    memset(want, 0, AREA);
    for (MPI_Count i = 0; i < 2 * n; i++) {
        MPI_Aint at = place[i % n] + i / n * extent;
        CHECK_EQ(packed[i], area[at]);
        want[at] = area[at];
    }
    mpi_type_unpack(t, 2, back, 0, 2 * (uint64_t)n, packed);
    CHECK_EQ(memcmp(back, want, AREA), 0);
}

static MPI_Count add_run(MPI_Aint *place, MPI_Count n, MPI_Aint at, int bytes)
{
    for (int i = 0; i < bytes; i++)
        place[n++] = at + i;
    return n;
}

/* Runs of so many bytes: in two rows of a vector, and 20 at places without a pattern, the last of
 * which have `longer` times the length. */
static void check_length(int bytes, int longer)
{
    static MPI_Aint place[17 * 600 + 3 * 9 * 600];
    struct mpi_type *row, *rows, *t;
    MPI_Aint displacements[20];
    MPI_Count n = 0;
    int lengths[20];
    CHECK_EQ(mpi_make_vector(&maker, MPI_COMBINER_HVECTOR, 11, bytes, bytes + 3,
                             mpi_type_of(MPI_CHAR), &row),
             0);
    CHECK_EQ(mpi_make_vector(&maker, MPI_COMBINER_HVECTOR, 2, 1, 12 * (bytes + 3) + 1, row, &rows),
             0);
    for (int i = 0; i < 22; i++)
        n = add_run(place, n, i % 11 * (bytes + 3) + i / 11 * (12 * (bytes + 3) + 1), bytes);
    check_places(rows, place, n);
    n = 0;
    for (int i = 0; i < 20; i++) {
        lengths[i] = i < 17 ? bytes : longer * bytes;
        displacements[i] = i * 7 % 20 * (longer * bytes + 2) + i % 2;
        n = add_run(place, n, displacements[i], lengths[i]);
    }
    struct mpi_blocks_args a = {.combiner = MPI_COMBINER_HINDEXED,
                                .count = 20,
                                .lengths = {lengths, false},
                                .displacements = {displacements, true},
                                .old = mpi_type_of(MPI_CHAR)};
    CHECK_EQ(mpi_make_blocks(&maker, &a, &t), 0);
    check_places(t, place, n);
    mpi_type_release(NULL, t);
    mpi_type_release(NULL, rows);
    mpi_type_release(NULL, row);
}

int main(void)
{
    int unpacked = 0;
    for (int i = 0; i < AREA; i++)
        area[i] = (unsigned char)(i * 31 + i / 251 + 7);
    for (uint32_t s = 0; s < 6000; s++) {
        seed = s * 7919 + 1;
        struct both b = make(1 + below(4));
        check(&b);
        int count = s % 16 ? 1 : 9;
        if (s % 8 == 0 && b.model.n && !overlaps(&b.model, count)) {
            uint64_t n = pack_model(&b.model, count, area + AREA / 2);
            check_unpacking(&b, count, area + AREA / 2, n);
            unpacked++;
        }
        drop(&b);
        CHECK_EQ(living, 0);
    }
    CHECK(unpacked > 100);
    for (int bytes = 1; bytes <= 600; bytes += bytes < 140 ? 1 : 46) {
        check_length(bytes, 1);
        check_length(bytes, 2);
        check_length(bytes, 9); /* too long to be cut */
        CHECK_EQ(living, 0);
    }
    printf("6000 types, %d of them unpacked\n", unpacked);
    return 0;
}
