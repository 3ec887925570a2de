/* SPDX-License-Identifier: MIT */
/* Tells the machine how the ranks of a cluster stand, for the short report of a job that does not
 * go on. */
#include <kernel/cluster.h>
#include <sys/k_info.h>

#include <process/image.h>

/* What image_ranks_thread and the layer need. It is asked for while another cluster may be the
 * calling one, so it is kept with the question. */
struct image_stand {
    const struct cluster *cluster;
    const void *local;
};

static bool stand(void *arg, int i, struct hal_stand *s)
{
    const struct image_stand *from = arg;
    const struct kern_thread *t = image_ranks_thread(from->cluster, i, &s->rank);
    if (!t)
        return false;
    s->core = t->core->id;
    s->sp = t->core->current == t ? NULL : t->context.sp;
    image_rank_stands(from->local, s->rank, s);
    return true;
}

void image_stand_begin(void)
{
    static struct image_stand all[HAL_CLUSTERS_MAX];
    struct image_stand *own = &all[hal_cluster()];
    if (!image_rank_stands)
        return;
    *own = (struct image_stand){kern_cluster(), k_cluster_local()};
    hal_stand_register(stand, own);
    image_rank_sites(k_cluster_local());
}
