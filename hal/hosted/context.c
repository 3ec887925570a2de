/* SPDX-License-Identifier: MIT */
/* Contexts of the hosted ports: the processor's switch, told to the sanitizers when they watch. */
#include <hal/context.h>

#include <stdint.h>

#include "../cpu/cpu.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

/* Use of hal_context.tool:
 * AddressSanitizer: the context's fake stack and the bounds of its stack. The bounds of a context
 * that was not made here (an OS thread's own stack) are learnt when it is first left.
 * ThreadSanitizer: its fiber. */
enum { TOOL_FAKE_STACK, TOOL_STACK, TOOL_SIZE, TOOL_FIBER };

/* What tells one sanitizer of a switch has no caller where none watches. */
#define UNUSED __attribute__((unused))

#if defined(__SANITIZE_ADDRESS__)

static inline void address_leave(struct hal_context *from, struct hal_context *to)
{
    __sanitizer_start_switch_fiber(&from->tool[TOOL_FAKE_STACK], to->tool[TOOL_STACK],
                                   (size_t)to->tool[TOOL_SIZE]);
}

static inline void address_arrive(struct hal_context *self, struct hal_context *left)
{
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(self ? self->tool[TOOL_FAKE_STACK] : NULL, &bottom, &size);
    left->tool[TOOL_STACK] = (void *)(uintptr_t)bottom;
    left->tool[TOOL_SIZE] = (void *)size;
}

static inline void address_init(struct hal_context *c, void *stack, size_t size)
{
    /* An earlier context may have died on this stack in the middle of its frames. */
    __asan_unpoison_memory_region(stack, size);
    c->tool[TOOL_STACK] = stack;
    c->tool[TOOL_SIZE] = (void *)size;
}

#else

UNUSED static inline void address_leave(struct hal_context *from, struct hal_context *to)
{
    (void)from;
    (void)to;
}

static inline void address_arrive(struct hal_context *self, struct hal_context *left)
{
    (void)self;
    (void)left;
}

static inline void address_init(struct hal_context *c, void *stack, size_t size)
{
    (void)c;
    (void)stack;
    (void)size;
}

#endif

#if defined(__SANITIZE_THREAD__)

static inline void thread_leave(struct hal_context *from, struct hal_context *to)
{
    from->tool[TOOL_FIBER] = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->tool[TOOL_FIBER], 0);
}

static inline void thread_init(struct hal_context *c)
{
    c->tool[TOOL_FIBER] = __tsan_create_fiber(0);
}

static inline void thread_fini(struct hal_context *c)
{
    __tsan_destroy_fiber(c->tool[TOOL_FIBER]);
}

#define NO_THREAD_SANITIZER __attribute__((no_sanitize_thread))

#else

UNUSED static inline void thread_leave(struct hal_context *from, struct hal_context *to)
{
    (void)from;
    (void)to;
}

static inline void thread_init(struct hal_context *c)
{
    (void)c;
}

static inline void thread_fini(struct hal_context *c)
{
    (void)c;
}

#define NO_THREAD_SANITIZER

#endif

/* What a new context needs at its start; it lies at the top of its own stack. */
struct start {
    void (*fn)(void *arg);
    void *arg;
};

NO_THREAD_SANITIZER static void enter(struct hal_context *left, void *arg)
{
    address_arrive(NULL, left);
    const struct start *s = arg;
    s->fn(s->arg);
    __builtin_trap(); /* fn must not return */
}

void hal_context_init(struct hal_context *c, void *stack, size_t size, void (*fn)(void *arg),
                      void *arg)
{
    *c = (struct hal_context){.sp = NULL};
    address_init(c, stack, size);
    thread_init(c);
    uintptr_t top = ((uintptr_t)stack + size) & ~(uintptr_t)15;
    struct start *s = (struct start *)top - 1;
    *s = (struct start){.fn = fn, .arg = arg};
    c->sp = hal_cpu_frame_make(s, enter, s);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

NO_THREAD_SANITIZER void hal_context_switch(struct hal_context *from, struct hal_context *to)
{
    address_leave(from, to);
    thread_leave(from, to);
    struct hal_context *left = hal_cpu_switch(from, to);
    address_arrive(from, left);
}

#endif

void hal_context_fini(struct hal_context *c)
{
    thread_fini(c);
    *c = (struct hal_context){.sp = NULL};
}
