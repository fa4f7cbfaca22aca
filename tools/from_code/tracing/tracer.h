/* Functions that the generated wrappers call. A wrapper is
 *
 *   if (!wf_enter()) return PMPI_Send(...);       nested, before MPI_Init, after MPI_Finalize
 *   call = wf_begin(...); PMPI_Send(...); wf_send(...); wf_leave();
 *
  * The wf_ functions read the end time of a record before anything else. */
#ifndef WARPFRONT_TRACER_H
#define WARPFRONT_TRACER_H

#include <mpi.h>

#include "recording_format.h"

/* The place and the start time of a call. */
struct wf_call {
    int id; /* enum warpfront_recorded_call */
    void* site;
    uint64_t begin;
    uint64_t busy; /* CPU time since the last call in nanoseconds; WF_UNKNOWN if it was not read */
};
#define WF_UNKNOWN UINT64_MAX

/* The program's call site if it calls a library function that calls MPI in C; otherwise NULL. */
extern __thread void* wf_caller;

void* wf_next(const char* name);
int wf_enter(void);
void wf_leave(void);
struct wf_call wf_begin(int id, void* site);

int64_t wf_bytes(int count, MPI_Datatype type);

void wf_initialised(void);
void wf_finalizing(struct wf_call call);
void wf_phase(int number);
/* Records the name of a call that has no description. */
void wf_unknown(struct wf_call call, const char* name);

void wf_send(struct wf_call call, MPI_Comm comm, int peer, int tag, int64_t bytes);
void wf_recv(struct wf_call call, MPI_Comm comm, int peer, int tag, int64_t bytes, const MPI_Status* status);
void wf_sendrecv(struct wf_call call, MPI_Comm comm, int peer, int tag, int64_t bytes, int from, int from_tag,
                 int64_t room, const MPI_Status* status);
void wf_begun(struct wf_call call, MPI_Comm comm, int peer, int tag, int64_t bytes, MPI_Request request);
void wf_start(struct wf_call call, int count, const MPI_Request* requests);
void wf_request(struct wf_call call, MPI_Request request);
void wf_probe(struct wf_call call, MPI_Comm comm, int peer, int tag, const MPI_Status* status);

/* Completions: the requests are noted before the call, since the call changes the handles. */
void wf_ask(int count, const MPI_Request* requests);
/* `indices` is NULL if all of `count` are complete, in order. */
void wf_done(struct wf_call call, int count, const int* indices, const MPI_Status* statuses);
void wf_nothing_yet(struct wf_call call);
void wf_nothing_probed(struct wf_call call, MPI_Comm comm, int peer, int tag);

/* `root` is -1 if there is none. */
void wf_collective(struct wf_call call, MPI_Comm comm, int root, int64_t bytes);
/* `counts` and `types` are by rank of the communicator. If `types` is NULL, `type` applies to all ranks. */
struct wf_shares {
    const int* counts;
    MPI_Datatype type;
    const MPI_Datatype* types;
};
void wf_collective_shares(struct wf_call call, MPI_Comm comm, int root, int64_t bytes, struct wf_shares first,
                          struct wf_shares second);
void wf_begun_collective(struct wf_call call, MPI_Comm comm, int root, int64_t bytes, MPI_Request request,
                         struct wf_shares first, struct wf_shares second);
int wf_is_root(MPI_Comm comm, int root);

void wf_made_comm(struct wf_call call, MPI_Comm comm, MPI_Comm made);
/* `made` has the members of `comm`. It may not be usable yet. */
void wf_copied_comm(struct wf_call call, MPI_Comm comm, MPI_Comm made);
void wf_freeing_comm(struct wf_call call, MPI_Comm comm);

/* Memory of this thread for statuses that a program ignores and for values converted from Fortran. */
MPI_Status* wf_statuses(int count);
MPI_Fint* wf_fortran_statuses(int count);
MPI_Request* wf_requests(int count, const MPI_Fint* fortran);
MPI_Datatype* wf_types(int count, const MPI_Fint* fortran);
/* `first` is the first index: 1 in Fortran, except in MPICH's mpi_f08. */
int* wf_indices(int count, const MPI_Fint* fortran, int first);
MPI_Status* wf_statuses_in_c(int count, const MPI_Fint* fortran);
int wf_ignored(const void* status);
int wf_in_place(const void* buffer);
int wf_comm_size(MPI_Comm comm);

#endif
