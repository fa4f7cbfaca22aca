/* Measures the costs of messages between pairs of ranks, as a table for `warpfront fit`:
 *
 *     mpicc -O2 benchmark.c -o benchmark
 *     mpirun -n 2 --map-by node ./benchmark > network.csv
 *
 * The first half of the ranks sends to the second half, rank i to rank i + n/2. Options: the largest message in bytes
 * (4 MiB) and the number of samples of each size (200). Kinds of rows:
 *
 *   pingpong   half of a round trip of MPI_Send and MPI_Recv, by one pair
 *   send       MPI_Send, until it returns; up to the threshold, below which it does not wait for the receiver
 *   isend      MPI_Isend, until it returns
 *   recv       MPI_Recv of a message that has arrived; up to the threshold
 *   threshold  the largest message whose MPI_Send returns while no receive is posted, and the time of that send
 *   stream     a message of a stream by MPI_Isend, while that many pairs send at once: time of the slowest pair
 *
 * Every time is the median of its samples. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTrips = 8, kWindow = 32, kOctave = 4, kProbes = 8, kTag = 1, kOtherTag = 2 };

static char *buffer;
static int rank, ranks, partner, samples = 200;
static long largest = 4 << 20;
static const double kPause = 1e-2;  /* time until a receive is posted, in seconds */
static double clock_cost;  /* cost of one reading of the clock, in seconds */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int count) {
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

static void row(const char *kind, long bytes, int pairs, double seconds) {
    if (rank == 0) printf("%s,%ld,%d,%.12g\n", kind, bytes, pairs, seconds > 0 ? seconds : 1e-12);
}

static void send(long bytes) { MPI_Send(buffer, (int)bytes, MPI_CHAR, partner, kTag, MPI_COMM_WORLD); }

static void receive(long bytes) {
    MPI_Recv(buffer, (int)bytes, MPI_CHAR, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Returns the next of four sizes an octave: 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, ... */
static long after(long bytes) {
    long octave = 1;
    while (2 * octave <= bytes) octave *= 2;
    return bytes + (octave < kOctave ? 1 : octave / kOctave);
}

/* Returns the number of samples; large messages are measured less often. */
static int samples_of(long bytes) {
    const long fewer = bytes > 65536 ? samples * 65536L / bytes : samples;
    return (int)(fewer < 9 ? (samples < 9 ? samples : 9) : fewer);
}

/* Waits inside the library, since in many libraries messages progress only within calls. */
static void progress(double seconds) {
    int other;
    for (const double begin = MPI_Wtime(); MPI_Wtime() < begin + seconds;) {
        MPI_Iprobe(partner, kOtherTag, MPI_COMM_WORLD, &other, MPI_STATUS_IGNORE);
    }
}

/* Waits until the next message, or its request-to-send, has arrived. */
static void arrives(void) {
    for (int there = 0; !there;) MPI_Iprobe(partner, kTag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
}

static double ping_pong(long bytes) {
    const int count = samples_of(bytes);
    double *times = malloc((size_t)count * sizeof *times);
    for (int k = -1; k < count; ++k) {  /* the first round is not counted */
        const double begin = MPI_Wtime();
        for (int trip = 0; trip < kTrips; ++trip) {
            if (rank == 0) send(bytes);
            receive(bytes);
            if (rank != 0) send(bytes);
        }
        if (k >= 0) times[k] = (MPI_Wtime() - begin - clock_cost) / (2 * kTrips);
    }
    const double half = median(times, count);
    free(times);
    return half;
}

/* Times a call on rank 0 or, for the kind `recv`, on its partner, which passes the median on. `trip` is the time until a
 * message has arrived. */
static double call(const char *kind, long bytes, double trip) {
    const int count = samples_of(bytes), receives = strcmp(kind, "recv") == 0, waits = strcmp(kind, "isend") == 0;
    double *times = malloc((size_t)count * sizeof *times), time = 0;
    for (int k = -1; k < count; ++k) {
        double begin, end;
        if (rank == 0) {
            MPI_Request request;
            receive(0);  /* the partner is ready */
            begin = MPI_Wtime();
            if (waits) MPI_Isend(buffer, (int)bytes, MPI_CHAR, partner, kTag, MPI_COMM_WORLD, &request);
            else send(bytes);
            end = MPI_Wtime();
            if (waits) MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            send(0);
            if (receives) arrives();
            if (receives) progress(trip);  /* the data may be on the way */
            begin = MPI_Wtime();
            receive(bytes);
            end = MPI_Wtime();
        }
        if (k >= 0) times[k] = end - begin - clock_cost;
    }
    time = median(times, count);
    free(times);
    if (receives && rank == 0) MPI_Recv(&time, 1, MPI_DOUBLE, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (receives && rank != 0) MPI_Send(&time, 1, MPI_DOUBLE, partner, kTag, MPI_COMM_WORLD);
    return time;
}

/* Returns true if MPI_Send returned before the partner posted its receive. The partner posts it some time after it sees
 * the message. Several tries are made, since a process that does not get the processor appears to block. */
static int returns(long bytes, double *took) {
    int returned = 0;
    for (int k = 0; k < kProbes && !returned; ++k) {
        if (rank == 0) {
            receive(0);
            const double begin = MPI_Wtime();
            send(bytes);
            *took = MPI_Wtime() - begin;
            returned = *took < kPause / 2;
            MPI_Send(&returned, 1, MPI_INT, partner, kTag, MPI_COMM_WORLD);
        } else {
            send(0);
            arrives();
            progress(kPause);
            receive(bytes);
            MPI_Recv(&returned, 1, MPI_INT, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return returned;
}

/* Finds the threshold by bisection; `largest` if all sends return. */
static long threshold(double *took) {
    long returning = 0, blocking = largest + 1;
    for (long middle = largest; blocking - returning > 1; middle = returning + (blocking - returning) / 2) {
        double time = 0;
        if (returns(middle, &time)) {
            returning = middle;
            *took = time;
        } else {
            blocking = middle;
        }
    }
    return returning;
}

static double stream(long bytes, int pairs, char *windows) {
    const int count = (samples_of(bytes) + 8) / 9, sends = rank < ranks / 2, takes_part = rank % (ranks / 2) < pairs;
    double *times = malloc((size_t)count * sizeof *times);
    for (int k = -1; k < count; ++k) {
        MPI_Request requests[kWindow];
        MPI_Status statuses[kWindow];
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int each = 0; takes_part && each < kWindow; ++each) {
            char *const place = windows + (size_t)each * (size_t)bytes;
            if (sends) MPI_Isend(place, (int)bytes, MPI_CHAR, partner, kTag, MPI_COMM_WORLD, &requests[each]);
            else MPI_Irecv(place, (int)bytes, MPI_CHAR, partner, kTag, MPI_COMM_WORLD, &requests[each]);
        }
        if (takes_part) MPI_Waitall(kWindow, requests, statuses);
        if (takes_part && sends) receive(0);
        if (takes_part && !sends) send(0);
        double time = sends && takes_part ? (MPI_Wtime() - begin) / kWindow : 0, slowest;
        MPI_Allreduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (k >= 0) times[k] = slowest;
    }
    const double time = median(times, count);
    free(times);
    return time;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1) largest = atol(argv[1]);
    if (argc > 2) samples = atoi(argv[2]);
    if (ranks % 2 != 0 || largest < 1 || largest > 1 << 30 || samples < 1) {
        if (rank == 0) fprintf(stderr, "usage: mpirun -n EVEN benchmark [LARGEST [SAMPLES]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int first = rank % (ranks / 2) == 0;  /* this rank is in the first pair, which measures alone */
    partner = (rank + ranks / 2) % ranks;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    for (char *tab = library; (tab = strchr(tab, '\t')) != NULL;) *tab = ' ';
    if (rank == 0) printf("# %s, %d ranks\nkind,bytes,pairs,seconds\n", library, ranks);
    const long most = 1 << 20;  /* the largest message of a stream, in bytes */
    const size_t window = (size_t)kWindow * (size_t)(largest < most ? largest : most);
    char *const windows = malloc(window);
    buffer = malloc((size_t)largest);
    memset(buffer, 1, (size_t)largest);
    memset(windows, 1, window);
    clock_cost = MPI_Wtime();
    for (int k = 0; k < 999; ++k) (void)MPI_Wtime();
    clock_cost = (MPI_Wtime() - clock_cost) / 1000;
    if (first) {
        double took = 0;
        const long eager = threshold(&took);
        for (long bytes = 1; bytes <= largest; bytes = after(bytes)) {
            const double trip = ping_pong(bytes);
            row("pingpong", bytes, 1, trip);
            row("isend", bytes, 1, call("isend", bytes, trip));
            if (bytes > eager) continue;
            row("send", bytes, 1, call("send", bytes, trip));
            row("recv", bytes, 1, call("recv", bytes, trip));
        }
        if (eager < largest) row("threshold", eager, 1, took);
    }
    for (int pairs = 1; ranks > 2; pairs = 2 * pairs < ranks / 2 ? 2 * pairs : ranks / 2) {
        for (long bytes = 1; bytes <= largest && bytes <= most; bytes *= 2) {
            row("stream", bytes, pairs, stream(bytes, pairs, windows));
        }
        if (pairs == ranks / 2) break;
    }
    free(buffer);
    free(windows);
    MPI_Finalize();
    return 0;
}
