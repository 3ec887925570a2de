/* SPDX-License-Identifier: MIT */
/* What the tests of the task engine share: tasks on core 0 that say a letter when they run. */
#ifndef KERNEL_TEST_TASK_H
#define KERNEL_TEST_TASK_H

#include <base/config.h>
#include <sys/k_info.h>
#include <sys/k_task.h>
#include <sys/k_thread.h>

#include <test/on_machine.h>

enum { USUAL = K_USER0 | K_THROW };

/* Where the tasks of a test write who ran. */
static struct {
    char text[64];
    int n;
} said;

static inline void say(char c)
{
    CHECK(said.n < (int)sizeof said.text - 1);
    said.text[said.n++] = c;
    said.text[said.n] = '\0';
}

static inline bool heard(const char *text)
{
    bool same = strcmp(said.text, text) == 0;
    if (!same)
        fprintf(stderr, "'%s' instead of '%s'\n", said.text, text);
    said.n = 0;
    said.text[0] = '\0';
    return same;
}

static inline long field(struct k_task *t, enum k_task_field f)
{
    long value = -1;
    CHECK_EQ(k_task_get(t, f, &value), 0);
    return value;
}

static inline void create(struct k_task *t, k_task_fn *fn)
{
    CHECK_EQ(k_task_create(t, &(struct k_task_attr){.fn = fn, .core = 0}), 0);
}

static inline void connect(struct k_arc *a, struct k_task *from, struct k_task *to, unsigned kind,
                           unsigned conditions)
{
    CHECK_EQ(k_task_connect(a, from, to, kind, conditions), 0);
}

static inline void dispatch(struct k_task *t, long a0)
{
    CHECK_EQ(k_task_dispatch(t, (long[K_TASK_ARGS]){a0}), 0);
}

static inline void await(struct k_task *t)
{
    CHECK_EQ(k_task_wait(t, K_FOREVER, NULL), 0);
}

static inline void unlink_all(struct k_task *t, int n)
{
    for (int i = 0; i < n; i++) {
        CHECK_EQ(k_task_unlink(&t[i]), 0);
        CHECK_EQ(field(&t[i], K_TASK_STATE), K_TASK_INVALID);
    }
}

static inline void disconnect_all(struct k_arc *a, int n)
{
    for (int i = 0; i < n; i++) {
        CHECK_EQ(k_task_disconnect(&a[i]), 0);
        CHECK_EQ(k_task_disconnect(&a[i]), -B_ENOENT);
    }
}

/* Says its first argument, and is done. */
static inline int speak(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    say((char)a0);
    return 0;
}

/* Says a0 and concludes with a1. */
static inline int conclude(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    say((char)a0);
    return (int)a1;
}

static inline void make(struct k_task *t, int n, k_task_fn *fn)
{
    for (int i = 0; i < n; i++) {
        create(&t[i], fn);
        CHECK_EQ(k_task_set(&t[i], K_TASK_ARG0, '0' + i), 0);
    }
}

static inline void start(struct k_task *t, int i, long conclusion)
{
    CHECK_EQ(k_task_dispatch(&t[i], (long[]){'0' + i, conclusion, 0, 0, 0}), 0);
    k_task_wait(&t[i], K_FOREVER, NULL);
}

static inline int nothing(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    return 0;
}

/* A task dispatched last runs after all that are ready on core 0; as often as this does it, their
 * successors have run too, and theirs. */
static inline void settle(void)
{
    struct k_task last;
    create(&last, nothing);
    for (int i = 0; i < 40; i++) {
        dispatch(&last, 0);
        await(&last);
    }
    CHECK_EQ(k_task_unlink(&last), 0);
}

#endif
