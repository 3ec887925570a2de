/* SPDX-License-Identifier: MIT */
/* A deadlock is found, not waited out: the machine ends with status 124 and the report names every
 * waiting thread, what it waits for, and the thread that holds the mutex. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include <sys/k_thread.h>
#include <sys/k_wait.h>

#include <test/on_machine.h>

struct pair {
    struct k_mutex left, right;
    struct k_fence both;
};

static void left_first(void *arg)
{
    struct pair *p = arg;
    k_mutex_lock(&p->left);
    k_fence(&p->both);
    k_mutex_lock(&p->right);
}

static void right_first(void *arg)
{
    struct pair *p = arg;
    k_mutex_lock(&p->right);
    k_fence(&p->both);
    k_mutex_lock(&p->left);
}

static void describe(const struct k_wait *w, char *text, size_t size)
{
    (void)w;
    snprintf(text, size, "letter that was never sent");
}

static void for_ever(void *arg)
{
    struct k_wait w = {.what = "nothing", .describe = describe};
    (void)arg;
    k_wait_lock(&w);
    k_wait_on(&w, K_FOREVER);
}

static int start(void (*entry)(void *arg), void *arg, const char *name)
{
    return k_thread_create(&(struct k_thread_attr){entry, arg, name, K_ANY, 0});
}

static int body(void *arg)
{
    struct pair p;
    (void)arg;
    k_mutex_init(&p.left);
    k_mutex_init(&p.right);
    k_fence_init(&p.both, 2);
    int alice = start(left_first, &p, "alice");
    start(right_first, &p, "bob");
    start(for_ever, NULL, "carol");
    k_thread_join(alice, NULL);
    return 0;
}

/* Runs the body with standard error in `text`. */
static int run_captured(bool asymmetric, char *text, size_t size)
{
    struct hal_machine m;
    one_cluster("mini", asymmetric, &m);
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);
    CHECK(file && saved >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    int status = on_machine(&m, body, NULL);
    CHECK(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    return status;
}

/* The line of the report about thread `who`. */
static void check_line(const char *text, const char *who, const char *what, const char *holder)
{
    const char *line = strstr(text, who);
    CHECK(line != NULL);
    const char *next = strchr(line, '\n');
    size_t n = next ? (size_t)(next - line) : strlen(line);
    char copy[512];
    n = n < sizeof copy ? n : sizeof copy - 1;
    memcpy(copy, line, n);
    copy[n] = '\0';
    if (!strstr(copy, what) || (holder && !strstr(copy, holder)))
        fprintf(stderr, "'%s' lacks '%s' or '%s'\n", copy, what, holder ? holder : "");
    CHECK(strstr(copy, what) != NULL);
    CHECK(!holder || strstr(copy, holder));
}

int main(void)
{
    static char text[65536];
    for (int asymmetric = 0; asymmetric <= 1; asymmetric++) {
        CHECK_EQ(run_captured(asymmetric, text, sizeof text), 124);
        fputs(text, stdout);
        check_line(text, "thread \"alice\"", "mutex", "'bob'");
        check_line(text, "thread \"bob\"", "mutex", "'alice'");
        check_line(text, "thread \"carol\"", "letter that was never sent", NULL);
        check_line(text, "thread \"main\"", "join of thread", "'alice'");
    }
    return 0;
}
