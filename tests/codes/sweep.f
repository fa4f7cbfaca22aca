C     The wavefront code of sweep.c in Fortran 77, with the same calls:
C
C       mpif77 -g -O2 sweep.f -o sweep_f
C       mpirun -n 12 ./sweep_f 4 60 60 40 10 5
C
      program sweep
      implicit none
      include 'mpif.h'
      integer most
      parameter (most = 100000)
      double precision west(most), north(most), total, all, block
      integer rank, ranks, columns, rows, column, row, share, number
      integer nx, ny, nz, mk, its, it, corner, right, down, k, planes
      integer fromx, tox, fromy, toy, i, ierr
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierr)
      columns = number(1)
      rows = ranks / columns
      column = mod(rank, columns)
      row = rank / columns
      nx = share(number(2), columns, column)
      ny = share(number(3), rows, row)
      nz = number(4)
      mk = number(5)
      its = number(6)
      do i = 1, most
        west(i) = 0
        north(i) = 0
      end do
      do it = 1, its
        total = 0
        do corner = 0, 3
          right = 1 - 2 * mod(corner, 2)
          down = 1 - 2 * (corner / 2)
          fromx = column - right
          tox = column + right
          fromy = row - down
          toy = row + down
          do k = 0, nz - 1, mk
            planes = min(mk, nz - k)
            if (fromx .ge. 0 .and. fromx .lt. columns)
     &        call MPI_RECV(west, ny * planes, MPI_DOUBLE_PRECISION,
     &          row * columns + fromx, 1, MPI_COMM_WORLD,
     &          MPI_STATUS_IGNORE, ierr)
            if (fromy .ge. 0 .and. fromy .lt. rows)
     &        call MPI_RECV(north, nx * planes, MPI_DOUBLE_PRECISION,
     &          fromy * columns + column, 2, MPI_COMM_WORLD,
     &          MPI_STATUS_IGNORE, ierr)
            total = total + block(nx, ny, planes, west, north)
            if (tox .ge. 0 .and. tox .lt. columns)
     &        call MPI_SEND(west, ny * planes, MPI_DOUBLE_PRECISION,
     &          row * columns + tox, 1, MPI_COMM_WORLD, ierr)
            if (toy .ge. 0 .and. toy .lt. rows)
     &        call MPI_SEND(north, nx * planes, MPI_DOUBLE_PRECISION,
     &          toy * columns + column, 2, MPI_COMM_WORLD, ierr)
          end do
        end do
        call MPI_ALLREDUCE(total, all, 1, MPI_DOUBLE_PRECISION,
     &    MPI_SUM, MPI_COMM_WORLD, ierr)
      end do
      if (rank .eq. 0) write (*, '(1p, e12.6)') all
      call MPI_FINALIZE(ierr)
      end

C     Cells of one of `parts` neighbours: the first have one more.
      integer function share(cells, parts, part)
      implicit none
      integer cells, parts, part
      share = cells / parts
      if (part .lt. mod(cells, parts)) share = share + 1
      end

C     An argument of the command line.
      integer function number(at)
      implicit none
      integer at
      character*20 text
      call getarg(at, text)
      read (text, *) number
      end

C     Each cell takes what comes from west and north, and changes both.
      double precision function block(nx, ny, nz, west, north)
      implicit none
      integer nx, ny, nz, i, j, k
      double precision west(ny, nz), north(nx, nz), flux
      block = 0
      do k = 1, nz
        do j = 1, ny
          do i = 1, nx
            flux = (0.5d0 * west(j, k) + 0.25d0 * north(i, k) + 1)
     &        / (1 + 0.5d0 + 0.25d0)
            west(j, k) = 2 * flux - west(j, k)
            north(i, k) = 2 * flux - north(i, k)
            block = block + flux
          end do
        end do
      end do
      end
