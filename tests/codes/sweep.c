/* A wavefront code: sweeps from four corners over blocks of planes, then a reduction. On 12 ranks, as 4 columns:
 *
 *   mpicc -g -O2 sweep.c -o sweep
 *   mpirun -n 12 ./sweep 4 60 60 40 10 5       columns, cells in x, y, z, planes of a block, iterations
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Cells of one of `parts` neighbours: the first `cells % parts` have one more. */
static int share(int cells, int parts, int part) { return cells / parts + (part < cells % parts); }

/* Each cell takes what comes from west and north, both of which it changes. */
__attribute__((noinline)) static double block(int nx, int ny, int nz, double* west, double* north) {
    double sum = 0;
#ifdef SMPI_FLOPS /* under SMPI with smpi/simulate-computation:no: a cell takes so many */
    smpi_execute_flops((double)SMPI_FLOPS * nx * ny * nz);
#endif
    for (int k = 0; k < nz; ++k) {
        for (int j = 0; j < ny; ++j) {
            for (int i = 0; i < nx; ++i) {
                double* const w = west + k * ny + j;
                double* const n = north + k * nx + i;
                const double flux = (0.5 * *w + 0.25 * *n + 1.0) / (1.0 + 0.5 + 0.25);
                *w = 2 * flux - *w;
                *n = 2 * flux - *n;
                sum += flux;
            }
        }
    }
    return sum;
}

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int columns = atoi(argv[1]), rows = ranks / columns, mk = atoi(argv[5]), nz = atoi(argv[4]);
    const int column = rank % columns, row = rank / columns;
    const int nx = share(atoi(argv[2]), columns, column), ny = share(atoi(argv[3]), rows, row);
    double* const east_west = calloc((size_t)(ny * mk), sizeof(double));
    double* const north_south = calloc((size_t)(nx * mk), sizeof(double));
    double total = 0;
    for (int iteration = 0; iteration < atoi(argv[6]); ++iteration) {
        double sum = 0;
        for (int corner = 0; corner < 4; ++corner) {
            const int right = corner % 2 ? -1 : 1, down = corner / 2 ? -1 : 1;
            const int from_x = column - right, to_x = column + right, from_y = row - down, to_y = row + down;
            for (int k = 0; k < nz; k += mk) {
                const int planes = k + mk < nz ? mk : nz - k;
                if (from_x >= 0 && from_x < columns) {
                    MPI_Recv(east_west, ny * planes, MPI_DOUBLE, row * columns + from_x, 1, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
                }
                if (from_y >= 0 && from_y < rows) {
                    MPI_Recv(north_south, nx * planes, MPI_DOUBLE, from_y * columns + column, 2, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
                }
                sum += block(nx, ny, planes, east_west, north_south);
                if (to_x >= 0 && to_x < columns) {
                    MPI_Send(east_west, ny * planes, MPI_DOUBLE, row * columns + to_x, 1, MPI_COMM_WORLD);
                }
                if (to_y >= 0 && to_y < rows) {
                    MPI_Send(north_south, nx * planes, MPI_DOUBLE, to_y * columns + column, 2, MPI_COMM_WORLD);
                }
            }
        }
        MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("%.6e\n", total);
    free(east_west);
    free(north_south);
    MPI_Finalize();
    return 0;
}
