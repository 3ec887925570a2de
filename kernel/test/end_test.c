/* SPDX-License-Identifier: MIT */
/* The end of clusters and machines: whose status counts, who may end what, and that the clusters
 * of one machine share nothing in the kernel. */
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>
#include <sys/k_wait.h>

#include <test/crew.h>
#include <test/on_machine.h>

static int whole_mini(bool asymmetric, int (*body)(void *arg), void *arg)
{
    struct hal_machine m;
    char why[256];
    CHECK_EQ(hal_machine_load("mini", &m, why, sizeof why), 0);
    CHECK(hal_machine_clusters(&m) == 3);
    m.asymmetric = asymmetric;
    return on_machine(&m, body, arg);
}

static int cluster_number(void)
{
    struct k_info info;
    k_info(&info);
    return info.cluster;
}

static int return_if_one(void *arg)
{
    return cluster_number() == 1 ? *(int *)arg : 0;
}

static void wait_for_ever(int me, void *arg)
{
    (void)me;
    k_sem_down(arg, K_FOREVER);
}

/* The first thread returns although others wait, or did not even begin: the cluster ends. What they
 * use must outlive the first thread. */
static int leave_others(void *arg)
{
    static struct {
        struct crew_member m[4];
        struct k_sem never;
    } left[3];
    int me = cluster_number();
    k_sem_init(&left[me].never, 0);
    crew_start(left[me].m, 4, -1, wait_for_ever, &left[me].never);
    k_thread_yield();
    return *(int *)arg;
}

static void power_off(int me, void *arg)
{
    (void)me;
    k_power_off(*(int *)arg);
}

/* Another thread, on another core, ends the cluster while the first one waits for it. */
static int off_by_other(void *arg)
{
    struct crew_member m[2];
    crew_start(m, 2, -1, power_off, arg);
    crew_join(m, 2);
    return 99;
}

/* One cluster aborts: the others, which wait for ever, end too. */
static int abort_by_one(void *arg)
{
    struct k_sem never;
    if (cluster_number() == 2)
        k_abort(*(int *)arg, "cluster 2 gives up");
    k_sem_init(&never, 0);
    k_sem_down(&never, K_FOREVER);
    return 0;
}

/* Each cluster counts its own threads' work; ids start anew in each. */
static int own_state(void *arg)
{
    struct crew_member m[6];
    int mine = cluster_number();
    (void)arg;
    CHECK_EQ(k_thread_self(), 0);
    CHECK(!k_cluster_local());
    k_cluster_local_set(&mine);
    struct k_sem s;
    k_sem_init(&s, 6);
    crew_start(m, 6, -1, wait_for_ever, &s);
    crew_join(m, 6);
    CHECK(k_cluster_local() == &mine);
    CHECK_EQ(mine, cluster_number());
    return 0;
}

/* Cluster 1 ends as soon as it has what cluster 0 sends, while another of its cores may still be
 * busy with the answer: the writer hears that it was taken all the same. */
static int read_and_end(void *arg)
{
    int me = cluster_number();
    char c = 'x';
    (void)arg;
    if (me == 1) {
        int in = k_mailbox_create(1);
        CHECK_EQ(k_mailbox_read(in, &c, 1, NULL), 1);
    }
    if (me == 0) {
        int out = k_mailbox_open(1, 1);
        long r;
        do {
            r = k_mailbox_write(out, &c, 1);
        } while (r == -B_ENOTCONN); /* cluster 1 is not yet that far */
        CHECK_EQ(r, 1);
    }
    return 0;
}

static int receive_and_end(void *arg)
{
    int me = cluster_number();
    char bytes[1000] = "";
    (void)arg;
    if (me == 1) {
        int in = k_portal_create(1);
        CHECK_EQ(k_portal_read(in, bytes, sizeof bytes, NULL), sizeof bytes);
    }
    if (me == 0) {
        int out = k_portal_open(1, 1);
        long r;
        do {
            r = k_portal_write(out, bytes, sizeof bytes);
        } while (r == -B_ENOTCONN);
        CHECK_EQ(r, sizeof bytes);
    }
    return 0;
}

int main(void)
{
    int status = 7;
    uint64_t orders = strcmp(hal_port_name, "sim") == 0 ? 20 : 4;
    for (int asymmetric = 0; asymmetric <= 1; asymmetric++) {
        CHECK_EQ(whole_mini(asymmetric, return_if_one, &status), 7);
        CHECK_EQ(whole_mini(asymmetric, leave_others, &status), 7);
        CHECK_EQ(whole_mini(asymmetric, off_by_other, &status), 7);
        CHECK_EQ(whole_mini(asymmetric, abort_by_one, &status), 7);
        CHECK_EQ(whole_mini(asymmetric, own_state, NULL), 0);
        for (test_seed = 0; test_seed < orders; test_seed++) {
            CHECK_EQ(whole_mini(asymmetric, read_and_end, NULL), 0);
            CHECK_EQ(whole_mini(asymmetric, receive_and_end, NULL), 0);
        }
        test_seed = 0;
    }
    return 0;
}
