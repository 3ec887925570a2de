/* SPDX-License-Identifier: MIT */
/* Servers by threads. */
#include <svc/daemon.h>

#include <base/error.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>

int svc_daemon_start(struct svc_daemon *d, const struct svc_form *form,
                     const struct svc_class *class, void *state, int home)
{
    int r = svc_server_open(&d->server, class, state, home);
    if (r < 0)
        return r;
    d->form = form;
    r = form->begin(d);
    if (r < 0)
        svc_server_close(&d->server);
    return r;
}

/* Where the kernel releases no tasks of a program, it says so whatever the object. */
const struct svc_form *svc_form_default(void)
{
    struct k_info info;
    struct k_task none;
    k_info(&info);
    bool tasks = info.variant == K_FULL && k_ikc_attach_task(K_MAILBOX, -1, &none) != -B_ENOSYS;
    return tasks ? &svc_by_tasks : &svc_by_thread;
}

int svc_daemon_join(struct svc_daemon *d)
{
    return d->form->end(d);
}

static void thread_main(void *arg)
{
    svc_server_run(arg);
}

static int thread_begin(struct svc_daemon *d)
{
    struct k_info info;
    k_info(&info);
    int service = (int)d->server.class->service % (info.cores - info.user_core);
    d->thread = k_thread_create(&(struct k_thread_attr){.entry = thread_main,
                                                        .arg = &d->server,
                                                        .name = d->server.class->name,
                                                        .core = info.cores - 1 - service});
    return d->thread < 0 ? d->thread : 0;
}

static int thread_end(struct svc_daemon *d)
{
    return k_thread_join(d->thread, NULL);
}

const struct svc_form svc_by_thread = {"thread", thread_begin, thread_end};
