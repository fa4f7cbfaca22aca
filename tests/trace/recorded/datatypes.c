/* Broadcasts one element of every datatype that C has, and one of a derived one, each size as the count: so a trace
   holds the number of a datatype beside its size, `0 bcast SIZE 0 TYPE`. The counts must be the sizes that the reader
   gives these numbers. MPI's C++ types (51 to 54) and SMPI's pointer (58) have no name in C. */
#include <mpi.h>

#define T(name) broadcast(MPI_##name);

static char buffer[4096];

static void broadcast(MPI_Datatype type) {
    int size;
    MPI_Type_size(type, &size);
    MPI_Bcast(buffer, size, type, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    MPI_Datatype derived;
    MPI_Init(&argc, &argv);
    T(CHAR) T(SHORT) T(INT) T(LONG) T(LONG_LONG) T(SIGNED_CHAR) T(UNSIGNED_CHAR) T(UNSIGNED_SHORT) T(UNSIGNED)
    T(UNSIGNED_LONG) T(UNSIGNED_LONG_LONG) T(FLOAT) T(DOUBLE) T(LONG_DOUBLE) T(WCHAR) T(C_BOOL) T(INT8_T) T(INT16_T)
    T(INT32_T) T(INT64_T) T(UINT8_T) T(BYTE) T(UINT16_T) T(UINT32_T) T(UINT64_T) T(C_FLOAT_COMPLEX)
    T(C_DOUBLE_COMPLEX) T(C_LONG_DOUBLE_COMPLEX) T(AINT) T(OFFSET) T(FLOAT_INT) T(LONG_INT) T(DOUBLE_INT) T(SHORT_INT)
    T(2INT) T(LONG_DOUBLE_INT) T(2FLOAT) T(2DOUBLE) T(2LONG) T(REAL) T(REAL4) T(REAL8) T(REAL16) T(COMPLEX8)
    T(COMPLEX16) T(COMPLEX32) T(INTEGER1) T(INTEGER2) T(INTEGER4) T(INTEGER8) T(INTEGER16) T(COUNT) T(PACKED) T(LB)
    T(UB)
    MPI_Type_vector(3, 2, 4, MPI_DOUBLE, &derived);
    MPI_Type_commit(&derived);
    broadcast(derived);
    MPI_Finalize();
    return 0;
}
