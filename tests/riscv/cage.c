/* SPDX-License-Identifier: MIT */
/* A rank in user mode that does what it may not, of the kind that its argument says, after it has
 * met the others: the machine ends, and says who did what where. Addresses are those of
 * docs/riscv.md. Where it is not stopped it says so, and all end well. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHO = 1 };

#define CAGES 0x81000000 /* of cluster 0; each has 2 MB, the kernel's text first */
#define CAGE  0x200000

static void load(uintptr_t at)
{
    (void)*(volatile uintptr_t *)at;
}

static void store(uintptr_t at)
{
    *(volatile uintptr_t *)at = 1;
}

static void jump(uintptr_t at)
{
    void (*f)(void);
    memcpy(&f, &at, sizeof f);
    f();
}

static uintptr_t own_cage(void)
{
    return (uintptr_t)own_cage / CAGE * CAGE;
}

static uintptr_t shared_text(void)
{
    return (uintptr_t)MPI_Barrier;
}

static void deeper(volatile char *above)
{
    volatile char room[1024];
    room[0] = 1;
    if (above)
        deeper(room);
    room[1] = room[0];
}

/* An instruction that user mode has not got, or that ends a program. */
#define INSTRUCTION(name, text)                                                                    \
    static void name(uintptr_t at)                                                                 \
    {                                                                                              \
        (void)at;                                                                                  \
        __asm__ volatile(text ::: "t0", "memory");                                                 \
    }
INSTRUCTION(privileged, "csrr t0, mstatus")
INSTRUCTION(cage_off, "csrw pmpaddr0, zero")
INSTRUCTION(wfi, "wfi")
INSTRUCTION(mret, "mret")
INSTRUCTION(sret, ".4byte 0x10200073")
INSTRUCTION(breakpoint, "ebreak")
/* These are allowed, and touch nothing. */
INSTRUCTION(fence, "fence.i")
INSTRUCTION(rounding, "csrw fcsr, zero")

static void atomic(uintptr_t at)
{
    __atomic_fetch_add((uintptr_t *)at, 1, __ATOMIC_RELAXED);
}

static void reserve(uintptr_t at)
{
    uint32_t word;
    __asm__ volatile("lr.w %0, (%1)" : "=r"(word) : "r"(at) : "memory");
}

/* A return, where a program has its data. */
#define RETURN 0x80828082

static void jump_stack(uintptr_t at)
{
    volatile uint32_t code = RETURN;
    (void)at;
    fence(0);
    jump((uintptr_t)&code);
}

static void jump_heap(uintptr_t at)
{
    uint32_t *code = malloc(sizeof *code);
    (void)at;
    *code = RETURN;
    fence(0);
    jump((uintptr_t)code);
}

/* Numbers that no kernel call has. */
static void ask(uintptr_t at)
{
    uint64_t random = 88172645463325252 + at;
    for (int i = 0; i < 20000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        register long a0 __asm__("a0") = (long)random;
        register long a7 __asm__("a7") = 100 + (long)(random >> 8 & 0xffff);
        __asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
        if (a0 >= 0)
            printf("call %ld answers %ld\n", a7, a0);
    }
}

static void overflow(uintptr_t at)
{
    volatile char room = (char)at;
    deeper(&room);
}

static const struct kind {
    const char *name;
    void (*does)(uintptr_t at);
    uintptr_t at;
    uintptr_t (*where)(void); /* NULL: at */
} kinds[] = {
    {"other-load", load, CAGES + CAGE + 0x1000, NULL},
    {"other-store", store, CAGES + 2 * CAGE - 8, NULL},
    {"kernel-load", load, 0, own_cage},
    {"kernel-store", store, 0, own_cage},
    {"kernel-jump", jump, 0, own_cage},
    {"text-store", store, 0, shared_text},
    {"network", store, 0x80c00000, NULL},
    {"interrupts", store, 0x02000000, NULL},
    {"serial", store, 0x10000000, NULL},
    {"finisher", store, 0x00100000, NULL},
    {"description", store, 0x80800000, NULL},
    {"null", store, 0, NULL},
    {"stack", overflow, 0, NULL},
    {"privileged", privileged, 0, NULL},
    {"cage-off", cage_off, 0, NULL},
    {"wfi", wfi, 0, NULL},
    {"mret", mret, 0, NULL},
    {"sret", sret, 0, NULL},
    {"breakpoint", breakpoint, 0, NULL},
    {"fence", fence, 0, NULL},
    {"rounding", rounding, 0, NULL},
    {"atomic", atomic, CAGES + CAGE + 0x1000, NULL},
    {"reserve", reserve, CAGES + CAGE + 0x1000, NULL},
    {"across-load", load, CAGES + CAGE - 3, NULL},
    {"across-store", store, CAGES + CAGE - 3, NULL},
    {"stack-jump", jump_stack, 0, NULL},
    {"heap-jump", jump_heap, 0, NULL},
    {"null-jump", jump, 0, NULL},
    {"far-jump", jump, (uintptr_t)-16, NULL},
    {"ask", ask, 0, NULL},
};

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; me == WHO && i < sizeof kinds / sizeof kinds[0]; i++)
        if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0) {
            kinds[i].does(kinds[i].where ? kinds[i].where() : kinds[i].at);
            printf("not stopped: %s\n", kinds[i].name);
        }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
