/* SPDX-License-Identifier: MIT */
/* "external32": bytes as MPI 5.0, 14.5.2 has them, sizes of table 14.2, and back; and MPI_Pack of
 * several pieces into one buffer. */
#include <stddef.h>
#include <string.h>
#include <wchar.h>

#include "check.h"

static unsigned char bytes[256];

static MPI_Aint packed(const void *data, int count, MPI_Datatype type)
{
    MPI_Aint size, at = 0;
    memset(bytes, 0x5a, sizeof bytes);
    CHECK_EQ(MPI_Pack_external_size("external32", count, type, &size), MPI_SUCCESS);
    CHECK_EQ(MPI_Pack_external("external32", data, count, type, bytes, sizeof bytes, &at),
             MPI_SUCCESS);
    CHECK_EQ(at, size);
    CHECK_EQ(bytes[at], 0x5a);
    return at;
}

/* One element has these bytes, and they give it back. */
static void check(const void *data, MPI_Datatype type, int size, const char *hex)
{
    unsigned char back[32];
    MPI_Count at = 0;
    MPI_Aint n = packed(data, 1, type);
    CHECK_EQ(n, (long)strlen(hex) / 2);
    for (int i = 0; i < n; i++) {
        char two[3];
        snprintf(two, sizeof two, "%02x", bytes[i]);
        CHECK_EQ(memcmp(two, hex + 2 * i, 2), 0);
    }
    memset(back, 0, sizeof back);
    CHECK_EQ(MPI_Unpack_external_c("external32", bytes, n, &at, back, 1, type), MPI_SUCCESS);
    CHECK_EQ(at, n);
    CHECK_EQ(memcmp(back, data, (size_t)size), 0);
}

#define VALUE(type, handle, value, hex) check(&(type){value}, handle, sizeof(type), hex)

static void elements(void)
{
    VALUE(int, MPI_INT, 0x01020304, "01020304");
    VALUE(int, MPI_INT, -2, "fffffffe");
    VALUE(short, MPI_SHORT, 0x0102, "0102");
    VALUE(char, MPI_CHAR, 'a', "61");
    VALUE(long, MPI_LONG, -2, "fffffffe");
    VALUE(long, MPI_LONG, 0x01020304, "01020304");
    VALUE(unsigned long, MPI_UNSIGNED_LONG, 0xfffffffe, "fffffffe");
    VALUE(long long, MPI_LONG_LONG, 0x0102030405060708, "0102030405060708");
    VALUE(MPI_Count, MPI_COUNT, -3, "fffffffffffffffd");
    VALUE(wchar_t, MPI_WCHAR, 0x20ac, "20ac");
    VALUE(float, MPI_FLOAT, 1.0f, "3f800000");
    VALUE(double, MPI_DOUBLE, -2.0, "c000000000000000");
    VALUE(_Bool, MPI_C_BOOL, 1, "01");
    check((float[]){1, -2}, MPI_C_FLOAT_COMPLEX, 8, "3f800000c0000000");
    /* 1.5 in binary128; of an x87 long double only ten bytes carry the value. */
    check(&(long double){1.5L}, MPI_LONG_DOUBLE, 10, "3fff8000000000000000000000000000");
    struct {
        double value;
        int index;
    } pair = {1.0, 7};
    check(&pair, MPI_DOUBLE_INT, 12, "3ff000000000000000000007");
}

struct thing {
    char letter;
    double numbers[2];
    short small;
};

static MPI_Datatype thing_type(void)
{
    MPI_Datatype t, sized;
    const int lengths[] = {1, 2, 1};
    const MPI_Aint places[] = {offsetof(struct thing, letter), offsetof(struct thing, numbers),
                               offsetof(struct thing, small)};
    const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
    MPI_Type_create_struct(3, lengths, places, types, &t);
    MPI_Type_create_resized(t, 0, sizeof(struct thing), &sized);
    MPI_Type_free(&t);
    MPI_Type_commit(&sized);
    return sized;
}

static void structures(void)
{
    MPI_Datatype t = thing_type();
    struct thing a[3] = {{'x', {1, 2}, 3}, {'y', {4, 5}, 6}, {'z', {7, 8}, 9}}, b[3];
    MPI_Aint at = 0, n = packed(a, 3, t);
    CHECK_EQ(n, 57);
    CHECK(bytes[0] == 'x' && bytes[17] == 0 && bytes[18] == 3 && bytes[19] == 'y');
    CHECK_EQ(MPI_Unpack_external("external32", bytes, n, &at, b, 3, t), MPI_SUCCESS);
    for (int i = 0; i < 3; i++)
        CHECK(a[i].letter == b[i].letter && a[i].numbers[1] == b[i].numbers[1] &&
              a[i].small == b[i].small);
    MPI_Type_free(&t);
}

/* Several calls fill one buffer; a receiver takes it apart in other pieces. */
static void messages(void)
{
    MPI_Datatype t = thing_type();
    struct thing a[2] = {{'x', {1, 2}, 3}, {'y', {4, 5}, 6}}, b;
    int n = 2, at = 0, got = 0, whole;
    char letter;
    double numbers[2];
    short small;
    MPI_Pack(&n, 1, MPI_INT, bytes, sizeof bytes, &at, MPI_COMM_WORLD);
    MPI_Pack(a, 2, t, bytes, sizeof bytes, &at, MPI_COMM_WORLD);
    CHECK_EQ(at, 4 + 2 * 19);
    whole = at;
    at = 0;
    MPI_Unpack(bytes, whole, &at, &got, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(bytes, whole, &at, &b, 1, t, MPI_COMM_WORLD);
    CHECK(got == 2 && b.letter == 'x' && b.numbers[0] == 1 && b.small == 3);
    MPI_Unpack(bytes, whole, &at, &letter, 1, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Unpack(bytes, whole, &at, numbers, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(bytes, whole, &at, &small, 1, MPI_SHORT, MPI_COMM_WORLD);
    CHECK(letter == 'y' && numbers[1] == 5 && small == 6 && at == whole);
    MPI_Type_free(&t);
}

/* Absolute addresses. */
static void bottom(void)
{
    MPI_Datatype t;
    static int left = 17, right = 4;
    const int ones[] = {1, 1};
    MPI_Aint places[2];
    int out[2], at = 0;
    MPI_Get_address(&left, &places[0]);
    MPI_Get_address(&right, &places[1]);
    CHECK_EQ(MPI_Aint_add(places[0], MPI_Aint_diff(places[1], places[0])), places[1]);
    MPI_Type_create_hindexed(2, ones, places, MPI_INT, &t);
    MPI_Type_commit(&t);
    CHECK_EQ(MPI_Pack(MPI_BOTTOM, 1, t, out, sizeof out, &at, MPI_COMM_SELF), MPI_SUCCESS);
    CHECK(out[0] == 17 && out[1] == 4);
    MPI_Type_free(&t);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    elements();
    structures();
    messages();
    if (world_rank() == 0)
        bottom();
    MPI_Finalize();
    return 0;
}
