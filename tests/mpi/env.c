/* SPDX-License-Identifier: MIT */
/* Initialization, its flags, and what may be asked about the environment. */
#include <string.h>

#include "check.h"

static void check_flags(int initialized, int finalized)
{
    int flag = -1;
    CHECK_EQ(MPI_Initialized(&flag), MPI_SUCCESS);
    CHECK_EQ(flag, initialized);
    CHECK_EQ(MPI_Finalized(&flag), MPI_SUCCESS);
    CHECK_EQ(flag, finalized);
}

static void check_versions(void)
{
    int version, subversion, len;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_version(&version, &subversion);
    CHECK_EQ(version, 5);
    CHECK_EQ(subversion, 0);
    MPI_Abi_get_version(&version, &subversion);
    CHECK_EQ(version, 1);
    CHECK_EQ(subversion, 0);
    MPI_Get_library_version(text, &len);
    CHECK_EQ(len, strlen(text));
    CHECK(strstr(text, "lwmpi") != NULL);
}

/* The library knows its Fortran compiler: it answers, and lets nobody say otherwise. */
static void check_fortran(void)
{
    MPI_Info info;
    int set = 0, yes = -1, no = -1, flag = 0, room = 8;
    char text[8];
    CHECK_EQ(MPI_Abi_get_fortran_info(&info), MPI_SUCCESS);
    CHECK_EQ(MPI_Info_get_string(info, "mpi_integer_size", &room, text, &flag), MPI_SUCCESS);
    CHECK(flag && strcmp(text, "4") == 0);
    CHECK_EQ(MPI_Abi_set_fortran_info(info), MPI_SUCCESS);
    CHECK_EQ(MPI_Info_set(info, "mpi_real_size", "8"), MPI_SUCCESS);
    CHECK_EQ(MPI_Abi_set_fortran_info(info), MPI_ERR_ABI);
    CHECK_EQ(MPI_Info_free(&info), MPI_SUCCESS);
    CHECK_EQ(MPI_Abi_get_fortran_booleans(4, &yes, &no, &set), MPI_SUCCESS);
    CHECK(set && yes == 1 && no == 0);
    CHECK_EQ(MPI_Abi_set_fortran_booleans(4, &yes, &no), MPI_SUCCESS);
    yes = -1;
    CHECK_EQ(MPI_Abi_set_fortran_booleans(4, &yes, &no), MPI_ERR_ABI);
    CHECK_EQ(MPI_Abi_set_fortran_booleans(3, &yes, &no), MPI_ERR_ARG);
    CHECK_EQ(MPI_Abi_get_fortran_booleans(5, &yes, &no, &set), MPI_ERR_ARG);
}

/* Defect 9 of the ancestor: codes were negative in places. */
static void check_error_strings(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int len, class;
    for (int code = MPI_SUCCESS; code <= MPI_ERR_ABI; code++) {
        CHECK_EQ(MPI_Error_string(code, text, &len), MPI_SUCCESS);
        CHECK_EQ(len, strlen(text));
        CHECK(len > 0);
        CHECK_EQ(MPI_Error_class(code, &class), MPI_SUCCESS);
        CHECK_EQ(class, code);
    }
}

static void check_environment(void)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int len, level = -1, main_thread = 0;
    CHECK_EQ(MPI_Get_processor_name(name, &len), MPI_SUCCESS);
    CHECK_EQ(len, strlen(name));
    CHECK(len > 0);
    CHECK_EQ(MPI_Query_thread(&level), MPI_SUCCESS);
    CHECK_EQ(level, MPI_THREAD_FUNNELED);
    CHECK_EQ(MPI_Is_thread_main(&main_thread), MPI_SUCCESS);
    CHECK_EQ(main_thread, 1);
    double before = MPI_Wtime();
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1e-3);
    CHECK(MPI_Wtime() >= before);
}

int main(int argc, char **argv)
{
    check_flags(0, 0);
    check_versions();
    check_error_strings();
    int provided = -1;
    CHECK_EQ(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), MPI_SUCCESS);
    CHECK_EQ(provided, MPI_THREAD_FUNNELED);
    check_flags(1, 0);
    check_environment();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    check_fortran();
    CHECK_EQ(MPI_Finalize(), MPI_SUCCESS);
    check_flags(1, 1);
    check_versions();
    return 0;
}
