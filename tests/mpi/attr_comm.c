/* SPDX-License-Identifier: MIT */
/* Attributes: kept, copied, deleted, with the functions of the program called as the standard says;
 * of communicators and datatypes; many of them; at the end in the order opposite to their
 * setting. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* What the functions saw; a rank's own, for ranks may share a process. */
struct seen {
    int copies, deletes, refuse;
    char order[8];
};

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    struct seen *s = extra;
    CHECK(comm != MPI_COMM_NULL);
    CHECK(keyval != MPI_KEYVAL_INVALID);
    s->copies++;
    *(void **)out = (char *)in + 1;
    *flag = !s->refuse;
    return MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct seen *s = extra;
    CHECK(comm != MPI_COMM_NULL && value);
    CHECK(keyval != MPI_KEYVAL_INVALID);
    s->deletes++;
    return s->refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void expect(MPI_Comm comm, int key, const char *want)
{
    void *value = NULL;
    int flag = -1;
    CHECK_EQ(MPI_Comm_get_attr(comm, key, &value, &flag), MPI_SUCCESS);
    CHECK_EQ(flag, want != NULL);
    if (want)
        CHECK(value == want);
}

static void life(void)
{
    struct seen seen = {0}; /* its attributes are gone when it returns */
    static const char text[] = "abcdef";
    MPI_Comm dup, again;
    int key, same, none;
    CHECK_EQ(MPI_Comm_create_keyval(copy, delete, &key, &seen), MPI_SUCCESS);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &same, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &none, NULL);
    expect(MPI_COMM_WORLD, key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, (void *)text);
    MPI_Comm_set_attr(MPI_COMM_WORLD, same, (void *)(text + 3));
    MPI_Comm_set_attr(MPI_COMM_WORLD, none, (void *)(text + 4));
    expect(MPI_COMM_SELF, key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    CHECK_EQ(seen.copies, 1);
    expect(dup, key, text + 1);
    expect(dup, same, text + 3);
    expect(dup, none, NULL);
    MPI_Comm_set_attr(dup, key, (void *)(text + 5)); /* deletes the old value */
    CHECK_EQ(seen.deletes, 1);
    seen.refuse = 1;
    MPI_Comm_dup(dup, &again);
    expect(again, key, NULL);
    expect(again, same, text + 3);
    MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Comm_free(&dup), MPI_ERR_OTHER); /* its function refuses */
    CHECK(dup != MPI_COMM_NULL);
    seen.refuse = 0;
    MPI_Comm_free(&again);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    int dead = key;
    MPI_Comm_free_keyval(&key); /* values stay until their communicator goes */
    CHECK_EQ(key, MPI_KEYVAL_INVALID);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    void *value;
    int flag;
    CHECK_EQ(MPI_Comm_get_attr(MPI_COMM_WORLD, dead, &value, &flag), MPI_SUCCESS);
    CHECK(!flag);
    MPI_Comm_dup(dup, &again);
    seen.deletes = 0;
    CHECK_EQ(MPI_Comm_delete_attr(again, dead), MPI_SUCCESS); /* one by one */
    CHECK_EQ(seen.deletes, 1);
    MPI_Comm_free(&again);
    int twice = dead;
    CHECK_EQ(MPI_Comm_free_keyval(&twice), MPI_SUCCESS); /* there is no less of it than before */
    MPI_Comm_free(&dup);
    CHECK_EQ(seen.deletes, 2);
    CHECK_EQ(MPI_Comm_get_attr(MPI_COMM_WORLD, dead, &value, &flag), MPI_ERR_KEYVAL);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, same);
    expect(MPI_COMM_WORLD, same, NULL);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, none);
    MPI_Comm_free_keyval(&same);
    MPI_Comm_free_keyval(&none);
}

static int value_of(int key)
{
    int *value = NULL, flag = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    CHECK(flag);
    return *value;
}

static void predefined(void)
{
    int class;
    CHECK(value_of(MPI_TAG_UB) >= 32767);
    CHECK_EQ(value_of(MPI_WTIME_IS_GLOBAL), 1);
    CHECK_EQ(value_of(MPI_UNIVERSE_SIZE), world_size());
    CHECK_EQ(value_of(MPI_APPNUM), 0);
    CHECK_EQ(value_of(MPI_HOST), MPI_PROC_NULL);
    value_of(MPI_IO);
    int last = value_of(MPI_LASTUSEDCODE);
    CHECK(last >= MPI_ERR_LASTCODE);
    MPI_Add_error_class(&class);
    CHECK_EQ(value_of(MPI_LASTUSEDCODE), last + 1);
    MPI_Remove_error_class(class);
    CHECK_EQ(value_of(MPI_LASTUSEDCODE), last);
}

static int copy_type(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    CHECK(type != MPI_DATATYPE_NULL && keyval != MPI_KEYVAL_INVALID);
    ((struct seen *)extra)->copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    CHECK(type != MPI_DATATYPE_NULL && keyval != MPI_KEYVAL_INVALID && value);
    ((struct seen *)extra)->deletes++;
    return MPI_SUCCESS;
}

static void types(void)
{
    struct seen seen = {0};
    int key, flag, word = 5, *value;
    MPI_Datatype one, two;
    MPI_Type_create_keyval(copy_type, delete_type, &key, &seen);
    MPI_Type_contiguous(3, MPI_INT, &one);
    MPI_Type_set_attr(one, key, &word);
    MPI_Type_set_attr(MPI_INT, key, &flag);
    MPI_Type_dup(one, &two);
    CHECK_EQ(seen.copies, 1);
    MPI_Type_get_attr(two, key, &value, &flag);
    CHECK(flag && value == &word);
    MPI_Type_delete_attr(two, key);
    CHECK_EQ(seen.deletes, 1);
    MPI_Type_get_attr(two, key, &value, &flag);
    CHECK(!flag);
    MPI_Type_free(&one); /* its attributes may go with it or with the last type made of it */
    MPI_Type_free(&two);
    CHECK_EQ(seen.deletes, 2);
    MPI_Type_get_attr(MPI_INT, key, &value, &flag);
    CHECK(flag && value == &flag);
    MPI_Type_delete_attr(MPI_INT, key);
    CHECK_EQ(seen.deletes, 3);
    MPI_Type_free_keyval(&key);
}

enum { MANY = 1000 };
struct row {
    int first, step, n;
};

/* Values are numbers, which go in the order of the row. */
static int delete_next(MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct row *r = extra;
    CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID);
    CHECK_EQ((int)(intptr_t)value, 1 + r->first + r->step * r->n);
    r->n++;
    return MPI_SUCCESS;
}

static void *number(int i)
{
    return (void *)(intptr_t)(i + 1); /* NULL would be none */
}

/* Of thousands each is found, on each of two communicators, and the newest goes first. Every third
 * one is set again, and so becomes the newest. */
static void many(void)
{
    static const int stride = 7; /* no divisor of MANY */
    struct row r = {0};
    MPI_Comm dup;
    int *key = malloc(2 * MANY * sizeof *key);
    CHECK(key);
    for (int i = 0; i < MANY; i++) {
        MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_next, &key[i], &r);
        MPI_Comm_set_attr(MPI_COMM_SELF, key[i], number(i));
    }
    MPI_Comm_dup(MPI_COMM_SELF, &dup);
    for (int i = 0; i < MANY; i += 3) {
        r = (struct row){.first = i};
        MPI_Comm_set_attr(dup, key[i], number(MANY + i));
        CHECK_EQ(r.n, 1);
    }
    for (int i = 0; i < MANY; i++) {
        int at = i * stride % MANY;
        expect(MPI_COMM_SELF, key[at], number(at));
        expect(dup, key[at], number(at % 3 ? at : MANY + at));
    }
    for (int i = 0; i < MANY; i++)
        if (i % 3) {
            r = (struct row){.first = i};
            MPI_Comm_delete_attr(dup, key[i]);
            expect(dup, key[i], NULL);
        }
    r = (struct row){.first = MANY + (MANY - 1) / 3 * 3, .step = -3};
    MPI_Comm_free(&dup);
    CHECK_EQ(r.n, (MANY + 2) / 3);
    for (int i = MANY - 1; i >= 0; i--) {
        r = (struct row){.first = i};
        MPI_Comm_delete_attr(MPI_COMM_SELF, key[i]);
        CHECK_EQ(r.n, 1);
        MPI_Comm_free_keyval(&key[i]);
    }
    free(key);
}

/* A copy function that deletes the attribute which it copies, and gives its key up: those before it
 * and after it are copied all the same. */
static int copy_last(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    int *key = extra;
    CHECK_EQ(keyval, *key);
    CHECK_EQ(MPI_Comm_delete_attr(comm, keyval), MPI_SUCCESS);
    CHECK_EQ(MPI_Comm_free_keyval(key), MPI_SUCCESS);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static void copied_once(void)
{
    static const char text[] = "abc";
    MPI_Comm dup, again;
    int key[3], gone;
    for (int i = 0; i < 3; i++) {
        MPI_Comm_create_keyval(i == 1 ? copy_last : MPI_COMM_DUP_FN, NULL, &key[i], &key[1]);
        MPI_Comm_set_attr(MPI_COMM_SELF, key[i], (void *)(text + i));
    }
    gone = key[1];
    MPI_Comm_dup(MPI_COMM_SELF, &dup);
    expect(MPI_COMM_SELF, gone, NULL);
    expect(dup, gone, text + 1); /* it keeps the key */
    MPI_Comm_dup(MPI_COMM_SELF, &again);
    for (int i = 0; i < 3; i += 2) {
        expect(dup, key[i], text + i);
        expect(again, key[i], text + i);
        MPI_Comm_delete_attr(MPI_COMM_SELF, key[i]);
        MPI_Comm_free_keyval(&key[i]);
    }
    MPI_Comm_free(&again);
    MPI_Comm_free(&dup);
}

static int note(MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct seen *s = extra;
    int flag, n;
    CHECK(comm == MPI_COMM_SELF && keyval != MPI_KEYVAL_INVALID);
    MPI_Finalized(&flag);
    CHECK(!flag);
    MPI_Comm_size(MPI_COMM_WORLD, &n); /* MPI still works */
    strcat(s->order, value);
    return MPI_SUCCESS;
}

static int code_of(MPI_Comm comm, int keyval, void *value, void *extra)
{
    CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && !value);
    return *(int *)extra;
}

/* What a function of the program returns, whatever it is, the call returns. */
static void codes(void)
{
    static const int own[] = {-1, MPI_ERR_NO_MEM, 77777};
    MPI_Comm comm;
    int code = MPI_SUCCESS, key;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_create_keyval(NULL, code_of, &key, &code);
    MPI_Comm_set_attr(comm, key, NULL);
    for (int i = 0; i < 3; i++) {
        code = own[i];
        CHECK_EQ(MPI_Comm_delete_attr(comm, key), own[i]);
        CHECK_EQ(MPI_Comm_set_attr(comm, key, &code), own[i]);
        CHECK_EQ(MPI_Comm_free(&comm), own[i]);
    }
    code = MPI_SUCCESS;
    CHECK_EQ(MPI_Comm_free(&comm), MPI_SUCCESS);
    MPI_Comm_free_keyval(&key);
}

static void wrong(void)
{
    int key, type_key, flag;
    void *value;
    MPI_Comm_create_keyval(NULL, NULL, &key, NULL);
    MPI_Type_create_keyval(NULL, NULL, &type_key, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Comm_set_attr(MPI_COMM_NULL, key, NULL), MPI_ERR_COMM);
    CHECK_EQ(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, NULL), MPI_ERR_KEYVAL);
    CHECK_EQ(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, NULL), MPI_ERR_KEYVAL);
    CHECK_EQ(MPI_Comm_set_attr(MPI_COMM_WORLD, type_key, NULL), MPI_ERR_KEYVAL);
    CHECK_EQ(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Comm_get_attr(MPI_COMM_WORLD, key, NULL, &flag), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_set_attr(MPI_DATATYPE_NULL, type_key, NULL), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_set_attr(MPI_INT, key, NULL), MPI_ERR_KEYVAL);
    CHECK_EQ(MPI_Win_set_attr(MPI_WIN_NULL, key, NULL), MPI_ERR_WIN);
    CHECK_EQ(MPI_Comm_free_keyval(&type_key), MPI_ERR_KEYVAL);
    CHECK_EQ(MPI_Comm_free_keyval(&(int){MPI_TAG_UB}), MPI_ERR_KEYVAL);
    MPI_Comm_free_keyval(&key);
    MPI_Type_free_keyval(&type_key);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct seen seen = {0};
    int key[3];
    life();
    predefined();
    types();
    wrong();
    codes();
    many();
    copied_once();
    for (int i = 0; i < 3; i++) {
        MPI_Keyval_create(MPI_NULL_COPY_FN, note, &key[i], &seen);
        MPI_Attr_put(MPI_COMM_SELF, key[i], (void *)&"a\0b\0c"[2 * i]);
    }
    MPI_Attr_put(MPI_COMM_SELF, key[1], (void *)"d"); /* as if the old one was deleted before */
    MPI_Finalize();
    CHECK(strcmp(seen.order, "bdca") == 0);
    return 0;
}
