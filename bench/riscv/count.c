/* SPDX-License-Identifier: MIT */
/* count.so: a plugin of QEMU that counts instructions for each hart, between the marks of marks.h.
 *
 *     qemu-system-riscv64 ... -plugin count.so,out=FILE
 *
 * When QEMU ends, FILE has a line `N times own all steps` for each N that was measured: how often,
 * and the medians of what the hart that came to both marks executed in between, of what all did,
 * and of the steps in which all would have if they ran at once. A mean would also count what
 * happens now and then: a lock that is held by a hart whose turn in QEMU is over, ranks that are
 * still on their way to sleep.
 *
 * Steps: QEMU lets one hart run after the other, in the order of their numbers. What they do from
 * one first turn to the next is a round, and takes as many steps as the longest turn in it. So it
 * is right to the length of a turn, which must be short (instructions.in). */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* QEMU's own header is in no package: what is used here of version 1 of its interface. */
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { QEMU_PLUGIN_CB_NO_REGS };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
                                          void (*cb)(unsigned hart, void *arg), int flags,
                                          void *arg);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                            void (*cb)(unsigned hart, void *arg), int flags,
                                            void *arg);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, void *),
                                    void *arg);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

#define EXPORT __attribute__((visibility("default")))
EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);
int qemu_plugin_version = 1;

enum { HARTS = 512, MARKS = 256, TIMES = 64 };

/* slti zero, zero, n: all bits but those of n. */
#define MARK_MASK 0x000fffffu
#define MARK_CODE 0x00002013u

enum what { OWN, ALL, STEPS, WHATS };
static uint64_t executed[HARTS], all; /* one thread of QEMU runs all harts */
static struct {
    uint64_t steps;         /* of the rounds before this one */
    uint64_t turn, longest; /* of the hart that runs, of those before it in this round */
    unsigned hart;
} now;
static struct {
    uint64_t began[HARTS][WHATS], value[WHATS][TIMES];
    bool under_way[HARTS];
    size_t times;
} mark[MARKS];
static const char *out;

/* A mark in translated code: its n, and how many instructions of its block are not before it. */
struct place {
    int n;
    unsigned behind;
};

static void next_turn(unsigned hart)
{
    if (now.longest < now.turn)
        now.longest = now.turn;
    if (hart < now.hart) {
        now.steps += now.longest;
        now.longest = 0;
    }
    now.hart = hart;
    now.turn = 0;
}

static void run_block(unsigned hart, void *instructions)
{
    if (hart != now.hart)
        next_turn(hart);
    executed[hart] += (uintptr_t)instructions;
    all += (uintptr_t)instructions;
    now.turn += (uintptr_t)instructions;
}

/* The whole block has been counted when it began. */
static void count(unsigned hart, unsigned behind, uint64_t value[WHATS])
{
    value[OWN] = executed[hart] - behind;
    value[ALL] = all - behind;
    value[STEPS] = now.steps + now.turn - behind;
}

/* Of more than TIMES measurements the last ones. */
static void pass_mark(unsigned hart, void *arg)
{
    const struct place *p = arg;
    int n = abs(p->n);
    if (p->n > 0) {
        count(hart, p->behind - 1, mark[n].began[hart]);
        mark[n].under_way[hart] = true;
    } else if (mark[n].under_way[hart]) {
        uint64_t ends[WHATS];
        count(hart, p->behind, ends);
        for (int what = 0; what < WHATS; what++)
            mark[n].value[what][mark[n].times % TIMES] = ends[what] - mark[n].began[hart][what];
        mark[n].times++;
        mark[n].under_way[hart] = false;
    }
}

static void look_for_mark(struct qemu_plugin_insn *insn, unsigned behind)
{
    uint32_t code;
    if (qemu_plugin_insn_size(insn) != sizeof code)
        return;
    memcpy(&code, qemu_plugin_insn_data(insn), sizeof code);
    int n = (int32_t)code >> 20;
    struct place *p;
    if ((code & MARK_MASK) != MARK_CODE || n == 0 || abs(n) >= MARKS || !(p = malloc(sizeof *p)))
        return;
    *p = (struct place){n, behind};
    qemu_plugin_register_vcpu_insn_exec_cb(insn, pass_mark, QEMU_PLUGIN_CB_NO_REGS, p);
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    size_t n = qemu_plugin_tb_n_insns(tb);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, run_block, QEMU_PLUGIN_CB_NO_REGS,
                                         (void *)(uintptr_t)n);
    for (size_t i = 0; i < n; i++)
        look_for_mark(qemu_plugin_tb_get_insn(tb, i), (unsigned)(n - i));
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t median(uint64_t *value, size_t times)
{
    size_t n = times < TIMES ? times : TIMES;
    qsort(value, n, sizeof *value, by_value);
    return value[n / 2];
}

static void write_out(qemu_plugin_id_t id, void *arg)
{
    (void)id, (void)arg;
    FILE *to = fopen(out, "w");
    if (!to) {
        perror(out);
        return;
    }
    for (int n = 0; n < MARKS; n++) {
        if (mark[n].times == 0)
            continue;
        fprintf(to, "%d %zu", n, mark[n].times);
        for (int what = 0; what < WHATS; what++)
            fprintf(to, " %" PRIu64, median(mark[n].value[what], mark[n].times));
        fputc('\n', to);
    }
    fclose(to);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], "out=", 4) == 0)
            out = argv[i] + 4;
    if (!out) {
        fprintf(stderr, "count.so: say where to write: -plugin count.so,out=FILE\n");
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, write_out, NULL);
    return 0;
}
