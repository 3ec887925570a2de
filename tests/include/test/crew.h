/* SPDX-License-Identifier: MIT */
/* Threads for tests: n of them, spread over the cores for programs, each with its number. */
#ifndef TEST_CREW_H
#define TEST_CREW_H

#include <base/config.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>
#include <test/check.h>

struct crew_member {
    void (*run)(int me, void *arg);
    void *arg;
    int me, id;
};

static void crew_enter(void *arg)
{
    struct crew_member *m = arg;
    m->run(m->me, m->arg);
}

/* Starts n threads; core < 0: on the cores in turn. */
static void crew_start(struct crew_member *m, int n, int core, void (*run)(int me, void *arg),
                       void *arg)
{
    struct k_info info;
    k_info(&info);
    for (int i = 0; i < n; i++) {
        m[i] = (struct crew_member){run, arg, i, -1};
        int where = core >= 0 ? core : info.user_core + i % (info.cores - info.user_core);
        m[i].id = k_thread_create(&(struct k_thread_attr){
            .entry = crew_enter, .arg = &m[i], .name = "crew", .core = where});
        CHECK(m[i].id >= 0);
    }
}

static void crew_join(struct crew_member *m, int n)
{
    for (int i = 0; i < n; i++)
        CHECK_EQ(k_thread_join(m[i].id, NULL), 0);
}

#endif
