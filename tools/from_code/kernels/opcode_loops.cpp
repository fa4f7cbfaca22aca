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

    .macro end_of_loop
    sub $1, %rdi
    jnz 1b
    ret
    .endm

    .macro numbers move, width
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8
    \move (%rsi), %\width\()\number
    .endr
    .endm

    # two operands
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

    # three operands, the middle one that of the result, or for fma one of its own
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
    sub $1, %rdi
    jnz 1b
    vzeroupper
    ret
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
    sub $1, %rdi
    jnz 1b
    vzeroupper
    ret
    .endm

    # one operand, from a register to itself
    .macro unary operation, width, move
    begin \operation\()_\width\()_dependent
    numbers \move, \width
    .p2align 6
1:
    .rept 64
    \operation %\width\()0, %\width\()0
    .endr
    sub $1, %rdi
    jnz 1b
    .ifc \width, ymm
    vzeroupper
    .endif
    ret
    begin \operation\()_\width\()_independent
    numbers \move, \width
    .p2align 6
1:
    .rept 8
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    \operation %\width\()\number, %\width\()\number
    .endr
    .endr
    sub $1, %rdi
    jnz 1b
    .ifc \width, ymm
    vzeroupper
    .endif
    ret
    .endm

    # on integer registers
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

    # to an integer and back
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

    # an address that is loaded from itself
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

    # to one place, and to places in a line
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

    # by 1, so that the quotient stays as large
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

    # taken, and not taken
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

#define WARPFRONT_LOOP_PAIR(label)                                 \
    void warpfront_loop_##label##_dependent(std::uint64_t, void*); \
    void warpfront_loop_##label##_independent(std::uint64_t, void*)
extern "C" {
WARPFRONT_LOOP_PAIR(addsd);
WARPFRONT_LOOP_PAIR(addpd);
WARPFRONT_LOOP_PAIR(mulsd);
WARPFRONT_LOOP_PAIR(mulpd);
WARPFRONT_LOOP_PAIR(divsd);
WARPFRONT_LOOP_PAIR(divpd);
WARPFRONT_LOOP_PAIR(divss);
WARPFRONT_LOOP_PAIR(divps);
WARPFRONT_LOOP_PAIR(maxsd);
WARPFRONT_LOOP_PAIR(paddd);
WARPFRONT_LOOP_PAIR(vaddpd_ymm);
WARPFRONT_LOOP_PAIR(vaddps_ymm);
WARPFRONT_LOOP_PAIR(vmulpd_ymm);
WARPFRONT_LOOP_PAIR(vmulps_ymm);
WARPFRONT_LOOP_PAIR(vdivpd_ymm);
WARPFRONT_LOOP_PAIR(vdivps_ymm);
WARPFRONT_LOOP_PAIR(vfmadd213sd_xmm);
WARPFRONT_LOOP_PAIR(vfmadd213pd_xmm);
WARPFRONT_LOOP_PAIR(vfmadd213pd_ymm);
WARPFRONT_LOOP_PAIR(vfmadd213ps_ymm);
WARPFRONT_LOOP_PAIR(sqrtsd_xmm);
WARPFRONT_LOOP_PAIR(sqrtpd_xmm);
WARPFRONT_LOOP_PAIR(sqrtss_xmm);
WARPFRONT_LOOP_PAIR(sqrtps_xmm);
WARPFRONT_LOOP_PAIR(vsqrtpd_ymm);
WARPFRONT_LOOP_PAIR(vsqrtps_ymm);
WARPFRONT_LOOP_PAIR(add);
WARPFRONT_LOOP_PAIR(imul);
WARPFRONT_LOOP_PAIR(mov);
WARPFRONT_LOOP_PAIR(convert);
WARPFRONT_LOOP_PAIR(load);
WARPFRONT_LOOP_PAIR(store);
WARPFRONT_LOOP_PAIR(div);
WARPFRONT_LOOP_PAIR(branch);
void warpfront_loop_call_dependent(std::uint64_t, void*);
}
#undef WARPFRONT_LOOP_PAIR

namespace warpfront::kernels {

namespace {

using Needs = OpcodeLoop::Needs;
constexpr auto kSingles = OpcodeLoop::Numbers::singles;
constexpr auto kDoubles = OpcodeLoop::Numbers::doubles;

#define WARPFRONT_LOOPS(label) warpfront_loop_##label##_dependent, warpfront_loop_##label##_independent
constexpr std::array kLoops{
    OpcodeLoop{"add", WARPFRONT_LOOPS(addsd)},
    OpcodeLoop{"add_x2", WARPFRONT_LOOPS(addpd)},
    OpcodeLoop{"add_x4", WARPFRONT_LOOPS(vaddpd_ymm), Needs::avx},
    OpcodeLoop{"add_x8", WARPFRONT_LOOPS(vaddps_ymm), Needs::avx, kSingles},
    OpcodeLoop{"multiply", WARPFRONT_LOOPS(mulsd)},
    OpcodeLoop{"multiply_x2", WARPFRONT_LOOPS(mulpd)},
    OpcodeLoop{"multiply_x4", WARPFRONT_LOOPS(vmulpd_ymm), Needs::avx},
    OpcodeLoop{"multiply_x8", WARPFRONT_LOOPS(vmulps_ymm), Needs::avx, kSingles},
    OpcodeLoop{"fma", WARPFRONT_LOOPS(vfmadd213sd_xmm), Needs::fma},
    OpcodeLoop{"fma_x2", WARPFRONT_LOOPS(vfmadd213pd_xmm), Needs::fma},
    OpcodeLoop{"fma_x4", WARPFRONT_LOOPS(vfmadd213pd_ymm), Needs::fma},
    OpcodeLoop{"fma_x8", WARPFRONT_LOOPS(vfmadd213ps_ymm), Needs::fma, kSingles},
    OpcodeLoop{"divide", WARPFRONT_LOOPS(divsd)},
    OpcodeLoop{"divide_x2", WARPFRONT_LOOPS(divpd)},
    OpcodeLoop{"divide_x4", WARPFRONT_LOOPS(vdivpd_ymm), Needs::avx},
    OpcodeLoop{"divide_single", WARPFRONT_LOOPS(divss), Needs::nothing, kSingles},
    OpcodeLoop{"divide_single_x4", WARPFRONT_LOOPS(divps), Needs::nothing, kSingles},
    OpcodeLoop{"divide_single_x8", WARPFRONT_LOOPS(vdivps_ymm), Needs::avx, kSingles},
    OpcodeLoop{"sqrt", WARPFRONT_LOOPS(sqrtsd_xmm)},
    OpcodeLoop{"sqrt_x2", WARPFRONT_LOOPS(sqrtpd_xmm)},
    OpcodeLoop{"sqrt_x4", WARPFRONT_LOOPS(vsqrtpd_ymm), Needs::avx},
    OpcodeLoop{"sqrt_single", WARPFRONT_LOOPS(sqrtss_xmm), Needs::nothing, kSingles},
    OpcodeLoop{"sqrt_single_x4", WARPFRONT_LOOPS(sqrtps_xmm), Needs::nothing, kSingles},
    OpcodeLoop{"sqrt_single_x8", WARPFRONT_LOOPS(vsqrtps_ymm), Needs::avx, kSingles},
    OpcodeLoop{"compare", WARPFRONT_LOOPS(maxsd)},
    OpcodeLoop{"convert", WARPFRONT_LOOPS(convert)},
    OpcodeLoop{"vector", WARPFRONT_LOOPS(paddd)},
    OpcodeLoop{"load", WARPFRONT_LOOPS(load)},
    OpcodeLoop{"store", WARPFRONT_LOOPS(store)},
    OpcodeLoop{"integer", WARPFRONT_LOOPS(add)},
    OpcodeLoop{"integer_multiply", WARPFRONT_LOOPS(imul)},
    OpcodeLoop{"integer_divide", WARPFRONT_LOOPS(div)},
    OpcodeLoop{"move", WARPFRONT_LOOPS(mov)},
    OpcodeLoop{"branch", WARPFRONT_LOOPS(branch)},
    OpcodeLoop{"call", warpfront_loop_call_dependent, warpfront_loop_call_dependent, Needs::nothing, kDoubles, 2},
};
#undef WARPFRONT_LOOPS

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
