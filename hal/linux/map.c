/* SPDX-License-Identifier: MIT */
/* Making and opening the mapping of a job. */
#include "port.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/error.h>

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Appends `count` records of `stride` bytes, each region on pages of its own. */
static uint64_t place(uint64_t *end, uint64_t count, uint64_t stride)
{
    uint64_t at = round_up(*end, 4096);
    *end = at + count * stride;
    return at;
}

/* Fills the offsets of h for its machine. */
static void lay_out(struct lx_header *h)
{
    const struct hal_machine *m = &h->machine;
    uint64_t n = (uint64_t)hal_machine_clusters(m);
    uint64_t end = sizeof *h;
    uint64_t memory = m->compute_memory > m->io_memory ? m->compute_memory : m->io_memory;

    h->cluster_stride = round_up(sizeof(struct lx_cluster), 4096);
    h->link_stride =
        round_up(sizeof(struct lx_link) + m->sync_slots * sizeof(struct lx_word), LX_LINE);
    h->mail_stride = round_up(m->mail_slots * sizeof(atomic_uint), LX_LINE) +
                     m->mail_slots * sizeof(struct lx_slot);
    h->trace_stride = round_up(LX_SPAN_NAMES * LX_NAME + LX_SPANS * sizeof(struct lx_span), 4096);
    h->bounce_stride = (uint64_t)m->portal_channels * LX_BOUNCE_SIZE;
    h->window_stride = round_up(memory, 2 * 1024 * 1024);
    h->stand_stride = m->threads * sizeof(struct hal_stand);

    h->cluster_at = place(&end, n, h->cluster_stride);
    h->link_at = place(&end, n * n, h->link_stride);
    h->mail_at = place(&end, n * n, h->mail_stride);
    h->trace_at = place(&end, n, h->trace_stride);
    h->bounce_at = place(&end, n, h->bounce_stride);
    h->stand_at = place(&end, n, h->stand_stride);
    h->board_at = place(&end, 1, m->shared_memory);
    end = round_up(end, 2 * 1024 * 1024);
    h->window_at = place(&end, n, h->window_stride);
    h->size = round_up(end, 4096);
}

static void *map(int fd, size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
}

/* Beyond the limit of the process the system would end it with a signal. */
static int resize(int file, uint64_t size)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    sigaction(SIGXFSZ, &ignore, &before);
    int rc = ftruncate(file, (off_t)size) == 0 ? 0 : errno == EFBIG ? -B_ERANGE : -B_ENOMEM;
    sigaction(SIGXFSZ, &before, NULL);
    return rc;
}

int lx_map_create(const struct hal_machine *m, const struct hal_options *o, int *fd,
                  struct lx_header **h)
{
    struct lx_header start = {.magic = LX_MAGIC,
                              .version = LX_VERSION,
                              .header_size = sizeof start,
                              .machine = *m,
                              .spin_ns = o->spin_ns,
                              .timeout_ns = o->timeout_ns,
                              .stack = o->stack,
                              .pin = o->pin,
                              .verbose = o->verbose,
                              .trace = o->trace != NULL};
    if (o->trace) {
        if (strlen(o->trace) >= sizeof start.trace_file)
            return -B_EINVAL;
        strcpy(start.trace_file, o->trace);
    }
    lay_out(&start);
    int file = memfd_create("lwmpi", MFD_CLOEXEC);
    if (file < 0)
        return -B_ENOMEM;
    int rc = resize(file, start.size);
    void *p = rc == 0 ? map(file, start.size) : MAP_FAILED;
    if (p == MAP_FAILED) {
        close(file);
        return rc == 0 ? -B_ENOMEM : rc;
    }
    memcpy(p, &start, sizeof start);
    lx_clock_start(p);
    ((struct lx_header *)p)->machine.hz = ((struct lx_header *)p)->hz;
    int processors = 1;
    if (lx_core_fits(m, &processors)) {
        /* Jobs side by side do not all begin at the same processor. */
        ((struct lx_header *)p)->first_processor = (uint32_t)getpid() % (uint32_t)processors;
        ((struct lx_header *)p)->fits = 1;
    }
    for (int c = 0; c < hal_machine_clusters(m); c++)
        atomic_init(&lx_cluster(p, c)->noc, 1);
    *fd = file;
    *h = p;
    return 0;
}

/* True if the header describes a mapping that this program would have made. */
static bool sound(const struct lx_header *h, uint64_t size)
{
    const struct hal_machine *m = &h->machine;
    uint64_t n = (uint64_t)m->compute_clusters + m->io_clusters;
    if (h->header_size != sizeof *h || h->size != size || n == 0 || n > HAL_CLUSTERS_MAX ||
        m->compute_cores > HAL_CORES_MAX || m->io_cores > HAL_CORES_MAX || m->mail_slots == 0 ||
        m->mail_slots > 64 || m->sync_slots == 0 || m->sync_slots > 64 || m->portal_channels == 0 ||
        m->portal_channels > LX_CHANNELS)
        return false;
    struct lx_header want = *h;
    lay_out(&want);
    return want.size == size && want.window_at == h->window_at && want.board_at == h->board_at &&
           want.mail_at == h->mail_at && want.link_at == h->link_at &&
           want.cluster_at == h->cluster_at;
}

int lx_map_open(int fd, struct lx_header **h, char *why, size_t why_size)
{
    struct stat info;
    uint64_t start[2] = {0};
    if (fstat(fd, &info) != 0) {
        snprintf(why, why_size, "descriptor %d is not open: the process must inherit it", fd);
        return -B_EINVAL;
    }
    if (!S_ISREG(info.st_mode) || (size_t)info.st_size < sizeof(struct lx_header) ||
        pread(fd, start, sizeof start, 0) != (ssize_t)sizeof start || start[0] != LX_MAGIC) {
        snprintf(why, why_size, "descriptor %d is not the mapping of a job", fd);
        return -B_EINVAL;
    }
    if ((uint32_t)start[1] != LX_VERSION) {
        snprintf(why, why_size,
                 "the job's mapping has version %u, this program knows %d: launcher "
                 "and library must be of one build",
                 (unsigned)start[1], LX_VERSION);
        return -B_EINVAL;
    }
    void *p = map(fd, (size_t)info.st_size);
    if (p == MAP_FAILED) {
        snprintf(why, why_size, "cannot map %lld bytes: %s", (long long)info.st_size,
                 strerror(errno));
        return -B_ENOMEM;
    }
    if (!sound(p, (uint64_t)info.st_size)) {
        munmap(p, (size_t)info.st_size);
        snprintf(why, why_size, "the job's mapping is damaged, or of another build");
        return -B_EINVAL;
    }
    *h = p;
    return 0;
}

void lx_map_close(struct lx_header *h)
{
    munmap(h, h->size);
}
