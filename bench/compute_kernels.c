/* SPDX-License-Identifier: MIT */
/* Loops and calls of the kinds that programs consist of; prints a line "name seconds" for each, the
 * fastest of several trials. Built with several options, each once so that it counts what it
 * executes. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 200, NUMBERS = 200000, LETTERS = 1000000, TRIALS = 9 };

static double a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];
static int numbers[NUMBERS], sorted[NUMBERS];
static char letters[LETTERS];
static struct node {
    struct node *less, *more;
    int key;
} nodes[NUMBERS];
static int used;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long fibonacci(long n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static long recursion(void)
{
    return fibonacci(30);
}

static long matrix(void)
{
    for (int i = 0; i < SIDE; i++) {
        for (int k = 0; k < SIDE; k++) {
            double factor = a[i * SIDE + k];
            for (int j = 0; j < SIDE; j++)
                c[i * SIDE + j] += factor * b[k * SIDE + j];
        }
    }
    return (long)c[SIDE];
}

static long sum(void)
{
    double total = 0;
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < SIDE * SIDE; i++)
            total += a[i];
    return (long)total;
}

static void order(int *v, int left, int right)
{
    int pivot = v[(left + right) / 2], i = left, j = right;
    while (i <= j) {
        while (v[i] < pivot)
            i++;
        while (v[j] > pivot)
            j--;
        if (i <= j) {
            int other = v[i];
            v[i++] = v[j];
            v[j--] = other;
        }
    }
    if (left < j)
        order(v, left, j);
    if (i < right)
        order(v, i, right);
}

static long quicksort(void)
{
    memcpy(sorted, numbers, sizeof sorted);
    order(sorted, 0, NUMBERS - 1);
    return sorted[NUMBERS / 2];
}

static int compare(const void *x, const void *y)
{
    int p = *(const int *)x, q = *(const int *)y;
    return (p > q) - (p < q);
}

static long callbacks(void)
{
    memcpy(sorted, numbers, sizeof sorted);
    qsort(sorted, NUMBERS, sizeof *sorted, compare);
    return sorted[NUMBERS / 2];
}

static struct node *insert(struct node *at, int key)
{
    if (!at) {
        nodes[used] = (struct node){.key = key};
        return &nodes[used++];
    }
    if (key < at->key)
        at->less = insert(at->less, key);
    else
        at->more = insert(at->more, key);
    return at;
}

static long tree(void)
{
    struct node *root = NULL;
    used = 0;
    for (int i = 0; i < NUMBERS / 2; i++)
        root = insert(root, numbers[i]);
    return root->key;
}

static long divisors(void)
{
    long total = 0;
    for (unsigned n = 100000; n < 100020; n++) {
        for (unsigned i = 1; i < n; i++)
            if (n % i == 0)
                total += i;
    }
    return total;
}

static long bits(void)
{
    unsigned crc = ~0u;
    for (int i = 0; i < LETTERS; i++) {
        crc ^= (unsigned char)letters[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return (long)crc;
}

static long words(void)
{
    long count = 0;
    int inside = 0;
    for (int i = 0; i < LETTERS; i++) {
        switch (letters[i]) {
        case ' ':
        case '\n':
        case '\t':
            inside = 0;
            break;
        case '#':
            while (i < LETTERS && letters[i] != '\n')
                i++;
            inside = 0;
            break;
        default:
            count += inside == 0;
            inside = 1;
        }
    }
    return count;
}

/* Two of the shortest blocks there are: a store in a loop, and the branches of an interpreter. */
static long sieve(void)
{
    long primes = 0;
    memset(letters, 0, sizeof letters);
    for (int i = 2; i < LETTERS; i++) {
        if (letters[i])
            continue;
        primes++;
        for (long k = (long)i * i; k < LETTERS; k += i)
            letters[k] = 1;
    }
    return primes;
}

static long interpreter(void)
{
    static const char program[] = "+*-+x+-*+.";
    int value = 0, at = 0;
    for (int i = 0; i < LETTERS; i++) {
        switch (program[at]) {
        case '+':
            value += 3;
            break;
        case '-':
            value -= 5;
            break;
        case '*':
            value = (int)((unsigned)value * 7);
            break;
        case 'x':
            value ^= value >> 3;
            break;
        default:
            value &= 0xffffff;
        }
        at = program[at + 1] ? at + 1 : 0;
    }
    return value;
}

/* A switch that compilers turn into a table of addresses, which hides where control goes. */
static long dispatch(void)
{
    long value[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < LETTERS; i++) {
        int code = numbers[i % NUMBERS] >> 8, at = code & 7;
        switch (code >> 3 & 15) {
        case 0:
            value[at] += 3;
            break;
        case 1:
            value[at] -= value[0];
            break;
        case 2:
            value[at] ^= value[1];
            break;
        case 3:
            value[0] = value[at];
            break;
        case 4:
            value[1] = value[at] >> 1;
            break;
        case 5:
            value[at] = ~value[at];
            break;
        case 6:
            value[at] += value[2] & value[3];
            break;
        case 7:
            value[2] |= value[at];
            break;
        case 8:
            i += value[at] & 1;
            break;
        default:
            value[3] = value[at] + 7;
        }
    }
    return value[0] + value[1] + value[2] + value[3];
}

int main(void)
{
    static const struct {
        const char *name;
        long (*run)(void);
    } kernels[] = {{"recursion", recursion},
                   {"matrix", matrix},
                   {"sum", sum},
                   {"quicksort", quicksort},
                   {"callbacks", callbacks},
                   {"tree", tree},
                   {"divisors", divisors},
                   {"bits", bits},
                   {"words", words},
                   {"sieve", sieve},
                   {"interpreter", interpreter},
                   {"dispatch", dispatch}};
    volatile long sink;
    unsigned random = 1;
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = (int)((random = random * 1664525 + 1013904223) >> 1);
    for (int i = 0; i < LETTERS; i++)
        letters[i] = "ab c d# x\n"[numbers[i % NUMBERS] / 7 % 10];
    for (int i = 0; i < SIDE * SIDE; i++)
        b[i] = a[i] = i % 7;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        double best = 1e9;
        for (int i = 0; i < TRIALS; i++) {
            double begin = seconds();
            sink = kernels[k].run();
            double took = seconds() - begin;
            best = took < best ? took : best;
        }
        printf("%s %.9f\n", kernels[k].name, best);
    }
    (void)sink;
    return 0;
}
