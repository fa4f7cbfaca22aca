/* The file of one rank of a recording. The tracer (tools/from_code/tracing, in C) writes it, `recording.cpp` reads it.
 *
 * A file is a header, then records of 64-bit words in the host's own byte order. While the code runs it is a
 * memory-mapped file of its final capacity, so that it is readable even if the process is killed; at MPI_Finalize the
 * used part is compressed (zlib) after the same header.
 *
 *   record  = head, begin, end, payload
 *   head    = call (bits 0-7), number of payload words (8-31), site (32-63)
 *   begin, end                 ticks of the header's `ns_per_tick` since the end of MPI_Init on this rank; a
 *                              definition has 0, 0
 *
 * A payload is signed words in the order that the table below gives; a list is its length, then its words:
 *
 *   comm      a communicator's number on this rank: 0 MPI_COMM_WORLD, 1 MPI_COMM_SELF, others by their definition
 *   peer      a rank of the communicator; kAnySource, kNoPeer (MPI_PROC_NULL)
 *   tag       kAnyTag
 *   bytes     the size that a send sends; the size of the buffer of a receive
 *   source, got_tag, got_bytes   the message that a receive took, from its status; source -1 if there was none
 *   request   a number, counted up on this rank from 1 for each begun or persistent request; 0 for a request of a kind
 *             that the tracer does not support
 *   done      a list of completions, four words each: request, source, got_tag, got_bytes (source -1: a send, or a
 *             receive that was cancelled)
 *   tries     the number of calls before this one that found nothing (runs of Test and Iprobe are one record)
 *   shares    a list of sizes in bytes, one for each rank of the communicator
 *   busy      nanoseconds of CPU time of the thread (CLOCK_THREAD_CPUTIME_ID) between the last call and the next one
 *
 * With more ranks than cores, not all of the wall time between two calls is computing. The record `computing` gives the
 * CPU time. It precedes a call before which the thread was interrupted, if the two calls are more than
 * WARPFRONT_SHORT_GAP nanoseconds apart; elsewhere both times are the same. Recordings of earlier versions have neither
 * `computing` nor `define_node`.
 *
 * Definitions come before the first record that uses them. Communicators are identified on all members by their member
 * list and by the number of communicators with this list that were defined before.
 */
#ifndef WARPFRONT_RECORDING_FORMAT_H
#define WARPFRONT_RECORDING_FORMAT_H

#include <stdint.h>

#define WARPFRONT_RECORDING_MAGIC "warpfront recording 1\n"

enum { WARPFRONT_ANY_SOURCE = -2, WARPFRONT_NO_PEER = -3, WARPFRONT_ANY_TAG = -2 };

/* The longest time between two calls, in nanoseconds, that counts as computing even if the thread was interrupted. */
enum { WARPFRONT_SHORT_GAP = 2000 };

enum warpfront_recording_state {
    WARPFRONT_RUNNING = 0,   /* if this remains after the end, the process was killed */
    WARPFRONT_FINALIZED = 1, /* MPI_Finalize was reached; the records are compressed */
    WARPFRONT_FULL = 2       /* the buffer was full: the records end before the run did */
};

struct warpfront_recording_header {
    char magic[24];
    uint32_t rank;
    uint32_t ranks;
    uint32_t state; /* enum warpfront_recording_state */
    uint32_t compressed;
    uint64_t words;          /* number of words in complete records, uncompressed; updated after each record */
    uint64_t capacity_words; /* size of the buffer */
    uint64_t event_ps;       /* duration of recording one event in picoseconds, measured before the run */
    double ns_per_tick;
    uint64_t lost; /* number of records after the buffer was full */
};

/* CALL(name, payload): blocking calls, then nonblocking ones, completions, collectives, others, definitions. */
#define WARPFRONT_RECORDED_CALLS(CALL)                                                                               \
    CALL(send, "comm peer tag bytes")                                                                                \
    CALL(ssend, "comm peer tag bytes")                                                                               \
    CALL(bsend, "comm peer tag bytes")                                                                               \
    CALL(rsend, "comm peer tag bytes")                                                                               \
    CALL(recv, "comm peer tag bytes source got_tag got_bytes")                                                       \
    CALL(sendrecv, "comm peer tag bytes from from_tag room source got_tag got_bytes")                                \
    CALL(isend, "comm peer tag bytes request")                                                                       \
    CALL(issend, "comm peer tag bytes request")                                                                      \
    CALL(ibsend, "comm peer tag bytes request")                                                                      \
    CALL(irsend, "comm peer tag bytes request")                                                                      \
    CALL(irecv, "comm peer tag bytes request")                                                                       \
    CALL(send_init, "comm peer tag bytes request")                                                                   \
    CALL(ssend_init, "comm peer tag bytes request")                                                                  \
    CALL(recv_init, "comm peer tag bytes request")                                                                   \
    CALL(start, "requests")                                                                                          \
    CALL(request_free, "request")                                                                                    \
    CALL(cancel, "request")                                                                                          \
    CALL(wait, "done")                                                                                               \
    CALL(waitall, "done")                                                                                            \
    CALL(waitany, "among done") /* among: a list of the active requests */                                           \
    CALL(waitsome, "among done")                                                                                     \
    CALL(test, "tries done") /* the last of a run of Test; done is empty where none succeeded */                     \
    CALL(testall, "tries done")                                                                                      \
    CALL(testany, "tries among done")                                                                                \
    CALL(testsome, "tries among done")                                                                               \
    CALL(probe, "comm peer tag source got_tag got_bytes")                                                            \
    CALL(iprobe, "tries comm peer tag source got_tag got_bytes")                                                     \
    CALL(barrier, "comm")                                                                                            \
    CALL(bcast, "comm root bytes")                                                                                   \
    CALL(reduce, "comm root bytes")                                                                                  \
    CALL(allreduce, "comm bytes")                                                                                    \
    CALL(gather, "comm root bytes") /* bytes: share of each rank, also in the next four calls */                     \
    CALL(scatter, "comm root bytes")                                                                                 \
    CALL(allgather, "comm bytes")                                                                                    \
    CALL(alltoall, "comm bytes")                                                                                     \
    CALL(reduce_scatter_block, "comm bytes")                                                                         \
    CALL(gatherv, "comm root bytes shares") /* shares: on the root, else empty; bytes: the rank's own */             \
    CALL(scatterv, "comm root bytes shares")                                                                         \
    CALL(allgatherv, "comm bytes shares")                                                                            \
    CALL(alltoallv, "comm shares shares") /* sent, received */                                                       \
    CALL(reduce_scatter, "comm shares")                                                                              \
    CALL(scan, "comm bytes")                                                                                         \
    CALL(exscan, "comm bytes")                                                                                       \
    /* MPI_Ibarrier and similar calls: `call` is one of the above, `shares` are as in that call */                    \
    CALL(begun_collective, "call comm root bytes request shares shares")                                             \
    CALL(comm_create, "comm") /* a call over `comm` that makes a communicator */                                     \
    CALL(comm_free, "comm")                                                                                          \
    CALL(unknown, "text") /* an MPI call that communicates and is not in this table; text as below */                \
    CALL(phase, "number") /* the next records belong to this phase; 0: to no phase */                                \
    CALL(finalize, "")                                                                                               \
    CALL(define_comm, "comm members")        /* a list of world ranks */                                             \
    CALL(define_site, "site address module") /* address relative to the module's base */                             \
    CALL(define_module, "module text")       /* text: length in bytes, then the bytes, filled up to whole words */   \
    CALL(define_phase, "number text")                                                                                \
    CALL(define_library, "text") /* rank 0: the first line of MPI_Get_library_version */                             \
    CALL(computing, "busy")      /* belongs to the next record; begin and end are 0 */                               \
    CALL(define_node, "ranks cores cpu_time") /* ranks of the run on this rank's node, cores that they share; whether   \
                                                 CPU times are recorded */

enum warpfront_recorded_call {
#define CALL(name, payload) WARPFRONT_RECORDED_##name,
    WARPFRONT_RECORDED_CALLS(CALL)
#undef CALL
        WARPFRONT_RECORDED_COUNT
};

#endif
