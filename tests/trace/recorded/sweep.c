/* Sweeps like Sweep3D: for each of eight octants, blocks of planes come from the upstream neighbours in x and y, are
   worked on, and go on downstream by blocking messages of doubles. Each iteration ends with an allreduce of its error.
   Usage: sweep COLUMNS ROWS BLOCKS ITERATIONS */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdlib.h>

enum { kFaceX = 240, kFaceY = 300 };
static double face_x[kFaceX], face_y[kFaceY];

static void sweep(int rank, int columns, int rows, int blocks, int dx, int dy) {
    int x = rank % columns, y = rank / columns;
    int west = x - dx, south = y - dy, east = x + dx, north = y + dy;
    for (int block = 0; block < blocks; ++block) {
        if (west >= 0 && west < columns)
            MPI_Recv(face_x, kFaceX, MPI_DOUBLE, y * columns + west, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (south >= 0 && south < rows)
            MPI_Recv(face_y, kFaceY, MPI_DOUBLE, south * columns + x, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        smpi_execute_flops(40e6 + 1e6 * rank);
        if (east >= 0 && east < columns)
            MPI_Send(face_x, kFaceX, MPI_DOUBLE, y * columns + east, 1, MPI_COMM_WORLD);
        if (north >= 0 && north < rows)
            MPI_Send(face_y, kFaceY, MPI_DOUBLE, north * columns + x, 2, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int rank, size, parameters[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < 4; ++k) parameters[k] = atoi(argv[k + 1]);
    MPI_Bcast(parameters, 4, MPI_INT, 0, MPI_COMM_WORLD);
    if (parameters[0] * parameters[1] != size) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int iteration = 0; iteration < parameters[3]; ++iteration) {
        double error = 1.0, largest;
        for (int octant = 0; octant < 8; ++octant)
            sweep(rank, parameters[0], parameters[1], parameters[2], octant & 2 ? 1 : -1, octant & 4 ? 1 : -1);
        MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
