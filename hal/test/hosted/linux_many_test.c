/* SPDX-License-Identifier: MIT */
/* Many clusters, more than processors: everybody sends to everybody, nothing is lost nor reordered;
 * and a cluster that does nothing costs little memory. */
#include "contract_run.h"

#include <hal/mem.h>

#define MESSAGES 4
#define IDLE_KB  600 /* of memory that a cluster has for itself, the program's own pages included */

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { MOST = 48, MEASURED = 0 }; /* a sanitizer's process is large and slow */
#else
enum { MOST = 192, MEASURED = 1 };
#endif

/* Kilobytes of private memory of the calling process. */
static long private_kb(void)
{
    char line[256];
    long sum = 0, kb;
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    CHECK(f != NULL);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "Private_Clean: %ld", &kb) == 1 ||
            sscanf(line, "Private_Dirty: %ld", &kb) == 1)
            sum += kb;
    fclose(f);
    return sum;
}

static int next[HAL_CLUSTERS_MAX]; /* number of the next message expected of each sender */

static int left; /* messages to come */

/* Takes what is there; false if there was nothing. */
static bool take(void)
{
    int from;
    bool any = false;
    const struct hal_mail *m;
    while ((m = hal_mailbox_peek(&from))) {
        int number;
        memcpy(&number, m->data, sizeof number);
        CHECK_EQ(number, next[from]);
        next[from]++;
        CHECK_EQ(hal_mailbox_release(from, 1), 0);
        left--;
        any = true;
    }
    for (int to; (to = hal_mailbox_verdict_any()) >= 0;) {
        CHECK_EQ(hal_mailbox_verdict(to), 1);
        any = true;
    }
    return any;
}

static void boot(void *arg)
{
    (void)arg;
    int me = hal_cluster(), clusters = hal_machine_clusters(hal_machine());
    long idle = private_kb();
    CHECK(MEASURED == 0 || idle < IDLE_KB);
    left = MESSAGES * clusters;
    for (int number = 0; number < MESSAGES; number++) {
        for (int i = 0; i < clusters; i++) {
            struct hal_mail m = {.header = {0}};
            memcpy(m.data, &number, sizeof number);
            int to = (me + i) % clusters;
            while (hal_mailbox_send(to, &m, sizeof number) == -B_EAGAIN)
                if (!take())
                    hal_event_wait(HAL_NEVER);
        }
    }
    while (left > 0)
        if (!take())
            hal_event_wait(HAL_NEVER);
    contract_meet();
}

static void run(int clusters)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mini", &m, &o);
    m.compute_clusters = (uint32_t)clusters;
    m.compute_cores = 1;
    m.io_clusters = 0;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
}

int main(void)
{
    run(1);
    run(MOST / 3);
    run(MOST);
    return 0;
}
