/* SPDX-License-Identifier: MIT */
/* Threads: slots, start, end, join. */
#include "../call/gate.h"
#include "../call/user.h"
#include "manager.h"
#include "sched.h"

#include <base/assert.h>
#include <base/error.h>
#include <base/fmt.h>
#include <hal/mem.h>
#include <kernel/call.h>

/* An id is generation * SLOTS + slot, so an id of a thread that was joined names nobody until its
 * generation comes round again. */
enum { SLOTS = KERN_THREADS_MAX, GENERATIONS = 1 << 20 };

static void slot_free(struct cluster *c, struct kern_thread *t)
{
    t->slot = KERN_FREE;
    t->free = NULL;
    if (!c->free)
        c->free = t;
    else
        c->free_last->free = t;
    c->free_last = t;
}

static struct kern_thread *slot_take(struct cluster *c)
{
    struct kern_thread *t = c->free;
    if (t) {
        b_assert(t->slot == KERN_FREE);
        c->free = t->free;
        t->slot = KERN_ALIVE;
    }
    return t;
}

static void describe_join(const struct kern_wait *w, char *text, size_t size);

void kern_threads_init(struct cluster *c)
{
    hal_lock_init(&c->table, "thread table");
    for (int i = 0; i < (int)c->machine->threads; i++) {
        struct kern_thread *t = &c->thread[i];
        t->id = i;
        kern_wait_init(&t->joiners, &c->lock, "join");
        t->joiners.describe = describe_join;
        slot_free(c, t);
    }
}

struct kern_thread *kern_thread_find(struct cluster *c, int id)
{
    if (id < 0 || id % SLOTS >= (int)c->machine->threads)
        return NULL;
    struct kern_thread *t = &c->thread[id % SLOTS];
    return t->slot != KERN_FREE && t->id == id ? t : NULL;
}

static void set_name(struct kern_thread *t, const char *name)
{
    size_t n = 0;
    for (name = name ? name : "thread"; n < KERN_NAME_MAX - 1 && name[n] != '\0'; n++)
        t->name[n] = name[n];
    t->name[n] = '\0';
}

static void describe_join(const struct kern_wait *w, char *text, size_t size)
{
    const struct kern_thread *t =
        (const void *)((const char *)w - offsetof(struct kern_thread, joiners));
    b_fmt(text, size, "join of thread %d '%s'", t->id, t->name);
}

_Noreturn void kern_leave(struct kern_core *core, struct kern_thread *t)
{
    kern_current_set(core, NULL);
    if (core->cluster->user)
        core->cluster->user->leave(core, t);
    hal_context_switch(&t->context, &core->idle);
    __builtin_unreachable();
}

/* Ends the calling thread. */
static _Noreturn void end(void *value)
{
    struct kern_core *core = kern_core();
    struct kern_thread *t = core->current;
    t->value = value;
    b_assert(!core->dead && t->core == core);
    core->dead = t;
    kern_leave(core, t);
}

static void first_steps(void *arg)
{
    struct kern_thread *t = arg;
    if (t->user_stack) {
        bool main = (void *)t->entry == (void *)t->core->cluster->main;
        t->core->cluster->user->run(t->user_stack, t->user_size, t->entry, t->arg, main);
        __builtin_unreachable();
    }
    t->entry(t->arg);
    end(NULL);
}

_Noreturn void kern_guest_begin(struct kern_core *core)
{
    struct kern_thread *t = core->current;
    t->guest = false;
    core->gone = true;
    first_steps(t);
    __builtin_unreachable();
}

/* The core for a new thread: as asked, or the one with the fewest threads. Under the lock. */
static struct kern_core *choose_core(struct cluster *c, int core)
{
    if (core != K_ANY)
        return core >= 0 && core < c->cores ? &c->core[core] : NULL;
    struct kern_core *best = &c->core[c->user_core];
    for (int i = c->user_core + 1; i < c->cores; i++)
        if (c->core[i].threads < best->threads)
            best = &c->core[i];
    return best;
}

/* A slot on a core, with the core counted in. */
static int slot_open(struct cluster *c, int core, struct kern_thread **slot)
{
    int error = 0;
    hal_lock(&c->lock);
    struct kern_core *where = choose_core(c, core);
    struct kern_thread *t = where ? slot_take(c) : NULL;
    if (t) {
        t->core = where;
        where->threads++;
        t->joining = false;
        t->local = NULL;
        t->run = NULL;
        t->user_stack = NULL;
        t->guest = false;
        t->hold = NULL;
    } else {
        error = where ? -B_ENOMEM : -B_EINVAL;
    }
    hal_unlock(&c->lock);
    *slot = t;
    return error;
}

static void slot_close(struct cluster *c, struct kern_thread *t)
{
    hal_lock(&c->lock);
    t->core->threads--;
    slot_free(c, t);
    hal_unlock(&c->lock);
}

/* In the budget: a program's thread in user mode has its stack in page frames, and one in the
 * kernel that is the port's; where stacks lie beside the window none of it is theirs. */
static size_t charge_of(const struct cluster *c, const struct kern_thread *t)
{
    return t->user_size == 0 && !hal_stack_beside() ? c->machine->stack_size : 0;
}

static int stack_take(struct cluster *c, struct kern_thread *t, size_t size)
{
    int error = kern_page_charge(c, KERN_CHARGE_STACKS, charge_of(c, t));
    if (error != 0)
        return error;
    error = hal_stack_alloc(size, &t->stack, &t->stack_size);
    if (error != 0)
        kern_page_uncharge(c, KERN_CHARGE_STACKS, charge_of(c, t));
    return error;
}

static void stack_drop(struct cluster *c, struct kern_thread *t)
{
    if (t->user_stack) {
        kern_page_free(c, t->user_stack, t->user_size);
        t->user_stack = NULL;
    }
    if (!c->user || !c->user->returned(t))
        hal_stack_free(t->stack, t->stack_size);
    kern_page_uncharge(c, KERN_CHARGE_STACKS, charge_of(c, t));
    t->stack = NULL;
}

static int stacks_take(struct cluster *c, struct kern_thread *t, const struct k_thread_attr *attr)
{
    bool user = c->user && c->user->code((const void *)attr->entry);
    t->user_size = 0;
    if (!user)
        return stack_take(c, t, attr->stack);
    if (attr->stack > c->frames.memory)
        return -B_ENOMEM;
    t->user_size = c->user->stack(attr->stack);
    int error = c->user->lend(t) ? 0 : stack_take(c, t, t->core->serves ? 0 : KERN_SHORT_STACK);
    if (error == 0 && (error = kern_page_alloc(c, t->user_size, true, &t->user_stack)) != 0)
        stack_drop(c, t);
    return error;
}

int kern_thread_start(struct cluster *c, const struct k_thread_attr *attr)
{
    struct kern_thread *t;
    int error = slot_open(c, attr->core, &t);
    if (error != 0)
        return error;
    error = stacks_take(c, t, attr);
    if (error != 0) {
        slot_close(c, t);
        return error;
    }
    set_name(t, attr->name);
    t->entry = attr->entry;
    t->arg = attr->arg;
    if (!t->guest)
        hal_context_init(&t->context, t->stack, t->stack_size, first_steps, t);
    kern_manager(c->machine)->create(c);
    int id = t->id; /* the thread may run, end and be joined before we return */
    kern_ready(t);
    return id;
}

struct kern_thread *kern_thread_adopt(struct cluster *c, const char *name)
{
    struct kern_thread *t;
    if (slot_open(c, hal_core(), &t) != 0)
        return NULL;
    set_name(t, name);
    t->stack = NULL;
    kern_current_set(kern_core(), t);
    return t;
}

void kern_reap(struct kern_core *core)
{
    struct cluster *c = core->cluster;
    struct kern_thread *t = core->dead;
    core->dead = NULL;
    kern_bells_collect(core); /* its bells: their memory may go when it is joined */
    hal_context_fini(&t->context);
    if (t->stack)
        stack_drop(c, t);
    kern_manager(c->machine)->end(c);
    hal_lock(&c->lock);
    b_assert(core->threads > 0 && t->slot == KERN_ALIVE);
    core->threads--;
    t->slot = KERN_ZOMBIE;
    kern_wake(&t->joiners, 1);
    hal_unlock(&c->lock);
}

/* Under the lock: may `self` join thread t? */
static int joinable(const struct kern_thread *t, const struct kern_thread *self)
{
    if (!t)
        return -B_EBADF;
    if (t == self)
        return -B_EDEADLK;
    return t->joining ? -B_EBUSY : 0;
}

static int join(struct cluster *c, int id, void **value)
{
    hal_lock(&c->lock);
    struct kern_thread *t = kern_thread_find(c, id);
    int error = joinable(t, kern_current());
    if (error != 0) {
        hal_unlock(&c->lock);
        return error;
    }
    t->joining = true;
    while (t->slot != KERN_ZOMBIE) {
        kern_wait_on(&t->joiners, K_FOREVER);
        hal_lock(&c->lock);
    }
    *value = t->value;
    t->id = (t->id / SLOTS + 1) % GENERATIONS * SLOTS + t->id % SLOTS;
    slot_free(c, t);
    hal_unlock(&c->lock);
    return 0;
}

long kern_sys_thread_self(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    const struct kern_thread *t = kern_current();
    return t ? t->id : -B_EPERM;
}

long kern_sys_thread_create(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    const struct k_thread_attr *attr = (const struct k_thread_attr *)a0;
    if (!attr || !attr->entry)
        return -B_EFAULT;
    return kern_thread_start(kern_cluster(), attr);
}

long kern_sys_thread_exit(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    if (!kern_current())
        return -B_EPERM;
    end((void *)a0);
}

long kern_sys_thread_join(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    void *value = NULL;
    if (!kern_current())
        return -B_EPERM;
    int error = join(kern_cluster(), (int)a0, &value);
    if (error == 0 && a1 != 0)
        *(void **)a1 = value;
    return error;
}

long kern_sys_thread_yield(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_core *core = kern_core();
    if (!core->current)
        return -B_EPERM;
    kern_yield(core, a0 != 0);
    return 0;
}

static inline void yield(bool often)
{
    struct cluster *c = kern_cluster();
    struct kern_core *core = c ? &c->core[hal_core()] : NULL;
    if (!core || !core->current)
        return;
    if (c->gated)
        kern_enter(K_NR_thread_yield, often, 0, 0, 0, 0);
    else
        kern_yield(core, often);
}

void k_thread_yield(void)
{
    yield(false);
}

void k_thread_pass(void)
{
    yield(true);
}

long kern_sys_thread_hold(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_thread *t = kern_current();
    if (!t)
        return -B_EPERM;
    t->hold = (struct k_hold *)a0;
    return 0;
}

/* No tick comes where the kernel's functions are called as functions. */
void k_thread_hold(void)
{
}

void k_thread_release(void)
{
}

int k_thread_return(int value)
{
    return hal_context_return(value);
}

long kern_sys_thread_sleep(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    if (!kern_current())
        return -B_EPERM;
    kern_sleep(k_wide(a0, a1));
    return 0;
}
