/* SPDX-License-Identifier: MIT */
/* Info objects against what was put into them; they work before MPI_Init and after MPI_Finalize. */
#include <string.h>

#include "check.h"

static void expect(MPI_Info info, const char *key, const char *want)
{
    char value[64] = "";
    int flag = -1, len = sizeof value, length = -1;
    CHECK_EQ(MPI_Info_get_string(info, key, &len, value, &flag), MPI_SUCCESS);
    CHECK_EQ(flag, want != NULL);
    if (!want)
        return;
    CHECK(strcmp(value, want) == 0);
    CHECK_EQ(len, strlen(want) + 1);
    MPI_Info_get_valuelen(info, key, &length, &flag);
    CHECK_EQ(length, strlen(want));
    MPI_Info_get(info, key, 2, value, &flag); /* cut */
    CHECK(flag && strlen(value) == (strlen(want) < 2 ? strlen(want) : 2));
    CHECK(strncmp(value, want, strlen(value)) == 0);
}

static int count(MPI_Info info)
{
    int n = -1;
    MPI_Info_get_nkeys(info, &n);
    return n;
}

static void basic(void)
{
    MPI_Info info, copy;
    char key[MPI_MAX_INFO_KEY];
    int flag, len = 0;
    CHECK_EQ(MPI_Info_create(&info), MPI_SUCCESS);
    CHECK_EQ(count(info), 0);
    MPI_Info_set(info, "one", "1");
    MPI_Info_set(info, "two", "second");
    MPI_Info_set(info, "three", "");
    MPI_Info_set(info, "one", "first");
    CHECK_EQ(count(info), 3);
    expect(info, "one", "first");
    expect(info, "two", "second");
    expect(info, "three", "");
    expect(info, "four", NULL);
    MPI_Info_get_string(info, "two", &len, NULL, &flag); /* asks for the length only */
    CHECK(flag && len == 7);
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "two");
    CHECK_EQ(count(info), 2);
    CHECK_EQ(count(copy), 3);
    expect(copy, "two", "second");
    MPI_Info_get_nthkey(copy, 1, key);
    CHECK(strcmp(key, "two") == 0);
    MPI_Info_get_nthkey(info, 1, key);
    CHECK(strcmp(key, "three") == 0);
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    CHECK(info == MPI_INFO_NULL);
}

static void environment(int argc, char **argv)
{
    MPI_Info own, hw;
    char size[16];
    int flag;
    snprintf(size, sizeof size, "%d", world_size());
    expect(MPI_INFO_ENV, "maxprocs", size);
    MPI_Info_get(MPI_INFO_ENV, "command", 8, size, &flag);
    CHECK(flag);
    MPI_Info_create_env(argc, argv, &own);
    expect(own, "argv", "two words");
    MPI_Info_free(&own);
    MPI_Get_hw_resource_info(&hw);
    expect(hw, "lwmpi://cluster", "true");
    MPI_Info_free(&hw);
}

static void wrong(void)
{
    char key[MPI_MAX_INFO_KEY + 1], *value = malloc(MPI_MAX_INFO_VAL + 1);
    MPI_Info info;
    int n;
    memset(key, 'k', sizeof key);
    memset(value, 'v', MPI_MAX_INFO_VAL + 1);
    key[MPI_MAX_INFO_KEY] = value[MPI_MAX_INFO_VAL] = 0;
    MPI_Info_create(&info);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Info_set(info, key, "v"), MPI_ERR_INFO_KEY);
    CHECK_EQ(MPI_Info_set(info, "", "v"), MPI_ERR_INFO_KEY);
    CHECK_EQ(MPI_Info_set(info, NULL, "v"), MPI_ERR_INFO_KEY);
    CHECK_EQ(MPI_Info_set(info, "k", value), MPI_ERR_INFO_VALUE);
    CHECK_EQ(MPI_Info_set(info, "k", NULL), MPI_ERR_INFO_VALUE);
    CHECK_EQ(MPI_Info_set(MPI_INFO_NULL, "k", "v"), MPI_ERR_INFO);
    CHECK_EQ(MPI_Info_set(MPI_INFO_ENV, "k", "v"), MPI_ERR_INFO);
    CHECK_EQ(MPI_Info_set((MPI_Info)MPI_COMM_WORLD, "k", "v"), MPI_ERR_INFO);
    CHECK_EQ(MPI_Info_delete(info, "k"), MPI_ERR_INFO_NOKEY);
    CHECK_EQ(MPI_Info_get_nthkey(info, 0, key), MPI_ERR_ARG);
    CHECK_EQ(MPI_Info_get_nkeys(info, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Info_get(info, "k", -1, value, &n), MPI_ERR_ARG);
    CHECK_EQ(MPI_Info_create(NULL), MPI_ERR_ARG);
    MPI_Info stale = info;
    MPI_Info_free(&info);
    CHECK_EQ(MPI_Info_get_nkeys(stale, &n), MPI_ERR_INFO);
    CHECK_EQ(MPI_Info_free(&info), MPI_ERR_INFO);
    free(value);
}

int main(int argc, char **argv)
{
    basic();
    MPI_Init(&argc, &argv);
    basic();
    environment(argc, argv);
    wrong();
    MPI_Finalize();
    basic();
    return 0;
}
