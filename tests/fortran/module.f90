! SPDX-License-Identifier: MIT
! Through the module mpi: each part checks its own answers; rank 0 prints how many parts were good.
! Nothing is kept in variables of the program as a whole, so ranks may share a process.
module checks
  use mpi
  implicit none
contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    integer :: ierror
    if (good) return
    print '(2a)', 'wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end subroutine

  ! The compiler's types have the sizes that MPI believes.
  subroutine sizes()
    integer :: n, ierror, i
    logical :: l
    real :: r
    double precision :: d
    complex :: c
    integer(kind=2) :: many(4, 3)
    call MPI_Sizeof(d, n, ierror)
    call check(n == 8 .and. ierror == MPI_SUCCESS, 'MPI_Sizeof of a number')
    call MPI_Sizeof(many(2:, ::2), n, ierror)
    call check(n == 2, 'MPI_Sizeof of a part of a matrix')
    c = (1.0, 2.0)
    call PMPI_Sizeof([c, c], n, ierror)
    call check(n == 8, 'PMPI_Sizeof of a vector')
    call MPI_Sizeof(l, n, ierror)
    call check(n == storage_size(l) / 8, 'MPI_Sizeof of a truth value')
    call MPI_Type_size(MPI_INTEGER, n, ierror)
    call check(n == storage_size(i) / 8, 'MPI_INTEGER')
    call MPI_Type_size(MPI_LOGICAL, n, ierror)
    call check(n == storage_size(l) / 8, 'MPI_LOGICAL')
    call MPI_Type_size(MPI_REAL, n, ierror)
    call check(n == storage_size(r) / 8, 'MPI_REAL')
    call MPI_Type_size(MPI_DOUBLE_PRECISION, n, ierror)
    call check(n == storage_size(d) / 8, 'MPI_DOUBLE_PRECISION')
    call MPI_Type_size(MPI_COMPLEX, n, ierror)
    call check(n == storage_size(c) / 8, 'MPI_COMPLEX')
    call MPI_Type_size(MPI_CHARACTER, n, ierror)
    call check(n == 1, 'MPI_CHARACTER')
    call MPI_Type_size(MPI_INTEGER8, n, ierror)
    call check(n == 8, 'MPI_INTEGER8')
    call check(selected_int_kind(18) == MPI_ADDRESS_KIND, 'MPI_ADDRESS_KIND')
  end subroutine

  subroutine messages(rank, n)
    integer, intent(in) :: rank, n
    integer :: right, left, ierror, i, got, indx, done, indices(2)
    integer :: requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
    double precision :: a(10), b(10)
    logical :: flag
    right = mod(rank + 1, n)
    left = mod(rank + n - 1, n)
    do i = 1, 10
      a(i) = rank * 100 + i
    end do
    call MPI_Irecv(b, 10, MPI_DOUBLE_PRECISION, left, 7, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Isend(a, 10, MPI_DOUBLE_PRECISION, right, 7, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Waitall(2, requests, statuses, ierror)
    call check(ierror == MPI_SUCCESS, 'MPI_Waitall')
    call check(all(requests == MPI_REQUEST_NULL), 'requests after MPI_Waitall')
    call check(statuses(MPI_SOURCE, 1) == left .and. statuses(MPI_TAG, 1) == 7, 'statuses')
    call MPI_Get_count(statuses(:, 1), MPI_DOUBLE_PRECISION, got, ierror)
    call check(got == 10 .and. b(10) == left * 100 + 10, 'ring')
    call MPI_Sendrecv(a, 1, MPI_DOUBLE_PRECISION, right, 1, b, 1, MPI_DOUBLE_PRECISION, left, &
                      MPI_ANY_TAG, MPI_COMM_WORLD, status, ierror)
    call check(status(MPI_TAG) == 1 .and. b(1) == left * 100 + 1, 'MPI_Sendrecv')
    requests(1) = MPI_REQUEST_NULL
    call MPI_Irecv(b, 10, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, requests(2), &
                   ierror)
    call MPI_Send(a, 3, MPI_DOUBLE_PRECISION, right, 9, MPI_COMM_WORLD, ierror)
    call MPI_Waitany(2, requests, indx, MPI_STATUS_IGNORE, ierror)
    call check(indx == 2, 'index of MPI_Waitany counts from 1')
    call MPI_Waitany(2, requests, indx, MPI_STATUS_IGNORE, ierror)
    call check(indx == MPI_UNDEFINED, 'MPI_Waitany of nothing')
    call MPI_Issend(a, 1, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(b, 1, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, requests(2), ierror)
    i = 0
    do while (i < 2)
      call MPI_Waitsome(2, requests, done, indices, MPI_STATUSES_IGNORE, ierror)
      call check(done >= 1 .and. all(indices(1:done) >= 1 .and. indices(1:done) <= 2), 'Waitsome')
      i = i + done
    end do
    call MPI_Iprobe(left, 99, MPI_COMM_WORLD, flag, status, ierror)
    call check(.not. flag, 'MPI_Iprobe')
    call MPI_Send_init(a, 2, MPI_DOUBLE_PRECISION, right, 3, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Recv_init(b, 2, MPI_DOUBLE_PRECISION, left, 3, MPI_COMM_WORLD, requests(2), ierror)
    do i = 1, 3
      a(2) = i
      call MPI_Startall(2, requests, ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call check(b(2) == i, 'persistent')
    end do
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
    call check(all(requests == MPI_REQUEST_NULL), 'MPI_Request_free')
  end subroutine

  subroutine sum_of_squares(in, inout, n, datatype)
    integer, intent(in) :: n, datatype
    double precision, intent(in) :: in(n)
    double precision, intent(inout) :: inout(n)
    if (datatype /= MPI_DOUBLE_PRECISION) return
    inout = in + inout
  end subroutine

  subroutine collectives(rank, n)
    integer, intent(in) :: rank, n
    integer :: i, ierror, op, request, one(n), all_of(n), counts(n), displs(n), pairs(2), low(2)
    double precision :: x(3), y(3), squares
    logical :: yes, both
    x = [1d0, 2d0, 3d0] * (rank + 1)
    call MPI_Allreduce(x, y, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    squares = n * (n + 1) / 2
    call check(all(abs(y - [1d0, 2d0, 3d0] * squares) < 1d-9), 'MPI_Allreduce')
    call MPI_Allreduce(MPI_IN_PLACE, x, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    call check(all(x == y), 'MPI_IN_PLACE')
    yes = rank >= 0
    call MPI_Allreduce(yes, both, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
    call check(both .eqv. .true., 'MPI_LAND')
    yes = rank == 0 .and. n > 1
    call MPI_Allreduce(yes, both, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
    call check(both .eqv. .false., 'MPI_LAND')
    pairs = [n - rank, rank]
    call MPI_Allreduce(pairs, low, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, ierror)
    call check(low(1) == 1 .and. low(2) == n - 1, 'MPI_MINLOC')
    call MPI_Op_create(sum_of_squares, .true., op, ierror)
    x = rank + 1
    call MPI_Allreduce(x, y, 3, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, ierror)
    call check(all(y == squares), 'operation of the program')
    call MPI_Op_free(op, ierror)
    call check(op == MPI_OP_NULL, 'MPI_Op_free')
    one = rank
    call MPI_Alltoall(one, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call check(all(all_of == [(i, i = 0, n - 1)]), 'MPI_Alltoall')
    counts = 1
    displs = [(n - i, i = 1, n)]
    call MPI_Allgatherv(rank, 1, MPI_INTEGER, all_of, counts, displs, MPI_INTEGER, &
                        MPI_COMM_WORLD, ierror)
    call check(all(all_of == [(n - i, i = 1, n)]), 'MPI_Allgatherv')
    i = rank
    call MPI_Ibcast(i, 1, MPI_INTEGER, n - 1, MPI_COMM_WORLD, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call check(i == n - 1, 'MPI_Ibcast')
    call alltoallw(rank, n)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine

  subroutine alltoallw(rank, n)
    integer, intent(in) :: rank, n
    integer :: from(n), to(n), counts(n), displs(n), types(n), ierror, i
    from = [(rank * 10 + i, i = 0, n - 1)]
    counts = 1
    displs = [(4 * i, i = 0, n - 1)]
    types = MPI_INTEGER
    call MPI_Alltoallw(from, counts, displs, types, to, counts, displs, types, MPI_COMM_WORLD, &
                       ierror)
    call check(all(to == [(i * 10 + rank, i = 0, n - 1)]), 'MPI_Alltoallw')
  end subroutine

  subroutine communicators(rank, n)
    integer, intent(in) :: rank, n
    integer :: half, size, ierror, grid, dims(2), coords(2), to, from, group, none, result, names
    logical :: periods(2), flag
    character(len=MPI_MAX_OBJECT_NAME) :: name
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierror)
    call MPI_Comm_size(half, size, ierror)
    call check(size == (n + 1 - mod(rank, 2)) / 2, 'MPI_Comm_split')
    call MPI_Comm_set_name(half, '  one half  ', ierror)
    call MPI_Comm_get_name(half, name, names, ierror)
    call check(name == 'one half' .and. names == 8, 'name of a communicator')
    call MPI_Comm_free(half, ierror)
    call check(half == MPI_COMM_NULL, 'MPI_Comm_free')
    dims = 0
    call MPI_Dims_create(n, 2, dims, ierror)
    periods = [.true., .false.]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, ierror)
    call MPI_Cart_get(grid, 2, dims, periods, coords, ierror)
    call check(periods(1) .and. .not. periods(2), 'MPI_Cart_get')
    call MPI_Cart_shift(grid, 1, 1, from, to, ierror)
    call check((to == MPI_PROC_NULL) .eqv. (coords(2) == dims(2) - 1), 'MPI_Cart_shift')
    call MPI_Cart_sub(grid, [.true., .false.], half, ierror)
    call MPI_Comm_size(half, size, ierror)
    call check(size == dims(1), 'MPI_Cart_sub')
    call MPI_Comm_group(grid, group, ierror)
    call MPI_Group_incl(group, 0, coords, none, ierror)
    call check(none == MPI_GROUP_EMPTY, 'MPI_Group_incl')
    call MPI_Group_compare(group, none, result, ierror)
    call check((result == MPI_UNEQUAL), 'MPI_Group_compare')
    call MPI_Group_free(group, ierror)
    call MPI_Comm_free(half, ierror)
    call MPI_Comm_free(grid, ierror)
    call MPI_Comm_test_inter(MPI_COMM_WORLD, flag, ierror)
    call check(.not. flag, 'MPI_Comm_test_inter')
  end subroutine

  subroutine attribute_copy(comm, keyval, extra, value_in, value_out, flag, ierror)
    integer :: comm, keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra, value_in, value_out
    logical :: flag
    value_out = value_in + extra
    flag = comm /= MPI_COMM_NULL .and. keyval /= MPI_KEYVAL_INVALID
    ierror = MPI_SUCCESS
  end subroutine

  subroutine attributes(n)
    integer, intent(in) :: n
    integer :: key, ierror, other
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    logical :: flag
    extra = 1000
    call MPI_Comm_create_keyval(attribute_copy, MPI_COMM_NULL_DELETE_FN, key, extra, ierror)
    value = -5
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, other, ierror)
    call MPI_Comm_get_attr(other, key, value, flag, ierror)
    call check(flag .and. value == 995, 'copied attribute')
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierror)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, flag, ierror)
    call check(.not. flag, 'deleted attribute')
    call MPI_Comm_free(other, ierror)
    call MPI_Comm_free_keyval(key, ierror)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, value, flag, ierror)
    call check(flag .and. value == n, 'MPI_UNIVERSE_SIZE')
  end subroutine

  subroutine datatypes(rank, n)
    integer, intent(in) :: rank, n
    integer :: ierror, column, row, packed, size, blocks(2), types(2), mixed
    integer(kind=MPI_ADDRESS_KIND) :: lb, extent, displs(2), here
    double precision :: a(4, 3), b(4, 3)
    integer :: tags(2)
    character :: buffer(200)
    a = rank
    b = -1
    call MPI_Type_vector(3, 1, 4, MPI_DOUBLE_PRECISION, row, ierror)
    call MPI_Type_commit(row, ierror)
    call MPI_Sendrecv(a(2, 1), 1, row, mod(rank + 1, n), 0, b(3, 1), 1, row, &
                      mod(rank + n - 1, n), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call check(all(b(3, :) == mod(rank + n - 1, n)) .and. all(b(1:2, :) == -1), 'row of a matrix')
    call MPI_Type_contiguous(4, MPI_DOUBLE_PRECISION, column, ierror)
    call MPI_Type_get_extent(column, lb, extent, ierror)
    call check(lb == 0 .and. extent == 32, 'MPI_Type_get_extent')
    call MPI_Get_address(tags(1), here, ierror)
    call MPI_Get_address(tags(2), displs(2), ierror)
    call check(MPI_Aint_diff(displs(2), here) == 4, 'MPI_Aint_diff')
    displs = [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND]
    blocks = [1, 2]
    types = [MPI_INTEGER, MPI_DOUBLE_PRECISION]
    call MPI_Type_create_struct(2, blocks, displs, types, mixed, ierror)
    call MPI_Type_size(mixed, size, ierror)
    call check(size == 20, 'MPI_Type_create_struct')
    packed = 0
    call MPI_Pack(rank, 1, MPI_INTEGER, buffer, 200, packed, MPI_COMM_WORLD, ierror)
    call MPI_Pack(a, 1, row, buffer, 200, packed, MPI_COMM_WORLD, ierror)
    call check(packed == 28, 'MPI_Pack')
    call MPI_Type_free(row, ierror)
    call MPI_Type_free(mixed, ierror)
    call MPI_Type_free(column, ierror)
    call check(row == MPI_DATATYPE_NULL, 'MPI_Type_free')
  end subroutine

  subroutine handler(comm, code)
    integer :: comm, code
    if (comm /= MPI_COMM_SELF) code = -1
  end subroutine

  subroutine texts_and_errors()
    integer :: ierror, n, code, class, info, before
    character(len=MPI_MAX_PROCESSOR_NAME) :: name
    character(len=MPI_MAX_ERROR_STRING) :: message
    character(len=20) :: value
    logical :: flag
    name = 'x'
    call MPI_Get_processor_name(name, n, ierror)
    call check(n > 0 .and. len_trim(name) == n, 'MPI_Get_processor_name')
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, ' key ', ' some value', ierror)
    n = 20
    call MPI_Info_get_string(info, 'key', n, value, flag, ierror)
    call check(flag .and. value == 'some value' .and. n == 10, 'MPI_Info_get_string')
    call MPI_Info_get(info, 'key', 4, value, flag, ierror)
    call check(flag .and. value == 'some', 'MPI_Info_get')
    call MPI_Info_get(info, 'none', 4, value, flag, ierror)
    call check(.not. flag .and. value == 'some', 'MPI_Info_get of nothing')
    call MPI_Info_free(info, ierror)
    call MPI_Comm_create_errhandler(handler, code, ierror)
    call MPI_Comm_get_errhandler(MPI_COMM_SELF, before, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, code, ierror)
    call MPI_Send(n, 1, MPI_INTEGER, 5, 0, MPI_COMM_SELF, ierror)
    call check(ierror /= MPI_SUCCESS, 'error returned by a handler')
    call MPI_Error_class(ierror, class, n)
    call check(class == MPI_ERR_RANK, 'MPI_Error_class')
    call MPI_Error_string(class, message, n, ierror)
    call check(n > 0 .and. len_trim(message) == n, 'MPI_Error_string')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
    call MPI_Recv(n, 1, MPI_INTEGER, -77, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierror)
    call check(ierror == MPI_ERR_RANK, 'MPI_ERRORS_RETURN')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, before, ierror)
    call MPI_Errhandler_free(code, ierror)
    call check(code == MPI_ERRHANDLER_NULL, 'MPI_Errhandler_free')
  end subroutine

  subroutine all_parts()
    integer :: rank, n, ierror, provided
    logical :: flag
    double precision :: begin
    call MPI_Initialized(flag, ierror)
    call check(.not. flag, 'MPI_Initialized before')
    call MPI_Init_thread(MPI_THREAD_SINGLE, provided, ierror)
    call MPI_Initialized(flag, ierror)
    call check(flag .and. ierror == MPI_SUCCESS, 'MPI_Initialized')
    begin = MPI_Wtime()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
    call sizes()
    call messages(rank, n)
    call collectives(rank, n)
    call communicators(rank, n)
    call attributes(n)
    call datatypes(rank, n)
    call texts_and_errors()
    call check(MPI_Wtime() >= begin .and. MPI_Wtick() > 0, 'MPI_Wtime')
    print '(a,i0,a,i0)', 'rank ', rank, ' of ', n
    call MPI_Finalize(ierror)
  end subroutine
end module

program main
  use checks
  implicit none
  call all_parts()
end program
