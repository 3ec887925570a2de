/* SPDX-License-Identifier: MIT */
/* How an image brings MPI up around a program. */
#ifndef MPIUTIL_BOOT_H
#define MPIUTIL_BOOT_H

#include <stdatomic.h>
#include <stdbool.h>

#include <mpiutil/tuning.h>
#include <svc/spawn.h>

/* Makes this cluster's MPI state (ranks, inboxes, pools) for the job. Called once per cluster
 * from its first thread, before any rank starts; *job must stay valid. *tuning, the same on all
 * clusters, replaces values of the machine file. *sets: the sets of protocols that the program was
 * linked with: all, or those for clusters that share memory. -B_ENOMEM: the cluster is too small;
 * -B_ENOSYS: a set that the machine or *tuning needs is not among them. */
struct mpu_sets;
extern const struct mpu_sets mpu_sets_all, mpu_sets_memory, mpu_sets_noc;
int mpu_cluster_init(const struct svc_job *job, const struct mpu_tuning *tuning,
                     const struct mpu_sets *sets);

/* Makes the calling thread rank `rank` of this cluster. Called once per rank thread, before
 * main. */
int mpu_rank_enter(int rank);

/* The calling rank's main is over; is the rank still between MPI_Init and MPI_Finalize? */
bool mpu_rank_open(void);

/* The calling rank's program ended with `status` (main returned, or it called exit). Reports a
 * rank that ends between MPI_Init and MPI_Finalize and aborts the job then. Returns the status
 * to use. */
int mpu_rank_leave(int status);

/* Releases the cluster's MPI state after its ranks ended. */
void mpu_cluster_fini(void);

/* Supplied by the image, called by MPI_Init on a thread that no rank entered: makes the calling
 * process its part of the machine, for programs whose main was not taken over (an interpreter
 * that loads MPI as an extension). Returns 0, the caller is a rank now; or, after one line on
 * the console that says why not, an error: -B_ENOSYS (this machine cannot be joined that way:
 * sim). */
int mpu_attach(void);

/* Supplied by the image. Have the ranks of this process come and gone? What still runs then are
 * destructors and functions registered with atexit. */
bool mpu_gone(void);

/* Supplied by the image. Where time is virtual: how many cycles pass when the calling rank's
 * program says that it works for so many (MPI_Pcontrol); parts of a cycle come to whole ones. 0: it
 * takes no time to say so. */
uint64_t mpu_told_work(double cycles);

/* What a program may do with threads of its own beside the rank's: none has a say in MPI; there are
 * some; they call MPI one at a time; they call it as they like (MPI 5.0, 11.6). */
enum mpu_threads { MPU_THREADS_NONE, MPU_THREADS_OTHERS, MPU_THREADS_TURNS, MPU_THREADS_MANY };

/* Supplied by the image. Allows what is wanted, or the most that it can; before there are such
 * threads, on the rank's own. */
enum mpu_threads mpu_threads_allow(struct mpu_rank *r, enum mpu_threads wanted);

/* Supplied by the image. On a rank's thread: MPI calls a function of the program, and it has come
 * back. In between it is as if MPI had not been called: what the function computes takes time, it
 * has the rank's own thread-local variables, and if it throws an exception or jumps, the call that
 * it was part of is over. r: the rank, if the function may call MPI again (an error handler), which
 * threads that take turns may do meanwhile, too; this may wait until they are done. NULL: it must
 * not (a reduction), and nobody else gets in. The one gives what the other is to be given. */
enum { MPU_CALLBACK_PLAIN = -1 }; /* nothing has to be undone */
int mpu_callback_begin(struct mpu_rank *r);
void mpu_callback_end(struct mpu_rank *r, int was);

/* Supplied by the image. Is the caller the thread that asked mpu_threads_allow? */
bool mpu_thread_is_main(void);

/* Supplied by the image. Is the caller a thread that the program made itself and that cannot act
 * for its rank, for other ranks live in the process too or time is virtual? mpu_self is NULL there.
 * From any thread. */
bool mpu_thread_is_foreign(void);

/* Supplied by the image. The rank that the caller can act for though it is not the rank's own
 * thread, NULL: none. From any thread. */
struct mpu_rank *mpu_thread_acts_for(void);

/* What every thread of a rank's program may read at any time, also one that is foreign or outlives
 * the rank. Written on the rank's own thread: `who` by the image before main, "rank 3" or that none
 * is known; `state` by the room above, for which its bits have their meaning, 0 at first. */
struct mpu_public {
    char who[20];
    atomic_int state;
};

/* Supplied by the image. That of the rank which the caller is or whose program made it, or made the
 * thread that made it. Never NULL. */
struct mpu_public *mpu_public(void);

#endif
