/* SPDX-License-Identifier: MIT */
/* Memory signals. A page of hal/page.h has its handler, the closed part of a stack who looks after
 * its growth. A stack that runs into its guard: say which core it was, then die of the signal, as
 * the system would have it; whoever supervises the process sees the signal. */
#include "stack.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#include <base/fmt.h>
#include <hal/console.h>
#include <hal/core.h>
#include <hal/hosted.h>

#include "page.h"

#define HANDLER_STACK ((size_t)64 * 1024)
#define REDIRECTED    ((size_t)16 * 1024) /* bytes of stack for the state that a call saves */

static struct sigaction previous[2]; /* of SIGSEGV and SIGBUS */
static bool programs[2];             /* it is the program's, which came after ours */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool watched;
static _Atomic(hal_stack_grow_fn *) the_grow;
static pthread_key_t handler_stack; /* its destructor runs when the thread ends */

void hal_stack_unwatch(void)
{
    sigaction(SIGSEGV, &previous[0], NULL);
    sigaction(SIGBUS, &previous[1], NULL);
}

void hal_memory_signal(int signal, const struct sigaction *action, struct sigaction *before)
{
    struct sigaction *now = &previous[signal == SIGBUS];
    if (before)
        *before = *now;
    if (action) {
        *now = *action;
        programs[signal == SIGBUS] = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    }
}

/* The program's handler may jump out of it, and stacks grow on. */
static bool handled(int signal, siginfo_t *info, void *context)
{
    struct sigaction now = previous[signal == SIGBUS];
    if (!programs[signal == SIGBUS])
        return false;
    if (now.sa_flags & (int)SA_RESETHAND)
        hal_memory_signal(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    if (now.sa_flags & SA_SIGINFO)
        now.sa_sigaction(signal, info, context);
    else
        now.sa_handler(signal);
    return true;
}

void hal_stack_grows(hal_stack_grow_fn *grow)
{
    atomic_store(&the_grow, grow);
}

static enum hal_growth grow(uintptr_t address, const void *context)
{
    hal_stack_grow_fn *fn = atomic_load(&the_grow);
    struct hal_refused r = {address, hal_interrupted(context), hal_interrupted_stack(context)};
    int saved = errno;
    enum hal_growth growth = fn ? fn(&r) : HAL_STACK_OTHER;
    errno = saved;
    return growth;
}

/* The access is tried again, now or when the handler of its page is done, which runs on the stack
 * that the access was made on. */
static bool served(void *address, void *context, enum hal_growth *growth)
{
    if (hal_page_reserved(address)) {
        *growth = grow(hal_interrupted_stack(context) - REDIRECTED, context);
        return *growth != HAL_STACK_FULL && hal_page_redirect(address, context);
    }
    *growth = grow((uintptr_t)address, context);
    return *growth == HAL_STACK_GROWN;
}

static void handler(int signal, siginfo_t *info, void *context)
{
    enum hal_growth growth = HAL_STACK_OTHER;
    if (info->si_code > 0 && watched && served(info->si_addr, context, &growth))
        return;
    size_t size = growth == HAL_STACK_FULL ? 0 : hal_stack_overflown(info->si_addr);
    if (size > 0) {
        char text[160];
        int n = b_fmt(text, sizeof text,
                      "cluster %d core %d: stack overflow: the stack has %lu KB; "
                      "LWMPI_STACK=<bytes> sets the size\n",
                      hal_cluster(), hal_core(), (unsigned long)(size / 1024));
        hal_console_write(text, (size_t)n);
    }
    if (handled(signal, info, context))
        return;
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
