/* SPDX-License-Identifier: MIT */
/* Error handlers of the program: called with the right object and code, on the right object, as
 * long as anyone has them; error classes and codes of the program. */
#include <string.h>

#include "check.h"

struct seen {
    int calls, code;
    MPI_Comm comm;
};

/* A rank's own, for ranks may share a process. */
static struct seen all[64];

static struct seen *seen(void)
{
    return &all[world_rank()];
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    struct seen *s = seen();
    s->calls++;
    s->code = *code;
    s->comm = *comm;
}

static void other(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    seen()->calls += 100;
    *code = MPI_SUCCESS; /* changes nothing for the caller */
}

static void expect(int calls, int code, MPI_Comm comm)
{
    struct seen *s = seen();
    CHECK_EQ(s->calls, calls);
    CHECK_EQ(s->code, code);
    CHECK(s->comm == comm);
    *s = (struct seen){0};
}

static void on_comms(void)
{
    MPI_Errhandler mine, got, second;
    MPI_Comm dup;
    int n;
    CHECK_EQ(MPI_Comm_create_errhandler(handler, &mine), MPI_SUCCESS);
    MPI_Comm_create_errhandler(other, &second);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
    CHECK(got == mine);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&mine); /* the communicator keeps it */
    CHECK(mine == MPI_ERRHANDLER_NULL);
    CHECK_EQ(MPI_Send(&n, 1, MPI_INT, 999, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    expect(1, MPI_ERR_RANK, MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup); /* inherits it */
    CHECK_EQ(MPI_Send(&n, 1, MPI_INT, 0, -7, dup), MPI_ERR_TAG);
    expect(1, MPI_ERR_TAG, dup);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, second);
    CHECK_EQ(MPI_Comm_size(MPI_COMM_NULL, &n), MPI_ERR_COMM); /* belongs to none */
    CHECK_EQ(seen()->calls, 100);
    *seen() = (struct seen){0};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Comm_call_errhandler(dup, MPI_ERR_TRUNCATE), MPI_SUCCESS);
    expect(1, MPI_ERR_TRUNCATE, dup);
    CHECK_EQ(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TRUNCATE), MPI_SUCCESS);
    expect(0, 0, (MPI_Comm)0);
    MPI_Comm_free(&dup);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&second);
}

static void expect_text(int code, const char *want)
{
    char text[MPI_MAX_ERROR_STRING];
    int n = -1;
    CHECK_EQ(MPI_Error_string(code, text, &n), MPI_SUCCESS);
    CHECK(strcmp(text, want) == 0);
    CHECK_EQ(n, strlen(want));
}

static void codes(void)
{
    int class, code, got;
    MPI_Errhandler mine;
    CHECK_EQ(MPI_Add_error_class(&class), MPI_SUCCESS);
    CHECK(class > MPI_ERR_LASTCODE);
    MPI_Add_error_code(class, &code);
    CHECK(code != class);
    MPI_Error_class(code, &got);
    CHECK_EQ(got, class);
    MPI_Error_class(class, &got);
    CHECK_EQ(got, class);
    expect_text(code, "");
    MPI_Add_error_string(code, "the kettle is empty");
    MPI_Add_error_string(class, "kettles");
    expect_text(code, "the kettle is empty");
    MPI_Add_error_string(code, "no tea");
    expect_text(code, "no tea");
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
    expect(1, code, MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&mine);
    CHECK_EQ(MPI_Remove_error_class(class), MPI_ERR_ARG); /* it has a code */
    CHECK_EQ(MPI_Remove_error_code(code), MPI_ERR_ARG);   /* it has a text */
    CHECK_EQ(MPI_Remove_error_string(code), MPI_SUCCESS);
    CHECK_EQ(MPI_Remove_error_string(code), MPI_ERR_ARG);
    CHECK_EQ(MPI_Remove_error_code(class), MPI_ERR_ARG);
    CHECK_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
    MPI_Remove_error_string(class);
    CHECK_EQ(MPI_Remove_error_class(class), MPI_SUCCESS);
    CHECK_EQ(MPI_Error_class(code, &got), MPI_ERR_ARG);
    MPI_Add_error_code(MPI_ERR_RANK, &code); /* of a class of the standard */
    MPI_Error_class(code, &got);
    CHECK_EQ(got, MPI_ERR_RANK);
    MPI_Remove_error_code(code);
}

static void on_file(MPI_File *file, int *code, ...)
{
    CHECK(*file == MPI_FILE_NULL);
    seen()->code = *code;
}

static void on_win(MPI_Win *win, int *code, ...)
{
    (void)win;
    (void)code;
}

static void other_objects(void)
{
    MPI_Errhandler file, win, comm, got;
    MPI_File_get_errhandler(MPI_FILE_NULL, &got);
    CHECK(got == MPI_ERRORS_RETURN);
    MPI_File_create_errhandler(on_file, &file);
    MPI_Win_create_errhandler(on_win, &win);
    MPI_Comm_create_errhandler(other, &comm);
    CHECK_EQ(MPI_File_set_errhandler(MPI_FILE_NULL, file), MPI_SUCCESS);
    CHECK_EQ(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO), MPI_SUCCESS);
    CHECK_EQ(seen()->code, MPI_ERR_IO);
    CHECK_EQ(MPI_File_set_errhandler(MPI_FILE_NULL, comm), MPI_ERR_ERRHANDLER);
    CHECK_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, win), MPI_ERR_ERRHANDLER);
    CHECK_EQ(MPI_Win_set_errhandler(MPI_WIN_NULL, win), MPI_ERR_WIN);
    CHECK_EQ(MPI_Win_get_errhandler(MPI_WIN_NULL, &got), MPI_ERR_WIN);
    CHECK_EQ(MPI_Session_get_errhandler(MPI_SESSION_NULL, &got), MPI_ERR_SESSION);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&file);
    MPI_Errhandler_free(&win);
    MPI_Errhandler_free(&comm);
    CHECK_EQ(MPI_Comm_create_errhandler(NULL, &comm), MPI_ERR_ARG);
    CHECK_EQ(MPI_Comm_create_errhandler(handler, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Comm_call_errhandler(MPI_COMM_WORLD, 15000), MPI_ERR_ARG);
    CHECK_EQ(MPI_Add_error_code(15000, &(int){0}), MPI_ERR_ARG);
    CHECK_EQ(MPI_Add_error_string(MPI_ERR_RANK, "mine"), MPI_ERR_ARG);
}

static void memory(void)
{
    char *block[20];
    for (int i = 0; i < 20; i++) {
        CHECK_EQ(MPI_Alloc_mem((MPI_Aint)i * i * 37, MPI_INFO_NULL, &block[i]), MPI_SUCCESS);
        CHECK_EQ((MPI_Aint)block[i] % 16, 0);
        memset(block[i], i, (size_t)(i * i * 37));
    }
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < i * i * 37; j++)
            CHECK_EQ(block[i][j], i);
        CHECK_EQ(MPI_Free_mem(block[i]), MPI_SUCCESS);
    }
    CHECK_EQ(MPI_Alloc_mem(-1, MPI_INFO_NULL, &block[0]), MPI_ERR_ARG);
    CHECK_EQ(MPI_Alloc_mem(INTPTR_MAX / 2, MPI_INFO_NULL, &block[0]), MPI_ERR_NO_MEM);
    CHECK_EQ(MPI_Alloc_mem(1, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
}

/* Integers for handles and back. */
static void integers(void)
{
    MPI_Comm comm[50];
    int number[50];
    CHECK_EQ(MPI_Comm_toint(MPI_COMM_WORLD), 257);
    CHECK_EQ(MPI_Type_toint(MPI_INT), 521);
    CHECK(MPI_Comm_fromint(258) == MPI_COMM_SELF);
    CHECK(MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM);
    for (int i = 0; i < 50; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &comm[i]);
        number[i] = MPI_Comm_toint(comm[i]);
        for (int j = 0; j < i; j++)
            CHECK(number[i] != number[j]);
    }
    for (int i = 0; i < 50; i++) {
        CHECK(MPI_Comm_fromint(number[i]) == comm[i]);
        CHECK_EQ(MPI_Comm_toint(comm[i]), number[i]);
        MPI_Comm_free(&comm[i]);
    }
    CHECK(MPI_Comm_fromint(100000) == MPI_COMM_NULL);
    CHECK(MPI_Request_fromint(-1) == MPI_REQUEST_NULL);
}

/* Programs written before MPI 4.0 set MPI_COMM_WORLD's handler for what is of no object. */
static void before_self(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int n;
    CHECK_EQ(MPI_Type_size(MPI_DATATYPE_NULL, &n), MPI_ERR_TYPE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    before_self();
    CHECK(world_size() <= 64);
    on_comms();
    codes();
    other_objects();
    memory();
    integers();
    MPI_Finalize();
    return 0;
}
