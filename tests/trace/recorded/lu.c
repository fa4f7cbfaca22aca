/* Sweeps like NPB LU: a lower sweep from north west to south east, plane by plane, an upper one back, with small blocking
   messages of five doubles per cell; halos exchanged with irecv, send and wait; norms by allreduce, parameters by bcast
   of several datatypes. Usage: lu COLUMNS ROWS PLANES ITERATIONS */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdint.h>
#include <stdlib.h>

enum { kCells = 12 };
static double edge[5 * kCells], halo[2][10 * kCells * 8];
static int columns, rows, x, y;

static int neighbour(int dx, int dy) {
    int to_x = x + dx, to_y = y + dy;
    return to_x < 0 || to_x >= columns || to_y < 0 || to_y >= rows ? -1 : to_y * columns + to_x;
}

static void receive(int from, int tag) {
    if (from >= 0) MPI_Recv(edge, 5 * kCells, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void send(int to, int tag) {
    if (to >= 0) MPI_Send(edge, 5 * kCells, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}

static void sweep(int planes, int step, double flops) {
    for (int plane = 0; plane < planes; ++plane) {
        receive(neighbour(0, -step), 11);
        receive(neighbour(-step, 0), 12);
        smpi_execute_flops(flops);
        send(neighbour(0, step), 11);
        send(neighbour(step, 0), 12);
    }
}

/* exchange_3: both halos of one direction */
static void exchange(int back, int forth, int tag) {
    MPI_Request requests[2];
    int count = 10 * kCells * 8;
    if (back >= 0) MPI_Irecv(halo[0], count, MPI_DOUBLE, back, tag, MPI_COMM_WORLD, &requests[0]);
    if (forth >= 0) MPI_Irecv(halo[1], count, MPI_DOUBLE, forth, tag, MPI_COMM_WORLD, &requests[1]);
    if (forth >= 0) MPI_Send(halo[0], count, MPI_DOUBLE, forth, tag, MPI_COMM_WORLD);
    if (back >= 0) MPI_Send(halo[1], count, MPI_DOUBLE, back, tag, MPI_COMM_WORLD);
    if (back >= 0) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    if (forth >= 0) MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int rank;
    uint32_t problem[4] = {0};
    long double relaxation = 1.2L;
    float dt = 2.0F;
    double norms[5] = {0}, sums[5];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < 4; ++k) problem[k] = (uint32_t)atoi(argv[k + 1]);
    MPI_Bcast(problem, 4, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(&relaxation, 1, MPI_LONG_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&dt, 1, MPI_REAL, 0, MPI_COMM_WORLD);
    columns = (int)problem[0], rows = (int)problem[1];
    x = rank % columns, y = rank / columns;
    MPI_Barrier(MPI_COMM_WORLD);
    for (uint32_t iteration = 0; iteration < problem[3]; ++iteration) {
        sweep((int)problem[2], 1, 20e6);
        sweep((int)problem[2], -1, 24e6);
        exchange(neighbour(-1, 0), neighbour(1, 0), 13);
        smpi_execute_flops(300e6);
        exchange(neighbour(0, -1), neighbour(0, 1), 14);
    }
    MPI_Allreduce(norms, sums, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(norms, sums, 5, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
