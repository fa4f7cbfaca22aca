// The times of operations on this host, measured with the loops of opcode_loops.hpp. In dependent loops each operation
// waits for the previous one; independent loops have eight chains side by side. A loop is timed 15 times and the median
// is used. The achieved rate is that of a small wavefront kernel (wavefront_kernel.cpp), compiled with this program.
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
    std::string name;  // name that the system reports
    std::vector<OperationTime> operations;
    double flops_per_second = 0.0;  // rate of the wavefront kernel
};

/// Measures the operations of this processor, and its rate. Throws BadInput (bad_option) on a host that is not x86-64.
MeasuredProcessor measure_processor();

enum class Chains { dependent, independent };

/// Formats a `hardware` object with the times of one kind of chains. `rate` replaces the measured rate, in the syntax
/// of a model.
std::string hardware_text(const MeasuredProcessor& measured, Chains chains, const std::optional<std::string>& rate);

/// Formats a table of both kinds of times.
std::string report(const MeasuredProcessor& measured);

}  // namespace warpfront::kernels
