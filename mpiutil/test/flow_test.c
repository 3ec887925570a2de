/* SPDX-License-Identifier: MIT */
/* What a step of a flow starts is awaited by the flow. A step may also look around (mpu_poll), and
 * then others go on, whose messages are not the flow's. */
#include "fake.h"
#include "fake_kernel.h"

static struct mpu_request of_others, of_step;
static uint8_t byte[2];

static void receive(struct mpu_request *q, int tag)
{
    mpu_recv_start(fake_rank(0), q, fake_comm(0), 1, tag, &byte[tag], 1);
}

static void others_go_on(void *arg)
{
    bool *on = arg;
    if (*on)
        receive(&of_others, 0);
    *on = false;
}

int main(void)
{
    struct mpu_flow flow = {.left = 1};
    bool on = true;
    fake_begin(&(struct fake_shape){.ranks = 2}, 1);
    fake_kernel_enter(0);
    struct mpu_rank *r = flow.rank = fake_rank(0);
    mpu_set_advance(r, others_go_on, &on);
    r->flows.now = &flow; /* a step is under way */
    mpu_poll(r);
    receive(&of_step, 1);
    CHECK(r->flows.now == &flow);
    r->flows.now = NULL;
    CHECK(!on && !of_others.flow && of_step.flow == &flow);
    CHECK_EQ(flow.left, 2);
    of_step.flow = NULL; /* this one has no task that could be released */
    mpu_set_advance(r, NULL, NULL);
    mpu_recv_drop(&of_others);
    mpu_recv_drop(&of_step);
    fake_end();
    return 0;
}
