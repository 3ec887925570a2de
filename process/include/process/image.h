/* SPDX-License-Identifier: MIT */
/* A program's process as the image sees it. One per process: an image is the process, so what libc
 * keeps once per process (main, argv, stdout) is kept here once per process too. */
#ifndef PROCESS_IMAGE_H
#define PROCESS_IMAGE_H

#define _GNU_SOURCE 1 /* process/libc.h */

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include <base/link.h>
#include <hal/hosted.h>
#include <hal/stand.h>
#include <mpiutil/tuning.h>
#include <process/compute.h>
#include <process/libc.h>
#include <process/private.h>
#include <svc/spawn.h>

struct cluster;
struct kern_thread;
struct mpu_doing;

typedef int image_main_function(int argc, char **argv, char **envp);

/* One of the programs that make up the job. */
struct image_program {
    image_main_function *main; /* NULL: not in this process */
    int argc;
    char **argv;
    struct image_object *object; /* object.h; NULL: cannot be mapped again for further ranks */
};

/* Virtual time: what is done when ranks ask for more memory than their cluster has. */
enum image_memory { IMAGE_MEMORY_ENFORCE, IMAGE_MEMORY_REPORT, IMAGE_MEMORY_NO };

/* When a helper makes progress while the program computes: helper.c. */
enum image_help { IMAGE_HELP_NEVER, IMAGE_HELP_ALWAYS, IMAGE_HELP_NEEDED };

struct image {
    /* set before the machine runs, constant then */
    struct svc_job job; /* per_cluster 0: as many as a cluster has cores for programs */
    struct mpu_tuning tuning;
    bool label;               /* lines begin with "[rank] " */
    bool stats;               /* sim: print statistics at the end */
    const char *memory_map;   /* sim: file for the map of the clusters' memory, or NULL */
    enum image_memory memory; /* LWMPI_MEMORY */
    bool services;            /* memory servers were asked for */
    bool codes;               /* print the exit code of each rank at the end */
    enum image_help help;     /* LWMPI_ASYNC_PROGRESS */
    bool shared;              /* several ranks in this process: their output needs sorting */
    const char *file[2];      /* patterns of the files of each rank's stdout and stderr, or NULL */
    char **envp;
    struct image_program own;                /* the one that this process was started as */
    struct image_program *program;           /* those that make up the job; a single one is `own` */
    char *words;                             /* what their arguments are pieces of */
    const struct image_privately *privately; /* NULL: ranks have nothing that must change hands */
    bool quits;                              /* its only rank has called _exit or quick_exit */
    bool over;                               /* the ranks of this process have come and gone */
    enum image_compute compute;              /* virtual time: what the ranks' computation takes */
    struct {
        int rank;      /* it computes so many times faster than the machine; 0: nobody does */
        double factor; /* (mpiexec --faster) */
    } faster;
    struct {
        uint64_t cycle; /* virtual time: at which the debugger stops, 0: never (mpiexec --break) */
        int rank;       /* to look at this one */
        bool reached;
    } stop;
    char uncounted[192]; /* and what of it takes no time though it should: the rest of a sentence */
    bool io;             /* there is one more rank, on an I/O cluster */
    pid_t process;       /* a child that the program forks has another one: it is no rank */
};
extern struct image image;

/* Reads the environment that docs/mpiexec.md lists into *im. 0; -B_EINVAL with one line in why. */
int image_params(struct image *im, char *why, size_t size);

/* Is this a task of another launcher that started several? Then one line in why says so. */
bool image_foreign(char *why, size_t size);

/* Will several ranks live in this process? From the environment, before image_params; false if it
 * makes no sense, which image_params will say. */
bool image_will_share(void);

/* Is time that of a simulated machine? Its cores are not threads of this computer's, so no thread
 * of the program's own can stand on one. */
static inline bool image_is_virtual(void)
{
    return hal_port_name[0] == 's'; /* "sim" */
}

/* Reads LWMPI_PROGRAMS, how the job is made up of programs, into *im. 0; -B_EINVAL with one line in
 * why. */
int image_programs_read(struct image *im, char *why, size_t size);

/* Brings those programs into this process that its ranks run and that it is not itself. Needs the
 * machine. 0; -B_EINVAL with one line in why. */
int image_programs_load(struct image *im, char *why, size_t size);

/* Loads the program whose path is p->argv[-1] and finds its main. Errors as before. */
int image_program_load(struct image_program *p, char *why, size_t size);

/* image.stop: as the first cluster boots; after the run, says so if its cycle was not reached. */
void image_stop_begin(void);
void image_stop_end(void);

/* Does a debugger, or another tracer, hold this process now? */
bool image_is_debugged(void);

/* A program has begun: does not return if that was to learn its main. */
void image_learn_main(image_main_function *main);

/* Text of one rank on one stream that does not end a line yet. Owned by the rank's thread. */
struct image_line {
    char *text;
    size_t used, room;
};

/* What lies between the kernel and the programs; one is linked: mpi.c or ikc.c. */
struct image_layer {
    const char *name;                             /* for messages */
    int (*cluster_begin)(const struct image *im); /* before its ranks; 0 or -B_Exxx */
    void (*cluster_end)(void);                    /* after them */
    int (*rank_begin)(struct svc_rank *r); /* on the rank's thread, before main; 0 or -B_Exxx */
    bool (*rank_open)(void);               /* after main; has it begun what it must end yet? */
    int (*rank_end)(int status);           /* after main; the status to use */
    bool (*rank_works)(void);      /* after main; did it tell how much it computes? NULL: it must */
    void (*work)(uint64_t cycles); /* the calling rank computes; NULL: it tells so itself */
};
extern const struct image_layer image_layer;

/* The stack of a rank, where growth is charged; the lowest `closed` bytes were not touched. */
struct image_stack {
    struct cluster *cluster; /* NULL: nobody looks after it */
    uintptr_t base;
    size_t size, uncharged; /* closed when the rank began */
    size_t closed, charged;
};

/* A rank inside this process. Lives on the stack of image_rank_main. */
struct image_rank {
    struct svc_rank place;
    int status;
    bool quits;  /* by _exit or quick_exit: no function of atexit, no destructor runs */
    int file[2]; /* descriptors of its own for stdout and stderr, 0 = the process's */
    jmp_buf end; /* exit() comes back here */
    struct image_line line[2]; /* what the rank wrote after its last line end: stdout, stderr */
    struct image_instance *instance; /* of the program, with the rank's own variables, or NULL */
    struct image_libc libc;
    struct image_heap *heap; /* malloc.c; NULL: nothing charged yet */
    struct image_stack stack;
    bool runs; /* code of the program: from its constructors to its destructors */
    const struct image_object *object; /* of its program, or NULL */
    struct image_private own;
    struct image_computed computed;
    const struct kern_thread *thread;
    const struct mpu_doing *doing; /* NULL: nobody knows */
};

/* The rank that the calling context runs, NULL for none (before and after the machine ran, threads
 * that the program made itself). Never waits. */
struct image_rank *image_rank_self(void);

/* For the layer of mpiexec --profile: is the calling rank outside of the others' MPI_COMM_WORLD? */
bool image_is_io_rank(void);

/* Does the calling thread of the system run cores of the machine? */
extern _Thread_local bool image_on_core __attribute__((tls_model("initial-exec")));

/* Makes room for the ranks of the calling cluster; once, before image_rank_main. -B_ENOMEM. */
int image_ranks_prepare(void);

/* The thread of the i-th rank that lives in a cluster now, its number in *rank; NULL: there are not
 * so many. At any instant. */
const struct kern_thread *image_ranks_thread(const struct cluster *c, int i, int *rank);

/* How a rank of a cluster stands, at any instant: all but where its thread is. `local` is
 * k_cluster_local() of that cluster. NULL in programs that are linked without it. */
B_IF_LINKED void image_rank_stands(const void *local, int rank, struct hal_stand *s);

/* Where a rank of a cluster says what it does in MPI, while it is one: for debuggers. As above. */
B_IF_LINKED const struct mpu_doing *image_rank_doing(const void *local, int rank);

/* From now on it notes where its ranks' programs start sends. As above. */
B_IF_LINKED void image_rank_sites(void *local);

/* From now on reports tell how the ranks of the calling cluster stand, if somebody knows. */
void image_stand_begin(void);

/* The machine has ended, or this is a child that a rank forked: the calling thread is an ordinary
 * one again. */
void image_ranks_done(void);

/* Prints the exit codes of the ranks of this process, if image.codes. */
void image_ranks_print_codes(void);

/* Calls fn for each rank that lives in this process. */
void image_ranks_each(void (*fn)(struct image_rank *r));

/* Runs the program's main as rank `rank` on the calling kernel thread; its exit status. `arg` is
 * the struct image. */
int image_rank_main(int rank, void *arg);

/* Puts stdout and stderr of the process under the line discipline of output.c, takes them back. */
void image_output_begin(const struct image *im);
void image_output_end(void);
/* In a child that a rank forked: what ranks hold is not the child's to write. */
void image_output_forked(void);
/* Opens the files of rank r, if the job has some; ends the machine if one cannot be written. */
void image_output_start(struct image_rank *r);
/* Writes out what rank r still holds, with a line end where other lines may follow. Ends the job if
 * some of the rank's text could not be written. */
void image_output_finish(struct image_rank *r);
/* The process ends at once: writes out what all ranks still hold, as far as that is safe. */
void image_output_rescue(void);
/* The calling rank called fflush on `stream` (NULL = all): a prompt on a terminal must show. */
void image_output_flush(FILE *stream);
/* Text that a rank wrote to a descriptor of its own accord. False: not for us (another descriptor,
 * or the streams are the process's), nothing is done. */
bool image_output_write(int fd, const void *text, size_t n);
/* Finds out whose writes come to image_output_write: again when a library was loaded. */
void image_fortran_find(void);
/* Fortran's names of MPI's functions lie there, and that is the handler of crashes if the program
 * has Fortran's run-time library in it, else NULL; who has them says so as it begins. */
void image_fortran_begins(const void *begin, const void *end, void (*crash)(int));
/* Somebody has them. */
extern atomic_bool image_fortran;
/* From where the program called the function of MPI whose frame this is, if need be by its Fortran
 * name. Costs a few nanoseconds. */
const void *image_fortran_site(void *const *frame);
/* The descriptor behind one of the replaced streams, -1 for any other stream. */
int image_output_number(FILE *stream);

/* Says which rank it was, and what memory it lacked, when a signal ends this process, and saves
 * what its ranks hold. Call before the machine runs. */
void image_crash_watch(void);

/* Virtual time: writes what is told at the end of the machine, which a signal is about to end: from
 * its handler. From image_last_watch on that is done where the system's signals end the process. */
B_IF_LINKED void image_last_words(void);
B_IF_LINKED void image_last_watch(void);

/* Statistics and the map of the memory, as far as they are asked for: main.c. The status of the
 * process, which is `status` if all could be written. */
int image_tell_end(int status);

/* Where malloc is charged (NULL elsewhere): rank r has ended and gives back what it still holds;
 * the lines about what did not fit, in a text of IMAGE_HEAP_TEXT bytes, empty if all did. A
 * process that dies calls it, too. */
#define IMAGE_HEAP_TEXT 768
B_IF_LINKED void image_heap_end(struct image_rank *r);
B_IF_LINKED void image_heap_report(char *text, size_t size);

/* Where malloc is charged, too: rank r begins on its thread, and its stack is charged as it grows;
 * in a child that a rank forked it is not; the C library is about to block signals for a while, and
 * the calling rank's stack grows before. Charges the calling cluster for the programs of its
 * ranks, which are loaded, before they begin; ends the job with IMAGE_DOES_NOT_FIT if they do not
 * fit and should; bounds the stacks that ranks will have. As a cluster begins: it is on the map.
 * When the machine has ended, however it did: the map of the fullest one, a row for each use; an
 * SVG file of all; false, said on stderr: it cannot be written. */
#define IMAGE_DOES_NOT_FIT 126
#define IMAGE_STACK_LEAST  ((size_t)256 << 10)
B_IF_LINKED void image_stack_begin(struct image_rank *r);
B_IF_LINKED void image_stack_forked(void);
B_IF_LINKED void image_stack_reach(void);
B_IF_LINKED void image_programs_charge(struct image *im);
B_IF_LINKED void image_memory_watch(void);
B_IF_LINKED void image_memory_print(FILE *to);
B_IF_LINKED bool image_memory_draw(const char *path);

/* Virtual time: watches from now on where ranks compute, to the end; at the end of rank r's main:
 * sets image.uncounted if it computed a while what takes no time. */
void image_uncounted_begin(void);
void image_uncounted_end(void);
void image_uncounted_judge(const struct image_rank *r);

/* Boots the calling cluster, becomes its ranks; for hal_enter. arg is the struct image. */
void image_boot(void *arg);

/* Fills in what only the machine knows (ranks per cluster) and checks that the job fits. 0, or
 * -B_ERANGE with one line in why. */
int image_fit(struct image *im, char *why, size_t size);

/* Stands in place of the program's main, which is image.own.main. */
int image_main(int argc, char **argv, char **envp);

/* The program called exit(): ends the rank that did, as return from its main does; the process ends
 * when all its ranks have, and then atexit functions run and stdio is flushed, once. Returns if the
 * caller is no rank. */
void image_exit(int status);

/* The program called _exit() or quick_exit(): the same for a rank, but no more of the program runs.
 * Returns if the caller is none, when nothing is held back any more: the status to end the process
 * with. */
int image_quit(int status);

/* This process ends by a thread that is no rank. Says so if ranks share it that have not ended; the
 * status to end with. */
int image_cut_off(int status);

#endif
