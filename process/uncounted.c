/* SPDX-License-Identifier: MIT */
/* In virtual time computation takes no time that a program did not say though it was to, or that
 * is in a library which was not built to be counted. Who does not know that reads wrong
 * figures, so a job says it at its end if a rank computed so for a while.
 *
 * A timer of the processor time of the one thread that is the machine takes samples: where did it
 * interrupt the thread? So calls of MPI cost nothing, other load on this computer counts for
 * nothing, and a rank that hardly computes is not met again and again. Code of this library, of the
 * C library and of the dynamic linker is no computation, nor is what is counted or has a price as
 * a whole (the mathematical library); a static program, which is all of them in one, says
 * nothing. The signal is SIGURG because nothing happens to a program that gets one
 * too many. */
#include <errno.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <process/image.h>

#define PERIOD_NS  1000000  /* between two samples; the system may take longer */
#define LEAST_NS   10000000 /* of processor time, */
#define LEAST_SEEN 5        /* in so many samples: chance makes less of one or two */

static struct {
    bool on;
    timer_t timer;
    uint64_t last; /* processor time of the thread at the last sample */
    int places;
    struct {
        uintptr_t low, high;
    } place[4]; /* where what is no computation lies */
} watch;

/* Past clock.c, whose clock stands still. */
static uint64_t processor_time(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool computes(uintptr_t at)
{
    for (int i = 0; i < watch.places; i++)
        if (at - watch.place[i].low < watch.place[i].high - watch.place[i].low)
            return false;
    return true;
}

/* Outside of this library the question which rank runs has an answer. */
static void sample(int number, siginfo_t *info, void *context)
{
    (void)number;
    uintptr_t at = hal_interrupted(context);
    if (info->si_code != SI_TIMER || !computes(at))
        return;
    int e = errno;
    struct image_rank *r = image_rank_self();
    uint64_t now = processor_time(), passed = now - watch.last;
    if (r && !(image.compute == IMAGE_COUNTED && image_is_counted(r, at))) {
        r->computed.sampled.ns += passed < 10 * PERIOD_NS ? passed : 10 * PERIOD_NS;
        r->computed.sampled.seen++;
        r->computed.sampled.at = at;
        watch.last = now;
    }
    errno = e;
}

static const char *file_of(const struct dl_phdr_info *info)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    return slash ? slash + 1 : info->dlpi_name;
}

static bool has_price(const struct dl_phdr_info *info)
{
    return image.compute == IMAGE_COUNTED && strncmp(file_of(info), "libm.so", 7) == 0;
}

/* The objects whose code is no computation: each has one of these in it. */
static int find(struct dl_phdr_info *info, size_t size, void *arg)
{
    const uintptr_t in[] = {(uintptr_t)&watch, (uintptr_t)gnu_get_libc_version(),
                            getauxval(AT_BASE)};
    uintptr_t low = UINTPTR_MAX, high = 0;
    (void)size, (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *s = &info->dlpi_phdr[i];
        if (s->p_type != PT_LOAD)
            continue;
        uintptr_t begin = info->dlpi_addr + s->p_vaddr;
        low = begin < low ? begin : low;
        high = begin + s->p_memsz > high ? begin + s->p_memsz : high;
    }
    bool ours = has_price(info);
    for (size_t i = 0; i < sizeof in / sizeof in[0]; i++)
        ours = ours || (low <= in[i] && in[i] < high);
    if (ours && watch.places < (int)(sizeof watch.place / sizeof watch.place[0])) {
        watch.place[watch.places].low = low;
        watch.place[watch.places++].high = high;
    }
    return 0;
}

void image_uncounted_begin(void)
{
    const struct itimerspec often = {{.tv_nsec = PERIOD_NS}, {.tv_nsec = PERIOD_NS}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG};
    struct sigaction action = {.sa_sigaction = sample,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    struct sigaction before;
    if (strcmp(hal_port_name, "sim") != 0 || !image_layer.rank_works ||
        sigaction(SIGURG, NULL, &before) < 0 || before.sa_handler != SIG_DFL ||
        timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &watch.timer) < 0)
        return;
    dl_iterate_phdr(find, NULL);
    sigemptyset(&action.sa_mask);
    sigaction(SIGURG, &action, NULL);
    watch.last = processor_time();
    watch.on = timer_settime(watch.timer, 0, &often, NULL) == 0;
}

void image_uncounted_end(void)
{
    if (watch.on)
        timer_delete(watch.timer);
    watch.on = false;
}

/* The file that has code at this address. */
struct place {
    uintptr_t at;
    char name[64];
};

static int locate(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct place *p = arg;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *s = &info->dlpi_phdr[i];
        if (s->p_type == PT_LOAD && p->at - (info->dlpi_addr + s->p_vaddr) < s->p_memsz) {
            snprintf(p->name, sizeof p->name, "%s", file_of(info));
            return 1;
        }
    }
    return 0;
}

void image_uncounted_judge(const struct image_rank *r)
{
    struct place p = {.at = r->computed.sampled.at, .name = "the program"};
    if (r->computed.sampled.ns <= LEAST_NS || r->computed.sampled.seen < LEAST_SEEN)
        return;
    if (image.compute == IMAGE_ANNOTATED && !image_layer.rank_works())
        snprintf(image.uncounted, sizeof image.uncounted,
                 "a rank computed and did not say how much, which took no time; mpicc --count, or "
                 "--compute=measured");
    if (image.compute == IMAGE_COUNTED) {
        dl_iterate_phdr(locate, &p);
        snprintf(image.uncounted, sizeof image.uncounted,
                 "%s computed, too, which took no time, for it was not built by mpicc --count",
                 p.name);
    }
}
