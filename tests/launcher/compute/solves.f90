! SPDX-License-Identifier: MIT
! A linear system by elimination, in Fortran.
program solves
  use mpi
  implicit none
  integer, parameter :: n = 60
  real(8) :: a(n, n), b(n), x(n), f
  integer :: i, j, k, error, rank
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  do j = 1, n
     do i = 1, n
        a(i, j) = 1d0 / (i + j + rank)
     end do
     a(j, j) = a(j, j) + 2
  end do
  b = sum(a, 2)
  do k = 1, n - 1
     do i = k + 1, n
        f = a(i, k) / a(k, k)
        a(i, k:) = a(i, k:) - f * a(k, k:)
        b(i) = b(i) - f * b(k)
     end do
  end do
  do i = n, 1, -1
     x(i) = (b(i) - dot_product(a(i, i+1:), x(i+1:))) / a(i, i)
  end do
  print '(i0, es10.2)', rank, min(maxval(abs(x - 1)), 1d-13)
  call MPI_Finalize(error)
end program
