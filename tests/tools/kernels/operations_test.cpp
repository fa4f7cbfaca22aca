// Instructions in the output of objdump, and their operations.
#include "tools/from_code/kernels/operations.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::kernels;

namespace {

std::string operations_of(std::string_view text) {
    return fmt::format("{}", fmt::join(classify(text).operations, " "));
}

}  // namespace

TEST_CASE("arithmetic is scalar, or packed by its lanes") {
    CHECK(operations_of("addsd  %xmm1,%xmm0") == "add");
    CHECK(operations_of("subss  %xmm1,%xmm0") == "add");
    CHECK(operations_of("mulpd  %xmm1,%xmm0") == "multiply_x2");
    CHECK(operations_of("vmulps %ymm1,%ymm2,%ymm0") == "multiply_x8");
    CHECK(operations_of("vfmadd231pd %ymm1,%ymm2,%ymm0") == "fma_x4");
    CHECK(operations_of("vfnmadd132sd %xmm1,%xmm2,%xmm0") == "fma");
    CHECK(operations_of("sqrtsd %xmm1,%xmm0") == "sqrt");
    CHECK(flops_of("fma_x4") == 8);
    CHECK(flops_of("multiply") == 1);
    CHECK(flops_of("load") == 0);
}

TEST_CASE("single precision is apart where its times differ") {
    CHECK(operations_of("divsd  %xmm1,%xmm0") == "divide");
    CHECK(operations_of("divss  %xmm1,%xmm0") == "divide_single");
    CHECK(operations_of("vdivps %ymm1,%ymm2,%ymm0") == "divide_single_x8");
}

TEST_CASE("a source in memory is loaded as well, a destination there stored") {
    CHECK(operations_of("mulsd  0x8(%rax,%rcx,8),%xmm1") == "multiply load");
    CHECK(operations_of("movsd  0xd95(%rip),%xmm7        # 2030 <options.27.3+0x20>") == "load");
    CHECK(operations_of("movapd %xmm0,(%rdi)") == "store");
    CHECK(operations_of("addq   $0x1,-0x8(%rbp)") == "integer load store");
    CHECK(operations_of("cmpl   $0x1,-0x8(%rbp)") == "integer load");
    CHECK(operations_of("cvtsi2sdl (%rax),%xmm0") == "convert load");
    CHECK(operations_of("mov    %fs:0x28,%rax") == "load");
    CHECK(operations_of("sete   (%rax)") == "integer store");
    CHECK(operations_of("vextractf128 $0x1,%ymm0,(%rax)") == "vector store");
}

TEST_CASE("an address that is only computed is no load") {
    CHECK(operations_of("lea    0x0(,%rdx,8),%r11") == "integer");
    CHECK(operations_of("nopw   0x0(%rax,%rax,1)") == "move");
}

TEST_CASE("control flow, calls and the stack") {
    CHECK(operations_of("jle    13d3 <sweep_+0x1e3>") == "branch");
    CHECK(operations_of("notrack jmp *(%rdx,%rax,4)") == "branch load");
    CHECK(operations_of("call   1050 <exp@plt>") == "call");
    CHECK(operations_of("ret") == "call");
    CHECK(operations_of("push   %rbp") == "store");
    CHECK(operations_of("pop    %rbp") == "load");
    CHECK(operations_of("popcnt %rax,%rax") == "integer");
}

TEST_CASE("integers, moves, strings, vectors, and x87") {
    CHECK(operations_of("imul   %rdx,%r14") == "integer_multiply");
    CHECK(operations_of("idivl  0x8(%rsp)") == "integer_divide load");
    CHECK(operations_of("movslq (%r11),%rdx") == "load");
    CHECK(operations_of("mov    %rdi,%r11") == "move");
    CHECK(operations_of("rep movsq %ds:(%rsi),%es:(%rdi)") == "load store");
    CHECK(operations_of("pxor   %xmm0,%xmm0") == "vector");
    CHECK(operations_of("unpcklpd (%rax),%xmm0") == "vector load");
    CHECK(operations_of("ucomisd %xmm1,%xmm0") == "compare");
    CHECK(operations_of("vzeroupper") == "vector");
    CHECK(operations_of("fmull  0x8(%rsp)") == "multiply load");
    CHECK(operations_of("fstpt  (%rdi)") == "store");
    CHECK(operations_of("cpuid") == "other");
}

TEST_CASE("a listing is read by its addresses") {
    const auto instructions = parse_disassembly(
        "sweep:     file format elf64-x86-64\n\n00000000000011f0 <sweep_>:\n    11f0:\tmov    %rdi,%r11\n"
        "    11f3:\tpush   %r15\n");
    REQUIRE(instructions.size() == 2);
    CHECK(instructions.at(0x11f0).mnemonic == "mov");
    CHECK(instructions.at(0x11f3).operations == std::vector<std::string_view>{"store"});
}

TEST_CASE("no operation stands twice in the table") {
    std::vector<std::string_view> names;
    for (const Operation& operation : operations()) names.push_back(operation.name);
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}
