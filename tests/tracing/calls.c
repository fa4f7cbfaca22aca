/* Every kind of call that the tracer records, in a fixed order; calls.F90 makes the same calls. For 4 ranks. */
#include <mpi.h>

enum { kCount = 4 };

static int rank, left, right;
static double out[20000], in[40000];

/* A message between a pair of ranks with each kind of send. */
static void blocking(void) {
    static char room[4096];
    int size;
    char* detached;
    MPI_Request request;
    MPI_Status status;
    const int other = rank ^ 1;
    if (rank % 2 == 0) {
        MPI_Send(out, kCount, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
        MPI_Ssend(out, 3, MPI_INT, other, 2, MPI_COMM_WORLD);
        MPI_Buffer_attach(room, sizeof room);
        MPI_Bsend(out, 2, MPI_DOUBLE, other, 3, MPI_COMM_WORLD);
        MPI_Buffer_detach(&detached, &size);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Rsend(out, 1, MPI_DOUBLE, other, 4, MPI_COMM_WORLD);
    } else {
        MPI_Recv(in, kCount, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(in, kCount, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(in, 3, MPI_DOUBLE, other, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(in, kCount, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
    }
    MPI_Sendrecv(out, 5, MPI_DOUBLE, right, 5, in, 8, MPI_DOUBLE, left, 5, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(out, 5, MPI_DOUBLE, right, 6, in, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(in, 6, MPI_DOUBLE, left, 7, right, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, 1, MPI_DOUBLE, MPI_PROC_NULL, 8, MPI_COMM_WORLD);
    MPI_Recv(in, 1, MPI_DOUBLE, MPI_PROC_NULL, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Exchanges around the ring, each completed in another way. `size` doubles, so that requests live or end at once. */
static void begun(int size) {
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int index, some, flag, indices[3];
    MPI_Irecv(in, size, MPI_DOUBLE, left, 10, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, size, MPI_DOUBLE, right, 10, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, size, MPI_DOUBLE, MPI_PROC_NULL, 10, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, statuses);
    MPI_Irecv(in, 2 * size, MPI_DOUBLE, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(out, size, MPI_DOUBLE, right, 11, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, size, MPI_DOUBLE, left, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, size, MPI_DOUBLE, right, 12, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Waitany(2, requests, &index, statuses);
    MPI_Irecv(in, size, MPI_DOUBLE, left, 13, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out, size, MPI_DOUBLE, right, 13, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Waitsome(3, requests, &some, indices, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, size, MPI_DOUBLE, left, 14, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, size, MPI_DOUBLE, right, 14, MPI_COMM_WORLD, &requests[1]);
    do MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    while (!flag);
    do MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    while (!flag);
    MPI_Irecv(in, size, MPI_DOUBLE, left, 15, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, size, MPI_DOUBLE, right, 15, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    do MPI_Testany(2, requests, &index, &flag, statuses);
    while (!flag);
    MPI_Irecv(in, size, MPI_DOUBLE, left, 16, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, size, MPI_DOUBLE, right, 16, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    do MPI_Testsome(2, requests, &some, indices, statuses);
    while (some == 0);
    MPI_Isend(out, 2, MPI_DOUBLE, right, 17, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Recv(in, 2, MPI_DOUBLE, left, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void probed(void) {
    MPI_Status status;
    int flag;
    MPI_Request request;
    MPI_Isend(out, 7, MPI_DOUBLE, right, 20, MPI_COMM_WORLD, &request);
    MPI_Probe(MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &status);
    MPI_Recv(in, 8, MPI_DOUBLE, left, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(out, 2, MPI_DOUBLE, right, 21, MPI_COMM_WORLD, &request);
    do MPI_Iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Recv(in, 2, MPI_DOUBLE, left, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void persistent(void) {
    MPI_Request requests[2];
    MPI_Send_init(out, 3, MPI_DOUBLE, right, 30, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, 4, MPI_DOUBLE, left, 30, MPI_COMM_WORLD, &requests[1]);
    for (int round = 0; round < 2; ++round) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Start(&requests[1]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

/* Every other double of eight; a block with a gap behind it. */
static void derived(void) {
    MPI_Datatype strided, wide;
    MPI_Status status;
    MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &strided);
    MPI_Type_commit(&strided);
    MPI_Type_create_resized(strided, 0, 128, &wide);
    MPI_Type_commit(&wide);
    MPI_Sendrecv(out, 1, strided, right, 40, in, 4, MPI_DOUBLE, left, 40, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(out, 2, wide, right, 41, in, 3, wide, left, 41, MPI_COMM_WORLD, &status);
    MPI_Bcast(in, 1, strided, 2, MPI_COMM_WORLD);
    MPI_Type_free(&wide);
    MPI_Type_free(&strided);
}

static void collectives(MPI_Comm comm, int own) {
    int counts[4] = {1, 2, 3, 4}, offsets[4] = {0, 1, 3, 6}, same[4] = {2, 2, 2, 2}, by_two[4] = {0, 2, 4, 6};
    MPI_Barrier(comm);
    MPI_Bcast(in, 5, MPI_DOUBLE, 1, comm);
    MPI_Reduce(out, in, 3, MPI_DOUBLE, MPI_SUM, 0, comm);
    MPI_Reduce(own == 1 ? MPI_IN_PLACE : out, in, 4, MPI_DOUBLE, MPI_SUM, 1, comm);
    MPI_Allreduce(out, in, 2, MPI_DOUBLE, MPI_MAX, comm);
    MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_MAX, comm);
    MPI_Gather(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, 0, comm);
    MPI_Gather(own == 1 ? MPI_IN_PLACE : out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, 1, comm);
    MPI_Scatter(out, 3, MPI_DOUBLE, own == 1 ? MPI_IN_PLACE : in, 3, MPI_DOUBLE, 1, comm);
    MPI_Allgather(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_DOUBLE, comm);
    MPI_Alltoall(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, comm);
    MPI_Reduce_scatter_block(out, in, 2, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Gatherv(out, counts[own], MPI_DOUBLE, in, counts, offsets, MPI_DOUBLE, 1, comm);
    MPI_Scatterv(out, counts, offsets, MPI_DOUBLE, in, counts[own], MPI_DOUBLE, 0, comm);
    MPI_Allgatherv(out, counts[own], MPI_DOUBLE, in, counts, offsets, MPI_DOUBLE, comm);
    MPI_Alltoallv(out, same, by_two, MPI_DOUBLE, in, same, by_two, MPI_DOUBLE, comm);
    MPI_Alltoallv(MPI_IN_PLACE, counts, by_two, MPI_DATATYPE_NULL, in, same, by_two, MPI_DOUBLE, comm);
    MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Scan(out, in, 2, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Exscan(out, in, 3, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Request requests[2];
    MPI_Ibarrier(comm, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Ibcast(in, 2, MPI_DOUBLE, 1, comm, &requests[0]);
    MPI_Iallreduce(out, in + 8, 2, MPI_DOUBLE, MPI_SUM, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void communicators(void) {
    MPI_Comm half, twin, grid, line;
    MPI_Request request;
    const int sides[2] = {2, 2}, periods[2] = {0, 0}, kept[2] = {0, 1};
    int own;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half); /* in reversed order */
    MPI_Comm_rank(half, &own);
    MPI_Sendrecv(out, 1, MPI_DOUBLE, 1 - own, 50, in, 1, MPI_DOUBLE, 1 - own, 50, half, MPI_STATUS_IGNORE);
    collectives(half, own);
    MPI_Comm_dup(half, &twin);
    MPI_Barrier(twin);
    MPI_Comm_free(&half);
    MPI_Bcast(in, 1, MPI_INT, 0, twin);
    MPI_Comm_free(&twin);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &grid);
    MPI_Cart_sub(grid, kept, &line);
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, line);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
    MPI_Comm_free(&half);
    MPI_Comm_free(&line);
    MPI_Comm_free(&grid);
    MPI_Irecv(in, 1, MPI_DOUBLE, 0, 51, MPI_COMM_SELF, &request);
    MPI_Send(out, 1, MPI_DOUBLE, 0, 51, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void unknown(void) {
    MPI_Win window;
    MPI_Win_create(in, sizeof in, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    left = (rank + 3) % 4;
    right = (rank + 1) % 4;
    MPI_Pcontrol(1);
    blocking();
    begun(2);
    begun(20000);
    MPI_Pcontrol(2);
    probed();
    persistent();
    derived();
    MPI_Pcontrol(0);
    collectives(MPI_COMM_WORLD, rank);
    communicators();
    unknown();
    MPI_Finalize();
    return 0;
}
