/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <base/pool.h>
#include <test/check.h>

struct object {
    void *a;
    char b[24];
};

int main(void)
{
    static struct object memory[10];
    struct object *got[10];
    struct b_pool p;
    b_pool_init(&p, memory, sizeof memory[0], 10);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 10; i++) {
            got[i] = b_pool_alloc(&p);
            CHECK(got[i] != NULL && b_pool_owns(&p, got[i]));
            memset(got[i], i, sizeof *got[i]);
            CHECK(b_pool_at(&p, b_pool_index(&p, got[i])) == got[i]);
        }
        CHECK(b_pool_alloc(&p) == NULL);
        CHECK_EQ(p.used, 10);
        for (int i = 0; i < 10; i++) {
            CHECK_EQ(got[i]->b[23], i); /* nobody else wrote here */
            for (int j = 0; j < i; j++) {
                CHECK(got[i] != got[j]);
            }
        }
        for (int i = 0; i < 10; i++) {
            b_pool_free(&p, got[(i * 7 + round) % 10]);
        }
        CHECK_EQ(p.used, 0);
        CHECK_EQ(p.high, 10);
    }
    b_pool_init(&p, memory, sizeof memory[0], 10);
    CHECK(b_pool_alloc(&p) == memory); /* from the lowest address */
    CHECK(!b_pool_owns(&p, memory + 10) && !b_pool_owns(&p, (char *)(memory + 10) + 8));
    CHECK(!b_pool_owns(&p, (char *)memory + 1) && !b_pool_owns(&p, NULL));
    b_pool_init(&p, NULL, 8, 0);
    CHECK(b_pool_alloc(&p) == NULL);
    return 0;
}
