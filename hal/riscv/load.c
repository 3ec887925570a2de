/* SPDX-License-Identifier: MIT */
/* The loader: gives each cluster a copy of the image, in its cage. It runs before there is anything
 * but the image as it was loaded, so it writes no variable.
 *
 * The file holds the image twice, linked for addresses that are one cage apart. A word that is the
 * same in both holds no address; one that is a cage larger in the second does, and moves with the
 * copy. So no list of relocations is needed, and any other difference is a fault of the build. */
#include "riscv.h"

#include <base/mem.h>

extern char rv_image[], rv_file_end[], rv_image_end[];

uintptr_t rv_load(int hart);

int rv_hart(int cluster, int core)
{
    const struct hal_machine *m = &rv_board()->machine;
    int compute = (int)(m->compute_clusters * m->compute_cores);
    if (!hal_machine_is_io(m, cluster)) {
        return cluster * (int)m->compute_cores + core;
    }
    return compute + (cluster - (int)m->compute_clusters) * (int)m->io_cores + core;
}

int rv_harts(void)
{
    return rv_hart(hal_machine_clusters(&rv_board()->machine), 0);
}

_Noreturn void rv_refuse(const char *why)
{
    for (; *why != '\0'; why++) {
        *(volatile uint8_t *)RV_UART = (uint8_t)*why;
    }
    rv_finish(1);
}

static bool fits(const struct hal_machine *m, size_t image)
{
    size_t most = m->compute_memory > m->io_memory ? m->compute_memory : m->io_memory;
    size_t cores = m->compute_cores > m->io_cores ? m->compute_cores : m->io_cores;
    return most <= RV_CAGE_BYTES && image + most + cores * 8 * RV_PAGE <= RV_CAGE_BYTES;
}

static void check(const struct rv_board *b, size_t image)
{
    const struct hal_machine *m = &b->machine;
    if (b->magic != RV_BOARD_MAGIC) {
        rv_refuse("riscv: no description of the machine at 0x80800000; start QEMU as docs/riscv.md "
                  "says\n");
    }
    if (hal_machine_clusters(m) > RV_CLUSTERS_MAX || rv_harts() >= RV_HARTS_MAX) {
        rv_refuse("riscv: the machine has more than 32 clusters or 511 cores\n");
    }
    if (m->mail_slots > RV_SLOTS_MAX || m->sync_slots > RV_WORDS_MAX ||
        m->portal_channels > RV_CHANNELS_MAX || m->shared_memory > RV_BOARD_MAX) {
        rv_refuse("riscv: the machine asks for more than 8 mail_slots, 16 sync_slots, 16 "
                  "portal_channels or 256 KB shared_memory\n");
    }
    if (!fits(m, image)) {
        rv_refuse("riscv: image, memory and 32 KB for each core do not fit into 2 MB\n");
    }
}

static void copy(uintptr_t to, size_t file, size_t image)
{
    const uint64_t *one = (const uint64_t *)RV_BOOT, *two = (const uint64_t *)(RV_BOOT + file);
    uint64_t *words = (uint64_t *)to;
    for (size_t i = 0; i < file / 8; i++) {
        uint64_t moved = two[i] - one[i];
        if (moved != 0 && moved != RV_CAGE_BYTES) {
            rv_refuse("riscv: the image holds a part of an address, which cannot move\n");
        }
        words[i] = one[i] + (moved != 0 ? to - RV_BOOT : 0);
    }
    memset((char *)to + file, 0, image - file);
}

/* Waits, before there are events. */
static void wait_loaded(_Atomic(uint32_t) *loaded, int hart)
{
    RV_WRITE(mie, RV_MIE_SOFTWARE);
    while (atomic_load(loaded) == 0) {
        *rv_msip(hart) = 0;
        RV_ORDER();
        if (atomic_load(loaded) == 0) {
            __asm__ volatile("wfi");
        }
    }
}

uintptr_t rv_load(int hart)
{
    const struct rv_board *b = rv_board();
    size_t file = (size_t)(rv_file_end - rv_image), image = (size_t)(rv_image_end - rv_image);
    check(b, image);
    if (hart >= rv_harts()) {
        rv_engine();
    }
    int cluster = 0, cores;
    while (hart >= rv_hart(cluster + 1, 0)) {
        cluster++;
    }
    struct rv_cluster *c = &rv_noc()->cluster[cluster];
    if (hart == rv_hart(cluster, 0)) {
        copy(rv_cage(cluster), file, image);
        atomic_store(&c->loaded, 1);
        cores = hal_machine_cores(&b->machine, cluster);
        for (int i = 1; i < cores; i++) {
            *rv_msip(hart + i) = 1;
        }
    } else {
        wait_loaded(&c->loaded, hart);
    }
    return rv_cage(cluster);
}
