// Recorded by EZTrace: nonblocking and blocking messages, a communicator of half the ranks, collectives.
#include <mpi.h>

static double out[400], in[400];

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Comm half;
    MPI_Request sent;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
    for (int k = 0; k < 3; ++k) {
        MPI_Isend(out, 10, MPI_DOUBLE, next, 5, MPI_COMM_WORLD, &sent);
        MPI_Recv(in, 10, MPI_DOUBLE, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
    if (rank == 0) {
        for (int k = 1; k < ranks; ++k) MPI_Recv(in, 400, MPI_DOUBLE, k, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(out, 100 * rank, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
    }
    MPI_Bcast(out, 100, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    MPI_Allreduce(out, in, 3, MPI_DOUBLE, MPI_SUM, half);
    MPI_Alltoall(out, 8, MPI_DOUBLE, in, 8, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
