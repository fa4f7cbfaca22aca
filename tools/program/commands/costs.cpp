#include <optional>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/from_code/kernels/counting.hpp"
#include "tools/from_code/kernels/kernel_text.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

ExitStatus costs(const CostsOptions& options) {
    const std::optional<results::Output> out = output_of(options.out);
    input::refuse_output_as_input(options.program);
    if (options.coverage) input::refuse_output_as_input(*options.coverage);
    if (options.input) input::refuse_output_as_input(*options.input);
    Diagnostics faults;
    const std::vector<kernels::DeckParameter> parameters = kernels::read_decks(options.decks, faults);
    std::optional<kernels::TimedDeck> timed;
    if (options.time) timed = {kernels::read_deck(*options.time, parameters, faults), {}};
    const kernels::ProgramPattern pattern{options.program, options.arguments, options.input};
    kernels::check_placeholders(pattern, parameters, faults);
    faults.raise();
    const SignalGuard guard;  // temporary folders of the programs are removed, too
    const kernels::KernelSymbol kernel = kernels::find_kernel(options.kernel, options.program);
    const kernels::KernelCounts counts = kernels::count_program(kernel, pattern, parameters, options.coverage);
    if (timed) timed->seconds = kernels::time_kernel(kernel, pattern, timed->deck, parameters);
    const auto write_model = [&] {
        if (out) out->write(kernels::model_text(kernel.name, counts, timed, command_words(options)));
    };
    const auto write_report = [&] {
        if (!out || !out->to_stdout()) results::write_stdout(kernels::report(kernel.name, counts, timed));
    };
    results::write_each({write_model, write_report});
    end_if_interrupted();
    return ExitStatus::done;
}

}  // namespace warpfront::tools
