/* SPDX-License-Identifier: MIT */
#include <base/list.h>
#include <test/check.h>

struct item {
    int value;
    struct b_link link;
    struct b_node node;
};

static struct item items[5];

static int value_of(const struct b_link *link)
{
    return link ? b_container(link, struct item, link)->value : -1;
}

static void test_list(void)
{
    struct b_list l;
    b_list_init(&l);
    CHECK(b_list_empty(&l) && !b_list_first(&l));
    CHECK(!b_list_pop(&l));
    for (int i = 0; i < 4; i++) {
        items[i].value = i;
        b_list_append(&l, &items[i].link);
    }
    items[4].value = 4;
    b_link_insert(&items[4].link, &items[0].link); /* 4 0 1 2 3 */
    CHECK_EQ(value_of(b_list_first(&l)), 4);
    b_link_remove(&items[1].link);
    b_link_remove(&items[1].link);                 /* again: nothing */
    b_link_insert(&items[1].link, &items[3].link); /* 4 0 2 1 3 */
    static const int order[] = {4, 0, 2, 1, 3};
    int at = 0;
    b_list_each(&l, link)
    {
        CHECK_EQ(value_of(link), order[at++]);
        b_link_remove(link);
    }
    CHECK_EQ(at, 5);
    CHECK(b_list_empty(&l));
    b_list_append(&l, &items[2].link);
    CHECK(b_list_pop(&l) == &items[2].link && b_list_empty(&l));
}

static int front(struct b_queue *q)
{
    struct b_node *node = b_queue_pop(q);
    return node ? b_container(node, struct item, node)->value : -1;
}

static void test_queue(void)
{
    struct b_queue q = {NULL, NULL}, other = {NULL, NULL};
    for (int i = 0; i < 5; i++)
        items[i].value = i;
    CHECK(b_queue_empty(&q));
    CHECK_EQ(front(&q), -1);
    b_queue_append(&q, &items[1].node);
    b_queue_append(&q, &items[2].node);
    b_queue_prepend(&q, &items[0].node);
    b_queue_splice(&q, &other);
    b_queue_append(&other, &items[3].node);
    b_queue_append(&other, &items[4].node);
    b_queue_splice(&q, &other);
    CHECK(b_queue_empty(&other));
    b_queue_splice(&other, &q); /* into an empty one */
    CHECK(b_queue_empty(&q));
    CHECK(b_queue_remove(&other, &items[2].node));
    CHECK(!b_queue_remove(&other, &items[2].node));
    CHECK(b_queue_remove(&other, &items[4].node)); /* the last */
    b_queue_append(&other, &items[2].node);
    CHECK(b_queue_remove(&other, &items[0].node)); /* the first */
    CHECK_EQ(front(&other), 1);
    CHECK_EQ(front(&other), 3);
    CHECK_EQ(front(&other), 2);
    CHECK_EQ(front(&other), -1);
    b_queue_prepend(&other, &items[0].node);
    b_queue_append(&other, &items[1].node);
    CHECK_EQ(front(&other), 0);
    CHECK_EQ(front(&other), 1);
}

int main(void)
{
    test_list();
    test_queue();
    return 0;
}
