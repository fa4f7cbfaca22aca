// Loops of 64 equal instructions, in assembler: opcode_loops.cpp. Loops on floating-point numbers begin with the first
// number of `memory` in all registers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpfront::kernels {

inline constexpr unsigned kInstructionsOfLoop = 64;

struct OpcodeLoop {
    enum class Needs : std::uint8_t { nothing, avx, fma };
    enum class Numbers : std::uint8_t { doubles, singles };
    /// rsi is `memory`: 64 bytes of numbers, then the address of the bytes that follow, then 128 bytes to write.
    using Function = void (*)(std::uint64_t trips, void* memory);

    std::string_view operation;
    Function dependent;    // each instruction needs the result of the previous one
    Function independent;  // eight such chains side by side
    Needs needs = Needs::nothing;
    Numbers numbers = Numbers::doubles;
    unsigned operations_each = 1;  // operations of an instruction: 2 for a call, which has a return
};

/// Returns the loops; empty on processors other than x86-64.
std::span<const OpcodeLoop> opcode_loops();

/// Returns true if this processor has the instructions.
bool is_available(const OpcodeLoop& loop);

// A small kernel with the data dependencies of Sweep3D: along each of three directions a cell needs the result of the
// previous cell. Its achieved rate is an estimate of that of a wavefront code on the processor.

class WavefrontKernel {
public:
    WavefrontKernel();
    /// Sweeps once over the cells for every angle.
    void sweep();
    /// Returns the floating-point operations of one sweep.
    static double flops();

private:
    std::vector<double> source_, total_;       // source and total cross-section by cell
    std::vector<double> east_, north_, down_;  // the flow from cell to cell
};

}  // namespace warpfront::kernels
