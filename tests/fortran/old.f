! SPDX-License-Identifier: MIT
! As programs of the nineties: fixed form, mpif.h, buffers of several types.
      program old
      implicit none
      include 'mpif.h'
      call run
      end

      subroutine run
      implicit none
      include 'mpif.h'
      integer ierr, me, n, i, status(MPI_STATUS_SIZE), req
      double precision t, x(5), s
      integer k(3)
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
      t = MPI_WTIME()
      do 10 i = 1, 5
         x(i) = i + me
   10 continue
      if (me .eq. 0) k(1) = 42
      call MPI_BCAST(k, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
      call MPI_REDUCE(x(2), s, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0,
     &     MPI_COMM_WORLD, ierr)
      if (me .eq. 0 .and. s .ne. 2 * n + n * (n - 1) / 2) stop 3
      call MPI_IRECV(k(2), 1, MPI_INTEGER, MPI_ANY_SOURCE, 4,
     &     MPI_COMM_WORLD, req, ierr)
      call MPI_SEND(me, 1, MPI_INTEGER, mod(me + 1, n), 4,
     &     MPI_COMM_WORLD, ierr)
      call MPI_WAIT(req, status, ierr)
      if (status(MPI_SOURCE) .ne. k(2)) stop 4
      call PMPI_ALLREDUCE(MPI_IN_PLACE, x, 5, MPI_DOUBLE_PRECISION,
     &     MPI_MAX, MPI_COMM_WORLD, ierr)
      if (x(1) .ne. n .or. k(1) .ne. 42) stop 5
      print *, 'old', me, n
      call MPI_FINALIZE(ierr)
      if (me .eq. n - 1) stop 7
      end
