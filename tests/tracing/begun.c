/* What codes begin and end in unusual ways: receives that are cancelled, sends whose requests are freed, buffered
 * persistent sends, collectives with shares that are begun, and a communicator that is copied meanwhile. */
#include <mpi.h>

int main(int argc, char** argv) {
    static double out[64], in[64];
    static char room[4096];
    int rank, ranks, size;
    char* detached;
    int counts[16], offsets[16];
    MPI_Request requests[2], copying;
    MPI_Comm twin;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    MPI_Irecv(in, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &requests[0]); /* nobody sends it */
    MPI_Isend(out, 2, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Request_free(&requests[1]);
    MPI_Recv(in, 2, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend_init(out, 3, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Recv(in, 3, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Buffer_detach(&detached, &size);
    for (int other = 0; other < ranks; ++other) {
        counts[other] = other + 1;
        offsets[other] = other * (other + 1) / 2;
    }
    MPI_Iallgatherv(out, rank + 1, MPI_DOUBLE, in, counts, offsets, MPI_DOUBLE, MPI_COMM_WORLD, &requests[0]);
    MPI_Comm_idup(MPI_COMM_WORLD, &twin, &copying);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&copying, MPI_STATUS_IGNORE);
    MPI_Iscatterv(out, counts, offsets, MPI_DOUBLE, in, rank + 1, MPI_DOUBLE, 1, twin, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 4, MPI_DOUBLE, right, 1, in, 4, MPI_DOUBLE, left, 1, twin, MPI_STATUS_IGNORE);
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
