/* SPDX-License-Identifier: MIT */
/* Exceptions of memory: the thread waits, the pager is told. A fault lies on the stack of its
 * thread, in the list of the cluster's pager, from the exception to its resolution. */
#include <kernel/fault.h>

#include <base/error.h>
#include <base/fmt.h>
#include <hal/page.h>
#include <hal/power.h>
#include <hal/work.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <kernel/task.h>

struct kern_fault {
    struct kern_wait queue; /* its thread */
    struct kern_fault *next;
    const struct kern_thread *thread;
    char *address;
    size_t offset; /* from the start of the pager's range */
    enum k_access access;
    bool taken, done;
    int error;
    k_fault_back *back; /* of k_fault_resolve_back, or NULL */
    void *back_a, *back_b;
};

static const char *const access_name[] = {[K_ACCESS_READ] = "read", [K_ACCESS_WRITE] = "wrote"};

static void describe(const struct kern_wait *w, char *text, size_t size)
{
    const struct kern_fault *f = (const void *)w; /* its first member */
    b_fmt(text, size, "page with byte %zu of the pager's memory, %s", f->offset,
          f->taken ? "being fetched" : "queued");
}

static void enter(struct kern_pager *p, struct kern_fault *f)
{
    *(p->first ? &p->last->next : &p->first) = f;
    p->last = f;
}

static void leave(struct kern_pager *p, struct kern_fault *f)
{
    struct kern_fault *before = NULL;
    for (struct kern_fault *i = p->first; i != f; i = i->next)
        before = i;
    *(before ? &before->next : &p->first) = f->next;
    p->last = p->last == f ? before : p->last;
}

static void tell(struct kern_pager *p)
{
    if (p->bell)
        kern_bell_ring(p->bell, K_BELL_KERNEL);
    else
        kern_task_signal(p->task);
}

static _Noreturn void hopeless(const struct kern_fault *f)
{
    char text[160];
    b_fmt(text, sizeof text, "thread '%s' %s byte %zu of the pager's memory: %s", f->thread->name,
          access_name[f->access], f->offset, b_error_name(f->error));
    hal_abort(K_FAULT_STATUS, text);
}

bool kern_fault(void *address, enum k_access access)
{
    struct kern_pager *p = &kern_cluster()->pager;
    struct kern_fault f = {.thread = kern_current(), .address = address, .access = access};
    hal_lock(&p->lock);
    bool inside = p->base && f.address >= p->base && f.address < p->base + p->size;
    if (!inside || !f.thread) {
        hal_unlock(&p->lock);
        return false;
    }
    f.offset = (size_t)(f.address - p->base);
    kern_wait_init(&f.queue, &p->lock, "page");
    f.queue.describe = describe;
    enter(p, &f);
    tell(p);
    while (!f.done) {
        kern_wait_on(&f.queue, K_FOREVER);
        hal_lock(&p->lock);
    }
    hal_unlock(&p->lock);
    if (f.error != 0)
        hopeless(&f);
    if (f.back)
        f.back(f.back_a, f.back_b);
    return true;
}

/* The handler of hal/page.h. */
static bool on_fault(void *address, bool write)
{
    const struct cluster *c = kern_cluster();
    if (!c)
        return false;
    hal_work(c->machine->cost.kernel_call);
    return kern_fault(address, write ? K_ACCESS_WRITE : K_ACCESS_READ);
}

void kern_pager_init(struct kern_pager *p)
{
    hal_lock_init(&p->lock, "pager");
    hal_page_handler(on_fault);
}

/* (base, n, bell, task); base NULL: no pager any more. */
long kern_sys_fault_attach(long a0, long a1, long a2, long a3, long a4)
{
    (void)a4;
    struct kern_pager *p = &kern_cluster()->pager;
    bool one = (a2 != 0) != (a3 != 0);
    if (a0 != 0 && (a1 <= 0 || !one || (uintptr_t)a0 + (uintptr_t)a1 < (uintptr_t)a0))
        return -B_EINVAL;
    long r = kern_bell_check((struct k_bell *)a2);
    if (r != 0)
        return r;
    hal_lock(&p->lock);
    r = a0 == 0 && !p->base ? -B_ENOENT : (a0 != 0 && p->base) || p->first ? -B_EBUSY : 0;
    if (r == 0) {
        p->base = (char *)a0;
        p->size = (size_t)a1;
        p->bell = (struct k_bell *)a2;
        p->task = (struct k_task *)a3;
    }
    hal_unlock(&p->lock);
    return r;
}

long kern_sys_fault_take(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct k_fault *out = (struct k_fault *)a0;
    if (!out)
        return -B_EFAULT;
    struct kern_pager *p = &kern_cluster()->pager;
    hal_lock(&p->lock);
    struct kern_fault *f = p->first;
    while (f && f->taken)
        f = f->next;
    if (f) {
        f->taken = true;
        *out = (struct k_fault){f->address, f->access, f->thread->id};
    }
    hal_unlock(&p->lock);
    return f ? 0 : -B_EAGAIN;
}

long kern_sys_fault_resolve(long a0, long a1, long a2, long a3, long a4)
{
    struct kern_pager *p = &kern_cluster()->pager;
    if (a1 > 0)
        return -B_EINVAL;
    hal_lock(&p->lock);
    struct kern_fault *f = p->first;
    while (f && !(f->taken && f->thread->id == a0))
        f = f->next;
    if (f) {
        leave(p, f);
        f->error = (int)a1;
        f->back = (k_fault_back *)a2;
        f->back_a = (void *)a3;
        f->back_b = (void *)a4;
        f->done = true;
        kern_wake(&f->queue, 1);
    }
    hal_unlock(&p->lock);
    return f ? 0 : -B_ENOENT;
}
