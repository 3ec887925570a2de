/* SPDX-License-Identifier: MIT */
/* User mode. What a context has in the registers is in its frame while it is in the kernel; the
 * frame is at the top of its stack there, so other contexts of the hart may run meanwhile. */
#include "frame.h"
#include "riscv.h"

#include <hal/clock.h>
#include <hal/mem.h>
#include <hal/user.h>

#define CAUSE_CALL      8
#define INTERRUPT       (~(UINTPTR_MAX >> 1))
#define SOFTWARE        (INTERRUPT | 3)
#define TIMER           (INTERRUPT | 7)
#define SLICE_LEAST     (RV_TICKS_PER_SECOND / 1000)
#define SLICE_MOST      (32 * SLICE_LEAST)
#define STACK_ALIGNMENT 64

enum { PC = 0, SP = 2, A0 = 10, A7 = 17 };

struct rv_frame {
    uintptr_t x[32]; /* x[0]: pc */
    unsigned char f[32 * RV_FLOAT];
    uintptr_t fcsr;
    uintptr_t tp, traps, guard; /* of the kernel: the core's storage, its stack for traps */
    uintptr_t user_guard;
};
_Static_assert(offsetof(struct rv_frame, f) == RV_FRAME_FLOAT &&
                   offsetof(struct rv_frame, fcsr) == RV_FRAME_FCSR &&
                   offsetof(struct rv_frame, tp) == RV_FRAME_TP &&
                   offsetof(struct rv_frame, traps) == RV_FRAME_TRAPS &&
                   offsetof(struct rv_frame, guard) == RV_FRAME_GUARD &&
                   offsetof(struct rv_frame, user_guard) == RV_FRAME_USER_GUARD &&
                   sizeof(struct rv_frame) <= RV_FRAME_BYTES,
               "trap.S knows the frame");

extern char rv_user_text[], rv_text_end[], rv_user_data[], rv_user_data_end[];
extern char rv_user_entry[];
_Noreturn void rv_user_resume(struct rv_frame *frame);
void rv_user_trap(struct rv_frame *frame, uintptr_t cause, uintptr_t address);

static struct hal_user_kernel kernel;
static uintptr_t frames;

/* Of the core: how long whoever runs in user mode may compute, and until when. */
static _Thread_local uint64_t slice = SLICE_LEAST, until;

void hal_user_init(const struct hal_user_kernel *k, void *first)
{
    kernel = *k;
    frames = (uintptr_t)first;
}

size_t hal_user_grain(void)
{
    return &rv_user_text[0] == &rv_text_end[0] ? 1 : RV_PAGE;
}

bool hal_user_code(const void *fn)
{
    return (uintptr_t)fn >= (uintptr_t)rv_user_text && (uintptr_t)fn < (uintptr_t)rv_text_end;
}

static bool within(uintptr_t at, size_t n, uintptr_t from, uintptr_t to)
{
    return at >= from && at <= to && n <= to - at;
}

bool hal_user_memory(const void *p, size_t n, bool written)
{
    uintptr_t at = (uintptr_t)p;
    return n == 0 || within(at, n, (uintptr_t)rv_user_data, (uintptr_t)rv_user_data_end) ||
           within(at, n, (uintptr_t)rv_user_data_end, rv_copies_end()) ||
           within(at, n, frames, rv_cage(rv_cluster + 1)) ||
           (!written && within(at, n, (uintptr_t)rv_user_text, (uintptr_t)rv_text_end));
}

static size_t tls(void)
{
    return (rv_tls_bytes() + STACK_ALIGNMENT - 1) & ~(size_t)(STACK_ALIGNMENT - 1);
}

/* Frames begin on a page (hal_user_grain). Where they are smaller than a page, of which protection
 * knows no part, the guard begins within a page of the stack's, which has one more then. */
size_t hal_user_stack(size_t size)
{
    const struct hal_machine *m = hal_machine();
    size_t guard = m->page_size % RV_PAGE == 0 ? RV_PAGE : 2 * RV_PAGE;
    return (size != 0 ? size : m->stack_size) + tls() + guard;
}

/* The rights of user mode are taken at each return to it; what they are about is the same for all
 * contexts but the guard. */
_Noreturn void hal_user_run(void *stack, size_t n, void (*fn)(void *arg), void *arg, bool ends)
{
    _Alignas(16) struct rv_frame frame = {.fcsr = 0};
    uintptr_t guard = ((uintptr_t)stack + RV_PAGE - 1) & ~(uintptr_t)(RV_PAGE - 1);
    uintptr_t top = ((uintptr_t)stack + n) & ~(uintptr_t)(STACK_ALIGNMENT - 1);
    uintptr_t storage = top - tls();
    rv_tls_make((void *)storage, rv_tls_bytes());
    frame.x[PC] = (uintptr_t)rv_user_text;
    frame.x[SP] = storage;
    __asm__("mv %0, tp" : "=r"(frame.tp));
    frame.x[4] = storage;
    frame.x[A0] = (uintptr_t)fn;
    frame.x[A0 + 1] = (uintptr_t)arg;
    frame.x[A0 + 2] = ends;
    frame.traps = RV_READ(mscratch);
    frame.guard = RV_READ(pmpaddr0);
    frame.user_guard = rv_guard((void *)(guard + RV_PAGE), RV_PAGE);
    RV_WRITE(pmpaddr8, frames >> 2);
    RV_WRITE(mtvec, (uintptr_t)rv_user_entry);
    until = rv_time() + slice;
    rv_timer(rv_self(), until);
    rv_user_resume(&frame);
}

/* A function of its own, so that its text is on the stack of nobody else. */
static __attribute__((noinline)) void fault(const struct rv_frame *f, uintptr_t cause,
                                            uintptr_t address)
{
    char text[160];
    rv_describe(text, sizeof text, cause, f->x[PC], address, f->x[SP], f->user_guard);
    kernel.fault(text);
}

static long call(const struct rv_frame *f)
{
    return f->x[A7] == RV_CALL_HOST ? rv_user_host((long)f->x[A0], (const long *)f->x[A0 + 1])
                                    : kernel.call((long)f->x[A7], (const long *)&f->x[A0]);
}

/* A hart that runs is interrupted as soon as its slice is over. One that is so only later stood
 * still meanwhile: QEMU runs more harts than there are processors, and time goes on for all. It may
 * have had no instruction of the slice, and would have none of the next one, where ticks of other
 * harts alone take as long. So its slices become longer until they last from turn to turn. */
static void adapt(uint64_t late)
{
    if (late > slice / 2)
        slice = slice < SLICE_MOST ? slice * 2 : slice;
    else
        slice = slice > SLICE_LEAST ? slice / 2 : slice;
}

/* A thread that calls often has its tick as well: on its way back. */
void rv_user_trap(struct rv_frame *f, uintptr_t cause, uintptr_t address)
{
    if (cause == CAUSE_CALL) {
        f->x[PC] += 4;
        f->x[A0] = (uintptr_t)call(f);
    } else if (cause == SOFTWARE) {
        *rv_msip(rv_self()) = 0; /* its event is latched */
    } else if (cause != TIMER) {
        fault(f, cause, address);
    } else {
        adapt(rv_time() - until);
    }
    if (atomic_load(&rv_noc()->cluster[rv_cluster].ended) != 0)
        rv_park();
    if (rv_time() >= until) {
        kernel.tick();
        until = rv_time() + slice;
    }
    rv_timer(rv_self(), until);
}
