/* SPDX-License-Identifier: MIT */
/* The frames between a wait and the program. */
#include <hal/site.h>

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#define DEPTH 64
#define REACH ((uintptr_t)1024 * 1024) /* bytes of a frame, at most */

struct range {
    uintptr_t low, high;
};
static struct range self, layer; /* this library; one that stands before it, if there is one */

/* What is skipped lies near copies of programs, of which a process has one for each rank: so it is
 * found by the grain of addresses, in one of NEAR rows. A row never changes once it is taken. */
#define GRAIN ((uintptr_t)64 * 1024)
#define ROWS  ((uintptr_t)16384)
#define NEAR  ((uintptr_t)16)
static struct {
    _Atomic(uintptr_t) low, high; /* 0: not known yet */
} skipped[ROWS];

static bool lies_in(const struct range *r, uintptr_t address)
{
    return address >= r->low && address < r->high;
}

static uintptr_t first_row(uintptr_t address)
{
    return (uintptr_t)((uint64_t)(address / GRAIN) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

static void take_row(uintptr_t at, uintptr_t low, uintptr_t high)
{
    for (uintptr_t i = 0, row = first_row(at); i < NEAR; i++) {
        uintptr_t none = 0;
        if (atomic_compare_exchange_strong(&skipped[(row + i) % ROWS].low, &none, low)) {
            atomic_store(&skipped[(row + i) % ROWS].high, high);
            return;
        }
    }
}

void hal_site_skip(uintptr_t low, uintptr_t high)
{
    for (uintptr_t at = low / GRAIN * GRAIN; at < high; at += GRAIN)
        take_row(at, low, high);
}

bool hal_site_skips(uintptr_t address)
{
    for (uintptr_t i = 0, row = first_row(address); i < NEAR; i++) {
        uintptr_t low = atomic_load_explicit(&skipped[(row + i) % ROWS].low, memory_order_acquire);
        if (low == 0)
            return false;
        if (address >= low &&
            address < atomic_load_explicit(&skipped[(row + i) % ROWS].high, memory_order_acquire))
            return true;
    }
    return false;
}

static int find(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    struct range r = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD) {
            r.low = at < r.low ? at : r.low;
            r.high = at + p->p_memsz > r.high ? at + p->p_memsz : r.high;
        }
    }
    if (lies_in(&r, (uintptr_t)&hal_site_walk))
        self = r;
    else if (strstr(info->dlpi_name, "/liblwmpi_"))
        layer = r;
    return 0;
}

void hal_site_prepare(void)
{
    if (self.high == 0)
        dl_iterate_phdr(find, NULL);
}

/* A chain may be broken, and the memory that it leads to missing. */
static bool read_frame(uintptr_t frame, uintptr_t words[2])
{
    struct iovec to = {words, 2 * sizeof words[0]}, from = {(void *)frame, 2 * sizeof words[0]};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)(2 * sizeof words[0]);
}

struct hal_interrupted hal_site_interrupted(const void *context)
{
    const ucontext_t *at = context;
#if defined(__x86_64__)
    return (struct hal_interrupted){(uintptr_t)at->uc_mcontext.gregs[REG_RIP],
                                    (uintptr_t)at->uc_mcontext.gregs[REG_RBP]};
#elif defined(__aarch64__)
    return (struct hal_interrupted){at->uc_mcontext.pc, at->uc_mcontext.regs[29]};
#else
    (void)at;
    return (struct hal_interrupted){0, 0};
#endif
}

/* The linker knows libraries, and the program by where its headers are; of copies it knows
 * nothing: it is asked by dladdr1, which nobody stands in front of. */
static bool linker_knows(uintptr_t address, Dl_info *info)
{
    return dladdr1((void *)address, info, NULL, 0) != 0;
}

bool hal_site_in_program(uintptr_t pc)
{
    Dl_info info, program;
    if (!linker_knows(pc, &info))
        return true;
    return linker_knows(getauxval(AT_PHDR), &program) && info.dli_fbase == program.dli_fbase;
}

static bool outside(uintptr_t address)
{
    return !lies_in(&self, address) && !hal_site_skips(address);
}

/* All frames that it reads are of the two libraries, and of what is skipped: they keep frame
 * pointers. */
uint64_t hal_site_caller(void)
{
    const uintptr_t *frame = __builtin_frame_address(0);
    for (int depth = 0; depth < DEPTH && frame; depth++) {
        if (outside(frame[1]) && !lies_in(&layer, frame[1]))
            return frame[1];
        frame = (const uintptr_t *)frame[0];
    }
    return 0;
}

void hal_site_walk(uintptr_t pc, uintptr_t fp, uint64_t *site, int most)
{
    uintptr_t words[2];
    int n = 0;
    if (pc != 0 && outside(pc) && most > 0)
        site[n++] = pc + 1;
    for (int depth = 0; depth < DEPTH && n < most; depth++) {
        if (fp % sizeof(uintptr_t) != 0 || !read_frame(fp, words) || words[1] == 0)
            break;
        if (outside(words[1]))
            site[n++] = words[1];
        if (words[0] <= fp || words[0] - fp > REACH)
            break;
        fp = words[0];
    }
    if (n < most)
        site[n] = 0;
}
