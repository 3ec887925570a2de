/* SPDX-License-Identifier: MIT */
/* What the functions of a generalized request return reaches whoever waits, tests or frees. */
#include "check.h"

static int queried, freed; /* the only rank's */

static int query(void *state, MPI_Status *status)
{
    queried++;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    return ((int *)state)[0];
}

static int end(void *state)
{
    freed++;
    return ((int *)state)[1];
}

static int cancel(void *state, int complete)
{
    (void)complete;
    return ((int *)state)[2];
}

static MPI_Request start(int *results)
{
    MPI_Request q;
    CHECK_EQ(MPI_Grequest_start(query, end, cancel, results, &q), MPI_SUCCESS);
    return q;
}

static MPI_Request complete(int *results)
{
    MPI_Request q = start(results);
    CHECK_EQ(MPI_Grequest_complete(q), MPI_SUCCESS);
    return q;
}

static void check_one(void)
{
    int query_fails[] = {MPI_ERR_FILE, 0, 0}, end_fails[] = {0, MPI_ERR_AMODE, 0};
    int both_fail[] = {MPI_ERR_FILE, MPI_ERR_AMODE, 0}, cancel_fails[] = {0, 0, MPI_ERR_RANK};
    int flag = 0;
    MPI_Request q = complete(query_fails);
    CHECK_EQ(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_ERR_FILE);
    CHECK(q == MPI_REQUEST_NULL);
    q = complete(end_fails);
    CHECK_EQ(MPI_Test(&q, &flag, MPI_STATUS_IGNORE), MPI_ERR_AMODE);
    CHECK(flag);
    CHECK(q == MPI_REQUEST_NULL);
    q = complete(both_fail);
    CHECK_EQ(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_ERR_FILE);
    q = complete(end_fails);
    CHECK_EQ(MPI_Request_free(&q), MPI_ERR_AMODE);
    CHECK(q == MPI_REQUEST_NULL);
    q = start(cancel_fails);
    CHECK_EQ(MPI_Cancel(&q), MPI_ERR_RANK);
    CHECK_EQ(MPI_Grequest_complete(q), MPI_SUCCESS);
    CHECK_EQ(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_EQ(queried, 4); /* MPI_Request_free asks nothing */
    CHECK_EQ(freed, 5);
}

static void check_several(void)
{
    int fine[] = {0, 0, 0}, end_fails[] = {0, MPI_ERR_AMODE, 0};
    MPI_Request q[3] = {complete(fine), complete(end_fails), complete(fine)};
    MPI_Status s[3];
    int n = -1, indices[3];
    CHECK_EQ(MPI_Waitall(3, q, s), MPI_ERR_IN_STATUS);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(s[i].MPI_ERROR, i == 1 ? MPI_ERR_AMODE : MPI_SUCCESS);
        CHECK_EQ(MPI_Get_count(&s[i], MPI_INT, &n), MPI_SUCCESS);
        CHECK_EQ(n, 3);
        CHECK(q[i] == MPI_REQUEST_NULL);
    }
    q[0] = complete(fine);
    q[2] = complete(end_fails);
    CHECK_EQ(MPI_Waitsome(3, q, &n, indices, s), MPI_ERR_IN_STATUS);
    CHECK_EQ(n, 2);
    CHECK_EQ(s[0].MPI_ERROR, MPI_SUCCESS);
    CHECK_EQ(s[1].MPI_ERROR, MPI_ERR_AMODE);
    q[1] = complete(end_fails);
    CHECK_EQ(MPI_Waitany(3, q, &n, s), MPI_ERR_AMODE);
    CHECK_EQ(n, 1);
}

/* A status counts what no memory holds: what the program means by it, its own business. */
static void counts_anything(void)
{
    MPI_Status s;
    MPI_Count most = INT64_MAX, n = 0;
    CHECK_EQ(MPI_Status_set_elements_x(&s, MPI_BYTE, most), MPI_SUCCESS);
    CHECK_EQ(MPI_Get_elements_x(&s, MPI_BYTE, &n), MPI_SUCCESS);
    CHECK(n == most);
    CHECK_EQ(MPI_Status_set_elements_x(&s, MPI_INT, most), MPI_ERR_COUNT);
    CHECK_EQ(MPI_Status_set_elements_x(&s, MPI_INT, most / 4), MPI_SUCCESS);
    CHECK_EQ(MPI_Get_elements_x(&s, MPI_INT, &n), MPI_SUCCESS);
    CHECK(n == most / 4);
}

/* Elements of a type that is large itself: what counts is their bytes. */
static void counts_parts(void)
{
    const MPI_Count blocks = (1 << 30) - 1, ints = 4 * blocks, all = INT64_MAX / 4;
    MPI_Status s;
    MPI_Count n = 0;
    MPI_Datatype t;
    MPI_Type_vector((int)blocks, 4, 8, MPI_INT, &t);
    MPI_Type_commit(&t);
    for (int less = 0; less < 2; less++) {
        CHECK_EQ(MPI_Status_set_elements_x(&s, t, ints - less), MPI_SUCCESS);
        CHECK_EQ(MPI_Get_elements_x(&s, t, &n), MPI_SUCCESS);
        CHECK(n == ints - less);
        CHECK_EQ(MPI_Get_count_c(&s, t, &n), MPI_SUCCESS);
        CHECK(n == (less ? MPI_UNDEFINED : 1));
    }
    CHECK_EQ(MPI_Status_set_elements_x(&s, t, all), MPI_SUCCESS);
    CHECK_EQ(MPI_Get_elements_x(&s, t, &n), MPI_SUCCESS);
    CHECK(n == all);
    CHECK_EQ(MPI_Status_set_elements_x(&s, t, all + 1), MPI_ERR_COUNT);
    MPI_Type_free(&t);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    check_one();
    counts_anything();
    counts_parts();
    check_several();
    MPI_Finalize();
    return 0;
}
