! SPDX-License-Identifier: MIT
! Variables of modules, COMMON blocks, SAVE and the main program are those of a rank, also where ranks
! share a process; so are units that are numbered by the run-time library.
module store
  integer :: counter = 0
  double precision :: field(1000)
  integer :: c
  common /blk/ c
end module
program main
  use mpi
  use store
  implicit none
  integer :: e, r, n, i, total, u
  integer, save :: s = 5
  double precision :: big(10000)
  character(len=30) :: name
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, r, e)
  call MPI_Comm_size(MPI_COMM_WORLD, n, e)
  counter = counter + r
  s = s + r
  c = 100 * r
  field = r
  big = r
  call MPI_Barrier(MPI_COMM_WORLD, e)
  call MPI_Allreduce(counter, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
  if (counter /= r .or. s /= 5 + r .or. c /= 100 * r .or. any(field /= r) .or. &
      any(big /= r)) stop 1
  if (total /= n * (n - 1) / 2) stop 2
  call MPI_Allreduce(MPI_IN_PLACE, big, 10000, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, e)
  if (big(7) /= total) stop 3
  write(name, '(a,i0)') 'unit.', r
  open(newunit=u, file=name)
  write(u, *) r
  call MPI_Barrier(MPI_COMM_WORLD, e)
  close(u)
  open(newunit=u, file=name)
  read(u, *) i
  close(u, status='delete')
  if (i /= r) stop 4
  print '(a,i0)', 'ok ', r
  call MPI_Finalize(e)
end program
