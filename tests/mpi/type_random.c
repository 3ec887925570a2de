/* SPDX-License-Identifier: MIT */
/* Random nested types beside lists of where each of their units lies: type_random [types [units]].
 * Rank 0 sends by one type, rank 1 receives by another one of the same units: as many, fewer, or
 * more than there is room for. A unit is an int, a double, or one of each with a hole between that
 * the two types have in different places. What arrives, and what stays as it was, is compared byte
 * by byte; so is what MPI_Pack and MPI_Unpack make of it. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "draw.h"

static int most = 3000; /* units of a type */
static uint32_t seed;

static int below(int n)
{
    return (int)draw(&seed, (unsigned int)n);
}

/* A unit: its parts, in the order of the packed form. */
struct unit {
    MPI_Datatype type;
    int parts, size;
    int at[2], bytes[2];
};

struct layout {
    MPI_Datatype type;
    int n;        /* units */
    MPI_Aint *at; /* of each */
};

static MPI_Aint extent(MPI_Datatype type)
{
    MPI_Aint lb, n;
    MPI_Type_get_extent(type, &lb, &n);
    return n;
}

static struct unit simple(MPI_Datatype type, int size)
{
    struct unit u = {.parts = 1, .size = size, .bytes = {size}};
    MPI_Type_dup(type, &u.type);
    return u;
}

static struct unit pair(int hole)
{
    struct unit u = {.parts = 2, .size = 12, .at = {0, 4 + hole}, .bytes = {4, 8}};
    const int lengths[] = {1, 1};
    const MPI_Aint at[] = {0, 4 + hole};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
    MPI_Type_create_struct(2, lengths, at, types, &u.type);
    return u;
}

/* Block i of a new type: `length` of the old one, `at` bytes from its begin. */
static void add(struct layout *to, const struct layout *from, int length, MPI_Aint at)
{
    MPI_Aint step = extent(from->type);
    for (int k = 0; k < length; k++)
        for (int i = 0; i < from->n; i++)
            to->at[to->n++] = at + k * step + from->at[i];
}

static void vector(struct layout *to, const struct layout *from, int room)
{
    int length = 1 + below(3), count = 1 + below(room / length > 40 ? 40 : room / length);
    int stride = length + below(3);
    MPI_Aint step = extent(from->type);
    for (int i = 0; i < count; i++)
        add(to, from, length, i * stride * step);
    if (below(2))
        MPI_Type_vector(count, length, stride, from->type, &to->type);
    else
        MPI_Type_create_hvector(count, length, stride * step, from->type, &to->type);
}

/* Blocks in any order, none on another one. */
static void indexed(struct layout *to, const struct layout *from, int room)
{
    int lengths[24], places[24], count = 1 + below(room / 3 > 24 ? 24 : room / 3), next = 0;
    bool even = below(3) == 0;
    for (int i = 0; i < count; i++) {
        lengths[i] = even ? 1 : 1 + below(3);
        places[i] = next;
        next += lengths[i] + (even ? 1 : below(3));
    }
    for (int i = 0; i < count && !even; i++) {
        int k = below(count), place = places[i], length = lengths[i];
        places[i] = places[k], lengths[i] = lengths[k];
        places[k] = place, lengths[k] = length;
    }
    for (int i = 0; i < count; i++)
        add(to, from, lengths[i], places[i] * extent(from->type));
    MPI_Type_indexed(count, lengths, places, from->type, &to->type);
}

/* The old one twice, and once more, where nothing of it lies. */
static void structure(struct layout *to, const struct layout *from, int room)
{
    const int lengths[] = {1, 2};
    const MPI_Aint at[] = {3 * extent(from->type) + 8 * below(4), 0};
    const MPI_Datatype types[] = {from->type, from->type};
    (void)room;
    for (int i = 0; i < 2; i++)
        add(to, from, lengths[i], at[i]);
    MPI_Type_create_struct(2, lengths, at, types, &to->type);
}

static void resized(struct layout *to, const struct layout *from, int room)
{
    (void)room;
    add(to, from, 1, 0);
    MPI_Type_create_resized(from->type, 0, extent(from->type) + 8 * below(3), &to->type);
}

static struct layout made(const struct unit *u)
{
    static void (*const ways[])(struct layout *, const struct layout *,
                                int) = {vector, vector, indexed, structure, resized};
    struct layout l = {.n = 1, .at = calloc(1, sizeof *l.at)};
    MPI_Type_dup(u->type, &l.type);
    for (int depth = below(6); depth >= 0 && l.n * 3 <= most; depth--) {
        struct layout next = {.at = malloc((size_t)most * sizeof *l.at)};
        ways[below(5)](&next, &l, most / l.n);
        MPI_Type_free(&l.type);
        free(l.at);
        l = next;
    }
    MPI_Type_commit(&l.type);
    return l;
}

static void drop(struct layout *l, struct unit *u)
{
    MPI_Type_free(&l->type);
    MPI_Type_free(&u->type);
    free(l->at);
}

/* Bytes that count elements reach over. */
static size_t span(const struct layout *l, int count)
{
    MPI_Aint lb, reach;
    MPI_Type_get_true_extent(l->type, &lb, &reach);
    return (size_t)(lb + reach + (count - 1) * extent(l->type));
}

/* Copies units first .. first + n - 1 of a buffer to packed, or back. */
static void by_list(const struct layout *l, const struct unit *u, char *buffer, char *packed, int n,
                    bool back)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < u->parts; k++) {
            char *at = buffer + i / l->n * extent(l->type) + l->at[i % l->n] + u->at[k];
            memcpy(back ? at : packed, back ? packed : at, (size_t)u->bytes[k]);
            packed += u->bytes[k];
        }
}

static void pattern(char *buffer, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buffer[i] = (char)(i * 7 + i / 253 + 1);
}

/* MPI_Pack and MPI_Unpack, the elements in two parts. */
static void pack(const struct layout *l, const struct unit *u, char *buffer, const char *packed,
                 int count)
{
    int n = count * l->n * u->size, at = 0, first = below(count + 1);
    size_t spread = span(l, count);
    char *got = malloc((size_t)n), *want = malloc(spread), *there = malloc(spread);
    char *rest = buffer + first * extent(l->type);
    MPI_Pack(buffer, first, l->type, got, n, &at, MPI_COMM_WORLD);
    MPI_Pack(rest, count - first, l->type, got, n, &at, MPI_COMM_WORLD);
    CHECK_EQ(at, n);
    CHECK(!memcmp(got, packed, (size_t)n));
    memset(want, 0xee, spread);
    memset(there, 0xee, spread);
    by_list(l, u, want, got, count * l->n, true);
    at = 0;
    MPI_Unpack(got, n, &at, there, first, l->type, MPI_COMM_WORLD);
    MPI_Unpack(got, n, &at, there + (rest - buffer), count - first, l->type, MPI_COMM_WORLD);
    CHECK(!memcmp(there, want, spread));
    free(got);
    free(want);
    free(there);
}

static void send(const struct layout *l, char *buffer, int count, int way)
{
    MPI_Request q;
    if (way == 0)
        MPI_Send(buffer, count, l->type, 1, way, MPI_COMM_WORLD);
    else if (way == 1)
        MPI_Ssend(buffer, count, l->type, 1, way, MPI_COMM_WORLD);
    else
        MPI_Isend(buffer, count, l->type, 1, way, MPI_COMM_WORLD, &q);
    if (way == 2)
        MPI_Wait(&q, MPI_STATUS_IGNORE);
}

/* Receives what has `sent` units, whose packed form is known. */
static void receive(const struct layout *l, const struct unit *u, char *packed, int sent, int count,
                    int way)
{
    MPI_Status status;
    MPI_Message message;
    int room = count * l->n, n = sent < room ? sent : room, whole, elements, rc;
    size_t spread = span(l, count);
    char *want = malloc(spread), *got = malloc(spread);
    memset(want, 0xee, spread);
    memset(got, 0xee, spread);
    by_list(l, u, want, packed, n, true);
    if (below(3)) {
        rc = MPI_Recv(got, count, l->type, 0, way, MPI_COMM_WORLD, &status);
    } else {
        MPI_Mprobe(0, way, MPI_COMM_WORLD, &message, &status);
        rc = MPI_Mrecv(got, count, l->type, &message, &status);
    }
    CHECK_EQ(rc, sent > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    CHECK(!memcmp(got, want, spread));
    MPI_Get_count(&status, l->type, &whole);
    CHECK_EQ(whole, n % l->n ? MPI_UNDEFINED : n / l->n);
    MPI_Get_elements(&status, l->type, &elements);
    CHECK_EQ(elements, n * u->parts);
    free(want);
    free(got);
}

static void exchange(int me)
{
    int kind = below(3), way = below(3);
    struct unit a = kind == 0 ? simple(MPI_INT, 4) : kind == 1 ? simple(MPI_DOUBLE, 8) : pair(4);
    struct unit b = kind == 0 ? simple(MPI_INT, 4) : kind == 1 ? simple(MPI_DOUBLE, 8) : pair(12);
    struct layout from = made(&a), to = made(&b);
    int sent = 1 + below(1 + most / from.n), units = sent * from.n;
    int room = units / to.n + below(3);
    room = room ? room : 1;
    size_t spread = span(&from, sent);
    char *buffer = malloc(spread), *packed = malloc((size_t)(units * a.size));
    pattern(buffer, spread);
    by_list(&from, &a, buffer, packed, units, false);
    if (me == 0)
        send(&from, buffer, sent, way);
    else
        receive(&to, &b, packed, units, room, way);
    if (me == 0)
        pack(&from, &a, buffer, packed, sent);
    free(buffer);
    free(packed);
    drop(&from, &a);
    drop(&to, &b);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int me = world_rank(), times = argc > 1 ? atoi(argv[1]) : 150;
    most = argc > 2 ? atoi(argv[2]) : most;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < times; i++) {
        seed = (uint32_t)i * 7919 + 5;
        exchange(me);
    }
    MPI_Finalize();
    return 0;
}
