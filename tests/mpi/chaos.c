/* SPDX-License-Identifier: MIT */
/* Every rank sends to every other one, all sizes, all at once, and takes what it gets in a random
 * order and in random ways: received, several at once, probed and received, matched and received;
 * with receives that are taken back. Then the same messages, in an order that all ranks follow with
 * blocking sends and receives. Nothing needs a buffer (MPI 5.0, 3.5), and each receive must have
 * the message that the order of the standard gives it.
 * chaos [seed] [messages of each rank to each other one] [bytes of the longest] */
#include <stdbool.h>
#include <string.h>

#include "check.h"

enum { TAGS = 4, COMMS = 2, HEAD = 3 * (int)sizeof(int), AT_ONCE = 8, NEVER_SENT = 99 };

static int rank, ranks, messages, longest;
static unsigned int seed, state;
static MPI_Comm comm[COMMS];
static char *taken; /* by sender and message */
static int left;
static MPI_Request *sends;
static int sending;

static unsigned int mix(unsigned int a, unsigned int b)
{
    unsigned int x = seed * 2654435761u + a * 40503u + b * 97u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    x *= 3266489917u;
    return x ^ x >> 16;
}

static int draw(int n)
{
    state = state * 1103515245u + 12345u;
    return (int)((state >> 8) % (unsigned int)n);
}

/* What message i of a rank to another one is. */
struct message {
    int from, to, i, comm, tag, bytes;
    bool sync;
};

static struct message message_of(int from, int to, int i)
{
    unsigned int x = mix((unsigned int)(from * ranks + to), (unsigned int)i);
    int most = x % 3 == 0 ? longest : x % 3 == 1 ? 300 : 90;
    return (struct message){.from = from,
                            .to = to,
                            .i = i,
                            .comm = (int)(x / 3 % COMMS),
                            .tag = (int)(x / 7 % TAGS),
                            .bytes = HEAD + (int)(x / 31 % (unsigned int)most),
                            .sync = x / 64 % 5 == 0};
}

static char *made(const struct message *m)
{
    int head[3] = {m->from, m->to, m->i};
    char *buf = malloc((size_t)m->bytes);
    CHECK(buf);
    memset(buf, 'a' + m->i % 26, (size_t)m->bytes);
    memcpy(buf, head, HEAD);
    return buf;
}

struct wish {
    int comm, source, tag;
};

/* The first message of a sender that fits and was not taken; -1: none. */
static int first_fit(int from, const struct wish *w)
{
    for (int i = 0; i < messages; i++) {
        struct message m = message_of(from, rank, i);
        if (!taken[from * messages + i] && m.comm == w->comm &&
            (w->tag == MPI_ANY_TAG || w->tag == m.tag))
            return i;
    }
    return -1;
}

static int fitting(int from, const struct wish *w)
{
    int n = 0;
    for (int i = 0; i < messages; i++) {
        struct message m = message_of(from, rank, i);
        n += !taken[from * messages + i] && m.comm == w->comm &&
             (w->tag == MPI_ANY_TAG || w->tag == m.tag);
    }
    return n;
}

/* It must be the first one that fits what was wished. */
static void take(const char *buf, const MPI_Status *s, const struct wish *w)
{
    int head[3], n, from = s->MPI_SOURCE, i = first_fit(from, w);
    CHECK(w->source == MPI_ANY_SOURCE || w->source == from);
    CHECK(i >= 0);
    struct message m = message_of(from, rank, i);
    memcpy(head, buf, HEAD);
    MPI_Get_count(s, MPI_CHAR, &n);
    CHECK_EQ(head[0], from);
    CHECK_EQ(head[1], rank);
    CHECK_EQ(head[2], i);
    CHECK_EQ(s->MPI_TAG, m.tag);
    CHECK_EQ(n, m.bytes);
    for (int k = HEAD; k < n; k++)
        CHECK_EQ(buf[k], 'a' + i % 26);
    taken[from * messages + i] = 1;
    left--;
}

/* Something that a message which nobody has taken fits. */
static struct wish a_wish(void)
{
    int at = draw(left), k = ranks * messages - 1;
    while (taken[k] || at-- > 0)
        k--;
    struct message m = message_of(k / messages, rank, k % messages);
    return (struct wish){m.comm, draw(3) ? m.from : MPI_ANY_SOURCE, draw(3) ? m.tag : MPI_ANY_TAG};
}

static void receive_plain(char *buf)
{
    struct wish w = a_wish();
    MPI_Status s;
    MPI_Recv(buf, longest + HEAD, MPI_CHAR, w.source, w.tag, comm[w.comm], &s);
    take(buf, &s, &w);
}

static void receive_probed(char *buf)
{
    struct wish w = a_wish();
    MPI_Status s;
    MPI_Probe(w.source, w.tag, comm[w.comm], &s);
    struct wish now = {w.comm, s.MPI_SOURCE, s.MPI_TAG};
    MPI_Recv(buf, longest + HEAD, MPI_CHAR, now.source, now.tag, comm[w.comm], &s);
    take(buf, &s, &now);
}

static void receive_asked(char *buf)
{
    struct wish w = a_wish();
    MPI_Status s;
    for (int there = 0; !there;)
        MPI_Iprobe(w.source, w.tag, comm[w.comm], &there, &s);
    MPI_Recv(buf, longest + HEAD, MPI_CHAR, s.MPI_SOURCE, s.MPI_TAG, comm[w.comm], &s);
    struct wish now = {w.comm, s.MPI_SOURCE, s.MPI_TAG};
    take(buf, &s, &now);
}

/* Two are matched; the second one is received first. */
static void receive_matched(char *buf)
{
    struct wish w[2];
    char *first = malloc((size_t)(longest + HEAD));
    MPI_Message m[2];
    MPI_Status s;
    MPI_Request q;
    w[0] = a_wish();
    MPI_Mprobe(w[0].source, w[0].tag, comm[w[0].comm], &m[0], &s);
    MPI_Imrecv(first, longest + HEAD, MPI_CHAR, &m[0], &q);
    int there = 0;
    w[1] = (struct wish){w[0].comm, MPI_ANY_SOURCE, draw(TAGS)};
    for (int i = 0; i < 3 && !there; i++)
        MPI_Improbe(w[1].source, w[1].tag, comm[w[1].comm], &there, &m[1], &s);
    MPI_Status s2 = s;
    if (there)
        MPI_Mrecv(buf, longest + HEAD, MPI_CHAR, &m[1], &s2);
    MPI_Wait(&q, &s);
    take(first, &s, &w[0]);
    if (there)
        take(buf, &s2, &w[1]);
    free(first);
}

/* Of anybody first, then of some ranks, all of any tag: so many that there is one for each. */
static void receive_several(char *buf)
{
    MPI_Request q[AT_ONCE];
    MPI_Status s[AT_ONCE];
    struct wish w[AT_ONCE];
    int n = 1, of[AT_ONCE];
    w[0] = a_wish();
    w[0].source = MPI_ANY_SOURCE;
    w[0].tag = MPI_ANY_TAG;
    for (int tries = 0; n < AT_ONCE && tries < 2 * AT_ONCE; tries++) {
        struct wish next = {w[0].comm, draw(ranks), MPI_ANY_TAG};
        int earlier = 0;
        for (int k = 1; k < n; k++)
            earlier += of[k] == next.source;
        if (next.source == rank || fitting(next.source, &next) < earlier + 2)
            continue;
        of[n] = next.source;
        w[n++] = next;
    }
    size_t room = (size_t)(longest + HEAD);
    for (int k = 0; k < n; k++)
        MPI_Irecv(buf + (size_t)k * room, (int)room, MPI_CHAR, w[k].source, w[k].tag,
                  comm[w[k].comm], &q[k]);
    MPI_Waitall(n, q, s);
    for (int k = 0; k < n; k++)
        take(buf + (size_t)k * room, &s[k], &w[k]);
}

/* One that nobody sends to, and one that may have a message by then. */
static void receive_or_not(char *buf)
{
    MPI_Request q[2];
    MPI_Status s[2];
    int not [2];
    struct wish w = a_wish();
    size_t room = (size_t)(longest + HEAD);
    MPI_Irecv(buf + room, (int)room, MPI_CHAR, MPI_ANY_SOURCE, NEVER_SENT, comm[w.comm], &q[1]);
    MPI_Irecv(buf, (int)room, MPI_CHAR, w.source, w.tag, comm[w.comm], &q[0]);
    for (int i = 0, done = 0; i < draw(4) && !done; i++)
        MPI_Request_get_status(q[0], &done, &s[0]);
    for (int i = 0; i < 2; i++)
        MPI_Cancel(&q[i]);
    MPI_Waitall(2, q, s);
    for (int i = 0; i < 2; i++)
        MPI_Test_cancelled(&s[i], &not [i]);
    CHECK(not [1]);
    if (!not [0])
        take(buf, &s[0], &w);
}

static void (*const ways[])(char *) = {receive_plain,   receive_probed,  receive_asked,
                                       receive_matched, receive_several, receive_or_not,
                                       receive_plain,   receive_several};

static void send_all(char **buf)
{
    int *next = calloc((size_t)ranks, sizeof *next);
    for (int n = (ranks - 1) * messages; n > 0; n--) {
        int to = draw(ranks);
        while (to == rank || next[to] == messages)
            to = (to + 1) % ranks;
        struct message m = message_of(rank, to, next[to]++);
        buf[sending] = made(&m);
        (m.sync ? MPI_Issend : MPI_Isend)(buf[sending], m.bytes, MPI_CHAR, to, m.tag, comm[m.comm],
                                          &sends[sending]);
        sending++;
    }
    free(next);
}

static void all_at_once(char *buf)
{
    int all = (ranks - 1) * messages, n, which[AT_ONCE];
    char **sent = malloc((size_t)(all + 1) * sizeof *sent);
    sends = malloc((size_t)(all + 1) * sizeof *sends);
    left = all;
    memset(taken, 0, (size_t)(ranks * messages));
    memset(taken + rank * messages, 1, (size_t)messages);
    send_all(sent);
    while (left > 0) {
        ways[draw((int)(sizeof ways / sizeof *ways))](buf);
        if (draw(4) == 0 && sending)
            MPI_Testsome(sending < AT_ONCE ? sending : AT_ONCE, sends, &n, which,
                         MPI_STATUSES_IGNORE);
    }
    MPI_Waitall(sending, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < sending; i++)
        free(sent[i]);
    sending = 0;
    free(sent);
    free(sends);
}

/* All draw the same. */
static void one_by_one(char *buf)
{
    state = seed;
    memset(taken, 0, (size_t)(ranks * messages));
    int *next = calloc((size_t)(ranks * ranks), sizeof *next);
    left = (ranks - 1) * messages;
    for (int n = ranks * (ranks - 1) * messages; n > 0; n--) {
        int pair = draw(ranks * ranks);
        while (pair / ranks == pair % ranks || next[pair] == messages)
            pair = (pair + 1) % (ranks * ranks);
        struct message m = message_of(pair / ranks, pair % ranks, next[pair]++);
        struct wish w = {m.comm, m.from, m.tag};
        MPI_Status s;
        if (m.from == rank) {
            char *out = made(&m);
            (m.sync ? MPI_Ssend : MPI_Send)(out, m.bytes, MPI_CHAR, m.to, m.tag, comm[m.comm]);
            free(out);
        } else if (m.to == rank) {
            MPI_Recv(buf, longest + HEAD, MPI_CHAR, w.source, w.tag, comm[w.comm], &s);
            take(buf, &s, &w);
        }
    }
    CHECK_EQ(left, 0);
    free(next);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    seed = argc > 1 ? (unsigned int)atoi(argv[1]) : 1;
    messages = argc > 2 ? atoi(argv[2]) : 20;
    longest = argc > 3 ? atoi(argv[3]) : 3000;
    rank = world_rank();
    ranks = world_size();
    state = mix(1000000u, (unsigned int)rank);
    comm[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]);
    char *buf = malloc((size_t)(longest + HEAD) * AT_ONCE);
    taken = malloc((size_t)(ranks * messages));
    CHECK(buf && taken);
    all_at_once(buf);
    MPI_Barrier(MPI_COMM_WORLD);
    one_by_one(buf);
    free(taken);
    free(buf);
    MPI_Comm_free(&comm[1]);
    MPI_Finalize();
    return 0;
}
