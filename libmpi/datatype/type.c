/* SPDX-License-Identifier: MIT */
#include <base/texts.h>

#include "core/attr.h"
#include "datatype/type_plan.h"

#define UP(n, to) (((n) + (to)-1) / (to) * (to))

/* Where each type is, how large, and where the index of a pair lies: as in a C struct. */
enum {
#define TYPE(handle, name, size, group, element)     AT_##name,
#define PAIR(handle, name, size, span, value, index) AT_##name,
#include "datatype/datatypes.def"
#undef TYPE
#undef PAIR
    TYPES
};

enum {
#define TYPE(handle, name, size, group, element)     SIZE_##name = size,
#define PAIR(handle, name, size, span, value, index) PLACE_##name = UP(SIZE_##value, SIZE_##index),
#include "datatype/datatypes.def"
#undef TYPE
#undef PAIR
};

/* The mark of elements of an arithmetic, in a group. Logical values are stored as unsigned
 * numbers. An unsigned char is what C programs store any object in, so it is taken for a byte. */
#define RAW(of, arithmetic)                                                                        \
    ((of) == MPI_TYPES_BYTE || ((of) == MPI_TYPES_C_INTEGER && (arithmetic) == (int)MPI_U1))
#define MARK(of, arithmetic)                                                                       \
    (RAW(of, arithmetic)           ? MPI_MARK_NONE                                                 \
     : (of) == MPI_TYPES_LOGICAL   ? MPI_MARK_LOGICAL + (arithmetic) - (int)MPI_U1                 \
     : (arithmetic) >= (int)MPI_C2 ? MPI_MARK_COMPLEX + (arithmetic) - (int)MPI_C2                 \
     : (arithmetic) >= (int)MPI_F2 ? MPI_MARK_FLOATING + (arithmetic) - (int)MPI_F2                \
     : (arithmetic) >= (int)MPI_U1 ? MPI_MARK_INTEGER + (arithmetic) - (int)MPI_U1                 \
                                   : MPI_MARK_INTEGER + (arithmetic) - (int)MPI_I1)

enum {
#define TYPE(handle, name, size, group, element)                                                   \
    MARK_##name = AT_##name == AT_MPI_PACKED ? 0 : MARK((int)MPI_TYPES_##group, (int)MPI_##element),
#define PAIR(handle, name, size, span, value, index)                                               \
    MARK_##name = AT_##value == (int)AT_##index ? (int)MARK_##value : (int)MPI_MARK_PAIR,
#include "datatype/datatypes.def"
#undef TYPE
#undef PAIR
};

const char *mpi_mark_text(unsigned int mark)
{
    static const char texts[] = "other elements\0"
                                "integers of 1 byte\0"
                                "integers of 2 bytes\0"
                                "integers of 4 bytes\0"
                                "integers of 8 bytes\0"
                                "integers of 16 bytes\0"
                                "floating-point numbers of 2 bytes\0"
                                "floating-point numbers of 4 bytes\0"
                                "floating-point numbers of 8 bytes\0"
                                "long floating-point numbers\0"
                                "floating-point numbers of 16 bytes\0"
                                "complex numbers of 4 bytes\0"
                                "complex numbers of 8 bytes\0"
                                "complex numbers of 16 bytes\0"
                                "long complex numbers\0"
                                "complex numbers of 32 bytes\0"
                                "logical values of 1 byte\0"
                                "logical values of 2 bytes\0"
                                "logical values of 4 bytes\0"
                                "logical values of 8 bytes\0"
                                "logical values of 16 bytes\0"
                                "pairs of a number and an index";
    return b_text_of(texts, mark < MPI_MARKS ? mark : 0);
}

#define TYPE(handle, name, size, group, element)
#define PAIR(handle, name, size, span, value, index)                                               \
    static const struct mpi_type *const types_##name[] = {&mpi_types[AT_##value],                  \
                                                          &mpi_types[AT_##index]};                 \
    static const MPI_Count places_##name[] = {0, PLACE_##name};                                    \
    static const struct mpi_blocks blocks_##name = {                                               \
        {0, span, 0, PLACE_##name + SIZE_##index}, 2, places_##name, NULL, types_##name, 1, 1};    \
    static const MPI_Aint at_##name[] = {0, PLACE_##name};                                         \
    static const uint64_t first_##name[] = {0, SIZE_##value, SIZE_##value + SIZE_##index};         \
    static const struct mpi_plan plan_##name = {                                                   \
        SIZE_##value + SIZE_##index, 2, MPI_PLAN_RUNS, 2, 0, {at_##name}, first_##name};
#include "datatype/datatypes.def"
#undef TYPE
#undef PAIR

/* Bytes of alignment by arithmetic; complex numbers are aligned as their parts. */
#define ALIGN_I1  1
#define ALIGN_I2  2
#define ALIGN_I4  4
#define ALIGN_I8  8
#define ALIGN_I16 16
#define ALIGN_IL  sizeof(long)
#define ALIGN_UL  sizeof(long)
#define ALIGN_IA  sizeof(MPI_Aint)
#define ALIGN_U1  1
#define ALIGN_U2  2
#define ALIGN_U4  4
#define ALIGN_U8  8
#define ALIGN_U16 16
#define ALIGN_F2  2
#define ALIGN_F4  4
#define ALIGN_F8  8
#define ALIGN_FL  16
#define ALIGN_F16 16
#define ALIGN_C2  2
#define ALIGN_C4  4
#define ALIGN_C8  8
#define ALIGN_CL  16
#define ALIGN_C16 16

const struct mpi_type mpi_types[TYPES] = {
#define TYPE(code, id, bytes, of, arithmetic)                                                      \
    [AT_##id] = {.magic = MPI_IS_TYPE,                                                             \
                 .handle = code,                                                                   \
                 .kind = MPI_KIND_BASIC,                                                           \
                 .combiner = MPI_COMBINER_NAMED,                                                   \
                 .flags = MPI_TYPE_COMMITTED | MPI_TYPE_RUN,                                       \
                 .alignment = ALIGN_##arithmetic,                                                  \
                 .element = MPI_##arithmetic,                                                      \
                 .group = MPI_TYPES_##of,                                                          \
                 .mark = MARK_##id,                                                                \
                 .size = bytes,                                                                    \
                 .name = #id},
#define PAIR(code, id, bytes, span, first, index)                                                  \
    [AT_##id] = {.magic = MPI_IS_TYPE,                                                             \
                 .handle = code,                                                                   \
                 .kind = MPI_KIND_STRUCT,                                                          \
                 .combiner = MPI_COMBINER_NAMED,                                                   \
                 .flags = MPI_TYPE_COMMITTED | (PLACE_##id == SIZE_##first ? MPI_TYPE_RUN : 0),    \
                 .depth = 1,                                                                       \
                 .alignment = span - PLACE_##id, /* the index fills what the value aligns to */    \
                 .group = MPI_TYPES_PAIR,                                                          \
                 .mark = MARK_##id,                                                                \
                 .size = bytes,                                                                    \
                 .name = #id,                                                                      \
                 .plan = &plan_##id,                                                               \
                 .blocks = (struct mpi_blocks *)&blocks_##id},
#include "datatype/datatypes.def"
#undef TYPE
#undef PAIR
};

const uint8_t mpi_type_places[MPI_TYPES_LAST - MPI_TYPES_FIRST + 1] = {
#define TYPE(handle, name, size, group, element)     [(handle)-MPI_TYPES_FIRST] = AT_##name + 1,
#define PAIR(handle, name, size, span, value, index) [(handle)-MPI_TYPES_FIRST] = AT_##name + 1,
#include "datatype/datatypes.def"
#undef TYPE
#undef PAIR
};

const struct mpi_type *mpi_type_of(MPI_Datatype handle)
{
    const struct mpi_type *t = (const struct mpi_type *)handle;
    if ((uintptr_t)handle <= MPI_TYPES_LAST)
        return mpi_type_predefined(handle);
    return mpi_may_be_object(t) && t->magic == MPI_IS_TYPE ? t : NULL;
}

MPI_Datatype mpi_type_handle(const struct mpi_type *t)
{
    return t->handle ? (MPI_Datatype)(uintptr_t)t->handle : (MPI_Datatype)(uintptr_t)t;
}

void mpi_type_retain(const struct mpi_type *t)
{
    if (!t->handle)
        ((struct mpi_type *)t)->refs++;
}

static void release_below(struct mpi_process *p, const struct mpi_type *t)
{
    if (t->child)
        mpi_type_release(p, t->child);
    if (t->kind == MPI_KIND_ALIAS && t->alias.old)
        mpi_type_release(p, t->alias.old);
    if (t->kind == MPI_KIND_STRUCT)
        for (MPI_Count i = 0; i < t->blocks->count; i++)
            mpi_type_release(p, t->blocks->types[i]);
}

void mpi_type_release(struct mpi_process *p, const struct mpi_type *t)
{
    struct mpi_type *mine = (struct mpi_type *)t;
    if (t->handle || --mine->refs)
        return;
    mpi_attrs_delete(p, mpi_type_handle(t)); /* of one freed while in use */
    mpi_plan_free(p, mine);
    release_below(p, t);
    mpi_free(p, (char *)mine->name);
    mine->magic = MPI_DEAD;
    mpi_free(p, mine);
}
