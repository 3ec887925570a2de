/* SPDX-License-Identifier: MIT */
#include <base/list.h>

bool b_queue_remove(struct b_queue *q, struct b_node *node)
{
    struct b_node *before = NULL;
    for (struct b_node *at = q->first; at; before = at, at = at->next) {
        if (at != node)
            continue;
        if (!before)
            q->first = node->next;
        else
            before->next = node->next;
        if (q->last == node)
            q->last = before;
        return true;
    }
    return false;
}
