/* SPDX-License-Identifier: MIT */
/* The whole test framework: a test is a main(), its exit code is the verdict. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* Ends the test (on linux: this cluster, and thereby the job) with a line that says what failed. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: failed: %s\n", __FILE__, __LINE__, __func__, #condition);  \
            _Exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* Compares integers and shows both. */
#define CHECK_EQ(got, want)                                                                        \
    do {                                                                                           \
        long long got_ = (long long)(got), want_ = (long long)(want);                              \
        if (got_ != want_) {                                                                       \
            fprintf(stderr, "%s:%d: %s: %s is %lld, should be %lld\n", __FILE__, __LINE__,         \
                    __func__, #got, got_, want_);                                                  \
            _Exit(1);                                                                              \
        }                                                                                          \
    } while (0)

#endif
