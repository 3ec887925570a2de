/* SPDX-License-Identifier: MIT */
/* A fault becomes a call. The state that the system saved for the signal handler is copied to the
 * stack of the interrupted context, below the red zone; the signal handler then "returns" to
 * hal_fault_enter on that stack, which makes the call and hands the copy back to the system with
 * the system call that ends every signal handler. So all registers, vector state included, are
 * restored by who knows them, and between the two the context is an ordinary one. */
#include "../fault.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum { RED_ZONE = 128, VECTOR_ALIGN = 64, FXSAVE = 512, SOFTWARE = 464 };
#define DIRECTION UINT64_C(0x400) /* flags that a call must find clear */
#define TRAP      UINT64_C(0x100)
#define WRITE     2 /* of the error code of a page fault */

extern void hal_fault_enter(void);

/* The system's ucontext ends with the part of the mask that it uses. */
#define SAVED (offsetof(ucontext_t, uc_sigmask) + 8)

static size_t vector_size(const void *vector)
{
    struct _fpx_sw_bytes s;
    memcpy(&s, (const char *)vector + SOFTWARE, sizeof s);
    return s.magic1 == FP_XSTATE_MAGIC1 ? s.extended_size : FXSAVE;
}

static char *down(char *p, size_t n, uintptr_t align)
{
    return (char *)(((uintptr_t)p - n) & ~(align - 1));
}

void hal_fault_redirect(void *context, hal_fault_fn *fn, void *address)
{
    ucontext_t *uc = context;
    greg_t *r = uc->uc_mcontext.gregs;
    char *sp = (char *)r[REG_RSP] - RED_ZONE;
    void *vector = uc->uc_mcontext.fpregs;
    if (vector) {
        size_t n = vector_size(vector);
        sp = down(sp, n, VECTOR_ALIGN);
        memcpy(sp, vector, n);
    }
    char *copy = down(sp, SAVED, 16);
    memcpy(copy, uc, SAVED);
    if (vector)
        ((ucontext_t *)(void *)copy)->uc_mcontext.fpregs = (void *)sp;
    r[REG_RSI] = (r[REG_ERR] & WRITE) != 0;
    r[REG_RDI] = (greg_t)address;
    r[REG_RBX] = (greg_t)copy;
    r[REG_R12] = (greg_t)fn;
    r[REG_RSP] = (greg_t)copy;
    r[REG_RIP] = (greg_t)hal_fault_enter;
    r[REG_EFL] &= (greg_t) ~(DIRECTION | TRAP);
}
