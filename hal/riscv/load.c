/* SPDX-License-Identifier: MIT */
/* The loader: gives each cluster a copy of the image, in its cage, and in it a copy of the program
 * for each rank. It runs before there is anything but the image as it was loaded, so it writes no
 * variable.
 *
 * The file holds the image twice, linked for addresses that are one cage apart, then the program
 * linked a page further from the system than it is in both. What is the same in two of them holds
 * no address; the rest tells by its difference how it moves. So no list of relocations is needed,
 * and any other difference is a fault of the build. What only the loader and the engine execute
 * lies behind each image, and is not copied. */
#include "riscv.h"

#include <base/mem.h>

extern char rv_image[], rv_file_end[], rv_outside_end[], rv_image_end[], rv_user_data_end[];
extern char rv_program[], rv_program_linked[], rv_core_size[], rv_core_size_end[];

uintptr_t rv_load(int hart);

int rv_hart(int cluster, int core)
{
    const struct hal_machine *m = &rv_board()->machine;
    int compute = (int)(m->compute_clusters * m->compute_cores);
    if (!hal_machine_is_io(m, cluster))
        return cluster * (int)m->compute_cores + core;
    return compute + (cluster - (int)m->compute_clusters) * (int)m->io_cores + core;
}

int rv_harts(void)
{
    return rv_hart(hal_machine_clusters(&rv_board()->machine), 0);
}

RV_OUTSIDE _Noreturn void rv_refuse(const char *why)
{
    for (; *why != '\0'; why++)
        *(volatile uint8_t *)RV_UART = (uint8_t)*why;
    rv_finish(1);
}

static size_t copies(int cluster)
{
    unsigned n = rv_board()->copies[cluster];
    return n == 0 ? 1 : n;
}

size_t rv_program_bytes(void)
{
    return (size_t)(rv_image_end - rv_program);
}

size_t rv_image_bytes(int cluster)
{
    return (size_t)(rv_image_end - rv_image) + (copies(cluster) - 1) * rv_program_bytes();
}

/* Of the system that runs with the kernel's rights the copies lie elsewhere. */
uintptr_t rv_copies_end(void)
{
    bool users = &rv_program[0] == &rv_user_data_end[0] && &rv_program[0] != &rv_image_end[0];
    return (uintptr_t)(users ? rv_image + rv_image_bytes(rv_cluster) : rv_user_data_end);
}

RV_OUTSIDE static size_t largest_image(const struct hal_machine *m)
{
    size_t largest = 0;
    for (int c = 0; c < hal_machine_clusters(m); c++)
        largest = rv_image_bytes(c) > largest ? rv_image_bytes(c) : largest;
    return largest;
}

RV_OUTSIDE static bool fits(const struct hal_machine *m, size_t image)
{
    size_t most = m->compute_memory > m->io_memory ? m->compute_memory : m->io_memory;
    size_t cores = m->compute_cores > m->io_cores ? m->compute_cores : m->io_cores;
    size_t own = (size_t)(rv_core_size_end - rv_core_size) + m->stack_size + RV_PAGE;
    return most <= RV_CAGE_BYTES && image + most + cores * own <= RV_CAGE_BYTES;
}

RV_TEXT_OUTSIDE no_board[] =
    "riscv: no description of the machine at 0x80800000; start QEMU as docs/riscv.md says\n";
RV_TEXT_OUTSIDE too_many[] = "riscv: the machine has more than 32 clusters or 511 cores\n";
RV_TEXT_OUTSIDE too_much[] =
    "riscv: the machine asks for more than 8 mail_slots, 16 sync_slots, 16 portal_channels or "
    "256 KB shared_memory\n";
RV_TEXT_OUTSIDE too_large[] =
    "riscv: image, a copy of the program for each rank, memory and a stack for each core do not "
    "fit into 2 MB; fewer ranks in a cluster or less compute_memory do\n";
RV_TEXT_OUTSIDE no_address[] = "riscv: the image holds a part of an address, which cannot move\n";

RV_OUTSIDE static void check(const struct hal_virt *b)
{
    const struct hal_machine *m = &b->machine;
    if (b->magic != RV_BOARD_MAGIC)
        rv_refuse(no_board);
    if (hal_machine_clusters(m) > RV_CLUSTERS_MAX || rv_harts() >= RV_HARTS_MAX)
        rv_refuse(too_many);
    if (m->mail_slots > RV_SLOTS_MAX || m->sync_slots > RV_WORDS_MAX ||
        m->portal_channels > RV_CHANNELS_MAX || m->shared_memory > RV_BOARD_MAX)
        rv_refuse(too_much);
    if (!fits(m, largest_image(m)))
        rv_refuse(too_large);
}

RV_OUTSIDE static uint32_t code_at(const char *p)
{
    uint32_t code;
    memcpy(&code, p, sizeof code);
    return code;
}

RV_OUTSIDE static uintptr_t word_at(const char *p)
{
    uintptr_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

RV_OUTSIDE static void add_at(char *p, uint32_t by)
{
    uint32_t code = code_at(p) + by;
    memcpy(p, &code, sizeof code);
}

/* Two words are the same; that what follows is not may be for an instruction that began before. */
RV_OUTSIDE static bool crosses(const char *linked, const char *moved)
{
    return memcmp(linked + RV_WORD, moved + RV_WORD, 2) != 0;
}

/* `to` holds what is linked as `linked`, and lies `by` bytes further than that says. `moved` is the
 * same, linked `step` bytes further. A word that differs by that is an address of what moves, an
 * instruction (lui) the upper part of one; the upper part of a distance (auipc) becomes shorter if
 * it leads to what does not move. */
RV_OUTSIDE static void relocate(char *to, const char *linked, const char *moved, size_t size,
                                uint32_t step, uintptr_t by)
{
    const uint32_t lui = 0x37, auipc = 0x17, opcode = 0x7f;
    for (size_t i = 0, n; i < size; i += n) {
        uintptr_t further = i % RV_WORD == 0 ? word_at(moved + i) - word_at(linked + i) : 1;
        uint32_t code = code_at(linked + i), other = code_at(moved + i);
        if (further == 0) {
            n = RV_WORD - (i + RV_WORD < size && crosses(linked + i, moved + i) ? 2 : 0);
        } else if (further == step) {
            uintptr_t address = word_at(to + i) + by;
            memcpy(to + i, &address, n = sizeof address);
        } else if ((code & opcode) == lui && other - code == step) {
            add_at(to + i, (uint32_t)by);
            n = sizeof code;
        } else if ((code & opcode) == auipc && code - other == step) {
            add_at(to + i, -(uint32_t)by);
            n = sizeof code;
        } else if (((code ^ other) & 0xffff) == 0) {
            n = 2;
        } else {
            rv_refuse(no_address);
        }
    }
}

/* Of each of the two images in the file, with what is not copied. The program a page further
 * follows them. */
RV_OUTSIDE static size_t in_file(void)
{
    return (size_t)(rv_outside_end - rv_image);
}

RV_OUTSIDE static void copy_first(uintptr_t to, size_t file, size_t image)
{
    const char *linked = (const char *)RV_BOOT;
    memcpy((char *)to, linked, file);
    relocate((char *)to, linked, linked + in_file(), file, RV_CAGE_BYTES, to - RV_BOOT);
    memset((char *)to + file, 0, image - file);
}

/* What is at `to` was a copy of the program; it becomes one that lies `by` bytes, a multiple of a
 * page, further from the system. */
RV_OUTSIDE static void move_program(char *to, uintptr_t by)
{
    const char *linked = (const char *)RV_BOOT + (rv_program - rv_image);
    size_t size = (size_t)(rv_file_end - rv_program);
    relocate(to, linked, (const char *)RV_BOOT + 2 * in_file(), size, RV_PAGE, by);
}

RV_OUTSIDE static void copy_all(int cluster, size_t file, size_t image)
{
    char *program = (char *)rv_cage(cluster) + (rv_program - rv_image);
    uintptr_t apart = (uintptr_t)(rv_program_linked - rv_program);
    copy_first(rv_cage(cluster), file, image);
    if (apart > 0) /* there is a program that each rank has for itself: copies.ld */
        move_program(program, -apart);
    for (size_t i = 1, bytes = rv_program_bytes(); i < copies(cluster); i++) {
        memcpy(program + i * bytes, program, bytes);
        move_program(program + i * bytes, i * bytes);
    }
}

/* Waits, before there are events. */
RV_OUTSIDE static void wait_loaded(_Atomic(uint32_t) *loaded, int hart)
{
    RV_WRITE(mie, RV_MIE_SOFTWARE);
    while (atomic_load(loaded) == 0) {
        *rv_msip(hart) = 0;
        RV_ORDER();
        if (atomic_load(loaded) == 0)
            __asm__ volatile("wfi");
    }
}

RV_OUTSIDE uintptr_t rv_load(int hart)
{
    const struct hal_virt *b = rv_board();
    size_t file = (size_t)(rv_file_end - rv_image), image = (size_t)(rv_image_end - rv_image);
    check(b);
    if (hart >= rv_harts())
        rv_engine();
    int cluster = 0, cores;
    while (hart >= rv_hart(cluster + 1, 0))
        cluster++;
    struct rv_cluster *c = &rv_noc()->cluster[cluster];
    if (hart == rv_hart(cluster, 0)) {
        copy_all(cluster, file, image);
        atomic_store(&c->loaded, 1);
        cores = hal_machine_cores(&b->machine, cluster);
        for (int i = 1; i < cores; i++)
            *rv_msip(hart + i) = 1;
    } else {
        wait_loaded(&c->loaded, hart);
    }
    return rv_cage(cluster);
}
