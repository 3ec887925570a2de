/* SPDX-License-Identifier: MIT */
/* What `mpicc --count` leaves in a program, written by launcher/count and read by
 * process/counted.c.
 *
 * Section COUNT_SECTION is a table of entries. As linked an entry holds numbers of operations, by
 * their class; they may be below 0. On a machine in virtual time all entries are priced once,
 * before the program runs. A program adds entries, lane by lane, to its counters, which are
 * variables of its own: at one place of the code always to the same one, and at neighbours to
 * different ones, for an addition waits until the one before to the same counter is done. Wherever
 * it calls another function, the sum of the counters is what it has executed. A note in the file
 * says where table and counters are. docs/compute.md tells what is counted. */
#ifndef LAUNCHER_COUNT_H
#define LAUNCHER_COUNT_H

#include <stdint.h>

enum count_class {
    COUNT_INTEGER,
    COUNT_MULTIPLY,
    COUNT_DIVIDE,
    COUNT_MEMORY,
    COUNT_FLOAT_ADD,
    COUNT_FLOAT_MULTIPLY,
    COUNT_FLOAT_DIVIDE,
    COUNT_BRANCH,
    COUNT_CLASSES
};

union count_entry {
    int16_t count[COUNT_CLASSES]; /* by enum count_class */
    struct {
        uint64_t milli;      /* thousandths of a cycle */
        uint64_t operations; /* of all classes */
    } price;
};

#define COUNT_SECTION   "lwmpi_count" /* a C name, so linkers define its begin and end */
#define COUNT_COUNTER   "__lwmpi_counter"
#define COUNT_COUNTERS  8
#define COUNT_NOTE      "lwmpi" /* the note's owner, padded to 8 bytes */
#define COUNT_NOTE_TYPE 1

/* The note's content: where things are, each as distance from its own field. */
struct count_note {
    int32_t table, table_end, counter;
};

#endif
