/* SPDX-License-Identifier: MIT */
/* Datatypes: what a handle stands for, and the engine that moves data of it.
 *
 * A type is a tree. Its leaves are the predefined types of the ABI; an inner node repeats or
 * places what is below it and remembers the arguments it was made from, which are its description.
 * When it is committed a plan is made of it (type_plan.h), by which data is moved; a vector of a
 * million blocks costs as much as one with two. The packed form of a type is its basic elements in
 * the order of the type map without any gap; that is what travels (so MPI_DOUBLE_INT is 12 bytes on
 * the wire and 16 in memory). Every position in it can be reached without walking what lies before,
 * so a message may be packed in pieces of any size.
 *
 * Nothing here waits. Derived types belong to one rank; predefined ones are constant. */
#ifndef MPI_DATATYPE_TYPE_H
#define MPI_DATATYPE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/mem.h>
#include <mpiutil/machine.h>

#include <mpi.h>

#include "core/object.h"

enum mpi_type_kind {
    MPI_KIND_BASIC,   /* predefined, one element */
    MPI_KIND_VECTOR,  /* count blocks of blocklength elements, a constant stride */
    MPI_KIND_BLOCKS,  /* blocks of one type, each with its displacement */
    MPI_KIND_STRUCT,  /* blocks with a type each */
    MPI_KIND_RESIZED, /* other bounds */
    MPI_KIND_ALIAS    /* the layout of another type under other arguments (subarray, dup, ...) */
};

/* Groups of predefined types, MPI 5.0 table 6.9.2: which operations apply. */
enum mpi_type_group {
    MPI_TYPES_NONE,
    MPI_TYPES_C_INTEGER,
    MPI_TYPES_F_INTEGER,
    MPI_TYPES_FLOATING,
    MPI_TYPES_COMPLEX,
    MPI_TYPES_LOGICAL,
    MPI_TYPES_BYTE,
    MPI_TYPES_PAIR,
    MPI_TYPES_GROUPS
};

/* The arithmetic of one element: I integers, U unsigned, F floating, C complex, by bytes (of the
 * part, for complex); L is long double. */
enum mpi_element {
    MPI_I1,
    MPI_I2,
    MPI_I4,
    MPI_I8,
    MPI_I16,
    MPI_U1,
    MPI_U2,
    MPI_U4,
    MPI_U8,
    MPI_U16,
    MPI_F2,
    MPI_F4,
    MPI_F8,
    MPI_FL,
    MPI_F16,
    MPI_C2,
    MPI_C4,
    MPI_C8,
    MPI_CL,
    MPI_C16,
    MPI_ELEMENTS
};

/* Of long, and of an address. */
enum {
    MPI_IL = sizeof(long) == 8 ? MPI_I8 : MPI_I4,
    MPI_UL = sizeof(long) == 8 ? MPI_U8 : MPI_U4,
    MPI_IA = sizeof(MPI_Aint) == 8 ? MPI_I8 : MPI_I4
};

/* What all elements of a type are, told to the receiver of a message (mpu_marked): class and size,
 * so that a mistake is noticed, but not that names or signs of the two languages differ. */
enum mpi_mark {
    MPI_MARK_NONE,         /* elements of several kinds, none, raw bytes, packed data */
    MPI_MARK_INTEGER,      /* of 1, 2, 4, 8, 16 bytes; the next ones also have a place for each */
    MPI_MARK_FLOATING = 6, /* of 2, 4, 8 bytes, long double, 16 bytes; the same for the parts of */
    MPI_MARK_COMPLEX = 11,
    MPI_MARK_LOGICAL = 16,
    MPI_MARK_PAIR = 21, /* a number and an index of another type */
    MPI_MARKS
};

enum mpi_type_flag {
    MPI_TYPE_COMMITTED = 1,
    MPI_TYPE_RUN = 2,     /* the packed form of one element lies in memory as one run */
    MPI_TYPE_MARKED = 4,  /* bounds were given, not computed: no padding (MPI 5.0, 5.1.6) */
    MPI_TYPE_LARGE = 8,   /* made by a function with large counts */
    MPI_TYPE_UNNAMED = 16 /* predefined without a name (f90): never freed by the program */
};

enum { MPI_IS_TYPE = 0x74797065 };

struct mpi_bounds {
    MPI_Aint lb, extent, true_lb, true_extent; /* bytes */
};

struct mpi_type;

/* Arrays of irregular types; they follow the type in its memory. */
struct mpi_blocks {
    struct mpi_bounds bounds; /* first, as of all types: mpi_type_bounds */
    MPI_Count count;
    const MPI_Count *displacement;       /* [count], in units of `unit` */
    const MPI_Count *first;              /* [count + 1] elements before; NULL: all have `length` */
    const struct mpi_type *const *types; /* [count]; NULL: all have the node's */
    MPI_Count length;
    MPI_Aint unit; /* bytes */
};

struct mpi_type {
    uint32_t magic;               /* MPI_IS_TYPE, MPI_DEAD */
    uint32_t refs;                /* handle, types made from it, operations under way */
    uint16_t handle : 11;         /* predefined: value of its handle, else 0 */
    uint16_t mark : 5;            /* enum mpi_mark */
    uint8_t kind : 4;             /* enum mpi_type_kind */
    uint8_t group : 4;            /* predefined: enum mpi_type_group */
    uint8_t combiner;             /* MPI_COMBINER_X */
    uint8_t flags;                /* enum mpi_type_flag */
    uint8_t depth;                /* levels below */
    uint8_t alignment;            /* bytes */
    uint8_t element;              /* basic: enum mpi_element */
    MPI_Count size;               /* bytes of data = of the packed form of one element */
    const char *name;             /* predefined: of the standard; else given, NULL: none */
    const struct mpi_type *child; /* NULL: basic, struct */
    const struct mpi_plan *plan;  /* NULL: not yet committed, or one run (type_plan.h) */
    union {
        struct {
            MPI_Count count, blocklength;
            MPI_Count stride; /* as given: in extents of the child or in bytes, by combiner */
        } vector;
        struct mpi_blocks *blocks;
        struct {
            const struct mpi_type *old; /* what the program gave; `child` is the layout */
            const MPI_Count *args;      /* as MPI_Type_get_contents gives them */
            MPI_Count n;
        } alias;
    };
};
_Static_assert(sizeof(struct mpi_type) <= 72, "a vector costs 72 bytes, its bounds, and its plan");

/* What a rank knows of a type beyond the type. */
struct mpi_type_note {
    struct mpi_type_note *next;
    const struct mpi_type *type;
    char name[];
};

/* Types may be nested this deep; the engine's stack grows with it. */
#define MPI_TYPE_DEPTH_MAX 128

/* The predefined type of a handle; NULL: none. */
#define MPI_TYPES_FIRST 0x200
#define MPI_TYPES_LAST  0x2ff
extern const uint8_t mpi_type_places[MPI_TYPES_LAST - MPI_TYPES_FIRST + 1]; /* 0: none; else + 1 */
extern const struct mpi_type mpi_types[];
static inline const struct mpi_type *mpi_type_predefined(MPI_Datatype handle)
{
    uintptr_t i = (uintptr_t)handle - MPI_TYPES_FIRST;
    bool is = i <= MPI_TYPES_LAST - MPI_TYPES_FIRST && mpi_type_places[i];
    return is ? &mpi_types[mpi_type_places[i] - 1] : NULL;
}

/* The type of a handle; NULL if it is null, was freed or never was one. */
const struct mpi_type *mpi_type_of(MPI_Datatype handle);
MPI_Datatype mpi_type_handle(const struct mpi_type *t);

/* n bytes of data of type t, marked. */
static inline uint64_t mpi_type_marked(const struct mpi_type *t, uint64_t n)
{
    return n ? mpu_marked(n, t->mark) : 0;
}

/* What a mark of elements says, as in "integers of 4 bytes"; constant. */
const char *mpi_mark_text(unsigned int mark);

/* Something uses t until it lets go of it: a type freed by the program lives as long. */
void mpi_type_retain(const struct mpi_type *t);
void mpi_type_release(struct mpi_process *p, const struct mpi_type *t);

/* Computed when a type is made: they follow it in its memory. Those of predefined pairs are with
 * their blocks. */
static inline struct mpi_bounds mpi_type_bounds(const struct mpi_type *t)
{
    if (t->kind == MPI_KIND_BASIC)
        return (struct mpi_bounds){0, t->size, 0, t->size};
    return t->handle ? t->blocks->bounds : *(const struct mpi_bounds *)(t + 1);
}

/* Computes those of a vector into b, which is zero. */
void mpi_bounds_vector(const struct mpi_type *t, struct mpi_bounds *b);

/* Pads the extent of a type without marks to its alignment (5.1.6). Its parts are as large as
 * alone: what was padded in them stays. */
void mpi_bounds_pad(struct mpi_bounds *b, MPI_Aint alignment);

/* Bytes from one block of a vector to the next. */
MPI_Aint mpi_type_stride(const struct mpi_type *t);

/* Elements before block i of an irregular type; i may be their number. */
static inline MPI_Count mpi_blocks_before(const struct mpi_blocks *b, MPI_Count i)
{
    return b->first ? b->first[i] : i * b->length;
}

static inline MPI_Aint mpi_type_extent(const struct mpi_type *t)
{
    return mpi_type_bounds(t).extent;
}

/* Whether count elements at any address b are one run of count * size bytes that begins at
 * b + *offset: then a message needs no packing. True for no bytes at all. */
bool mpi_type_run(const struct mpi_type *t, MPI_Count count, MPI_Aint *offset);

/* Whether n bytes at a and m bytes at b, at least one each, share any. */
static inline bool mpi_runs_overlap(uintptr_t a, uint64_t n, uintptr_t b, uint64_t m)
{
    return (uint64_t)a - b + (n - 1) < n + m - 1;
}

/* Whether two data share bytes. Where one of them is not one run: only if both are of one type at
 * one address, as gaps of one may hold the other. Types may be NULL: no data. */
bool mpi_type_overlap(const struct mpi_type *t, MPI_Count count, const void *buf,
                      const struct mpi_type *t2, MPI_Count count2, const void *buf2);

/* Moves the bytes [from, from + n) of the packed form of count elements at buf, of a committed
 * type. Needs from + n <= count * size. Repeated calls with growing `from` cost no more than one.
 * buf is an address or MPI_BOTTOM; its memory and that of `to`, `data` must not overlap. */
void mpi_type_pack(const struct mpi_type *t, MPI_Count count, const void *buf, uint64_t from,
                   uint64_t n, void *to);
void mpi_type_unpack(const struct mpi_type *t, MPI_Count count, void *buf, uint64_t from,
                     uint64_t n, const void *data);

/* Copies n bytes of the rank's memory that do not overlap. Where time is virtual they take theirs,
 * as do those that the functions here copy. */
static inline void mpi_move(void *to, const void *from, uint64_t n)
{
    memcpy(to, from, n);
    mpu_moved(n);
}

/* Copies as a message from one buffer to the other would, at most as many bytes as `to` has room
 * for; returns the bytes copied. The buffers do not overlap. */
uint64_t mpi_type_copy(const struct mpi_type *from_type, MPI_Count from_count, const void *from,
                       const struct mpi_type *to_type, MPI_Count to_count, void *to);

/* Basic elements in `bytes` of the packed form of many t (for MPI_Get_elements); -1 if the bytes
 * end within an element. A pair has two. */
MPI_Count mpi_type_elements(const struct mpi_type *t, uint64_t bytes);

/* Bytes of the packed form that hold n >= 0 basic elements (for MPI_Status_set_elements), the
 * inverse of the above. Returns MPI_ERR_TYPE if t has no elements and n is not 0, MPI_ERR_COUNT if
 * the bytes are more than an MPI_Count holds; not raised. */
int mpi_type_bytes(const struct mpi_type *t, MPI_Count n, MPI_Count *bytes);

#endif
