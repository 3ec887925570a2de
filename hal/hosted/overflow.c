/* SPDX-License-Identifier: MIT */
/* Memory signals. A page of hal/page.h has its handler. A stack that runs into its guard: say which
 * core it was, then die of the signal, as the system would have it; whoever supervises the process
 * sees the signal. */
#include "stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

#include <base/fmt.h>
#include <hal/console.h>
#include <hal/core.h>

#include "page.h"

#define HANDLER_STACK ((size_t)64 * 1024)

static struct sigaction previous[2]; /* of SIGSEGV and SIGBUS */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool watched;
static pthread_key_t handler_stack; /* its destructor runs when the thread ends */

void hal_stack_unwatch(void)
{
    sigaction(SIGSEGV, &previous[0], NULL);
    sigaction(SIGBUS, &previous[1], NULL);
}

static void handler(int signal, siginfo_t *info, void *context)
{
    if (info->si_code > 0 && watched && hal_page_redirect(info->si_addr, context))
        return;
    size_t size = hal_stack_overflown(info->si_addr);
    if (size > 0) {
        char text[160];
        int n = b_fmt(text, sizeof text,
                      "cluster %d core %d: stack overflow: the stack has %lu KB; "
                      "LWMPI_STACK=<bytes> sets the size\n",
                      hal_cluster(), hal_core(), (unsigned long)(size / 1024));
        hal_console_write(text, (size_t)n);
    }
    /* Returning repeats the access, now under the handler that was there before ours. */
    sigaction(signal, &previous[signal == SIGBUS], NULL);
    if (info->si_code <= 0)
        raise(signal); /* it was sent, not caused: it would not come again */
}

static void unwatch(void *stack)
{
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    munmap(stack, HANDLER_STACK);
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous[0]);
    sigaction(SIGBUS, &action, &previous[1]);
    pthread_key_create(&handler_stack, unwatch);
}

void hal_stack_watch(void)
{
    if (watched)
        return;
    watched = true;
    pthread_once(&once, install);
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE) == 0)
        return; /* a sanitizer or the program gave the thread one */
    void *p = mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return;
    if (sigaltstack(&(stack_t){.ss_sp = p, .ss_size = HANDLER_STACK}, NULL) != 0) {
        munmap(p, HANDLER_STACK);
        return;
    }
    pthread_setspecific(handler_stack, p);
}
