/* SPDX-License-Identifier: MIT */
/* A rank computes between its calls of MPI. In virtual time it is charged for that when it calls
 * next, before the call does anything: the call begins when the modelled processor would have come
 * to it. Only one rank runs at a time and it is interrupted nowhere but inside such calls, so what
 * the process has computed since the last one came back is the calling rank's. */
#include <process/compute.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <base/error.h>
#include <hal/work.h>
#include <mpiutil/boot.h>
#include <mpiutil/machine.h>

#include <process/image.h>

const char *const image_compute_names[IMAGE_COMPUTES] = {"", "counted", "measured", "annotated",
                                                         "none"};

static const struct image_gauge *const gauges[IMAGE_COMPUTES] = {
    [IMAGE_COUNTED] = &image_counted, [IMAGE_MEASURED] = &image_measured};

static const struct image_gauge *gauge; /* NULL: computation takes no time by itself */
static uint64_t least;                  /* thousandths of a cycle that are charged at once */
static uint64_t charged;

/* The rank whose program runs, as it cannot change but in calls; NULL: it is in one. */
static struct image_rank *running;

static enum image_compute decide(const struct image *im)
{
    static const char *const annotates[] = {"MPI_Pcontrol", "PMPI_Pcontrol", NULL};
    const char *which;
    if (!image_counted.begin)
        return IMAGE_ANNOTATED;
    if (image_programs_count(im, &which))
        return IMAGE_COUNTED;
    return image_programs_call(im, annotates) ? IMAGE_ANNOTATED : IMAGE_MEASURED;
}

int image_compute_begin(struct image *im, char *why, size_t size)
{
    if (!image_is_virtual())
        return 0;
    if (im->compute == IMAGE_COMPUTE_UNSAID)
        im->compute = decide(im);
    const struct image_gauge *g = gauges[im->compute];
    if (g && !g->begin) {
        snprintf(why, size,
                 "--compute=%s: a static program, or one without MPI, cannot be told from its "
                 "library; annotated and none are possible",
                 image_compute_names[im->compute]);
        return -B_EINVAL;
    }
    if (g && !g->begin(im, why, size))
        return -B_EINVAL;
    gauge = g;
    least = !g || !g->grain ? 1000 : g->grain();
    if (im->compute == IMAGE_ANNOTATED || im->compute == IMAGE_COUNTED)
        image_uncounted_begin();
    return 0;
}

void image_compute_end(void)
{
    image_uncounted_end();
}

static struct image_rank *computing(void)
{
    return gauge ? image_rank_self() : NULL;
}

static inline void resume(struct image_rank *r)
{
    running = r;
    if (gauge->resume)
        gauge->resume(r);
}

static double scale(const struct image_rank *r)
{
    bool is_faster = image.faster.factor > 0 && r && r->place.rank == image.faster.rank;
    return is_faster ? 1 / image.faster.factor : 1;
}

uint64_t image_compute_scaled(double cycles)
{
    struct image_rank *r = image_rank_self();
    cycles = cycles * scale(r) + (r ? r->computed.part : 0);
    uint64_t whole = (uint64_t)cycles;
    if (r) {
        r->computed.part = cycles - (double)whole;
        r->computed.cycles += whole;
    }
    return whole;
}

__attribute__((visibility("default"))) double image_computed(void)
{
    const struct image_rank *r = image_rank_self();
    return r ? (double)r->computed.cycles / (double)hal_machine()->hz : 0;
}

/* What the rank has computed takes its time by `work`; less than `at_least` is only noted. */
static inline void charge(struct image_rank *r, uint64_t at_least, void (*work)(uint64_t cycles))
{
    uint64_t milli = gauge->take(r);
    if (image.faster.factor > 0)
        milli = (uint64_t)((double)milli * scale(r));
    milli += r->computed.milli;
    r->computed.milli = milli;
    if (milli < at_least)
        return;
    r->computed.milli = milli % 1000;
    charged += milli / 1000;
    r->computed.cycles += milli / 1000;
    work(milli / 1000);
}

void image_compute_start(void)
{
    struct image_rank *r = computing();
    if (!r)
        return;
    if (gauge->start)
        gauge->start(r);
    r->computed.calls = 0;
    r->computed.milli = 0;
    resume(r);
}

uint64_t image_compute_pending(void)
{
    struct image_rank *r = computing();
    if (!r || r->computed.calls > 0)
        return 0;
    charge(r, UINT64_MAX, NULL);
    resume(r);
    return r->computed.milli / 1000;
}

struct image_rank *image_compute_enter(void)
{
    if (!gauge || !image_on_core)
        return NULL;
    struct image_rank *r = running ? running : image_rank_self();
    if (r && r->computed.calls++ == 0) {
        running = NULL;
        charge(r, least, image_layer.work);
    }
    return r;
}

void image_compute_leave(struct image_rank *r)
{
    if (r && --r->computed.calls == 0)
        resume(r);
}

/* As the loop for (i = 0; i < n; i++) b[i] = a[i] + b[i] is counted: two loads and a store of as
 * many words as an element has, index and comparison, a jump. */
static __attribute__((noinline)) void combine(enum mpu_numbers numbers, bool product, size_t bytes,
                                              uint64_t n)
{
    const struct hal_compute *c = &hal_machine()->compute;
    const uint64_t takes[][2] = {
        [MPU_INTEGERS] = {c->integer_milli, c->multiply_milli},
        [MPU_FLOATS] = {c->float_add_milli, c->float_multiply_milli},
        [MPU_COMPLEX] = {2 * c->float_add_milli,
                         4 * c->float_multiply_milli + 2 * c->float_add_milli},
    };
    uint64_t words = (bytes + 7) / 8;
    uint64_t each = takes[numbers][product] + 3 * words * c->memory_milli + 2 * c->integer_milli +
                    c->branch_milli;
    hal_work(n * each / 1000);
}

/* Short where it is nothing. */
void mpu_combined(enum mpu_numbers numbers, bool product, size_t bytes, uint64_t n)
{
    if (image_is_virtual())
        combine(numbers, product, bytes, n);
}

void mpu_moved(uint64_t n)
{
    if (image_is_virtual())
        hal_work(n * hal_machine()->cost.copy_byte_milli / 1000);
}

/* Before its main and after it a rank is in one call more. */
int image_compute_begin_callback(void)
{
    struct image_rank *r = image_on_core ? computing() : NULL;
    if (!r || r->computed.calls != 1)
        return MPU_CALLBACK_PLAIN;
    r->computed.calls = 0;
    resume(r);
    return 1;
}

/* The time passes without a look at what arrives, like that of a copy: the call may be in the
 * middle of something. */
void image_compute_end_callback(int was)
{
    struct image_rank *r = computing();
    uint64_t between_calls = r->computed.cycles;
    running = NULL;
    charge(r, least, hal_work);
    r->computed.cycles = between_calls;
    r->computed.calls = was;
}

void image_compute_finish(void)
{
    struct image_rank *r = computing();
    if (!r)
        return;
    running = NULL;
    if (r->computed.calls == 0)
        charge(r, 1000, image_layer.work);
    r->computed.calls = 1; /* what runs from now on is not the program's main */
}

uint64_t image_compute_cycles(void)
{
    return charged;
}

bool image_compute_tell(char *text, size_t size)
{
    int n = snprintf(text, size, "%s: ", image_compute_names[image.compute]);
    char *rest = text + n;
    size_t left = size - (size_t)n;
    if (gauge)
        gauge->tell(rest, left);
    else
        snprintf(rest, left, "%s",
                 image.compute == IMAGE_NONE
                     ? "it takes no time; all times are those of communication only"
                     : "it takes what the program says by MPI_Pcontrol");
    if (image.uncounted[0] != '\0') {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "; %s", image.uncounted);
    }
    return image.compute == IMAGE_MEASURED || image.compute == IMAGE_NONE ||
           image.uncounted[0] != '\0';
}
