// The times of operations on this computer, measured by the loops of opcode_loops.hpp: dependent, where each waits for
// the one before it, and independent, in eight chains side by side. A loop is timed 15 times and the median counts. The
// achieved rate is that of a small wavefront kernel (wavefront_kernel.hpp), compiled with this program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::kernels {

struct OperationTime {
    std::string_view name;   // one of `operations()`
    double dependent = 0.0;  // seconds
    double independent = 0.0;
};

struct MeasuredProcessor {
    std::string name;  // as the system has it
    std::vector<OperationTime> operations;
    double flops_per_second = 0.0;  // of the wavefront kernel
};

/// The operations that this processor has, and its rate. Throws BadInput (bad_option) on a computer that is not x86-64.
MeasuredProcessor measure_processor();

enum class Chains { dependent, independent };

/// A `hardware` object with the times of one kind of chains. `rate`: in place of the measured one, as a model has it.
std::string hardware_text(const MeasuredProcessor& measured, Chains chains, const std::optional<std::string>& rate);

/// A table of both kinds of times.
std::string report(const MeasuredProcessor& measured);

}  // namespace warpfront::kernels
