/* SPDX-License-Identifier: MIT */
/* Many sends under way, of all sizes, and a receiver that takes them in an order of its own: by
 * random source, tag and communicator, any of these, one by one, several at once, and, in a second
 * round, after probes. It knows what each sender sends, so it knows which message each receive must
 * get. held [messages of each sender] [bytes of the longest]. */
#include <stdbool.h>
#include <string.h>

#include "check.h"

enum { TAGS = 5, COMMS = 2, HEAD = 2 * (int)sizeof(int), MOST_AT_ONCE = 6 };

static int rank, ranks, messages, longest;
static bool probes;
static MPI_Comm comm[COMMS];

static unsigned int mix(unsigned int a, unsigned int b)
{
    unsigned int x = a * 2654435761u + b * 40503u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return x * 3266489917u >> 3;
}

static int tag_of(int from, int i)
{
    return (int)(mix((unsigned int)from, (unsigned int)i) % TAGS);
}

static int comm_of(int from, int i)
{
    return (int)(mix((unsigned int)from + 100, (unsigned int)i) % COMMS);
}

/* Half of them short. */
static int bytes_of(int from, int i)
{
    unsigned int x = mix((unsigned int)from + 200, (unsigned int)i);
    int n = HEAD + (int)(x / 2 % (x % 2 ? 100u : (unsigned int)longest));
    return n < longest ? n : longest;
}

static void fill_in(char *buf, int from, int i)
{
    int head[2] = {from, i};
    memset(buf, 'a' + i % 26, (size_t)bytes_of(from, i));
    memcpy(buf, head, HEAD);
}

static void send_all(void)
{
    MPI_Request *q = malloc((size_t)messages * sizeof *q);
    char **buf = malloc((size_t)messages * sizeof *buf);
    for (int i = 0; i < messages; i++) {
        buf[i] = malloc((size_t)longest);
        fill_in(buf[i], rank, i);
        MPI_Comm on = comm[comm_of(rank, i)];
        if (i % 7 == 3)
            MPI_Issend(buf[i], bytes_of(rank, i), MPI_CHAR, 0, tag_of(rank, i), on, &q[i]);
        else
            MPI_Isend(buf[i], bytes_of(rank, i), MPI_CHAR, 0, tag_of(rank, i), on, &q[i]);
    }
    MPI_Waitall(messages, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i < messages; i++)
        free(buf[i]);
    free(buf);
    free(q);
}

static char *taken; /* by sender and message */
static int left;
static unsigned int seed = 1;

static int draw(int n)
{
    seed = seed * 1103515245u + 12345u;
    return (int)(seed >> 8) % n;
}

struct wish {
    int comm, source, tag;
};

/* The first message of a sender that fits and was not taken; -1: none. */
static int first_fit(int from, const struct wish *w)
{
    for (int i = 0; i < messages; i++)
        if (!taken[from * messages + i] && comm_of(from, i) == w->comm &&
            (w->tag == MPI_ANY_TAG || w->tag == tag_of(from, i)))
            return i;
    return -1;
}

/* Something that a message which nobody has taken fits. */
static struct wish a_wish(bool any_source)
{
    int at = draw(left), k = ranks * messages - 1;
    while (taken[k] || at-- > 0)
        k--;
    int from = k / messages, i = k % messages;
    return (struct wish){comm_of(from, i), any_source && draw(3) == 0 ? MPI_ANY_SOURCE : from,
                         draw(3) == 0 ? MPI_ANY_TAG : tag_of(from, i)};
}

static void check_message(const char *buf, const MPI_Status *s, int from, int i)
{
    int head[2], n;
    memcpy(head, buf, HEAD);
    MPI_Get_count(s, MPI_CHAR, &n);
    CHECK_EQ(head[0], from);
    CHECK_EQ(head[1], i);
    CHECK_EQ(s->MPI_SOURCE, from);
    CHECK_EQ(s->MPI_TAG, tag_of(from, i));
    CHECK_EQ(n, bytes_of(from, i));
    for (int k = HEAD; k < n; k++)
        CHECK_EQ(buf[k], 'a' + i % 26);
}

static void mark(int from, int i)
{
    taken[from * messages + i] = 1;
    left--;
}

static void receive_one(char *buf)
{
    struct wish w = a_wish(true);
    MPI_Status s;
    int how = probes ? draw(8) : 2, there = 0;
    if (how == 0)
        MPI_Probe(w.source, w.tag, comm[w.comm], &s);
    for (int i = 0; how == 1 && i < 3; i++)
        MPI_Iprobe(w.source, w.tag, comm[w.comm], &there, &s);
    MPI_Recv(buf, longest, MPI_CHAR, w.source, w.tag, comm[w.comm], &s);
    int i = first_fit(s.MPI_SOURCE, &w);
    check_message(buf, &s, s.MPI_SOURCE, i);
    mark(s.MPI_SOURCE, i);
}

/* Posted one after the other, each for what the ones before left. */
static void receive_several(char *buf)
{
    MPI_Request q[MOST_AT_ONCE];
    MPI_Status s[MOST_AT_ONCE];
    int from[MOST_AT_ONCE], message[MOST_AT_ONCE], n = 0;
    for (; n < MOST_AT_ONCE && left > 0; n++) {
        struct wish w = a_wish(false);
        from[n] = w.source;
        message[n] = first_fit(w.source, &w);
        mark(from[n], message[n]);
        MPI_Irecv(buf + n * longest, longest, MPI_CHAR, w.source, w.tag, comm[w.comm], &q[n]);
    }
    MPI_Waitall(n, q, s);
    for (int i = 0; i < n; i++)
        check_message(buf + i * longest, &s[i], from[i], message[i]);
}

static void receive_all(void)
{
    char *buf = malloc((size_t)longest * MOST_AT_ONCE);
    taken = calloc((size_t)(ranks * messages), 1);
    memset(taken, 1, (size_t)messages);
    left = (ranks - 1) * messages;
    while (left > 0)
        if (draw(3))
            receive_one(buf);
        else
            receive_several(buf);
    free(taken);
    free(buf);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    messages = argc > 1 ? atoi(argv[1]) : 120;
    longest = argc > 2 ? atoi(argv[2]) : 6000;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    comm[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]);
    for (int round = 0; round < 2; round++) {
        probes = round > 0;
        if (rank)
            send_all();
        else
            receive_all();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&comm[1]);
    MPI_Finalize();
    return 0;
}
