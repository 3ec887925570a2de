/* SPDX-License-Identifier: MIT */
/* Any number of machines side by side: their messages and words never meet. */
#include "contract_run.h"

#include <sys/wait.h>
#include <unistd.h>

#define JOBS   4
#define ROUNDS 300

static void boot(void *arg)
{
    int job = *(int *)arg, me = hal_cluster(), clusters = hal_machine_clusters(hal_machine());
    for (int i = 0; i < ROUNDS; i++) {
        struct hal_mail m = {.header = {(uint8_t)job}};
        int from;
        contract_send((me + 1) % clusters, &m, 0);
        const struct hal_mail *r = contract_receive(&from);
        CHECK_EQ(from, (me + clusters - 1) % clusters);
        CHECK_EQ(r->header[0], job);
        CHECK_EQ(hal_mailbox_release(from, 0), 0);
        if (i % 50 == 0)
            contract_meet();
    }
}

int main(void)
{
    pid_t pids[JOBS];
    for (int job = 0; job < JOBS; job++) {
        pids[job] = fork();
        CHECK(pids[job] >= 0);
        if (pids[job] == 0) {
            struct hal_machine m;
            struct hal_options o;
            contract_load("mini", &m, &o);
            return hal_run(&m, &o, boot, &job);
        }
    }
    for (int job = 0; job < JOBS; job++) {
        int status;
        CHECK_EQ(waitpid(pids[job], &status, 0), pids[job]);
        CHECK_EQ(status, 0);
    }
    return 0;
}
