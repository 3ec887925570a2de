/* SPDX-License-Identifier: MIT */
/* Who waits for whom, in a few lines: rings, chains, collectives, ranks that have ended. */
#include <stdio.h>
#include <string.h>

#include <hal/stand.h>

#include <test/check.h>

#define RANKS 192

static struct hal_stand all[RANKS];
static char text[4096];

static struct hal_stand *set(int i, int rank, enum hal_wait wait, int peer, const char *call)
{
    all[i] = (struct hal_stand){.rank = rank, .wait = wait, .peer = peer, .context = 7};
    strcpy(all[i].call, call);
    memset(all[i].members, 0xff, RANKS / 8);
    return &all[i];
}

static int lines(void)
{
    int n = 0;
    for (const char *at = text; *at != '\0'; at++)
        n += *at == '\n';
    return n;
}

static void tell(int n, const char *title, bool over, const char *first)
{
    const struct hal_stand_about about = {title, "has ended", over};
    hal_stand_explain(all, n, &about, text, sizeof text);
    printf("%s", text);
    CHECK(strncmp(text, first, strlen(first)) == 0);
    CHECK(lines() <= 8);
    CHECK(strstr(text, "details: --verbose\n") != NULL);
}

static void explain(int n, const char *first)
{
    tell(n, "deadlock", true, first);
}

static void test_pair(void)
{
    set(0, 1, HAL_WAIT_ONE, 0, "MPI_Recv");
    strcpy(all[0].near, "rank 0 sent tag 1 to rank 1");
    set(1, 0, HAL_WAIT_ONE, 1, "MPI_Send");
    strcpy(all[1].about, "peer 1, tag 2");
    set(2, 2, HAL_WAIT_ONE, 1, "MPI_Recv");
    explain(3, "deadlock: ranks 0 -> 1 -> 0 wait for each other, 1 more for them\n");
    CHECK(strstr(text, "  rank 0: MPI_Send, peer 1, tag 2\n  rank 1: MPI_Recv\n") != NULL);
    CHECK(strstr(text, "  almost matched: rank 0 sent tag 1 to rank 1\n") != NULL);
}

static void test_ring(void)
{
    for (int i = 0; i < RANKS; i++)
        set(i, i, HAL_WAIT_ONE, (i + 1) % RANKS, "MPI_Recv");
    explain(RANKS, "deadlock: ranks 0 -> 1 -> 2 -> ... -> 190 -> 191 -> 0 wait for each other\n");
    CHECK(strstr(text, "  rank 0 (and 191 more alike): MPI_Recv\n") != NULL);
}

/* The shortest of several cycles says most. */
static void test_shortest(void)
{
    for (int i = 0; i < 6; i++)
        set(i, i, HAL_WAIT_ONE, i < 4 ? (i + 1) % 4 : 9 - i, "MPI_Recv");
    explain(6, "deadlock: ranks 4 -> 5 -> 4 wait for each other, 4 more for others\n");
}

/* Who waits for others than those that are named is told apart: in cycles of their own, for
 * themselves, for one who computes. */
static void test_others(void)
{
    for (int i = 0; i < 7; i++)
        set(i, i, HAL_WAIT_ONE, i ^ 1, "MPI_Recv");
    set(6, 6, HAL_WAIT_ONE, 1, "MPI_Recv");
    explain(6, "deadlock: ranks 0 -> 1 -> 0 wait for each other, 4 more for others\n");
    explain(7, "deadlock: ranks 0 -> 1 -> 0 wait for each other, 1 more for them, 4 for others\n");
    for (int i = 0; i < 4; i++)
        set(i, i, HAL_WAIT_ONE, i, "MPI_Recv");
    explain(4, "deadlock: rank 0 waits for itself, 3 more for others\n");
    set(0, 0, HAL_WAIT_ONE, 1, "MPI_Recv");
    set(1, 1, HAL_WAIT_NONE, 0, "");
    set(2, 2, HAL_WAIT_ONE, 3, "MPI_Recv");
    set(3, 3, HAL_WAIT_NONE, 0, "");
    explain(4, "deadlock: rank 0 waits for rank 1, which computes; 1 more for others\n");
    explain(2, "deadlock: rank 0 waits for rank 1, which computes\n");
    set(4, 4, HAL_WAIT_ONE, 0, "MPI_Recv");
    explain(5, "deadlock: rank 0 and others wait for rank 1, which computes; 1 more for others\n");
}

/* Those in a collective wait for who is not in it; who calls another one is not. */
static void test_collective(void)
{
    for (int i = 0; i < 4; i++) {
        set(i, i, HAL_WAIT_ALL, 0, i == 2 ? "MPI_Bcast" : "MPI_Barrier");
        memset(all[i].members, 0, sizeof all[i].members);
        all[i].members[0] = 15;
    }
    explain(4, "deadlock: ranks 0 -> 2 -> 0 wait for each other, 2 more for them\n");
    set(2, 2, HAL_WAIT_ONE, 3, "MPI_Recv");
    explain(4, "deadlock: ranks 2 -> 3 -> 2 wait for each other, 2 more for them\n");
    all[2].wait = HAL_WAIT_NONE;
    explain(4, "deadlock: rank 0 and others wait for rank 2, which computes\n");
    all[2] = all[3];
    explain(3, "deadlock: rank 0 and others wait for rank 2, which has ended\n");
    for (int i = 0; i < 4; i++) {
        set(i, i, HAL_WAIT_ALL, 0, "MPI_Bcast")->members[0] = 15;
        memset(&all[i].members[1], 0, sizeof all[i].members - sizeof all[i].members[0]);
    }
    explain(4, "deadlock: ranks 0 -> 1 -> 2 -> 3 -> 0 wait for each other\n");
    CHECK(strstr(text, "  rank 0 (and 3 more alike): MPI_Bcast\n") != NULL);
}

/* All of them in calls of one communicator, of which they have begun so many. */
static void set_numbers(const uint32_t number[3])
{
    for (int i = 0; i < 3; i++) {
        set(i, i, HAL_WAIT_ALL, 0, number[i] % 2 ? "MPI_Barrier" : "MPI_Bcast")->members[0] = 7;
        memset(&all[i].members[1], 0, sizeof all[i].members - sizeof all[i].members[0]);
        all[i].number = number[i];
    }
}

/* Where all have come the call is under way, unless nothing happens any more; who is in a later one
 * waits for those that are not. */
static void test_under_way(void)
{
    set_numbers((const uint32_t[]){5, 5, 5});
    tell(3, "time-out", false, "time-out: rank 0 is where all have come, and may go on\n");
    explain(3, "deadlock: ranks 0 -> 1 -> 2 -> 0 wait for each other\n");
    set_numbers((const uint32_t[]){UINT32_MAX, 1, 0});
    tell(3, "time-out", false, "time-out: rank 0 is where all have come, and may go on\n");
    CHECK(strstr(text, "  rank 0: MPI_Barrier\n") != NULL);
    set_numbers((const uint32_t[]){6, 6, 5});
    tell(3, "time-out", false,
         "time-out: rank 0 and others wait for rank 2, which is where all have come, and may go "
         "on\n");
    set_numbers((const uint32_t[]){6, 5, 5});
    tell(3, "time-out", false,
         "time-out: rank 0 waits for rank 1, which is where all have come, and may go on\n");
    set_numbers((const uint32_t[]){6, 6, 5});
    tell(3, "time-out", false, "time-out: rank 0 and others wait for rank 2, which is where");
    CHECK(strstr(text, "  rank 0: MPI_Bcast\n  rank 2: MPI_Barrier\n") != NULL);
    strcpy(all[0].call, "MPI_Gather");
    all[2].number = 6;
    tell(3, "time-out", false,
         "time-out: ranks 0 -> 1 -> 0 wait for each other, 1 more for them\n");
    set_numbers((const uint32_t[]){5, 5, 5});
    all[2].wait = HAL_WAIT_NONE;
    tell(3, "time-out", false, "time-out: rank 0 and others wait for rank 2, which computes\n");
}

/* Those who have no room for messages are named once. */
static void test_full(void)
{
    set(0, 0, HAL_WAIT_ONE, 1, "MPI_Recv");
    set(1, 1, HAL_WAIT_ONE, 0, "MPI_Recv")->full = true;
    explain(2, "deadlock: ranks 0 -> 1 -> 0 wait for each other\n");
    CHECK(strstr(text, "  rank 1 cannot take messages: its cluster has no memory left\n") != NULL);
    all[0].full = true;
    explain(2, "deadlock: ranks 0 -> 1 -> 0 wait for each other\n");
    CHECK(strstr(text, "  rank 0 and 1 more cannot take messages: ") != NULL);
}

/* Of any member one that computes may still send; then it is no cycle. */
static void test_any(void)
{
    set(0, 0, HAL_WAIT_ANY, 0, "MPI_Recv")->members[0] = 7;
    set(1, 1, HAL_WAIT_ONE, 0, "MPI_Recv");
    set(2, 2, HAL_WAIT_NONE, 0, "");
    explain(3, "deadlock: rank 0 and others wait for rank 2, which computes\n");
    set(2, 2, HAL_WAIT_ONE, 0, "MPI_Recv");
    explain(3, "deadlock: ranks 0 -> 1 -> 0 wait for each other, 1 more for them\n");
}

/* Of the rank of the cycle, whatever others wait for. */
static void test_unreceived(void)
{
    strcpy(set(0, 0, HAL_WAIT_ONE, 1, "MPI_Recv")->unreceived, "");
    strcpy(set(1, 1, HAL_WAIT_ONE, 2, "MPI_Finalize")->unreceived, "rank 1 sent rank 2");
    strcpy(set(2, 2, HAL_WAIT_ONE, 1, "MPI_Finalize")->unreceived, "rank 2 sent rank 1");
    strcpy(set(3, 3, HAL_WAIT_ONE, 1, "MPI_Wait")->unreceived, "rank 3 sent rank 1");
    explain(4, "deadlock: ranks 1 -> 2 -> 1 wait for each other, 2 more for them\n");
    CHECK(strstr(text, "  not received: rank 1 sent rank 2\n") != NULL);
    CHECK(!strstr(text, "rank 3"));
}

static void test_alone(void)
{
    set(0, 0, HAL_WAIT_ONE, 0, "MPI_Send")->asks = true;
    explain(1, "deadlock: rank 0 waits for itself\n  rank 0 asks again and again: MPI_Send\n");
    set(0, 0, HAL_WAIT_NONE, 0, "");
    explain(1, "deadlock: no rank waits for another one\n  rank 0 computes\n");
    hal_stand_explain(all, 1, &(struct hal_stand_about){"deadlock", "", true}, text, 20);
    CHECK_EQ(strlen(text), 19);
}

int main(void)
{
    test_pair();
    test_ring();
    test_shortest();
    test_others();
    test_collective();
    test_under_way();
    test_full();
    test_any();
    test_unreceived();
    test_alone();
    return 0;
}
