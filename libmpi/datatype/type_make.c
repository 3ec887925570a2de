/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "datatype/type_make.h"

/* Sizes and bounds stay below SPAN_MAX, so that sums of a few of them cannot overflow, and extents
 * below what an address has. Until they are known to, they are computed by plus() and times(),
 * which end at SPAN_LIMIT. */
#define SPAN_MAX   ((int64_t)1 << 61)
#define EXTENT_MAX (INTPTR_MAX < SPAN_MAX ? (int64_t)INTPTR_MAX : SPAN_MAX)
#define SPAN_LIMIT (((int64_t)1 << 62) - 1)

static int64_t within(int64_t n)
{
    return n > SPAN_LIMIT ? SPAN_LIMIT : n < -SPAN_LIMIT ? -SPAN_LIMIT : n;
}

static int64_t plus(int64_t a, int64_t b)
{
    return within(a + b);
}

static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    return !__builtin_mul_overflow(a, b, &product) ? within(product)
           : (a < 0) == (b < 0)                    ? SPAN_LIMIT
                                                   : -SPAN_LIMIT;
}

int mpi_maker_begin(struct mpi_maker *m, const char *call, bool large, MPI_Datatype *newtype)
{
    *m = (struct mpi_maker){mpi_running(call), call, large};
    return m->p ? mpi_check_out(NULL, call, newtype, "newtype") : MPI_ERR_OTHER;
}

int mpi_maker_end(int rc, struct mpi_type *const *made, MPI_Datatype *newtype)
{
    if (!rc)
        *newtype = mpi_type_handle(*made);
    return rc;
}

int mpi_maker_count(const struct mpi_maker *m, MPI_Count n, const char *name)
{
    if (n >= 0)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_COUNT, m->call, "%s %lld is negative", name, (long long)n);
}

int mpi_maker_array(const struct mpi_maker *m, MPI_Count n, const void *array, const char *name)
{
    return n > 0 ? mpi_check_out(NULL, m->call, array, name) : MPI_SUCCESS;
}

int mpi_maker_lengths(const struct mpi_maker *m, MPI_Count count, struct mpi_array lengths)
{
    int rc = mpi_maker_count(m, count, "count");
    if (rc || (rc = mpi_maker_array(m, count, lengths.at, "array_of_blocklengths")))
        return rc;
    for (MPI_Count i = 0; i < count; i++)
        if (mpi_array_at(lengths, i) < 0)
            return mpi_error(NULL, MPI_ERR_ARG, m->call, "array_of_blocklengths[%lld] is %lld",
                             (long long)i, (long long)mpi_array_at(lengths, i));
    return MPI_SUCCESS;
}

static int too_large(const struct mpi_maker *m)
{
    return mpi_error(NULL, MPI_ERR_COUNT, m->call, "the datatype would span more than 2^61 bytes");
}

/* A node with `more` bytes behind it, bounds first. */
static int node(const struct mpi_maker *m, int combiner, enum mpi_type_kind kind, size_t more,
                struct mpi_type **made)
{
    struct mpi_type *t = mpi_alloc(m->p, sizeof *t + sizeof(struct mpi_bounds) + more);
    *made = t;
    if (!t)
        return mpi_error_below(NULL, -B_ENOMEM, m->call);
    t->magic = MPI_IS_TYPE;
    t->refs = 1;
    t->kind = (uint8_t)kind & 15;
    t->combiner = (uint8_t)combiner;
    t->flags = m->large ? MPI_TYPE_LARGE : 0;
    t->alignment = 1;
    return MPI_SUCCESS;
}

/* t now uses c. */
static void use(struct mpi_type *t, const struct mpi_type *c)
{
    mpi_type_retain(c);
    if (c->depth >= t->depth)
        t->depth = (uint8_t)(c->depth + 1);
}

/* Ends the making: what cannot be is given back. */
static int end(const struct mpi_maker *m, bool fits, struct mpi_type **made)
{
    if (fits && (*made)->depth <= MPI_TYPE_DEPTH_MAX)
        return MPI_SUCCESS;
    int rc = fits ? mpi_error(NULL, MPI_ERR_TYPE, m->call, "datatypes are nested deeper than %d",
                              MPI_TYPE_DEPTH_MAX)
                  : too_large(m);
    mpi_type_release(m->p, *made);
    *made = NULL;
    return rc;
}

/* Whether the type map of t has entries: data or marks of bounds. */
static bool has_entries(const struct mpi_type *t)
{
    return t->size > 0 || t->flags & MPI_TYPE_MARKED;
}

static int64_t magnitude(int64_t n)
{
    return within(n) < 0 ? -within(n) : within(n);
}

static bool vector_fits(const struct mpi_type *t)
{
    const struct mpi_type *c = t->child;
    struct mpi_bounds b = mpi_type_bounds(c);
    int64_t n = t->vector.count, m = t->vector.blocklength;
    int64_t unit = t->combiner == MPI_COMBINER_VECTOR ? magnitude(b.extent) : 1;
    if (n == 0 || m == 0)
        return true;
    int64_t stride = times(magnitude(t->vector.stride), unit);
    int64_t span = plus(times(n, stride), times(m, magnitude(b.extent)));
    int64_t bounds = plus(plus(magnitude(b.lb), magnitude(b.true_lb)), magnitude(b.true_extent));
    return times(n, m) <= SPAN_MAX && times(times(n, m), c->size) <= SPAN_MAX &&
           span <= EXTENT_MAX && plus(span, bounds) <= SPAN_MAX;
}

/* Whether count blocks of blocklength elements follow each other without a gap. */
static bool vector_is_run(const struct mpi_type *t)
{
    const struct mpi_type *c = t->child;
    MPI_Count n = t->vector.count, m = t->vector.blocklength;
    MPI_Aint extent = mpi_type_extent(c);
    return c->flags & MPI_TYPE_RUN && (m == 1 || extent == c->size) &&
           (n == 1 || mpi_type_stride(t) == m * c->size);
}

int mpi_make_vector(const struct mpi_maker *m, int combiner, MPI_Count count, MPI_Count blocklength,
                    MPI_Count stride, const struct mpi_type *old, struct mpi_type **made)
{
    int rc = node(m, combiner, MPI_KIND_VECTOR, 0, made);
    if (rc)
        return rc;
    struct mpi_type *t = *made;
    t->child = old;
    t->vector.count = count;
    t->vector.blocklength = blocklength;
    t->vector.stride = stride;
    use(t, old);
    if (!vector_fits(t))
        return end(m, false, made);
    if (count && blocklength && has_entries(old)) {
        t->size = count * blocklength * old->size;
        t->alignment = old->alignment;
        t->mark = old->mark;
        t->flags |= old->flags & MPI_TYPE_MARKED;
        t->flags |= vector_is_run(t) ? MPI_TYPE_RUN : 0;
    }
    mpi_bounds_vector(t, (struct mpi_bounds *)(t + 1));
    return end(m, true, made);
}

static const struct mpi_type *type_of_block(const struct mpi_type *t, MPI_Count i)
{
    return t->child ? t->child : t->blocks->types[i];
}

/* Bounds of a type map while its blocks are added. */
struct hull {
    bool any;
    int64_t low, high;
};

static void cover(struct hull *h, int64_t low, int64_t high)
{
    if (!h->any || low < h->low)
        h->low = low;
    if (!h->any || high > h->high)
        h->high = high;
    h->any = true;
}

struct survey {
    struct hull given, plain, data; /* of marked types, of others, of data */
    int64_t size, next;             /* bytes so far; where a run would go on */
    unsigned int mark;              /* of all elements */
    bool run, fits;
};

static void add_block(struct survey *s, const struct mpi_type *c, MPI_Count n, int64_t at)
{
    struct mpi_bounds b = mpi_type_bounds(c);
    int64_t more = times(n - 1, b.extent);
    int64_t low = plus(at, more < 0 ? more : 0), high = plus(at, more > 0 ? more : 0);
    if (times(magnitude(b.extent), n) > SPAN_MAX || magnitude(at) > SPAN_MAX) {
        s->fits = false;
        return;
    }
    cover(c->flags & MPI_TYPE_MARKED ? &s->given : &s->plain, plus(low, b.lb),
          plus(plus(high, b.lb), b.extent));
    if (c->size == 0)
        return;
    s->mark = s->data.any && s->mark != c->mark ? MPI_MARK_NONE : c->mark;
    bool run = c->flags & MPI_TYPE_RUN && (n == 1 || b.extent == c->size);
    int64_t begin = plus(at, b.true_lb);
    if (!run || (s->data.any && begin != s->next))
        s->run = false;
    s->next = plus(begin, times(n, c->size));
    s->size = plus(s->size, times(n, c->size));
    cover(&s->data, plus(low, b.true_lb), plus(plus(high, b.true_lb), b.true_extent));
}

/* Computes size, bounds and flags of irregular types; false if they are too large. */
static bool survey(struct mpi_type *t)
{
    struct mpi_blocks *b = t->blocks;
    struct survey s = {.run = true, .fits = true};
    for (MPI_Count i = 0; i < b->count && s.fits && s.size <= SPAN_MAX; i++) {
        const struct mpi_type *c = type_of_block(t, i);
        MPI_Count n = mpi_blocks_before(b, i + 1) - mpi_blocks_before(b, i);
        if (n == 0 || !has_entries(c))
            continue;
        if (c->alignment > t->alignment)
            t->alignment = c->alignment;
        add_block(&s, c, n, times(b->displacement[i], b->unit));
    }
    const struct hull *h = s.given.any ? &s.given : &s.plain;
    if (!s.fits || s.size > SPAN_MAX || h->high - h->low > EXTENT_MAX ||
        s.data.high - s.data.low > EXTENT_MAX)
        return false;
    t->size = (MPI_Count)s.size;
    t->mark = s.mark & 31;
    t->flags |= (s.given.any ? MPI_TYPE_MARKED : 0) | (s.run && s.size ? MPI_TYPE_RUN : 0);
    b->bounds.true_lb = (MPI_Aint)s.data.low;
    b->bounds.true_extent = (MPI_Aint)(s.data.high - s.data.low);
    b->bounds.lb = (MPI_Aint)h->low;
    b->bounds.extent = (MPI_Aint)(h->high - h->low);
    if (!s.given.any)
        mpi_bounds_pad(&b->bounds, t->alignment);
    return true;
}

/* Copies the arguments behind the node; false: the lengths sum up to too much. */
static bool fill(struct mpi_type *t, const struct mpi_blocks_args *a, MPI_Count *numbers)
{
    struct mpi_blocks *b = t->blocks;
    MPI_Count *displacement = numbers, *first = numbers + a->count;
    const struct mpi_type **types = (const struct mpi_type **)(first + a->count + 1);
    for (MPI_Count i = 0; i < a->count; i++)
        displacement[i] = mpi_array_at(a->displacements, i);
    b->displacement = displacement;
    bool fits = a->lengths.at || times(a->count, a->length) <= SPAN_MAX;
    if (a->lengths.at) {
        for (MPI_Count i = 0; i < a->count; i++) {
            MPI_Count n = mpi_array_at(a->lengths, i);
            fits = fits && n <= SPAN_MAX - first[i];
            first[i + 1] = fits ? first[i] + n : first[i];
        }
        b->first = first;
    }
    for (MPI_Count i = 0; !a->old && i < a->count; i++) {
        types[i] = a->types[i];
        use(t, types[i]);
    }
    b->types = a->old ? NULL : types;
    return fits;
}

int mpi_make_blocks(const struct mpi_maker *m, const struct mpi_blocks_args *a,
                    struct mpi_type **made)
{
    size_t words = (size_t)a->count * (1 + !!a->lengths.at + !a->old) + !!a->lengths.at;
    /* A structure has lengths, so that what follows lies where fill() looks. */
    if (times(a->count, 24) > SPAN_MAX)
        return too_large(m);
    int rc = node(m, a->combiner, a->old ? MPI_KIND_BLOCKS : MPI_KIND_STRUCT,
                  sizeof(struct mpi_blocks) - sizeof(struct mpi_bounds) + words * sizeof(MPI_Count),
                  made);
    if (rc)
        return rc;
    struct mpi_type *t = *made;
    t->blocks = (struct mpi_blocks *)(t + 1);
    t->blocks->count = a->count;
    t->blocks->length = a->length;
    t->blocks->unit = a->in_extents ? mpi_type_extent(a->old) : 1;
    t->child = a->old;
    if (a->old)
        use(t, a->old);
    bool fits = fill(t, a, (MPI_Count *)(t->blocks + 1));
    return end(m, fits && survey(t), made);
}

int mpi_make_resized(const struct mpi_maker *m, const struct mpi_type *old, MPI_Aint lb,
                     MPI_Aint extent, struct mpi_type **made)
{
    if (magnitude(lb) + magnitude(extent) > SPAN_MAX)
        return too_large(m);
    int rc = node(m, MPI_COMBINER_RESIZED, MPI_KIND_RESIZED, 0, made);
    if (rc)
        return rc;
    struct mpi_type *t = *made;
    t->child = old;
    t->size = old->size;
    t->alignment = old->alignment;
    t->mark = old->mark;
    t->flags |= MPI_TYPE_MARKED | (old->flags & MPI_TYPE_RUN);
    struct mpi_bounds *b = (struct mpi_bounds *)(t + 1);
    *b = mpi_type_bounds(old);
    b->lb = lb;
    b->extent = extent;
    use(t, old);
    return end(m, true, made);
}

int mpi_make_alias(const struct mpi_maker *m, int combiner, const struct mpi_type *layout,
                   const struct mpi_type *old, const MPI_Count *args, MPI_Count n,
                   struct mpi_type **made)
{
    int rc = node(m, combiner, MPI_KIND_ALIAS, (size_t)n * sizeof *args, made);
    if (rc)
        return rc;
    struct mpi_type *t = *made;
    t->child = layout;
    t->plan = layout->plan;
    t->size = layout->size;
    t->alignment = layout->alignment;
    t->mark = layout->mark;
    t->flags |= layout->flags & (MPI_TYPE_MARKED | MPI_TYPE_RUN);
    t->alias.old = old;
    t->alias.n = n;
    struct mpi_bounds *b = (struct mpi_bounds *)(t + 1);
    *b = mpi_type_bounds(layout);
    if (n)
        t->alias.args = memcpy(b + 1, args, (size_t)n * sizeof *args);
    use(t, layout);
    if (old)
        use(t, old);
    return end(m, true, made);
}
