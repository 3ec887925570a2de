/* SPDX-License-Identifier: MIT */
/* Max-min fair sharing: what the incremental solver says after thousands of random changes must be
 * a fair sharing by the definition, the one that solving everything from nothing gives, and that of
 * a solver as simple as can be. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sim/fluid.h>
#include <sim/noc.h>
#include <test/check.h>

#define FLOWS   300
#define CHANGES 4000
#define STOPS   (6 * 20)
#define CLOSE   1e-6

static const struct hal_noc noc = {.torus_x = 5, .torus_y = 4, .link_bytes = 4};
static struct sim_route *routes[20][20];
static struct fluid_flow *alive[FLOWS];
static int count, changed;
static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % below;
}

static void change(struct fluid_flow *f, double speed)
{
    changed++;
    f->speed = speed;
}

static struct fluid_flow *begin(struct fluid *n, uint32_t from, uint32_t to, double rate)
{
    struct fluid_flow *f = fluid_flow_create(n);
    fluid_add(n, f, routes[from][to], rate);
    return f;
}

static void end(struct fluid *n, struct fluid_flow *f)
{
    fluid_remove(n, f);
    free(f);
}

/* Each flow runs at its rate or crosses a full stop on which nobody is faster; no stop overflows.
 */
static void check_fair(void)
{
    double load[STOPS] = {0}, fastest[STOPS] = {0};
    for (int i = 0; i < count; i++) {
        for (uint32_t k = 0; k < alive[i]->route->count; k++) {
            uint32_t s = alive[i]->route->stop[k];
            load[s] += alive[i]->speed;
            fastest[s] = fmax(fastest[s], alive[i]->speed);
        }
    }
    for (int s = 0; s < STOPS; s++)
        CHECK(load[s] <= 4 + CLOSE);
    for (int i = 0; i < count; i++) {
        const struct fluid_flow *f = alive[i];
        bool fair = f->speed >= f->rate - CLOSE;
        for (uint32_t k = 0; k < f->route->count; k++) {
            uint32_t s = f->route->stop[k];
            fair = fair || (load[s] >= 4 - CLOSE && f->speed >= fastest[s] - CLOSE);
        }
        CHECK(f->speed > 0 && f->speed <= f->rate + CLOSE && fair);
    }
}

static void check_same_from_nothing(void)
{
    struct fluid fresh;
    struct fluid_flow *copy[FLOWS];
    fluid_create(&fresh, sim_noc_stops(&noc), 8, 4);
    for (int i = 0; i < count; i++) {
        copy[i] = fluid_flow_create(&fresh);
        fluid_add(&fresh, copy[i], alive[i]->route, alive[i]->rate);
    }
    fluid_solve(&fresh, change);
    for (int i = 0; i < count; i++) {
        CHECK(fabs(copy[i]->speed - alive[i]->speed) < CLOSE);
        end(&fresh, copy[i]);
    }
    fluid_destroy(&fresh);
}

/* By filling all stops together from nothing: what the definition says, as slowly as it says it.
 * The smallest share that a stop or a sender has for its flows is final; those get it, and the rest
 * share what is left. */
static double smallest_share(const double *speed, uint32_t *where)
{
    double left[STOPS], least = HUGE_VAL;
    int open[STOPS] = {0};
    for (uint32_t s = 0; s < STOPS; s++)
        left[s] = noc.link_bytes;
    for (int i = 0; i < count; i++) {
        const struct sim_route *r = alive[i]->route;
        for (uint32_t k = 0; k < r->count; k++) {
            left[r->stop[k]] -= speed[i] < 0 ? 0 : speed[i];
            open[r->stop[k]] += speed[i] < 0;
        }
        if (speed[i] < 0 && alive[i]->rate < least) {
            least = alive[i]->rate;
            *where = STOPS; /* a sender's */
        }
    }
    for (uint32_t s = 0; s < STOPS; s++) {
        if (open[s] > 0 && left[s] / open[s] < least) {
            least = left[s] / open[s];
            *where = s;
        }
    }
    return least;
}

static bool crosses(const struct sim_route *r, uint32_t stop)
{
    for (uint32_t k = 0; k < r->count; k++)
        if (r->stop[k] == stop)
            return true;
    return false;
}

static void check_brute_force(void)
{
    double speed[FLOWS]; /* < 0: not known yet */
    uint32_t where = STOPS;
    for (int i = 0; i < count; i++)
        speed[i] = -1;
    for (int known = 0; known < count;) {
        double share = smallest_share(speed, &where);
        for (int i = 0; i < count; i++) {
            bool here = where == STOPS ? alive[i]->rate <= share : crosses(alive[i]->route, where);
            if (speed[i] < 0 && here) {
                speed[i] = share;
                known++;
            }
        }
    }
    for (int i = 0; i < count; i++)
        CHECK(fabs(speed[i] - alive[i]->speed) < CLOSE);
}

static void test_random(uint64_t seed, int most)
{
    struct fluid n;
    random_state = seed;
    count = 0;
    fluid_create(&n, sim_noc_stops(&noc), 8, 4);
    for (int i = 0; i < CHANGES; i++) {
        for (uint32_t together = 1 + draw(3); together > 0; together--) {
            if (count < most && (count == 0 || draw(2) == 0)) {
                uint32_t from = draw(20), to = (from + 1 + draw(19)) % 20;
                alive[count++] = begin(&n, from, to, draw(2) == 0 ? 1 : 4);
            } else {
                uint32_t which = draw((uint32_t)count);
                if (alive[which]->speed > 0) {
                    end(&n, alive[which]);
                    alive[which] = alive[--count];
                }
            }
        }
        fluid_solve(&n, change);
        check_fair();
        if (i % 50 == 0) {
            check_same_from_nothing();
            check_brute_force();
        }
    }
    while (count > 0)
        end(&n, alive[--count]);
    fluid_solve(&n, change);
    fluid_destroy(&n);
}

/* A change is felt only where flows share stops: flows elsewhere keep their speed untouched. */
static void test_local(void)
{
    struct fluid n;
    fluid_create(&n, sim_noc_stops(&noc), 8, 4);
    struct fluid_flow *a = begin(&n, 0, 1, 4), *b = begin(&n, 10, 11, 4);
    fluid_solve(&n, change);
    CHECK(a->speed == 4 && b->speed == 4);
    changed = 0;
    struct fluid_flow *c = begin(&n, 0, 1, 4);
    fluid_solve(&n, change);
    CHECK(a->speed == 2 && b->speed == 4 && c->speed == 2);
    CHECK_EQ(changed, 2);
    CHECK_EQ(n.solved, 2 + 2);
    end(&n, a);
    fluid_solve(&n, change);
    CHECK(b->speed == 4 && c->speed == 4);
    end(&n, b);
    end(&n, c);
    fluid_destroy(&n);
}

/* By hand: core senders hold to 1 byte per cycle, the DMA transfer beside them takes the rest. */
static void test_rates(void)
{
    struct fluid n;
    fluid_create(&n, sim_noc_stops(&noc), 8, 4);
    struct fluid_flow *dma = begin(&n, 0, 2, 4), *core = begin(&n, 0, 3, 1);
    struct fluid_flow *other = begin(&n, 0, 2, 1);
    fluid_solve(&n, change);
    CHECK(dma->speed == 2 && core->speed == 1 && other->speed == 1);
    struct fluid_flow *late = begin(&n, 1, 2, 4); /* shares one link with two of them */
    fluid_solve(&n, change);
    CHECK(fabs(late->speed - 1.5) < CLOSE && fabs(dma->speed - 1.5) < CLOSE);
    CHECK(core->speed == 1 && other->speed == 1);
    end(&n, dma);
    end(&n, core);
    end(&n, other);
    end(&n, late);
    fluid_destroy(&n);
}

int main(void)
{
    for (uint32_t from = 0; from < 20; from++)
        for (uint32_t to = 0; to < 20; to++)
            routes[from][to] = sim_route_create(&noc, from, to);
    test_local();
    test_rates();
    test_random(1, FLOWS);
    test_random(2, 30);
    test_random(3, 8);
    for (int i = 0; i < 400; i++)
        free(routes[i / 20][i % 20]);
    return 0;
}
