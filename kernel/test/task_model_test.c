/* SPDX-License-Identifier: MIT */
/* The task engine against its reference model: all small graphs, and random ones that change while
 * they run. Both are given the same script and must run the same tasks with the same arguments in
 * the same order, give every call the same answer, and end in the same states.
 *
 * task_model_test [STRIDE [SEED]]: every STRIDEth of the small graphs (1); with SEED only that
 * random graph, with what happens in it. */
#include <stdarg.h>

#include "task.h"
#include "task_model.h"

enum { LOG = 4096, RUNS_MAX = 48, HUGE_PERIOD = 1 << 30 };

/* What happened, in the engine (0) and in the model (1). */
static struct {
    int n;
    long entry[LOG];
} story[2];
static int side;
static bool loud;

static void tell(const char *what, int n, ...)
{
    va_list list;
    va_start(list, n);
    if (loud)
        printf("%s %s", side == 0 ? "engine" : "model ", what);
    for (int i = 0; i < n; i++) {
        long value = va_arg(list, long);
        CHECK(story[side].n < LOG);
        story[side].entry[story[side].n++] = value;
        if (loud)
            printf(" %ld", value);
    }
    if (loud) {
        printf("\n");
        fflush(stdout);
    }
    va_end(list);
}

/* One side of the comparison. */
struct world {
    int (*create)(int t, bool high, enum k_task_criterion criterion);
    int (*unlink)(int t);
    int (*connect)(int arc, int from, int to, unsigned kind, unsigned conditions);
    int (*disconnect)(int arc);
    int (*dispatch)(int t, const long *arg);
    int (*signal)(int t);
    int (*resume)(int t);
    int (*complete)(int t, int conclusion, long value);
    int (*error)(int t, int code);
    void (*pass)(int i, long value);
    void (*value)(long value);
    void (*drain)(void);
    void (*look)(int t);
};

static struct k_task task[MODEL_TASKS];
static struct k_arc arc[MODEL_ARCS];
static struct model model;

/* How a task behaves: its conclusion, after it did what the script says. */
static int (*script)(const struct world *w, int t);

static int run_in_engine(long a0, long a1, long a2, long a3, long a4);

static int engine_create(int t, bool high, enum k_task_criterion criterion)
{
    return k_task_create(&task[t], &(struct k_task_attr){
                                       .fn = run_in_engine,
                                       .priority = high ? K_TASK_HIGH : K_TASK_LOW,
                                       .criterion = criterion,
                                       .period = (uint64_t)HUGE_PERIOD * HUGE_PERIOD,
                                       .core = 0,
                                   });
}

static int engine_unlink(int t)
{
    return k_task_unlink(&task[t]);
}

static int engine_connect(int a, int from, int to, unsigned kind, unsigned conditions)
{
    return k_task_connect(&arc[a], &task[from], &task[to], kind, conditions);
}

static int engine_disconnect(int a)
{
    return k_task_disconnect(&arc[a]);
}

static int engine_dispatch(int t, const long *arg)
{
    return k_task_dispatch(&task[t], arg);
}

static int engine_signal(int t)
{
    return k_task_signal(&task[t]);
}

static int engine_resume(int t)
{
    return k_task_resume(&task[t]);
}

static int engine_complete(int t, int conclusion, long value)
{
    return k_task_complete(&task[t], conclusion, value);
}

static int engine_error(int t, int code)
{
    return k_task_error(&task[t], code);
}

static void engine_pass(int i, long value)
{
    CHECK_EQ(k_task_pass(i, value), 0);
}

static void engine_value(long value)
{
    CHECK_EQ(k_task_return(value), 0);
}

/* The thread is on the Dispatcher's core: each yield lets it run. */
static void engine_drain(void)
{
    int before;
    do {
        before = story[0].n;
        k_thread_yield();
    } while (story[0].n != before);
}

static void engine_look(int t)
{
    long state = field(&task[t], K_TASK_STATE);
    tell("state", 1, state);
    if (state != K_TASK_INVALID) {
        tell("value, pending, dependencies, successors", 4, field(&task[t], K_TASK_VALUE),
             field(&task[t], K_TASK_PENDING), field(&task[t], K_TASK_DEPENDENCIES),
             field(&task[t], K_TASK_SUCCESSORS));
    }
}

static const struct world engine_world = {
    engine_create, engine_unlink, engine_connect,  engine_disconnect, engine_dispatch,
    engine_signal, engine_resume, engine_complete, engine_error,      engine_pass,
    engine_value,  engine_drain,  engine_look};

static int run_in_engine(long a0, long a1, long a2, long a3, long a4)
{
    int t = (int)(k_task_current() - task);
    tell("runs", 6, (long)t, a0, a1, a2, a3, a4);
    return script(&engine_world, t);
}

static int model_side_create(int t, bool high, enum k_task_criterion criterion)
{
    return model_create(&model, t, high, criterion);
}

static int model_side_unlink(int t)
{
    return model_unlink(&model, t);
}

static int model_side_connect(int a, int from, int to, unsigned kind, unsigned conditions)
{
    return model_connect(&model, a, from, to, kind, conditions);
}

static int model_side_disconnect(int a)
{
    return model_disconnect(&model, a);
}

static int model_side_dispatch(int t, const long *arg)
{
    return model_dispatch(&model, t, arg);
}

static int model_side_signal(int t)
{
    return model_signal(&model, t);
}

static int model_side_resume(int t)
{
    return model_resume(&model, t);
}

static int model_side_complete(int t, int conclusion, long value)
{
    return model_complete(&model, t, conclusion, value);
}

static int model_side_error(int t, int code)
{
    return model_error(&model, t, code);
}

static void model_side_pass(int i, long value)
{
    model.pass[i] = value;
    model.passed |= 1u << i;
}

static void model_side_value(long value)
{
    model.value = value;
}

static const struct world model_world;

static void model_side_drain(void)
{
    int t;
    while ((t = model_begin(&model)) >= 0) {
        const long *a = model.task[t].arg;
        tell("runs", 6, (long)t, a[0], a[1], a[2], a[3], a[4]);
        model_end(&model, script(&model_world, t));
    }
}

static void model_side_look(int t)
{
    const struct model_task *m = &model.task[t];
    tell("state", 1, (long)m->state);
    long deps = 0, out = 0;
    for (int i = 0; i < MODEL_ARCS; i++) {
        const struct model_arc *a = &model.arc[i];
        deps += a->connected && a->to == t && (a->kind & K_DEPENDENCY) != 0;
        out += a->connected && a->from == t;
    }
    if (m->state != K_TASK_INVALID)
        tell("value, pending, dependencies, successors", 4, m->value, (long)m->pending, deps, out);
}

static const struct world model_world = {
    model_side_create,   model_side_unlink, model_side_connect, model_side_disconnect,
    model_side_dispatch, model_side_signal, model_side_resume,  model_side_complete,
    model_side_error,    model_side_pass,   model_side_value,   model_side_drain,
    model_side_look};

/* Makes both sides live through `play` and compares. */
static void compare(void (*play)(const struct world *w), bool critical, const char *what,
                    uint64_t number)
{
    CHECK_EQ(k_task_policy(critical ? "critical" : "simple"), 0);
    model_init(&model, critical);
    story[0].n = story[1].n = 0;
    side = 0;
    play(&engine_world);
    side = 1;
    play(&model_world);
    bool same =
        story[0].n == story[1].n &&
        memcmp(story[0].entry, story[1].entry, (size_t)story[0].n * sizeof story[0].entry[0]) == 0;
    if (!same) {
        fprintf(stderr, "%s %" PRIu64 ": the engine does not do what the model does\n", what,
                number);
    }
    CHECK(same);
}

/* Whatever is left: all arcs go, all tasks end. */
static void clear(const struct world *w, int tasks, int arcs)
{
    for (int i = 0; i < arcs; i++)
        tell("disconnect", 1, (long)w->disconnect(i));
    w->drain();
    for (int i = 0; i < tasks; i++) {
        w->look(i);
        w->error(i, -B_ECANCELED);
        w->drain();
        tell("unlink", 1, (long)w->unlink(i));
    }
}

/* --- all graphs of one arc --- */

static struct {
    unsigned kind, conditions;
    int conclusion;
    enum k_task_criterion criterion;
    bool loop;
    int runs[2];
} one;

static const int conclusions[] = {0,
                                  K_USER0,
                                  K_USER1,
                                  K_USER2,
                                  K_USER0 | K_USER1,
                                  K_USER0 | K_USER1 | K_USER2,
                                  K_AGAIN,
                                  K_STOP,
                                  K_PERIODIC,
                                  K_USER1 | K_AGAIN,
                                  K_USER0 | K_STOP,
                                  K_USER2 | K_PERIODIC,
                                  -B_EIO,
                                  K_AGAIN | K_STOP};
enum { CONCLUSIONS = sizeof conclusions / sizeof conclusions[0] };

/* The first two runs of task 0 conclude as chosen, all others by K_USER0. */
static int one_script(const struct world *w, int t)
{
    w->pass(t, 10 + t);
    w->value(100 + one.runs[t]);
    return t == 0 && one.runs[0]++ < 2 ? one.conclusion : K_USER0;
}

static void one_play(const struct world *w)
{
    static const long arg[K_TASK_ARGS] = {1, 2, 3, 4, 5};
    one.runs[0] = one.runs[1] = 0;
    w->create(0, false, K_TO_READY);
    w->create(1, false, one.criterion);
    tell("connect", 1, (long)w->connect(0, 0, one.loop ? 0 : 1, one.kind, one.conditions));
    for (int i = 0; i < 2; i++) {
        tell("dispatch", 1, (long)w->dispatch(0, arg));
        if (one.loop && (one.conditions & K_USER0) != 0 && (one.kind & K_TEMPORARY) == 0)
            tell("disconnect", 1, (long)w->disconnect(0)); /* else it would never end */
        w->drain();
        w->look(0);
        w->look(1);
        tell("resume", 2, (long)w->resume(0), (long)w->resume(1));
        w->drain();
        tell("complete", 2, (long)w->complete(0, K_USER0, 7), (long)w->complete(1, K_USER1, 8));
        w->drain();
    }
    clear(w, 2, 1);
}

static void check_one_arc(unsigned stride)
{
    uint64_t number = 0;
    script = one_script;
    for (unsigned c = 1; c < 256; c += stride) {
        if ((c & (K_THROW | K_CATCH)) == (K_THROW | K_CATCH))
            continue;
        for (int i = 0; i < 4 * CONCLUSIONS * 3 * 2; i++, number++) {
            one.conditions = c;
            one.kind = (unsigned)i % 4;
            one.conclusion = conclusions[i / 4 % CONCLUSIONS];
            one.criterion = (enum k_task_criterion)(i / 4 / CONCLUSIONS % 3);
            one.loop = i / 4 / CONCLUSIONS / 3 != 0;
            compare(one_play, false, "graph of one arc", number);
        }
    }
}

/* --- all graphs of two arcs among three tasks --- */

static struct {
    int from[2], to[2];
    unsigned kind[2], conditions[2];
    int conclusion;
    int runs[3], all;
} two;

/* Each task concludes once as chosen; a loop ends with an error that nobody hears of. */
static int two_script(const struct world *w, int t)
{
    if (++two.all > 12) {
        for (int i = 0; i < 2; i++)
            tell("cut", 1, (long)w->disconnect(i));
        return K_USER0;
    }
    w->pass(two.runs[t] % K_TASK_ARGS, two.all);
    return two.runs[t]++ == 0 ? two.conclusion : K_USER0;
}

static void two_play(const struct world *w)
{
    static const long arg[K_TASK_ARGS] = {1, 2, 3, 4, 5};
    memset(two.runs, 0, sizeof two.runs);
    two.all = 0;
    for (int i = 0; i < 3; i++)
        w->create(i, i == 1, K_TO_READY);
    for (int i = 0; i < 2; i++)
        w->connect(i, two.from[i], two.to[i], two.kind[i], two.conditions[i]);
    for (int i = 0; i < 2; i++) {
        tell("dispatch", 2, (long)w->dispatch(2 * i, arg), (long)w->dispatch(1, arg));
        w->drain();
    }
    clear(w, 3, 2);
}

static void check_two_arcs(int stride)
{
    static const unsigned conditions[] = {K_USER0, K_USER1 | K_THROW, K_CATCH, USUAL, K_AGAIN};
    static const int ends[] = {K_USER0, K_USER0 | K_AGAIN, -B_EIO};
    enum { PAIRS = 81, KINDS = 16, CONDITIONS = 25, ENDS = 3 };
    script = two_script;
    for (int i = 0; i < PAIRS * KINDS * CONDITIONS * ENDS; i += stride) {
        int pair = i % PAIRS, kind = i / PAIRS % KINDS, condition = i / PAIRS / KINDS % CONDITIONS;
        two.from[0] = pair % 3, two.to[0] = pair / 3 % 3;
        two.from[1] = pair / 9 % 3, two.to[1] = pair / 27;
        two.kind[0] = (unsigned)kind % 4, two.kind[1] = (unsigned)kind / 4;
        two.conditions[0] = conditions[condition % 5];
        two.conditions[1] = conditions[condition / 5];
        two.conclusion = ends[i / PAIRS / KINDS / CONDITIONS];
        compare(two_play, i / stride % 2 != 0, "graph of two arcs", (uint64_t)i);
    }
}

/* --- random graphs that change while they run --- */

static struct {
    uint64_t seed, state;
    int tasks, arcs, runs;
} rnd;

static unsigned draw(unsigned below)
{
    uint64_t z = rnd.state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (unsigned)((z ^ z >> 31) >> 33) % below;
}

static unsigned draw_conditions(void)
{
    static const unsigned some[] = {K_USER0,
                                    USUAL,
                                    K_USER1,
                                    K_USER0 | K_USER1,
                                    K_CATCH,
                                    K_THROW,
                                    K_USER2 | K_CATCH,
                                    K_AGAIN | K_USER0,
                                    K_STOP,
                                    K_PERIODIC,
                                    USUAL,
                                    K_USER0};
    return some[draw(12)];
}

static void random_connect(const struct world *w)
{
    int a = (int)draw((unsigned)rnd.arcs), from = (int)draw((unsigned)rnd.tasks);
    int to = (int)draw((unsigned)rnd.tasks);
    unsigned kind = draw(4), conditions = draw_conditions();
    tell("connect", 6, (long)a, (long)from, (long)to, (long)kind, (long)conditions,
         (long)w->connect(a, from, to, kind, conditions));
}

static void random_dispatch(const struct world *w, int t)
{
    long arg[K_TASK_ARGS];
    for (int i = 0; i < K_TASK_ARGS; i++)
        arg[i] = (long)draw(100);
    tell("dispatch", 2, (long)t, (long)w->dispatch(t, arg));
}

static void random_create(const struct world *w, int t)
{
    enum k_task_criterion criterion = draw(5) == 0 ? (enum k_task_criterion)draw(3) : K_TO_READY;
    tell("create", 2, (long)t, (long)w->create(t, draw(3) == 0, criterion));
}

/* One call of any kind: from a task that runs, or from the thread. */
static void random_call(const struct world *w)
{
    int t = (int)draw((unsigned)rnd.tasks), a = (int)draw((unsigned)rnd.arcs);
    int answer;
    switch (draw(10)) {
    case 0:
        tell("disconnect", 2, (long)a, (long)w->disconnect(a));
        break;
    case 1:
    case 2:
        tell("signal", 2, (long)t, (long)w->signal(t));
        break;
    case 3:
        tell("resume", 2, (long)t, (long)w->resume(t));
        break;
    case 4:
        tell("complete", 2, (long)t, (long)w->complete(t, conclusions[draw(CONCLUSIONS)], t));
        break;
    case 5:
        tell("error", 2, (long)t, draw(3) == 0 ? (long)w->error(t, -B_EIO) : 1);
        break;
    case 6:
        answer = w->unlink(t);
        tell("unlink", 2, (long)t, (long)answer);
        if (answer == 0)
            random_create(w, t);
        break;
    case 7:
        random_dispatch(w, t);
        break;
    default:
        random_connect(w);
    }
}

/* After RUNS_MAX runs the graph is taken apart, so that it ends. */
static int random_script(const struct world *w, int t)
{
    if (++rnd.runs > RUNS_MAX) {
        for (int i = 0; i < rnd.arcs; i++)
            w->disconnect(i);
        return K_USER0;
    }
    rnd.state = rnd.seed + (uint64_t)rnd.runs * 1000003 + (uint64_t)t * 77;
    for (int n = (int)draw(3); n > 0; n--)
        random_call(w);
    for (int n = (int)draw(3); n > 0; n--) {
        int i = (int)draw(K_TASK_ARGS);
        w->pass(i, (long)draw(1000));
    }
    w->value((long)draw(1000));
    return draw(2) == 0 ? K_USER0 : conclusions[draw(CONCLUSIONS)];
}

static void random_play(const struct world *w)
{
    rnd.state = rnd.seed;
    rnd.runs = 0;
    rnd.tasks = 1 + (int)draw(MODEL_TASKS);
    rnd.arcs = 1 + (int)draw(MODEL_ARCS);
    for (int i = 0; i < rnd.tasks; i++)
        random_create(w, i);
    for (int i = 0; i < rnd.arcs; i++)
        random_connect(w);
    for (int i = 0; i < 6; i++) {
        rnd.state = rnd.seed * 31 + (uint64_t)i;
        random_dispatch(w, (int)draw((unsigned)rnd.tasks));
        random_call(w);
        w->drain();
    }
    for (int i = 0; i < rnd.tasks; i++)
        w->look(i);
    rnd.runs = RUNS_MAX;
    clear(w, rnd.tasks, rnd.arcs);
}

static void check_random(uint64_t first, uint64_t count)
{
    script = random_script;
    for (uint64_t seed = first; seed < first + count; seed++) {
        rnd.seed = seed;
        compare(random_play, seed % 2 != 0, "seed", seed);
    }
}

/* What main was asked for. */
static struct {
    int stride;
    uint64_t seed;
} asked = {1, 0};

static int body(void *arg)
{
    (void)arg;
    if (asked.seed != 0) {
        loud = true;
        check_random(asked.seed, 1);
        return 0;
    }
    check_one_arc((unsigned)asked.stride);
    check_two_arcs(asked.stride);
    check_random(1, 12000);
    return 0;
}

int main(int argc, char **argv)
{
    struct hal_machine m;
    if (argc > 1) {
        asked.stride = atoi(argv[1]);
        CHECK(asked.stride > 0);
    }
    if (argc > 2)
        asked.seed = strtoull(argv[2], NULL, 0);
    one_cluster("mini", false, &m); /* inline: the thread decides when the Dispatcher runs */
    CHECK_EQ(on_machine(&m, body, NULL), 0);
    return 0;
}
