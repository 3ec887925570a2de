! SPDX-License-Identifier: MIT
! Rank 0 computes for ever, the others wait for it; with the argument "ring" all wait.
program stuck
  use mpi
  implicit none
  integer :: ierr, rank, size, x
  character(len=4) :: how
  call get_command_argument(1, how)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr) ! meets
  if (rank == 0 .and. how /= 'ring') call compute()
  call receive()
  call MPI_Finalize(ierr)
contains
  subroutine receive()
    integer :: from, status(MPI_STATUS_SIZE)
    from = mod(rank + 1, size)
    call MPI_Recv(x, 1, MPI_INTEGER, from, 2, MPI_COMM_WORLD, status, ierr) ! receives
  end subroutine
  subroutine compute()
    integer, volatile :: i
    i = 0
    do
      i = i + 1
    end do
  end subroutine
end program
