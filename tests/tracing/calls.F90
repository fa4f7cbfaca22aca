! The calls of calls.c in Fortran: with mpif.h, or with -DWITH_F08 by the module mpi_f08.
#ifdef WITH_F08
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define DATATYPE type(MPI_Datatype)
#define WINDOW type(MPI_Win)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, count) type(MPI_Status) :: name(count)
#define FIRST(name) name(1)
#else
#define COMM integer
#define REQUEST integer
#define DATATYPE integer
#define WINDOW integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, count) integer :: name(MPI_STATUS_SIZE, count)
#define FIRST(name) name(:, 1)
#endif

module shared
#ifdef WITH_F08
  use mpi_f08
#endif
  implicit none
#ifndef WITH_F08
  include 'mpif.h'
#endif
  integer :: rank, left, right, error
  double precision, asynchronous :: sent(20000), got(40000)
  character :: room(4096)
contains

  subroutine blocking()
    REQUEST :: asked
    STATUS(state)
    integer :: other
    other = ieor(rank, 1)
    if (mod(rank, 2) == 0) then
      call MPI_Send(sent, 4, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, error)
      call MPI_Ssend(sent, 3, MPI_INTEGER, other, 2, MPI_COMM_WORLD, error)
      call MPI_Buffer_attach(room, 4096, error)
      call MPI_Bsend(sent, 2, MPI_DOUBLE_PRECISION, other, 3, MPI_COMM_WORLD, error)
      call detach()
      call MPI_Barrier(MPI_COMM_WORLD, error)
      call MPI_Rsend(sent, 1, MPI_DOUBLE_PRECISION, other, 4, MPI_COMM_WORLD, error)
    else
      call MPI_Recv(got, 4, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, state, error)
      call MPI_Recv(got, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call MPI_Recv(got, 3, MPI_DOUBLE_PRECISION, other, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call MPI_Irecv(got, 4, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, asked, error)
      call MPI_Barrier(MPI_COMM_WORLD, error)
      call MPI_Wait(asked, state, error)
    end if
    call MPI_Sendrecv(sent, 5, MPI_DOUBLE_PRECISION, right, 5, got, 8, MPI_DOUBLE_PRECISION, left, 5, &
        MPI_COMM_WORLD, state, error)
    call MPI_Sendrecv(sent, 5, MPI_DOUBLE_PRECISION, right, 6, got, 8, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 6, &
        MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Sendrecv_replace(got, 6, MPI_DOUBLE_PRECISION, left, 7, right, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Send(sent, 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 8, MPI_COMM_WORLD, error)
    call MPI_Recv(got, 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine detach()
    integer :: length
#ifdef WITH_F08
    block
      use, intrinsic :: iso_c_binding, only: c_ptr
      type(c_ptr) :: address
      call MPI_Buffer_detach(address, length, error)
    end block
#else
    character :: detached(8)
    call MPI_Buffer_detach(detached, length, error)
#endif
  end subroutine

  subroutine begun(n)
    integer, intent(in) :: n
    REQUEST :: asked(3)
    STATUSES(states, 3)
    integer :: place, some, places(3)
    logical :: flag
    call MPI_Irecv(got, n, MPI_DOUBLE_PRECISION, left, 10, MPI_COMM_WORLD, asked(1), error)
    call MPI_Isend(sent, n, MPI_DOUBLE_PRECISION, right, 10, MPI_COMM_WORLD, asked(2), error)
    call MPI_Isend(sent, n, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 10, MPI_COMM_WORLD, asked(3), error)
    call MPI_Waitall(3, asked, states, error)
    call MPI_Irecv(got, 2 * n, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, asked(1), error)
    call MPI_Issend(sent, n, MPI_DOUBLE_PRECISION, right, 11, MPI_COMM_WORLD, asked(2), error)
    call MPI_Waitall(2, asked, MPI_STATUSES_IGNORE, error)
    call MPI_Irecv(got, n, MPI_DOUBLE_PRECISION, left, MPI_ANY_TAG, MPI_COMM_WORLD, asked(2), error)
    call MPI_Isend(sent, n, MPI_DOUBLE_PRECISION, right, 12, MPI_COMM_WORLD, asked(1), error)
    call MPI_Wait(asked(1), MPI_STATUS_IGNORE, error)
    call MPI_Waitany(2, asked, place, FIRST(states), error)
    call MPI_Irecv(got, n, MPI_DOUBLE_PRECISION, left, 13, MPI_COMM_WORLD, asked(3), error)
    call MPI_Isend(sent, n, MPI_DOUBLE_PRECISION, right, 13, MPI_COMM_WORLD, asked(1), error)
    call MPI_Wait(asked(1), MPI_STATUS_IGNORE, error)
    call MPI_Waitsome(3, asked, some, places, MPI_STATUSES_IGNORE, error)
    call MPI_Irecv(got, n, MPI_DOUBLE_PRECISION, left, 14, MPI_COMM_WORLD, asked(1), error)
    call MPI_Isend(sent, n, MPI_DOUBLE_PRECISION, right, 14, MPI_COMM_WORLD, asked(2), error)
    flag = .false.
    do while (.not. flag)
      call MPI_Test(asked(1), flag, MPI_STATUS_IGNORE, error)
    end do
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(2, asked, flag, MPI_STATUSES_IGNORE, error)
    end do
    call MPI_Irecv(got, n, MPI_DOUBLE_PRECISION, left, 15, MPI_COMM_WORLD, asked(2), error)
    call MPI_Isend(sent, n, MPI_DOUBLE_PRECISION, right, 15, MPI_COMM_WORLD, asked(1), error)
    call MPI_Wait(asked(1), MPI_STATUS_IGNORE, error)
    flag = .false.
    do while (.not. flag)
      call MPI_Testany(2, asked, place, flag, FIRST(states), error)
    end do
    call MPI_Irecv(got, n, MPI_DOUBLE_PRECISION, left, 16, MPI_COMM_WORLD, asked(2), error)
    call MPI_Isend(sent, n, MPI_DOUBLE_PRECISION, right, 16, MPI_COMM_WORLD, asked(1), error)
    call MPI_Wait(asked(1), MPI_STATUS_IGNORE, error)
    some = 0
    do while (some == 0)
      call MPI_Testsome(2, asked, some, places, states, error)
    end do
    call MPI_Isend(sent, 2, MPI_DOUBLE_PRECISION, right, 17, MPI_COMM_WORLD, asked(1), error)
    call MPI_Request_free(asked(1), error)
    call MPI_Recv(got, 2, MPI_DOUBLE_PRECISION, left, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine probed()
    STATUS(state)
    logical :: flag
    REQUEST :: asked
    call MPI_Isend(sent, 7, MPI_DOUBLE_PRECISION, right, 20, MPI_COMM_WORLD, asked, error)
    call MPI_Probe(MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, state, error)
    call MPI_Recv(got, 8, MPI_DOUBLE_PRECISION, left, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Wait(asked, MPI_STATUS_IGNORE, error)
    call MPI_Isend(sent, 2, MPI_DOUBLE_PRECISION, right, 21, MPI_COMM_WORLD, asked, error)
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, error)
    end do
    call MPI_Recv(got, 2, MPI_DOUBLE_PRECISION, left, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Wait(asked, MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine persistent()
    REQUEST :: asked(2)
    integer :: round
    call MPI_Send_init(sent, 3, MPI_DOUBLE_PRECISION, right, 30, MPI_COMM_WORLD, asked(1), error)
    call MPI_Recv_init(got, 4, MPI_DOUBLE_PRECISION, left, 30, MPI_COMM_WORLD, asked(2), error)
    do round = 1, 2
      call MPI_Startall(2, asked, error)
      call MPI_Waitall(2, asked, MPI_STATUSES_IGNORE, error)
    end do
    call MPI_Start(asked(2), error)
    call MPI_Start(asked(1), error)
    call MPI_Wait(asked(2), MPI_STATUS_IGNORE, error)
    call MPI_Wait(asked(1), MPI_STATUS_IGNORE, error)
    call MPI_Request_free(asked(1), error)
    call MPI_Request_free(asked(2), error)
  end subroutine

  subroutine derived()
    DATATYPE :: strided, wide
    STATUS(state)
    integer(kind=MPI_ADDRESS_KIND) :: lower = 0, extent = 128
    call MPI_Type_vector(4, 1, 2, MPI_DOUBLE_PRECISION, strided, error)
    call MPI_Type_commit(strided, error)
    call MPI_Type_create_resized(strided, lower, extent, wide, error)
    call MPI_Type_commit(wide, error)
    call MPI_Sendrecv(sent, 1, strided, right, 40, got, 4, MPI_DOUBLE_PRECISION, left, 40, MPI_COMM_WORLD, state, error)
    call MPI_Sendrecv(sent, 2, wide, right, 41, got, 3, wide, left, 41, MPI_COMM_WORLD, state, error)
    call MPI_Bcast(got, 1, strided, 2, MPI_COMM_WORLD, error)
    call MPI_Type_free(wide, error)
    call MPI_Type_free(strided, error)
  end subroutine

  subroutine collectives(comm_, own)
    COMM, intent(in) :: comm_
    integer, intent(in) :: own
    integer :: counts(4) = [1, 2, 3, 4], offsets(4) = [0, 1, 3, 6], same(4) = 2, by_two(4) = [0, 2, 4, 6]
    REQUEST :: asked(2)
    call MPI_Barrier(comm_, error)
    call MPI_Bcast(got, 5, MPI_DOUBLE_PRECISION, 1, comm_, error)
    call MPI_Reduce(sent, got, 3, MPI_DOUBLE_PRECISION, MPI_SUM, 0, comm_, error)
    if (own == 1) then
      call MPI_Reduce(MPI_IN_PLACE, got, 4, MPI_DOUBLE_PRECISION, MPI_SUM, 1, comm_, error)
    else
      call MPI_Reduce(sent, got, 4, MPI_DOUBLE_PRECISION, MPI_SUM, 1, comm_, error)
    end if
    call MPI_Allreduce(sent, got, 2, MPI_DOUBLE_PRECISION, MPI_MAX, comm_, error)
    call MPI_Allreduce(MPI_IN_PLACE, got, 1, MPI_INTEGER, MPI_MAX, comm_, error)
    call MPI_Gather(sent, 2, MPI_DOUBLE_PRECISION, got, 2, MPI_DOUBLE_PRECISION, 0, comm_, error)
    if (own == 1) then
      call MPI_Gather(MPI_IN_PLACE, 2, MPI_DOUBLE_PRECISION, got, 2, MPI_DOUBLE_PRECISION, 1, comm_, error)
      call MPI_Scatter(sent, 3, MPI_DOUBLE_PRECISION, MPI_IN_PLACE, 3, MPI_DOUBLE_PRECISION, 1, comm_, error)
    else
      call MPI_Gather(sent, 2, MPI_DOUBLE_PRECISION, got, 2, MPI_DOUBLE_PRECISION, 1, comm_, error)
      call MPI_Scatter(sent, 3, MPI_DOUBLE_PRECISION, got, 3, MPI_DOUBLE_PRECISION, 1, comm_, error)
    end if
    call MPI_Allgather(sent, 1, MPI_DOUBLE_PRECISION, got, 1, MPI_DOUBLE_PRECISION, comm_, error)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, got, 2, MPI_DOUBLE_PRECISION, comm_, error)
    call MPI_Alltoall(sent, 2, MPI_DOUBLE_PRECISION, got, 2, MPI_DOUBLE_PRECISION, comm_, error)
    call MPI_Reduce_scatter_block(sent, got, 2, MPI_DOUBLE_PRECISION, MPI_SUM, comm_, error)
    call MPI_Gatherv(sent, counts(own + 1), MPI_DOUBLE_PRECISION, got, counts, offsets, MPI_DOUBLE_PRECISION, 1, &
        comm_, error)
    call MPI_Scatterv(sent, counts, offsets, MPI_DOUBLE_PRECISION, got, counts(own + 1), MPI_DOUBLE_PRECISION, 0, &
        comm_, error)
    call MPI_Allgatherv(sent, counts(own + 1), MPI_DOUBLE_PRECISION, got, counts, offsets, MPI_DOUBLE_PRECISION, &
        comm_, error)
    call MPI_Alltoallv(sent, same, by_two, MPI_DOUBLE_PRECISION, got, same, by_two, MPI_DOUBLE_PRECISION, comm_, error)
    call MPI_Alltoallv(MPI_IN_PLACE, counts, by_two, MPI_INTEGER, got, same, by_two, MPI_DOUBLE_PRECISION, &
        comm_, error)
    call MPI_Reduce_scatter(sent, got, counts, MPI_DOUBLE_PRECISION, MPI_SUM, comm_, error)
    call MPI_Scan(sent, got, 2, MPI_DOUBLE_PRECISION, MPI_SUM, comm_, error)
    call MPI_Exscan(sent, got, 3, MPI_DOUBLE_PRECISION, MPI_SUM, comm_, error)
    call MPI_Ibarrier(comm_, asked(1), error)
    call MPI_Wait(asked(1), MPI_STATUS_IGNORE, error)
    call MPI_Ibcast(got, 2, MPI_DOUBLE_PRECISION, 1, comm_, asked(1), error)
    call MPI_Iallreduce(sent, got(9), 2, MPI_DOUBLE_PRECISION, MPI_SUM, comm_, asked(2), error)
    call MPI_Waitall(2, asked, MPI_STATUSES_IGNORE, error)
  end subroutine

  subroutine communicators()
    COMM :: half, twin, grid, line
    REQUEST :: asked
    integer :: sides(2) = 2, own
    logical :: periods(2) = .false., kept(2) = [.false., .true.]
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, error)
    call MPI_Comm_rank(half, own, error)
    call MPI_Sendrecv(sent, 1, MPI_DOUBLE_PRECISION, 1 - own, 50, got, 1, MPI_DOUBLE_PRECISION, 1 - own, 50, half, &
        MPI_STATUS_IGNORE, error)
    call collectives(half, own)
    call MPI_Comm_dup(half, twin, error)
    call MPI_Barrier(twin, error)
    call MPI_Comm_free(half, error)
    call MPI_Bcast(got, 1, MPI_INTEGER, 0, twin, error)
    call MPI_Comm_free(twin, error)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, .false., grid, error)
    call MPI_Cart_sub(grid, kept, line, error)
    call MPI_Allreduce(sent, got, 1, MPI_DOUBLE_PRECISION, MPI_SUM, line, error)
    call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, rank == 0), 0, half, error)
    call MPI_Comm_free(half, error)
    call MPI_Comm_free(line, error)
    call MPI_Comm_free(grid, error)
    call MPI_Irecv(got, 1, MPI_DOUBLE_PRECISION, 0, 51, MPI_COMM_SELF, asked, error)
    call MPI_Send(sent, 1, MPI_DOUBLE_PRECISION, 0, 51, MPI_COMM_SELF, error)
    call MPI_Wait(asked, MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine unknown()
    WINDOW :: window_
    integer(kind=MPI_ADDRESS_KIND) :: length = 320000, place = 0
    call MPI_Win_create(got, length, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window_, error)
    call MPI_Win_fence(0, window_, error)
    call MPI_Put(sent, 1, MPI_DOUBLE_PRECISION, right, place, 1, MPI_DOUBLE_PRECISION, window_, error)
    call MPI_Win_fence(0, window_, error)
    call MPI_Win_free(window_, error)
  end subroutine
end module

program calls
  use shared
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  left = mod(rank + 3, 4)
  right = mod(rank + 1, 4)
  call MPI_Pcontrol(1)
  call blocking()
  call begun(2)
  call begun(20000)
  call MPI_Pcontrol(2)
  call probed()
  call persistent()
  call derived()
  call MPI_Pcontrol(0)
  call collectives(MPI_COMM_WORLD, rank)
  call communicators()
  call unknown()
  call MPI_Finalize(error)
end program
