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
      call attributes
      print *, 'old', me, n
      call MPI_FINALIZE(ierr)
      if (me .eq. n - 1) stop 7
      end

! Attributes as in MPI 1: values are INTEGERs.
      subroutine attributes
      implicit none
      include 'mpif.h'
      integer ierr, key, comm, v
      integer(kind=MPI_ADDRESS_KIND) extra, wide
      logical flag
      external keep, drop
      integer kept, dropped
      common /calls/ kept, dropped
      kept = 0
      dropped = 0
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, v, flag, ierr)
      if (.not. flag .or. v .lt. 32767) stop 11
      call MPI_KEYVAL_CREATE(keep, drop, key, 5, ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, key, -3, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ATTR_GET(comm, key, v, flag, ierr)
      if (.not. flag .or. v .ne. -2 .or. kept .ne. 5) stop 12
      call MPI_COMM_FREE(comm, ierr)
      if (dropped .ne. -2) stop 13
      call MPI_ATTR_DELETE(MPI_COMM_WORLD, key, ierr)
      if (dropped .ne. -3) stop 14
      call MPI_KEYVAL_FREE(key, ierr)
      if (key .ne. MPI_KEYVAL_INVALID) stop 15
      call MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, key, 0,
     &     ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, key, -7, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ATTR_GET(comm, key, v, flag, ierr)
      if (.not. flag .or. v .ne. -7) stop 16
      call MPI_COMM_FREE(comm, ierr)
      call MPI_ATTR_DELETE(MPI_COMM_WORLD, key, ierr)
      call MPI_KEYVAL_FREE(key, ierr)
! With the names of MPI 1 where those of communicators are meant.
      extra = 0
      wide = 7
      call MPI_COMM_CREATE_KEYVAL(MPI_COMM_DUP_FN, MPI_NULL_DELETE_FN,
     &     key, extra, ierr)
      call MPI_COMM_SET_ATTR(MPI_COMM_WORLD, key, wide, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_COMM_FREE(comm, ierr)
      call MPI_COMM_DELETE_ATTR(MPI_COMM_WORLD, key, ierr)
      call MPI_COMM_FREE_KEYVAL(key, ierr)
      end

      subroutine keep(comm, key, extra, in, out, flag, ierr)
      implicit none
      include 'mpif.h'
      integer comm, key, extra, in, out, ierr
      logical flag
      integer kept, dropped
      common /calls/ kept, dropped
      kept = extra
      out = in + 1
      flag = .true.
      ierr = MPI_SUCCESS
      end

      subroutine drop(comm, key, value, extra, ierr)
      implicit none
      include 'mpif.h'
      integer comm, key, value, extra, ierr
      integer kept, dropped
      common /calls/ kept, dropped
      dropped = value
      ierr = MPI_SUCCESS
      end
