/* SPDX-License-Identifier: MIT */
/* A crash in a process that several ranks share, or that is a machine in virtual time. mpiexec sees
 * only the process; which rank it was is known here. The signal then does what it would have
 * done. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <hal/console.h>
#include <hal/core.h>
#include <process/image.h>

static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define WATCHED (sizeof watched / sizeof watched[0])

static struct sigaction before[WATCHED];

/* A program that did not fit, and went on without looking, dies so. */
static void tell_memory(void)
{
    char text[IMAGE_HEAP_TEXT] = "";
    if (image_heap_report)
        image_heap_report(text, sizeof text);
    if (*text != '\0')
        hal_console_write(text, strlen(text));
}

/* Runs on the machine's signal stack, after the machine looked for a stack overflow. */
static void crash(int number, siginfo_t *info, void *context)
{
    char text[128];
    struct image_rank *r = image_rank_self();
    (void)context;
    image_output_rescue();
    if (r) {
        int n = snprintf(text, sizeof text, "lwmpi: rank %d (cluster %d) got signal %d (%s)\n",
                         r->place.rank, hal_cluster(), number, strsignal(number));
        hal_console_write(text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
    }
    tell_memory();
    if (image_last_words)
        image_last_words();
    for (size_t i = 0; i < WATCHED; i++)
        if (watched[i] == number)
            sigaction(number, &before[i], NULL);
    /* A fault repeats when we return; a signal that was sent does not. */
    if (info->si_code <= 0)
        raise(number);
}

void image_crash_watch(void)
{
    struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < WATCHED; i++)
        sigaction(watched[i], &action, &before[i]);
}
