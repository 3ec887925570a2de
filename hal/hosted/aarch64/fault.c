/* SPDX-License-Identifier: MIT */
/* As for x86-64: the saved state is copied to the stack of the interrupted context and handed back
 * to the system after the call. Here the system finds it by sp: siginfo, then the ucontext, whose
 * records of vector state lie inside it. */
#include "../fault.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum { X_FN = 19, X_ADDRESS = 0, X_WRITE = 1 };
#define WRITE (UINT64_C(1) << 6) /* of the syndrome of a data abort */

extern void hal_fault_enter(void);

struct frame {
    siginfo_t info;
    ucontext_t uc;
};

/* The syndrome is one of the records; where it is missing a write is assumed, which is always
 * enough. */
static bool writes(const ucontext_t *uc)
{
    const char *at = (const char *)uc->uc_mcontext.__reserved;
    const char *end = at + sizeof uc->uc_mcontext.__reserved;
    struct esr_context record;
    while (at + sizeof record <= end) {
        memcpy(&record, at, sizeof record);
        if (record.head.magic == ESR_MAGIC)
            return (record.esr & WRITE) != 0;
        if (record.head.magic == 0 || record.head.size == 0)
            break;
        at += record.head.size;
    }
    return true;
}

void hal_fault_redirect(void *context, hal_fault_fn *fn, void *address)
{
    ucontext_t *uc = context;
    uintptr_t sp = (uc->uc_mcontext.sp - sizeof(struct frame)) & ~(uintptr_t)15;
    struct frame *f = (struct frame *)sp;
    memset(&f->info, 0, sizeof f->info);
    memcpy(&f->uc, uc, sizeof f->uc);
    uc->uc_mcontext.regs[X_ADDRESS] = (uint64_t)address;
    uc->uc_mcontext.regs[X_WRITE] = writes(uc);
    uc->uc_mcontext.regs[X_FN] = (uint64_t)fn;
    uc->uc_mcontext.sp = sp;
    uc->uc_mcontext.pc = (uint64_t)hal_fault_enter;
}
