/* Recordings that end otherwise than with MPI_Finalize: `ended killed` kills rank 1, `ended long` makes 20,000 calls,
   `ended beheaded` aborts and leaves files without a beginning in `beheaded`, as an abort while MPI starts does. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "warpfront_phases.h"

int main(int argc, char** argv) {
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    warpfront_phase("ring");
    for (int round = 0; round < (strcmp(argv[1], "long") ? 10 : 10000); ++round) {
        MPI_Sendrecv_replace(&value, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    warpfront_phase(0);
    if (rank == 1 && strcmp(argv[1], "killed") == 0) raise(SIGKILL);
    if (strcmp(argv[1], "beheaded") == 0) {
        char file[64];
        snprintf(file, sizeof file, "beheaded/rank-%d.events", rank);
        if (truncate(file, 3) == 0) abort();
    }
    MPI_Finalize();
    return 0;
}
