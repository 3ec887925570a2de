/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "core/check.h"
#include "datatype/external.h"
#include "datatype/quad.h"
#include "datatype/type_walk.h"

int mpi_check_external(const char *call, const char *datarep)
{
    int rc = mpi_check_out(NULL, call, datarep, "datarep");
    if (rc || strcmp(datarep, "external32") == 0)
        return rc;
    return mpi_error(NULL, MPI_ERR_UNSUPPORTED_DATAREP, call,
                     "the data representation is not \"external32\"");
}

/* How the parts of a basic type (one, of a complex number two) are stored. */
struct form {
    unsigned int parts, native, external; /* bytes of a part */
    bool extended;                        /* long double, stored as binary128 */
    bool is_signed;
};

static struct form form_of(const struct mpi_type *t)
{
    enum mpi_element e = t->element;
    bool is_complex = e == MPI_C2 || e == MPI_C4 || e == MPI_C8 || e == MPI_CL || e == MPI_C16;
    struct form f = {.parts = is_complex ? 2 : 1, .extended = e == MPI_FL || e == MPI_CL};
    f.native = f.external = (unsigned int)t->size / f.parts;
    f.is_signed = e <= MPI_I16;
    MPI_Datatype handle = mpi_type_handle(t);
    if (handle == MPI_LONG || handle == MPI_UNSIGNED_LONG)
        f.external = 4;
    else if (handle == MPI_AINT)
        f.external = 8;
    else if (handle == MPI_WCHAR)
        f.external = 2;
    return f;
}

/* A part as a number of 16 bytes, the lowest first, as machines of the hal have it in memory. */
struct bits {
    unsigned char byte[16];
};

static struct bits load(const struct form *f, const unsigned char *at)
{
    struct bits value = {{0}};
    if (f->extended) {
        long double number;
        memcpy(&number, at, sizeof number);
        mpi_quad wide = number;
        memcpy(&value, &wide, sizeof value);
        return value;
    }
    if (f->is_signed && at[f->native - 1] & 0x80)
        memset(&value, 0xff, sizeof value);
    memcpy(&value, at, f->native);
    return value;
}

static void store(const struct form *f, unsigned char *at, struct bits value)
{
    if (f->extended) {
        mpi_quad wide;
        memcpy(&wide, &value, sizeof wide);
        long double number = (long double)wide;
        memcpy(at, &number, sizeof number);
        return;
    }
    memcpy(at, &value, f->native);
}

static void to_big_endian(const struct form *f, unsigned char *to, struct bits value)
{
    for (unsigned int i = 0; i < f->external; i++)
        to[f->external - 1 - i] = value.byte[i];
}

static struct bits from_big_endian(const struct form *f, const unsigned char *from)
{
    struct bits value;
    memset(&value, f->is_signed && from[0] & 0x80 ? 0xff : 0, sizeof value);
    for (unsigned int i = 0; i < f->external; i++)
        value.byte[i] = from[f->external - 1 - i];
    return value;
}

struct conversion {
    struct mpi_walk walk;
    unsigned char *data; /* NULL: only counting */
    uint64_t size;
    bool packs;
};

static void convert(struct mpi_walk *w, uintptr_t at, uint64_t n, const struct mpi_type *basic)
{
    struct conversion *c = (struct conversion *)w;
    struct form f = form_of(basic);
    for (uint64_t i = 0; i < n * f.parts; i++, at += f.native, c->data += f.external)
        if (c->packs)
            to_big_endian(&f, c->data, load(&f, (const unsigned char *)at));
        else
            store(&f, (unsigned char *)at, from_big_endian(&f, c->data));
}

static void count_some(struct mpi_walk *w, uintptr_t at, uint64_t n, const struct mpi_type *basic)
{
    struct conversion *c = (struct conversion *)w;
    struct form f = form_of(basic);
    (void)at;
    c->size += n * f.parts * f.external;
}

uint64_t mpi_external_size(const struct mpi_type *t)
{
    struct conversion c = {{count_some}, NULL, 0, false};
    mpi_type_walk(&c.walk, t, 1, 0);
    return c.size;
}

void mpi_external_pack(const struct mpi_type *t, MPI_Count count, const void *buf, void *to)
{
    struct conversion c = {{convert}, to, 0, true};
    mpi_type_walk(&c.walk, t, count, (uintptr_t)buf);
}

void mpi_external_unpack(const struct mpi_type *t, MPI_Count count, void *buf, const void *data)
{
    struct conversion c = {{convert}, (unsigned char *)(uintptr_t)data, 0, false};
    mpi_type_walk(&c.walk, t, count, (uintptr_t)buf);
}
