c     The work of a block of a wavefront code: what flows into a cell
c     along i, j and k gives its flux and what flows out.
c     kernel I J K M sweeps I x J x K cells for M angles.
      subroutine sweep(it, jt, kt, mt, source, total, east, north, down)
      integer it, jt, kt, mt, i, j, k, m
      double precision source(it, jt, kt), total(it, jt, kt)
      double precision east(jt), north(it), down(it, jt)
      double precision weight, flux
      do m = 1, mt
        weight = 0.25d0 + 0.01d0 * m
        do k = 1, kt
          do j = 1, jt
            do i = 1, it
              flux = (source(i, j, k)
     &               + weight * (east(j) + north(i) + down(i, j)))
     &               / (total(i, j, k) + 3.0d0 * weight)
              east(j) = 2.0d0 * flux - east(j)
              north(i) = 2.0d0 * flux - north(i)
              down(i, j) = 2.0d0 * flux - down(i, j)
            end do
          end do
        end do
      end do
      end

      program main
      integer most
      parameter (most = 100000)
      character*20 text
      integer n(4), l
      double precision source(most), total(most)
      double precision east(most), north(most), down(most)
      do l = 1, 4
        call getarg(l, text)
        read (text, *) n(l)
      end do
      do l = 1, most
        source(l) = 1.0d0
        total(l) = 2.0d0
        east(l) = 0.1d0
        north(l) = 0.1d0
        down(l) = 0.1d0
      end do
      do l = 1, 3
        call sweep(n(1), n(2), n(3), n(4), source, total,
     &             east, north, down)
      end do
      print *, east(1)
      end
