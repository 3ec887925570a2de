/* SPDX-License-Identifier: MIT */
/* A rank in user mode that does what it may not, of the kind that its argument says, after it has
 * met the others: the machine ends, and says who did what where. Addresses are those of
 * docs/riscv.md. Where it is not stopped it says so and all end well. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WHO = 1 };

#define CAGES 0x81000000 /* of cluster 0; each has 2 MB, the kernel's text first */
#define CAGE  0x200000

static void load(uintptr_t at)
{
    (void)*(volatile uint64_t *)at;
}

static void store(uintptr_t at)
{
    *(volatile uint64_t *)at = 1;
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
    if (above != NULL)
        deeper(room);
    room[1] = room[0];
}

static void privileged(uintptr_t at)
{
    (void)at;
    __asm__ volatile("csrr t0, mstatus" ::: "t0");
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
};

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; me == WHO && i < sizeof kinds / sizeof kinds[0]; i++)
        if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0) {
            kinds[i].does(kinds[i].where != NULL ? kinds[i].where() : kinds[i].at);
            printf("not stopped: %s\n", kinds[i].name);
        }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
