! SPDX-License-Identifier: MIT
! A program with a handler of its own for SIGQUIT.
program quit
  use mpi
  implicit none
  integer, parameter :: sigquit = 3
  integer :: ierr
  external :: handler
  call signal(sigquit, handler)
  call MPI_Init(ierr)
  call kill(getpid(), sigquit)
  print '(a)', 'goes on'
  call MPI_Finalize(ierr)
end program

subroutine handler()
  print '(a)', 'handled'
end subroutine
