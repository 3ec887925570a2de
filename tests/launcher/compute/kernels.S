/* SPDX-License-Identifier: MIT */
/* Loops whose operations the test compute.py knows. Each is a function (long rounds, void *memory).
 * What an instruction is counted as stands beside it: integer, multiply, divide, memory, add, mul,
 * fdiv, branch. */
        .text

        .globl  kernel_integers
        .type   kernel_integers, @function
kernel_integers:
.Lintegers:
        leaq    3(%rdi,%rdi), %rax      # integer
        imulq   %rax, %rax              # multiply
        movq    %rax, (%rsi)            # memory
        addq    (%rsi), %rax            # memory, integer
        addq    $1, (%rsi)              # memory twice, integer
        nop
        subq    $1, %rdi                # integer
        jnz     .Lintegers              # branch
        ret
        .size   kernel_integers, .-kernel_integers

        .globl  kernel_divides
        .type   kernel_divides, @function
kernel_divides:
        movl    $7, %ecx
.Ldivides:
        movl    $1000, %eax             # integer
        cltd                            # integer
        idivl   %ecx                    # divide
        cmpl    $142, %eax              # integer
        jne     .Lwrong                 # branch
        decq    %rdi                    # integer
        jne     .Ldivides               # branch
        ret
.Lwrong:
        ud2
        .size   kernel_divides, .-kernel_divides

        .globl  kernel_scalars
        .type   kernel_scalars, @function
kernel_scalars:
        cvtsi2sdq %rdi, %xmm2
.Lscalars:
        movsd   (%rsi), %xmm0           # memory
        addsd   %xmm2, %xmm0            # add
        mulsd   8(%rsi), %xmm0          # mul, memory
        divsd   %xmm2, %xmm0            # fdiv
        sqrtsd  %xmm0, %xmm1            # fdiv
        ucomisd %xmm1, %xmm0            # add
        movapd  %xmm1, %xmm3            # integer
        movsd   %xmm0, (%rsi)           # memory
        subq    $1, %rdi                # integer
        jne     .Lscalars               # branch
        ret
        .size   kernel_scalars, .-kernel_scalars

        .globl  kernel_vectors
        .type   kernel_vectors, @function
kernel_vectors:
        xorpd   %xmm1, %xmm1
.Lvectors:
        movupd  (%rsi), %xmm0           # memory twice
        addpd   %xmm1, %xmm0            # add twice
        mulps   %xmm1, %xmm2            # mul four times
        paddq   %xmm1, %xmm3            # integer twice
        movupd  %xmm0, (%rsi)           # memory twice
        subq    $1, %rdi                # integer
        jne     .Lvectors               # branch
        ret
        .size   kernel_vectors, .-kernel_vectors

/* All registers that could hold the counter are in use, and flags live from block to block. */
        .globl  kernel_crowded
        .type   kernel_crowded, @function
kernel_crowded:
        pxor    %xmm8, %xmm8
        pxor    %xmm9, %xmm9
        pxor    %xmm10, %xmm10
        pxor    %xmm11, %xmm11
        pxor    %xmm12, %xmm12
        pxor    %xmm13, %xmm13
        pxor    %xmm14, %xmm14
        pcmpeqd %xmm15, %xmm15
        movq    $-5, -8(%rsp)
.Lcrowded:
        subq    $1, %rdi                # integer
        je      .Ldone                  # branch
        jg      .Lcrowded               # branch
        ud2
.Ldone:
        cmpq    $-5, -8(%rsp)
        jne     .Lbroken
        pcmpeqd %xmm8, %xmm15
        pmovmskb %xmm15, %eax
        testl   %eax, %eax
        jne     .Lbroken
        ret
.Lbroken:
        ud2
        .size   kernel_crowded, .-kernel_crowded

/* Eight bytes a round of the caller's loop: this one has no loop of its own. */
        .globl  kernel_strings
        .type   kernel_strings, @function
kernel_strings:
        movq    %rdi, %rcx
        movq    %rsi, %rdi
        cld
        rep stosq                       # memory, each
        ret
        .size   kernel_strings, .-kernel_strings

/* The same as clang writes it. */
        .globl  kernel_prefixes
        .type   kernel_prefixes, @function
kernel_prefixes:
        movq    %rdi, %rcx
        movq    %rsi, %rdi
        cld
        rep;stosq %rax, %es:(%rdi)      # memory, each
        ret
        .size   kernel_prefixes, .-kernel_prefixes

/* As strlen does: it ends where something is found, long before %rcx is 0. */
        .globl  kernel_searches
        .type   kernel_searches, @function
kernel_searches:
        movb    $1, (%rsi,%rdi,8)
        movq    %rsi, %rdi
        xorl    %eax, %eax
        movq    $-1, %rcx
        cld
        repe scasb                      # memory, integer, for 8 bytes
        ret
        .size   kernel_searches, .-kernel_searches

/* The same where a register holds the counter. */
        .globl  kernel_finds
        .type   kernel_finds, @function
kernel_finds:
        movq    %rdi, %rdx
        movb    $1, 7(%rsi)
        xorl    %eax, %eax
        cld
.Lfinds:
        movq    $-1, %rcx               # integer
        movq    %rsi, %rdi              # integer
        repe scasb                      # memory, integer
        decq    %rdx                    # integer
        jne     .Lfinds                 # branch
        ret
        .size   kernel_finds, .-kernel_finds

/* A table of addresses and a call inside a loop. */
        .globl  kernel_calls
        .type   kernel_calls, @function
kernel_calls:
        pushq   %rbx
        movq    %rdi, %rbx
        leaq    .Ltable(%rip), %rdx
.Lcalls:
        call    .Lleaf                  # branch
        movslq  (%rdx), %rax            # memory
        addq    %rdx, %rax              # integer
        jmp     *%rax                   # branch
.Lcase:
        decq    %rbx                    # integer
        jne     .Lcalls                 # branch
        popq    %rbx
        ret
.Lleaf:
        ret                             # branch
        .size   kernel_calls, .-kernel_calls

/* A function that calls nothing but itself, once for each round. */
        .globl  kernel_recurs
        .type   kernel_recurs, @function
kernel_recurs:
        subq    $8, %rsp                # integer
        decq    %rdi                    # integer
        jle     .Lrecursed              # branch
        call    kernel_recurs           # branch
        incq    %rax                    # integer
.Lrecursed:
        addq    $8, %rsp                # integer
        ret                             # branch
        .size   kernel_recurs, .-kernel_recurs

/* One of two ways in turns, and one of them has two again. */
        .globl  kernel_branches
        .type   kernel_branches, @function
kernel_branches:
        xorl    %eax, %eax
.Lbranches:
        incq    %rax                    # integer
        testb   $1, %al                 # integer
        je      .Leven                  # branch
        imulq   %rdi, %rcx              # multiply, in every other round
        jmp     .Ljoin                  # branch, likewise
.Leven:
        movq    %rax, (%rsi)            # memory, in the others
        testb   $2, %al                 # integer, likewise
        jne     .Ljoin                  # branch, likewise
        cvtsi2sdq %rax, %xmm0           # add, in every fourth
.Ljoin:
        decq    %rdi                    # integer
        jne     .Lbranches              # branch
        ret
        .size   kernel_branches, .-kernel_branches

/* A loop whose blocks have others between them, and a call on a way that is never taken. */
        .globl  kernel_apart
        .type   kernel_apart, @function
kernel_apart:
        jmp     .Lapart
.Lback:
        decq    %rdi                    # integer
        jne     .Lapart                 # branch
        ret
.Lnever:
        call    abort
.Lapart:
        imulq   %rdi, %rax              # multiply
        testq   %rdi, %rdi              # integer
        js      .Lnever                 # branch
        jmp     .Lback                  # branch
        .size   kernel_apart, .-kernel_apart

/* A function that is called with anything in a register, and gone to by its name, too. */
        .globl  kernel_jumps
        .type   kernel_jumps, @function
kernel_jumps:
        movq    %rdi, %rax
        shlq    $32, %rax
        movq    %rax, %xmm15
        subq    $8, %rsp
        call    kernel_jumped
        addq    $8, %rsp
        movl    $1, %edi
        jmp     kernel_jumped
        .size   kernel_jumps, .-kernel_jumps

        .type   kernel_jumped, @function
kernel_jumped:
.Ljumped:
        decq    %rdi                    # integer
        jne     .Ljumped                # branch
        ret
        .size   kernel_jumped, .-kernel_jumped

/* All registers are named, and two are free where the loop is. */
        .globl  kernel_spared
        .type   kernel_spared, @function
kernel_spared:
        pcmpeqd %xmm15, %xmm15
        pcmpeqd %xmm14, %xmm14
        pcmpeqd %xmm13, %xmm13
        pcmpeqd %xmm12, %xmm12
        pcmpeqd %xmm11, %xmm11
        pcmpeqd %xmm10, %xmm10
        pcmpeqd %xmm9, %xmm9
        pcmpeqd %xmm8, %xmm8
        movdqa  %xmm9, %xmm7
        movdqa  %xmm11, %xmm6
        movdqa  %xmm11, %xmm5
        movdqa  %xmm11, %xmm4
        movdqa  %xmm11, %xmm3
        movdqa  %xmm11, %xmm2
        movdqa  %xmm11, %xmm1
        movdqa  %xmm11, %xmm0
.Lspared:
        decq    %rdi                    # integer
        jne     .Lspared                # branch
        movdqa  %xmm15, %xmm9
        pxor    %xmm12, %xmm12
        pand    %xmm14, %xmm15
        pand    %xmm13, %xmm15
        pand    %xmm11, %xmm15
        pand    %xmm10, %xmm15
        pand    %xmm9, %xmm15
        pand    %xmm8, %xmm15
        pand    %xmm7, %xmm15
        pand    %xmm6, %xmm15
        pand    %xmm5, %xmm15
        pand    %xmm4, %xmm15
        pand    %xmm3, %xmm15
        pand    %xmm2, %xmm15
        pand    %xmm1, %xmm15
        pand    %xmm0, %xmm15
        pmovmskb %xmm15, %eax
        cmpl    $0xffff, %eax
        jne     .Lspoiled
        ret
.Lspoiled:
        ud2
        .size   kernel_spared, .-kernel_spared

        .section .rodata
        .balign 4
.Ltable:
        .long   .Lcase - .Ltable
        .section .note.GNU-stack,"",@progbits
