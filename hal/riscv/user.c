/* SPDX-License-Identifier: MIT */
/* User mode. What a context has in the registers is in its frame while it is in the kernel, so
 * other contexts of the hart may run meanwhile. The frame lies above the context's own stack: it
 * holds nothing that user mode could not have in the registers, so the program may write there, and
 * only itself goes wrong; the kernel reads each word once. What the kernel needs to come in and go
 * out is at the top of the context's stack there, its gate. */
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

enum { PC = 0, SP = 2, TP = 4, A0 = 10, A7 = 17 };

struct rv_frame {
    uintptr_t x[32]; /* x[0]: pc */
    unsigned char f[32 * RV_FLOAT];
    uintptr_t fcsr;
};
struct rv_gate {
    struct rv_frame *frame;
    uintptr_t scratch;
    uintptr_t tp, traps, guard; /* of the kernel: the core's storage, its stack for traps */
    uintptr_t user_guard;
};
#define LIES(type, member, at) (offsetof(struct type, member) == (at))
_Static_assert(LIES(rv_frame, f, RV_FRAME_FLOAT) && LIES(rv_frame, fcsr, RV_FRAME_FCSR) &&
                   LIES(rv_gate, frame, RV_GATE_FRAME) && LIES(rv_gate, scratch, RV_GATE_SCRATCH) &&
                   LIES(rv_gate, tp, RV_GATE_TP) && LIES(rv_gate, traps, RV_GATE_TRAPS) &&
                   LIES(rv_gate, guard, RV_GATE_GUARD) &&
                   LIES(rv_gate, user_guard, RV_GATE_USER_GUARD),
               "trap.S knows both");

extern char rv_user_text[], rv_text_end[], rv_user_data[], rv_user_data_end[];
extern char rv_user_entry[];
_Noreturn void rv_user_resume(struct rv_gate *gate);
void rv_user_trap(struct rv_gate *gate, uintptr_t cause, uintptr_t address);

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

static size_t aligned(size_t n)
{
    return (n + STACK_ALIGNMENT - 1) & ~(size_t)(STACK_ALIGNMENT - 1);
}

/* What lies above a stack: the thread's own variables, and its frame. */
static size_t above(void)
{
    return aligned(rv_tls_bytes()) + aligned(sizeof(struct rv_frame));
}

/* Frames begin on a page (hal_user_grain). Where they are smaller than a page, of which protection
 * knows no part, the guard begins within a page of the stack's, which has one more then. */
size_t hal_user_stack(size_t size)
{
    const struct hal_machine *m = hal_machine();
    size_t guard = m->page_size % RV_PAGE == 0 ? RV_PAGE : 2 * RV_PAGE;
    return (size != 0 ? size : m->stack_size) + above() + guard;
}

/* That of the first core lies elsewhere. */
void hal_user_waiting(int core, void **stack, size_t *size)
{
    *stack = (void *)rv_core(core);
    *size = core == 0 ? 0 : (size_t)(rv_core_storage(core) - (char *)*stack);
}

/* The rights of user mode are taken at each return to it; what they are about is the same for all
 * contexts but the guard. */
_Noreturn void hal_user_run(void *stack, size_t n, void (*fn)(void *arg), void *arg, bool ends)
{
    _Alignas(16) struct rv_gate gate = {.frame = NULL};
    uintptr_t guard = ((uintptr_t)stack + RV_PAGE - 1) & ~(uintptr_t)(RV_PAGE - 1);
    uintptr_t top = ((uintptr_t)stack + n) & ~(uintptr_t)(STACK_ALIGNMENT - 1);
    uintptr_t storage = top - above();
    rv_tls_make((void *)storage, rv_tls_bytes());
    struct rv_frame *f = gate.frame = (struct rv_frame *)(top - aligned(sizeof *f));
    f->x[PC] = (uintptr_t)rv_user_text;
    f->x[SP] = storage;
    f->x[TP] = storage;
    f->x[A0] = (uintptr_t)fn;
    f->x[A0 + 1] = (uintptr_t)arg;
    f->x[A0 + 2] = ends;
    gate.tp = (uintptr_t)rv_storage();
    gate.traps = RV_READ(mscratch);
    gate.guard = RV_READ(pmpaddr0);
    gate.user_guard = rv_guard((void *)(guard + RV_PAGE), RV_PAGE);
    RV_WRITE(pmpaddr1, frames >> 2);
    RV_WRITE(pmpaddr2, RV_READ(pmpaddr2)); /* QEMU 7.2 sees a new beginning with the end alone */
    RV_WRITE(mtvec, (uintptr_t)rv_user_entry);
    until = rv_time() + slice;
    rv_timer(rv_self(), until);
    rv_user_resume(&gate);
}

/* A function of its own, so that its text is on the stack of nobody else. */
static __attribute__((noinline)) void fault(const struct rv_gate *gate, uintptr_t cause,
                                            uintptr_t address)
{
    const struct rv_frame *f = gate->frame;
    char text[160];
    rv_describe(text, sizeof text, cause, f->x[PC], address, f->x[SP], gate->user_guard);
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
void rv_user_trap(struct rv_gate *gate, uintptr_t cause, uintptr_t address)
{
    struct rv_frame *f = gate->frame;
    if (cause == CAUSE_CALL) {
        f->x[PC] += 4;
        f->x[A0] = (uintptr_t)call(f);
    } else if (cause == SOFTWARE) {
        *rv_msip(rv_self()) = 0; /* its event is latched */
    } else if (cause != TIMER) {
        fault(gate, cause, address);
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
