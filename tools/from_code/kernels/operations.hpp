// Operations: the classes of processor operations that `count` of a model names and `warpfront opcodes` measures. An
// x86-64 instruction is one operation or several: with a source in memory it is also a `load`, with a destination in
// memory also a `store`.
//
//   add multiply divide sqrt fma     arithmetic on a floating-point number or, with the suffix _xN, on N of them
//   divide_single sqrt_single        the same in single precision, whose times differ
//   compare convert                  comparisons (with minimum and maximum) and conversions of floating-point numbers
//   vector                           other work in vector registers: integers, logic, shuffles
//   load store                       accesses of any size; push, pop and string instructions too
//   integer integer_multiply integer_divide
//   move                             copies of registers and constants; nothing at all (nop)
//   branch call                      a call and its return are one each of `call`
//   other                            anything else
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::kernels {

struct Operation {
    std::string_view name;
    unsigned flops = 0;  // floating-point operations of one; an `fma` has two per lane
};

/// Returns all operations, in the order of reports.
std::span<const Operation> operations();

/// Returns the number of floating-point operations of one; 0 for other names.
unsigned flops_of(std::string_view operation);

struct Instruction {
    std::string mnemonic;
    std::vector<std::string_view> operations;  // names of its operations, from `operations()`
};

/// Classifies an instruction in objdump's AT&T form: `mulsd  0x8(%rax),%xmm1`.
Instruction classify(std::string_view text);

/// Returns the instructions of an objdump listing by their address.
std::map<std::uint64_t, Instruction> parse_disassembly(std::string_view listing);

}  // namespace warpfront::kernels
