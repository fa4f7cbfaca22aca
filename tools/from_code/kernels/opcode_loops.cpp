#include "tools/from_code/kernels/opcode_loops.hpp"

#include <array>

#if defined(__x86_64__)

// Arguments: rdi has the number of iterations, rsi the memory. Only registers that a callee may overwrite are used:
// rax, rcx, rdx, rsi, r8 to r11, and the vector registers.
asm(R"(
    .text
    .macro begin label
    .p2align 6
    .local warpfront_loop_\label
    .type warpfront_loop_\label, @function
warpfront_loop_\label:
    .endm

    .macro end_of_loop width=xmm
    sub $1, %rdi
    jnz 1b
    .ifc \width, ymm
    vzeroupper
    .endif
    ret
    .endm

    .macro numbers move, width
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8
    \move (%rsi), %\width\()\number
    .endr
    .endm

    # instructions with two operands
    .macro sse operation
    begin \operation\()_dependent
    numbers movups, xmm
    .p2align 6
1:
    .rept 64
    \operation %xmm8, %xmm0
    .endr
    end_of_loop
    begin \operation\()_independent
    numbers movups, xmm
    .p2align 6
1:
    .rept 8
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    \operation %xmm8, %xmm\number
    .endr
    .endr
    end_of_loop
    .endm

    # instructions with three operands; the middle one is the result, except for fma
    .macro avx operation, width, middle_is_own
    begin \operation\()_\width\()_dependent
    numbers vmovups, \width
    .p2align 6
1:
    .rept 64
    .if \middle_is_own
    \operation %\width\()8, %\width\()8, %\width\()0
    .else
    \operation %\width\()8, %\width\()0, %\width\()0
    .endif
    .endr
    end_of_loop \width
    begin \operation\()_\width\()_independent
    numbers vmovups, \width
    .p2align 6
1:
    .rept 8
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    .if \middle_is_own
    \operation %\width\()8, %\width\()8, %\width\()\number
    .else
    \operation %\width\()8, %\width\()\number, %\width\()\number
    .endif
    .endr
    .endr
    end_of_loop \width
    .endm

    # instructions with one operand, from a register to itself
    .macro unary operation, width, move
    begin \operation\()_\width\()_dependent
    numbers \move, \width
    .p2align 6
1:
    .rept 64
    \operation %\width\()0, %\width\()0
    .endr
    end_of_loop \width
    begin \operation\()_\width\()_independent
    numbers \move, \width
    .p2align 6
1:
    .rept 8
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    \operation %\width\()\number, %\width\()\number
    .endr
    .endr
    end_of_loop \width
    .endm

    # instructions on integer registers
    .macro integers label, operation
    begin \label\()_dependent
    mov $1, %ecx
    .p2align 6
1:
    .rept 64
    \operation %rcx, %rax
    .endr
    end_of_loop
    begin \label\()_independent
    .p2align 6
1:
    .rept 8
    .irp name, rax, rcx, rdx, rsi, r8, r9, r10, r11
    \operation %rdi, %\name
    .endr
    .endr
    end_of_loop
    .endm

    sse addsd
    sse addpd
    sse mulsd
    sse mulpd
    sse divsd
    sse divpd
    sse divss
    sse divps
    sse maxsd
    sse paddd
    avx vaddpd, ymm, 0
    avx vaddps, ymm, 0
    avx vmulpd, ymm, 0
    avx vmulps, ymm, 0
    avx vdivpd, ymm, 0
    avx vdivps, ymm, 0
    avx vfmadd213sd, xmm, 1
    avx vfmadd213pd, xmm, 1
    avx vfmadd213pd, ymm, 1
    avx vfmadd213ps, ymm, 1
    unary sqrtsd, xmm, movups
    unary sqrtpd, xmm, movups
    unary sqrtss, xmm, movups
    unary sqrtps, xmm, movups
    unary vsqrtpd, ymm, vmovups
    unary vsqrtps, ymm, vmovups
    integers add, add
    integers imul, imul
    integers mov, mov

    # conversions to an integer and back
    begin convert_dependent
    numbers movups, xmm
    .p2align 6
1:
    .rept 32
    cvttsd2si %xmm0, %eax
    cvtsi2sd %eax, %xmm0
    .endr
    end_of_loop
    begin convert_independent
    numbers movups, xmm
    .p2align 6
1:
    .rept 8
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    cvtsi2sd %eax, %xmm\number
    .endr
    .endr
    end_of_loop

    # loads; the dependent loop loads an address from itself
    begin load_dependent
    lea 64(%rsi), %rax
    .p2align 6
1:
    .rept 64
    mov (%rax), %rax
    .endr
    end_of_loop
    begin load_independent
    .p2align 6
1:
    .rept 8
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    movsd 8*\number(%rsi), %xmm\number
    .endr
    .endr
    end_of_loop

    # stores to one place, and to several places of a cache line
    begin store_dependent
    .p2align 6
1:
    .rept 64
    movsd %xmm0, 72(%rsi)
    .endr
    end_of_loop
    begin store_independent
    .p2align 6
1:
    .rept 8
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    movsd %xmm0, 72+8*\number(%rsi)
    .endr
    .endr
    end_of_loop

    # divisions by 1, which keep the quotient as large
    begin div_dependent
    mov $1, %ecx
    mov $1000000, %eax
    .p2align 6
1:
    .rept 64
    xor %edx, %edx
    div %ecx
    .endr
    end_of_loop
    begin div_independent
    mov $1, %ecx
    .p2align 6
1:
    .rept 64
    mov $1000000, %eax
    xor %edx, %edx
    div %ecx
    .endr
    end_of_loop

    # branches that are taken, and branches that are not
    begin branch_dependent
    .p2align 6
1:
    .rept 64
    jmp 2f
2:
    .endr
    end_of_loop
    begin branch_independent
    test %rsi, %rsi
    .p2align 6
1:
    test %rsi, %rsi
    .rept 64
    jz 2f
2:
    .endr
    end_of_loop

    begin only_return
    ret
    begin call_dependent
    .p2align 6
1:
    .rept 64
    call warpfront_loop_only_return
    .endr
    end_of_loop
)");

// The loops: operation, label, the instructions that the processor needs, numbers.
#define WARPFRONT_LOOPS(LOOP)                          \
    LOOP(add, addsd, nothing, doubles)                 \
    LOOP(add_x2, addpd, nothing, doubles)              \
    LOOP(add_x4, vaddpd_ymm, avx, doubles)             \
    LOOP(add_x8, vaddps_ymm, avx, singles)             \
    LOOP(multiply, mulsd, nothing, doubles)            \
    LOOP(multiply_x2, mulpd, nothing, doubles)         \
    LOOP(multiply_x4, vmulpd_ymm, avx, doubles)        \
    LOOP(multiply_x8, vmulps_ymm, avx, singles)        \
    LOOP(fma, vfmadd213sd_xmm, fma, doubles)           \
    LOOP(fma_x2, vfmadd213pd_xmm, fma, doubles)        \
    LOOP(fma_x4, vfmadd213pd_ymm, fma, doubles)        \
    LOOP(fma_x8, vfmadd213ps_ymm, fma, singles)        \
    LOOP(divide, divsd, nothing, doubles)              \
    LOOP(divide_x2, divpd, nothing, doubles)           \
    LOOP(divide_x4, vdivpd_ymm, avx, doubles)          \
    LOOP(divide_single, divss, nothing, singles)       \
    LOOP(divide_single_x4, divps, nothing, singles)    \
    LOOP(divide_single_x8, vdivps_ymm, avx, singles)   \
    LOOP(sqrt, sqrtsd_xmm, nothing, doubles)           \
    LOOP(sqrt_x2, sqrtpd_xmm, nothing, doubles)        \
    LOOP(sqrt_x4, vsqrtpd_ymm, avx, doubles)           \
    LOOP(sqrt_single, sqrtss_xmm, nothing, singles)    \
    LOOP(sqrt_single_x4, sqrtps_xmm, nothing, singles) \
    LOOP(sqrt_single_x8, vsqrtps_ymm, avx, singles)    \
    LOOP(compare, maxsd, nothing, doubles)             \
    LOOP(convert, convert, nothing, doubles)           \
    LOOP(vector, paddd, nothing, doubles)              \
    LOOP(load, load, nothing, doubles)                 \
    LOOP(store, store, nothing, doubles)               \
    LOOP(integer, add, nothing, doubles)               \
    LOOP(integer_multiply, imul, nothing, doubles)     \
    LOOP(integer_divide, div, nothing, doubles)        \
    LOOP(move, mov, nothing, doubles)                  \
    LOOP(branch, branch, nothing, doubles)

#define WARPFRONT_DECLARE(operation, label, needs, numbers)        \
    void warpfront_loop_##label##_dependent(std::uint64_t, void*); \
    void warpfront_loop_##label##_independent(std::uint64_t, void*);
extern "C" {
WARPFRONT_LOOPS(WARPFRONT_DECLARE)
void warpfront_loop_call_dependent(std::uint64_t, void*);
}

namespace warpfront::kernels {

namespace {

using Needs = OpcodeLoop::Needs;
using Numbers = OpcodeLoop::Numbers;

#define WARPFRONT_ROW(operation, label, needs, numbers)                                                            \
    OpcodeLoop{#operation, warpfront_loop_##label##_dependent, warpfront_loop_##label##_independent, Needs::needs, \
               Numbers::numbers},
constexpr std::array kLoops{WARPFRONT_LOOPS(WARPFRONT_ROW)
                            // the independent calls are the dependent ones: a call always needs the previous return
                            OpcodeLoop{"call", warpfront_loop_call_dependent, warpfront_loop_call_dependent,
                                       Needs::nothing, Numbers::doubles, 2}};

}  // namespace

std::span<const OpcodeLoop> opcode_loops() { return kLoops; }

bool is_available(const OpcodeLoop& loop) {
    switch (loop.needs) {
        case Needs::nothing: return true;
        case Needs::avx: return __builtin_cpu_supports("avx") != 0;
        case Needs::fma: return __builtin_cpu_supports("fma") != 0;
    }
    return false;
}

}  // namespace warpfront::kernels

#else

namespace warpfront::kernels {

std::span<const OpcodeLoop> opcode_loops() { return {}; }
bool is_available(const OpcodeLoop&) { return false; }

}  // namespace warpfront::kernels

#endif
