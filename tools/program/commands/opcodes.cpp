#include <optional>

#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/from_code/kernels/opcodes.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

ExitStatus opcodes(const OpcodesOptions& options) {
    const std::optional<results::Output> out = output_of(options.out);
    const kernels::MeasuredProcessor measured = kernels::measure_processor();
    guard_signals([&] {
        const auto write_model = [&] {
            if (out) out->write(kernels::hardware_text(measured, options.chains, options.rate));
        };
        const auto write_report = [&] {
            if (!out || !out->to_stdout()) results::write_stdout(kernels::report(measured));
        };
        results::write_each({write_model, write_report});
    });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
