! SPDX-License-Identifier: MIT
! Wrong arguments from Fortran: each has its class, raised once through the handler of the
! communicator, or of MPI_COMM_SELF where there is none. And the names that stand for no address:
! MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE.
module wrong
  use mpi
  implicit none
  integer :: raised = 0, raised_on, bad = 0, comm, freed, given, a(64), b(64), ones(64), starts(64)
  integer :: no_types(64), ok_types(64), status(MPI_STATUS_SIZE), loose, q, rank, n
contains

  subroutine on_error(c, code)
    integer :: c, code
    raised = raised + 1
    raised_on = c
    if (code == MPI_SUCCESS) raised = 100
  end subroutine

  subroutine got(what, e, class, on)
    character(len=*), intent(in) :: what
    integer, intent(in) :: e, class, on
    if (e /= class .or. raised /= 1 .or. raised_on /= on) then
      print '(2a,4(1x,i0))', what, ': class, raised, on:', e, class, raised, raised_on - on
      bad = bad + 1
    end if
    raised = 0
  end subroutine

  subroutine good(what, is)
    character(len=*), intent(in) :: what
    logical, intent(in) :: is
    if (.not. is .or. raised /= 0) then
      print '(2a)', 'wrong: ', what
      bad = bad + 1
    end if
    raised = 0
  end subroutine

  subroutine prepare()
    integer :: e, i
    call MPI_Comm_create_errhandler(on_error, given, e)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, given, e)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, given, e)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, e)
    call MPI_Comm_dup(MPI_COMM_WORLD, i, e)
    freed = i
    call MPI_Comm_free(i, e)
    call MPI_Type_contiguous(2, MPI_INTEGER, loose, e)
    call MPI_Comm_rank(comm, rank, e)
    call MPI_Comm_size(comm, n, e)
    ones = 1
    starts = [(4 * i, i = 0, 63)]
    no_types = MPI_DATATYPE_NULL
    ok_types = MPI_INTEGER
    call good('prepare', e == MPI_SUCCESS)
  end subroutine

  subroutine handles()
    integer :: e, i, list(3)
    logical :: flag
    integer, parameter :: none(3) = [MPI_COMM_NULL, 123456, MPI_INTEGER]
    do i = 1, 3
      call MPI_Send(a, 1, MPI_INTEGER, 0, 0, none(i), e)
      call got('MPI_Send: comm', e, MPI_ERR_COMM, MPI_COMM_SELF)
      call MPI_Comm_rank(none(i), list(1), e)
      call got('MPI_Comm_rank: comm', e, MPI_ERR_COMM, MPI_COMM_SELF)
      call MPI_Barrier(none(i), e)
      call got('MPI_Barrier: comm', e, MPI_ERR_COMM, MPI_COMM_SELF)
      call MPI_Alltoallw(a, ones, starts, ok_types, b, ones, starts, ok_types, none(i), e)
      call got('MPI_Alltoallw: comm', e, MPI_ERR_COMM, MPI_COMM_SELF)
    end do
    call MPI_Comm_size(freed, list(1), e)
    call got('MPI_Comm_size: freed', e, MPI_ERR_COMM, MPI_COMM_SELF)
    call MPI_Send(a, 1, MPI_DATATYPE_NULL, 0, 0, comm, e)
    call got('MPI_Send: datatype', e, MPI_ERR_TYPE, comm)
    call MPI_Irecv(a, 1, loose, 0, 0, comm, q, e)
    call got('MPI_Irecv: not committed', e, MPI_ERR_TYPE, comm)
    call MPI_Allreduce(a, b, 1, MPI_INTEGER, MPI_OP_NULL, comm, e)
    call got('MPI_Allreduce: op', e, MPI_ERR_OP, comm)
    call MPI_Allreduce(a, b, 1, MPI_REAL, MPI_BAND, comm, e)
    call got('MPI_Allreduce: op on type', e, MPI_ERR_OP, comm)
    call MPI_Group_size(MPI_GROUP_NULL, i, e)
    call got('MPI_Group_size: group', e, MPI_ERR_GROUP, MPI_COMM_SELF)
    call MPI_Info_set(MPI_INFO_NULL, 'a', 'b', e)
    call got('MPI_Info_set: info', e, MPI_ERR_INFO, MPI_COMM_SELF)
    list = 123456
    call MPI_Start(MPI_REQUEST_NULL, e)
    call got('MPI_Start: request', e, MPI_ERR_REQUEST, MPI_COMM_SELF)
    call MPI_Waitall(-1, list, MPI_STATUSES_IGNORE, e)
    call got('MPI_Waitall: count', e, MPI_ERR_COUNT, MPI_COMM_SELF)
    call MPI_Testany(-1, list, i, flag, MPI_STATUS_IGNORE, e)
    call got('MPI_Testany: count', e, MPI_ERR_COUNT, MPI_COMM_SELF)
    call MPI_Type_create_struct(2, ones, [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND], no_types, i, e)
    call got('MPI_Type_create_struct: types', e, MPI_ERR_TYPE, MPI_COMM_SELF)
    call MPI_Comm_set_errhandler(comm, MPI_ERRHANDLER_NULL, e)
    call got('MPI_Comm_set_errhandler', e, MPI_ERR_ERRHANDLER, comm)
  end subroutine

  subroutine numbers()
    integer :: e, i, coords(2)
    logical :: flag
    integer(kind=MPI_ADDRESS_KIND) :: value
    call MPI_Send(a, -1, MPI_INTEGER, 0, 0, comm, e)
    call got('MPI_Send: count', e, MPI_ERR_COUNT, comm)
    call MPI_Send(a, 1, MPI_INTEGER, n, 0, comm, e)
    call got('MPI_Send: dest', e, MPI_ERR_RANK, comm)
    call MPI_Send(a, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, comm, e)
    call got('MPI_Send: any', e, MPI_ERR_RANK, comm)
    call MPI_Recv(a, 1, MPI_INTEGER, -77, 0, comm, MPI_STATUS_IGNORE, e)
    call got('MPI_Recv: source', e, MPI_ERR_RANK, comm)
    call MPI_Iprobe(0, -77, comm, flag, status, e)
    call got('MPI_Iprobe: tag', e, MPI_ERR_TAG, comm)
    call MPI_Bcast(a, 1, MPI_INTEGER, n, comm, e)
    call got('MPI_Bcast: root', e, MPI_ERR_ROOT, comm)
    call MPI_Dims_create(4, -1, coords, e)
    call got('MPI_Dims_create: ndims', e, MPI_ERR_DIMS, MPI_COMM_SELF)
    call MPI_Cart_create(comm, 1, [n + 1], [.true.], .false., i, e)
    call got('MPI_Cart_create: dims', e, MPI_ERR_DIMS, comm)
    call MPI_Cart_coords(comm, 0, 2, coords, e)
    call got('MPI_Cart_coords: comm', e, MPI_ERR_TOPOLOGY, comm)
    call MPI_Comm_get_attr(comm, 123456, value, flag, e)
    call got('MPI_Comm_get_attr: keyval', e, MPI_ERR_KEYVAL, comm)
    call MPI_Error_class(-5, i, e)
    call got('MPI_Error_class', e, MPI_ERR_ARG, MPI_COMM_SELF)
    call MPI_Info_create(q, e)
    call MPI_Info_set(q, ' ', 'value', e)
    call got('MPI_Info_set: key', e, MPI_ERR_INFO_KEY, MPI_COMM_SELF)
    call MPI_Info_free(q, e)
  end subroutine

  subroutine places()
    integer :: e, absolute
    integer(kind=MPI_ADDRESS_KIND) :: where(1)
    call MPI_Send(MPI_IN_PLACE, 1, MPI_INTEGER, 0, 0, comm, e)
    call got('MPI_Send: MPI_IN_PLACE', e, MPI_ERR_BUFFER, comm)
    call MPI_Send(MPI_BOTTOM, 1, MPI_INTEGER, 0, 0, comm, e)
    call got('MPI_Send: MPI_BOTTOM', e, MPI_ERR_BUFFER, comm)
    call MPI_Bcast(MPI_IN_PLACE, 1, MPI_INTEGER, 0, comm, e)
    call got('MPI_Bcast: MPI_IN_PLACE', e, MPI_ERR_BUFFER, comm)
    call MPI_Allreduce(a, a, 1, MPI_INTEGER, MPI_SUM, comm, e)
    call got('MPI_Allreduce: one buffer', e, MPI_ERR_BUFFER, comm)
    call MPI_Allgather(a, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, comm, e)
    call got('MPI_Allgather: recvbuf', e, MPI_ERR_BUFFER, comm)
    a = rank
    call MPI_Get_address(a(5), where(1), e)
    call MPI_Type_create_hindexed(1, [2], where, MPI_INTEGER, absolute, e)
    call MPI_Type_commit(absolute, e)
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, n - 1, comm, e)
    call good('MPI_BOTTOM', all(a(5:6) == n - 1) .and. a(4) == rank .and. a(7) == rank)
    call MPI_Sendrecv(MPI_BOTTOM, 1, absolute, rank, 0, b, 2, MPI_INTEGER, rank, 0, comm, &
                      MPI_STATUS_IGNORE, e)
    call good('MPI_Sendrecv of MPI_BOTTOM', all(b(1:2) == n - 1))
    call MPI_Type_free(absolute, e)
  end subroutine

  subroutine in_place()
    integer :: e, i, every(n)
    a(1:n) = -1
    a(rank + 1) = rank
    every = [(i, i = 0, n - 1)]
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 1, MPI_INTEGER, comm, e)
    call good('MPI_Allgather in place', all(a(1:n) == every))
    a(1:n) = rank
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 1, MPI_INTEGER, comm, e)
    call good('MPI_Alltoall in place', all(a(1:n) == every))
    a(1:n) = -1
    a(rank + 1) = rank
    if (rank == 0) call MPI_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, a, 1, MPI_INTEGER, 0, comm, e)
    if (rank /= 0) call MPI_Gather(rank, 1, MPI_INTEGER, a, 1, MPI_INTEGER, 0, comm, e)
    call good('MPI_Gather in place', rank /= 0 .or. all(a(1:n) == every))
    i = -1
    if (rank == 0) call MPI_Scatter(a, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, 0, comm, e)
    if (rank /= 0) call MPI_Scatter(a, 1, MPI_INTEGER, i, 1, MPI_INTEGER, 0, comm, e)
    call good('MPI_Scatter in place', rank == 0 .or. i == rank)
    i = 1
    call MPI_Scan(MPI_IN_PLACE, i, 1, MPI_INTEGER, MPI_SUM, comm, e)
    call good('MPI_Scan in place', i == rank + 1)
    i = 1
    if (rank == 0) call MPI_Reduce(MPI_IN_PLACE, i, 1, MPI_INTEGER, MPI_SUM, 0, comm, e)
    if (rank /= 0) call MPI_Reduce(i, i, 1, MPI_INTEGER, MPI_SUM, 0, comm, e)
    call good('MPI_Reduce in place', rank /= 0 .or. i == n)
  end subroutine

  subroutine run()
    integer :: e
    call MPI_Init(e)
    call prepare()
    call handles()
    call numbers()
    call places()
    call in_place()
    call MPI_Type_free(loose, e)
    call MPI_Comm_free(comm, e)
    call MPI_Errhandler_free(given, e)
    if (bad > 0) call MPI_Abort(MPI_COMM_WORLD, 1, e)
    call MPI_Finalize(e)
  end subroutine
end module

program main
  use wrong
  implicit none
  call run()
end program
