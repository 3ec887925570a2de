/* SPDX-License-Identifier: MIT */
/* Starting QEMU with an image of the bare machine. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/virt.h>

#include "../riscv/layout.h"

/* Where the machine looks for its description's magic number: "wobard01" as a word. */
#define BOARD_MAGIC UINT64_C(0x3130647261626f77)

const char *hal_virt_emulator(const char *image)
{
    static const char *const kinds[][2] = {{HAL_VIRT_RV32, "qemu-system-riscv32"},
                                           {HAL_VIRT_RV64, "qemu-system-riscv64"}};
    char magic[sizeof HAL_VIRT_RV64];
    const char *found = NULL;
    int fd = open(image, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    bool whole = pread(fd, magic, sizeof magic, HAL_VIRT_MAGIC_AT) == (ssize_t)sizeof magic;
    for (size_t i = 0; whole && i < sizeof kinds / sizeof kinds[0]; i++)
        found = memcmp(magic, kinds[i][0], sizeof magic) == 0 ? kinds[i][1] : found;
    close(fd);
    return found;
}

static unsigned harts(const struct hal_machine *m)
{
    return m->compute_clusters * m->compute_cores + m->io_clusters * m->io_cores + 1; /* engine */
}

int hal_virt_write(struct hal_virt *v, char *why, int size)
{
    const struct hal_machine *m = &v->machine;
    if (hal_machine_clusters(m) > HAL_VIRT_CLUSTERS || harts(m) > RV_HARTS_MAX) {
        snprintf(why, (size_t)size,
                 "machine %s has %d clusters and %u cores; QEMU's virt takes up to %d clusters and "
                 "%d cores",
                 m->name, hal_machine_clusters(m), harts(m) - 1, HAL_VIRT_CLUSTERS,
                 RV_HARTS_MAX - 1);
        return -B_EINVAL;
    }
    v->magic = BOARD_MAGIC;
    int fd = memfd_create("lwmpi-machine", 0);
    if (fd >= 0 && write(fd, v, sizeof *v) == (ssize_t)sizeof *v)
        return fd;
    snprintf(why, (size_t)size, "cannot write the machine's description for QEMU: %s",
             strerror(errno));
    if (fd >= 0)
        close(fd);
    return -B_EINVAL;
}

/* The words of HAL_VIRT_MORE, which are left in pieces; their number, or -1: too many. */
static int split(char *text, const char *words[], int most)
{
    int n = 0;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        if (n == most)
            return -1;
        words[n++] = word;
    }
    return n;
}

/* A name as a word of QEMU's options, in which a comma is written twice. */
static char *option(const char *name)
{
    char *text = malloc(2 * strlen(name) + 1), *to = text;
    if (!text)
        return NULL;
    for (; *name != '\0'; *to++ = *name++)
        if (*name == ',')
            *to++ = ',';
    *to = '\0';
    return text;
}

int hal_virt_become(const struct hal_virt_start *s, const struct hal_virt *v, int file)
{
    enum { MORE = 32 };
    char smp[16], memory[16], *image, *board, *further = NULL;
    const char *program = hal_virt_emulator(s->image);
    unsigned clusters = (unsigned)hal_machine_clusters(&v->machine);
    if (!program)
        return ENOEXEC;
    struct stat image_file;
    if (stat(s->image, &image_file) == 0 && image_file.st_size > RV_BOARD - RV_BOOT)
        return EFBIG;
    snprintf(smp, sizeof smp, "%u", harts(&v->machine));
    snprintf(memory, sizeof memory, "%uM",
             (RV_CAGES - RV_BOOT + clusters * (unsigned)RV_CAGE_BYTES) >> 20);
    char *name = option(s->image);
    if (!name || asprintf(&image, "loader,file=%s,addr=0x%x,force-raw=on", name, RV_BOOT) < 0 ||
        asprintf(&board, "loader,file=/proc/self/fd/%d,addr=0x%x,force-raw=on", file, RV_BOARD) < 0)
        return ENOMEM;
    const char *common[] = {program,   "-M",       "virt",    "-smp",    smp,
                            "-m",      memory,     "-bios",   "none",    "-display",
                            "none",    "-monitor", "none",    "-serial", "stdio",
                            "-device", image,      "-device", board,     "-accel"};
    enum { COMMON = sizeof common / sizeof common[0] };
    const char *words[COMMON + 6 + MORE] = {NULL}, **more = &words[COMMON + 1];
    memcpy(words, common, sizeof common);
    words[COMMON] = s->parallel ? "tcg,thread=multi" : "tcg,thread=single";
    if (!s->parallel) {
        *more++ = "-icount";
        *more++ = "shift=0,sleep=off";
    }
    if (v->hosted) {
        *more++ = "-semihosting-config";
        *more++ = "enable=on,target=native";
    }
    if (getenv(HAL_VIRT_MORE) &&
        (!(further = strdup(getenv(HAL_VIRT_MORE))) || split(further, more, MORE) < 0))
        return E2BIG;
    execvp(program, (char **)words);
    return errno;
}
