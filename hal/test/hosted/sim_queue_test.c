/* SPDX-License-Identifier: MIT */
/* The event queue against a list that is searched: random events near and far, some for the running
 * cycle, some at its end, and clocks that go on by themselves. Without a seed events of a cycle
 * come in the order in which they were queued; with one each comes once, in its cycle, and again in
 * the same order. */
#include <stdlib.h>
#include <string.h>

#include <hal/clock.h>

#include <sim/sim.h>
#include <test/check.h>

#define EVENTS 30000
#define OPEN   600 /* queued at once, at most */

struct queued {
    uint64_t at;
    int number; /* INT_MAX: at the end of its cycle */
};

static struct queued open[OPEN + 1];
static int open_count, numbers, last_wanted;
static int order[EVENTS], order_count;
static unsigned random_state;

static unsigned some(unsigned below)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 8) % below;
}

static void fire(void *arg)
{
    (void)arg; /* events are told apart by their arguments */
}

/* Most events are near; those around 4,096 cycles are where the queue has an edge. */
static uint64_t delay(void)
{
    switch (some(8)) {
    case 0:
        return 0;
    case 1:
        return 4090 + some(12);
    case 2:
        return some(100000);
    default:
        return some(400);
    }
}

static void put(int number, uint64_t at)
{
    open[open_count++] = (struct queued){at, number};
}

static void queue_one(void)
{
    int number = numbers++;
    uint64_t at = sim.now + delay();
    put(number, at);
    sim_at(at, fire, (void *)(intptr_t)(number + 1));
}

static int before(const struct queued *a, const struct queued *b)
{
    return a->at < b->at || (a->at == b->at && a->number < b->number);
}

static int first_open(void)
{
    int first = 0;
    for (int i = 1; i < open_count; i++)
        first = before(&open[i], &open[first]) ? i : first;
    return first;
}

static int found(int number)
{
    for (int i = 0; i < open_count; i++)
        if (open[i].number == number)
            return i;
    return -1;
}

static void take_one(void)
{
    void (*what)(void *arg);
    void *arg;
    int first = first_open();
    uint64_t at = open[first].at;
    CHECK(sim_event_before(at));
    CHECK(at == sim.now || !sim_event_before(at - 1));
    CHECK(sim_event_next(&what, &arg));
    CHECK_EQ(sim.now, at);
    CHECK(what == fire);
    int number = (int)(intptr_t)arg - 1;
    number = number < 0 ? INT32_MAX : number;
    int i = sim.seed == 0 ? first : found(number);
    CHECK(i >= 0 && open[i].number == number && open[i].at == at);
    last_wanted = number == INT32_MAX ? 0 : last_wanted;
    order[order_count++] = number;
    open[i] = open[--open_count];
}

/* A core that has nothing to wait for sets the clock forward without an event. */
static void pass(void)
{
    uint64_t gap = open[first_open()].at - sim.now;
    if (gap > 1 && some(4) == 0)
        sim.now += 1 + some((unsigned)gap - 1);
}

static void play(uint64_t seed)
{
    sim = (struct sim){.seed = seed};
    random_state = 1;
    open_count = numbers = order_count = last_wanted = 0;
    int drains = 0; /* now and then until nothing is left */
    while (order_count < EVENTS) {
        drains = open_count > 0 && (drains || some(500) == 0);
        int many = drains ? 0 : (int)some(6);
        for (int i = 0; i < many && open_count < OPEN; i++)
            queue_one();
        if (!last_wanted && open_count < OPEN && some(20) == 0) {
            last_wanted = 1;
            put(INT32_MAX, sim.now);
            sim_at_end_of_cycle(fire, NULL);
        }
        if (open_count == 0)
            queue_one();
        take_one();
        if (open_count > 0 && !last_wanted)
            pass();
    }
    sim_events_clear();
    CHECK(!sim_event_before(HAL_NEVER - 1));
}

int main(void)
{
    static int again[EVENTS];
    for (uint64_t seed = 0; seed < 3; seed++) {
        play(seed);
        memcpy(again, order, sizeof order);
        play(seed);
        CHECK(memcmp(again, order, sizeof order) == 0);
    }
    return 0;
}
