/* SPDX-License-Identifier: MIT */
/* A sample sort. In a step each rank makes random keys, as uneven as a sum of four dice, sorts
 * them, gives samples to all (Allgather), says how many keys it has for each rank (Alltoall), sends
 * them (Alltoallv) and merges what came. */
#include <stdlib.h>
#include <string.h>

#include "programs.h"

enum { KEYS = 1 << 15, SAMPLES = 64, DIGIT = 11, DIGITS = 3, VALUES = 1 << DIGIT };

struct sort {
    MPI_Comm comm;
    int rank, ranks, steps;
    int mine, got;                    /* keys made here, keys that came */
    uint32_t *key, *sorted, *spare;   /* room for all keys, as one rank might get them all */
    uint32_t given[SAMPLES], *sample; /* of this rank, of all */
    int *sent, *sent_at;              /* keys for each rank, and where they begin */
    int *come, *come_at;              /* keys of each rank; an end behind the last */
    uint64_t balance; /* of all steps: the sum of keys that came less that of keys made */
};

static bool suits(int ranks)
{
    return ranks <= KEYS / SAMPLES / 2;
}

static void *make(MPI_Comm comm)
{
    struct sort *s = programs_memory(sizeof *s);

    s->comm = comm;
    MPI_Comm_rank(comm, &s->rank);
    MPI_Comm_size(comm, &s->ranks);
    s->mine = programs_cut(KEYS, s->ranks, s->rank + 1) - programs_cut(KEYS, s->ranks, s->rank);
    uint32_t **keys[3] = {&s->key, &s->sorted, &s->spare};
    for (int i = 0; i < 3; i++)
        *keys[i] = programs_memory(KEYS * sizeof(uint32_t));
    s->sample = programs_memory((size_t)s->ranks * SAMPLES * sizeof *s->sample);
    int **counts[4] = {&s->sent, &s->sent_at, &s->come, &s->come_at};
    for (int i = 0; i < 4; i++)
        *counts[i] = programs_memory((size_t)(s->ranks + 1) * sizeof(int));
    return s;
}

static uint32_t key(int step, int number)
{
    uint64_t dice = programs_random((uint64_t)step * KEYS + (uint64_t)number);

    return (
        uint32_t)(((dice & 0xffff) + (dice >> 16 & 0xffff) + (dice >> 32 & 0xffff) + (dice >> 48)) *
                  16381);
}

/* Sorts n keys by one digit after the other, the lowest first; spare: room for as many. */
static void sort_keys(uint32_t *keys, uint32_t *spare, int n)
{
    uint32_t *from = keys, *to = spare;

    for (int digit = 0; digit < DIGITS; digit++) {
        int place[VALUES] = {0}, sum = 0, shift = digit * DIGIT;
        for (int i = 0; i < n; i++)
            place[from[i] >> shift & (VALUES - 1)]++;
        for (int i = 0; i < VALUES; i++) {
            int count = place[i];
            place[i] = sum;
            sum += count;
        }
        for (int i = 0; i < n; i++)
            to[place[from[i] >> shift & (VALUES - 1)]++] = from[i];
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != keys)
        memcpy(keys, from, (size_t)n * sizeof *keys);
}

/* Sorts the samples of all ranks and cuts the own keys at those that part them evenly. */
static void part(struct sort *s)
{
    int samples = s->ranks * SAMPLES, at = 0;

    for (int i = 0; i < SAMPLES; i++)
        s->given[i] = s->key[programs_cut(s->mine, SAMPLES, i)];
    MPI_Allgather(s->given, SAMPLES, MPI_UINT32_T, s->sample, SAMPLES, MPI_UINT32_T, s->comm);
    sort_keys(s->sample, s->spare, samples);
    for (int i = 0; i < s->ranks; i++) {
        s->sent_at[i] = at;
        while (at < s->mine && (i == s->ranks - 1 || s->key[at] < s->sample[(i + 1) * SAMPLES]))
            at++;
        s->sent[i] = at - s->sent_at[i];
    }
}

static void exchange(struct sort *s)
{
    MPI_Alltoall(s->sent, 1, MPI_INT, s->come, 1, MPI_INT, s->comm);
    s->got = 0;
    for (int i = 0; i < s->ranks; i++) {
        s->come_at[i] = s->got;
        s->got += s->come[i];
    }
    s->come_at[s->ranks] = s->got;
    MPI_Alltoallv(s->key, s->sent, s->sent_at, MPI_UINT32_T, s->sorted, s->come, s->come_at,
                  MPI_UINT32_T, s->comm);
}

static void merge(const uint32_t *a, int as, const uint32_t *b, int bs, uint32_t *into)
{
    int i = 0, k = 0;

    while (i < as && k < bs) {
        bool first = a[i] <= b[k];
        *into++ = first ? a[i] : b[k];
        i += first;
        k += !first;
    }
    memcpy(into, a + i, (size_t)(as - i) * sizeof *a);
    memcpy(into + as - i, b + k, (size_t)(bs - k) * sizeof *b);
}

/* Merges what came from pairs of ranks, of pairs of pairs, until all is one. */
static void merge_all(struct sort *s)
{
    for (int width = 1; width < s->ranks; width *= 2) {
        for (int i = 0; i < s->ranks; i += 2 * width) {
            int middle = i + width < s->ranks ? i + width : s->ranks;
            int end = i + 2 * width < s->ranks ? i + 2 * width : s->ranks;
            const int *at = s->come_at;
            merge(s->sorted + at[i], at[middle] - at[i], s->sorted + at[middle],
                  at[end] - at[middle], s->spare + at[i]);
        }
        uint32_t *merged = s->spare;
        s->spare = s->sorted;
        s->sorted = merged;
    }
}

static void run(void *problem, int steps)
{
    struct sort *s = problem;
    int first = programs_cut(KEYS, s->ranks, s->rank);

    for (int k = 0; k < steps; k++, s->steps++) {
        for (int i = 0; i < s->mine; i++) {
            s->key[i] = key(s->steps, first + i);
            s->balance -= s->key[i];
        }
        sort_keys(s->key, s->spare, s->mine);
        part(s);
        exchange(s);
        merge_all(s);
        for (int i = 0; i < s->got; i++)
            s->balance += s->sorted[i];
    }
}

static uint64_t total(const struct sort *s, uint64_t mine)
{
    uint64_t sum;

    MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, s->comm);
    return sum;
}

/* Of the last step: ascending on each rank and from rank to rank, and the same keys as were made,
 * by a sum in which each is mixed. The result tells where each key is. */
static const char *wrong(void *problem, double *result)
{
    struct sort *s = problem;
    uint32_t last = s->got ? s->sorted[s->got - 1] : 0, before = 0;
    uint64_t mixed = 0, places = 0;
    int at = 0, unsorted = 0;

    MPI_Exscan(&last, &before, 1, MPI_UINT32_T, MPI_MAX, s->comm);
    MPI_Exscan(&s->got, &at, 1, MPI_INT, MPI_SUM, s->comm);
    if (s->rank == 0)
        before = 0, at = 0;
    for (int i = 0; i < s->got; i++) {
        unsorted += s->sorted[i] < (i ? s->sorted[i - 1] : before);
        mixed += programs_random(s->sorted[i]);
        places += (uint64_t)(at + i) * s->sorted[i];
    }
    for (int i = 0; i < s->mine; i++)
        mixed -= programs_random(key(s->steps - 1, programs_cut(KEYS, s->ranks, s->rank) + i));
    *result = (double)(total(s, places) >> 12);
    return total(s, (uint64_t)unsorted)         ? "the keys are not in order"
           : total(s, mixed)                    ? "the keys are not those that were made"
           : total(s, s->balance)               ? "keys of an earlier step were lost"
           : total(s, (uint64_t)s->got) != KEYS ? "there are more or fewer keys"
                                                : NULL;
}

static void release(void *problem)
{
    struct sort *s = problem;
    void *memory[] = {s->key,     s->sorted, s->spare,   s->sample, s->sent,
                      s->sent_at, s->come,   s->come_at, s};

    for (int i = 0; i < 9; i++)
        free(memory[i]);
}

const struct program program_sort = {.name = "sort",
                                     .steps = 600,
                                     .bytes = 1e8,
                                     .suits = suits,
                                     .make = make,
                                     .run = run,
                                     .wrong = wrong,
                                     .release = release};
