#include <optional>

#include "simulator/results/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/kernels/opcodes.hpp"
#include "tools/runs/interrupt.hpp"

namespace warpfront::tools {

ExitStatus opcodes(const OpcodesOptions& options) {
    const std::optional<results::Output> out = output_of(options.out);
    const kernels::MeasuredProcessor measured = kernels::measure_processor();
    guard_signals([&] {
        if (out) out->write(kernels::hardware_text(measured, options.chains, options.rate));
        if (!out || !out->to_stdout()) results::write_stdout(kernels::report(measured));
    });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
