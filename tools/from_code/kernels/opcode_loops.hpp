// Loops of 64 equal instructions, in assembler: opcode_loops.cpp. Loops on floating-point numbers begin with the first
// number of `memory` in all registers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpfront::kernels {

inline constexpr unsigned kInstructionsOfLoop = 64;

struct OpcodeLoop {
    enum class Needs : std::uint8_t { nothing, avx, fma };
    enum class Numbers : std::uint8_t { doubles, singles };
    /// rsi is `memory`: 64 bytes of numbers, then the address of the bytes that follow, then 128 bytes to write.
    using Function = void (*)(std::uint64_t trips, void* memory);

    std::string_view operation;
    Function dependent;    // each instruction needs the result of the one before it
    Function independent;  // eight such chains side by side
    Needs needs = Needs::nothing;
    Numbers numbers = Numbers::doubles;
    unsigned operations_each = 1;  // the pair of a call and its return: 2
};

/// Returns the loops; empty on processors other than x86-64.
std::span<const OpcodeLoop> opcode_loops();

/// Returns true if this processor has the instructions.
bool is_available(const OpcodeLoop& loop);

}  // namespace warpfront::kernels
