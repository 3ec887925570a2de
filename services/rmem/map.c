/* SPDX-License-Identifier: MIT */
/* Remote memory seen at addresses of the cluster. One range of addresses without memory is the
 * cache's; maps lie in it. A page of a map has the frame of its line behind it, with the right to
 * write only once it is known to be changed. The line cannot be taken from a thread that faulted
 * before the thread had it: it is pinned until then. */
#include <base/error.h>
#include <sys/k_fault.h>
#include "rmem/flow.h"

int svc_rmem_space_open(struct svc_rmem *r)
{
    if (r->how.space == 0)
        return 0;
    bool may = r->how.policy->caches && !r->how.mode->through && r->how.space % SVC_PAGE == 0;
    size_t page = k_map_page();
    void *space;
    int e = !may ? -B_EINVAL : page != SVC_PAGE ? -B_ENOSYS : k_map_reserve(r->how.space, &space);
    r->space = e < 0 ? NULL : space;
    return e;
}

void svc_rmem_space_close(struct svc_rmem *r)
{
    if (r->space) {
        if (r->attached)
            k_fault_detach();
        k_map_release(r->space, r->how.space);
    }
}

int svc_rmem_space_attach(struct svc_rmem *r, struct k_bell *bell, struct k_task *task)
{
    int e = r->space ? k_fault_attach(r->space, r->how.space, bell, task) : 0;
    r->attached = r->space && e == 0;
    return e;
}

/* Maps; with the lock -------------------------------------------------------------------------- */

/* The map and the remote address of a byte of the space. */
static const struct svc_rmem_map *map_of(const struct svc_rmem *r, size_t offset)
{
    for (int i = 0; i < SVC_RMEM_MAPS; i++) {
        const struct svc_rmem_map *m = &r->map[i];
        if (m->size > 0 && offset >= m->offset && offset - m->offset < m->size)
            return m;
    }
    return NULL;
}

/* Where a remote page is seen, NULL: nowhere. */
static char *place_of(const struct svc_rmem *r, uint64_t page)
{
    for (int i = 0; i < SVC_RMEM_MAPS; i++) {
        const struct svc_rmem_map *m = &r->map[i];
        if (m->size > 0 && page >= m->at && page - m->at < m->size)
            return r->space + m->offset + (page - m->at);
    }
    return NULL;
}

/* The first gap of the space that n bytes fit in; SIZE_MAX: none. */
static size_t gap(const struct svc_rmem *r, size_t n)
{
    size_t from = 0;
    for (int i = 0; i < SVC_RMEM_MAPS; i++) {
        const struct svc_rmem_map *m = &r->map[i];
        if (m->size > 0 && m->offset < from + n && m->offset + m->size > from) {
            from = m->offset + m->size;
            i = -1; /* again from the first: they are in no order */
        }
    }
    return from <= r->how.space && n <= r->how.space - from ? from : SIZE_MAX;
}

static int enter(struct svc_rmem *r, uint64_t at, size_t n, bool writable, void **p)
{
    struct svc_rmem_map *unused = NULL;
    for (int i = 0; i < SVC_RMEM_MAPS; i++) {
        struct svc_rmem_map *m = &r->map[i];
        if (m->size > 0 && m->at < at + n && m->at + m->size > at)
            return -B_EEXIST;
        unused = m->size == 0 ? m : unused;
    }
    size_t offset = gap(r, n);
    if (!unused || offset == SIZE_MAX)
        return -B_ENOMEM;
    *unused = (struct svc_rmem_map){at, offset, n, writable};
    *p = r->space + offset;
    return 0;
}

int svc_rmem_map(struct svc_rmem *r, uint64_t at, size_t n, bool writable, void **p)
{
    if (k_map_page() != SVC_PAGE)
        return -B_ENOSYS;
    if (!r->space || at % SVC_PAGE != 0 || n == 0 || n > r->how.space)
        return -B_EINVAL;
    size_t size = (n + SVC_PAGE - 1) & ~(size_t)(SVC_PAGE - 1);
    k_wait_lock(&r->bell);
    int e = at + size < at ? -B_EINVAL : enter(r, at, size, writable, p);
    k_wait_unlock(&r->bell);
    return e;
}

int svc_rmem_unmap(struct svc_rmem *r, void *p)
{
    struct svc_rmem_map *found = NULL;
    for (int i = 0; i < SVC_RMEM_MAPS && r->space; i++) {
        struct svc_rmem_map *m = &r->map[i];
        found = m->size > 0 && r->space + m->offset == (char *)p ? m : found;
    }
    if (!found)
        return -B_EINVAL;
    int e = svc_rmem_drop(r, found->at, found->size);
    if (e == 0) {
        k_wait_lock(&r->bell);
        found->size = 0;
        k_wait_unlock(&r->bell);
    }
    return e;
}

/* Of the flow ---------------------------------------------------------------------------------- */

void svc_rmem_protect(struct svc_rmem *r, struct svc_line *l, enum k_map_access access)
{
    if (l->access <= access)
        return;
    char *place = place_of(r, l->page);
    k_map_set(place, access == K_MAP_NONE ? NULL : svc_rmem_frame(r, l), access);
    l->access = (uint8_t)access;
}

int svc_rmem_show(struct svc_rmem *r, struct svc_line *l, bool write)
{
    enum k_map_access access = write || l->access == K_MAP_WRITE ? K_MAP_WRITE : K_MAP_READ;
    char *place = place_of(r, l->page);
    int e = place ? k_map_set(place, svc_rmem_frame(r, l), access) : -B_EFAULT;
    if (e == 0) {
        l->access = (uint8_t)access;
        l->dirty = l->dirty || write;
    }
    return e;
}

bool svc_rmem_fault_take(struct svc_rmem *r, struct svc_rmem_job *j)
{
    struct k_fault f;
    if (!r->space || k_fault_take(&f) != 0)
        return false;
    bool write = f.access == K_ACCESS_WRITE;
    size_t offset = (size_t)((char *)f.address - r->space);
    k_wait_lock(&r->bell);
    r->stat.gets++;
    r->stat.faults++;
    const struct svc_rmem_map *m = map_of(r, offset);
    *j = (struct svc_rmem_job){.kind = RMEM_FAULT, .write = write, .thread = f.thread};
    if (!m)
        j->result = -B_EFAULT;
    else if (write && !m->writable)
        j->result = -B_EPERM;
    else
        j->at = m->at + (offset - m->offset);
    k_wait_unlock(&r->bell);
    return true;
}

/* On the thread that faulted, before it goes on. */
static void back(void *r, void *line)
{
    svc_rmem_let_go(r, line, false);
}

void svc_rmem_fault_resolve(struct svc_rmem *r, struct svc_rmem_job *j, int error)
{
    if (error < 0)
        k_fault_resolve(j->thread, error);
    else
        k_fault_resolve_back(j->thread, back, r, j->line);
}
