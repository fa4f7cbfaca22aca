// `warpfront check`: the faults of files; the description of a machine, the costs of work, the programs of ranks, and
// the canonical layout of a model.
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "psl/editing/format.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/program/program.hpp"
#include "simulator/results/output.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/trace/read.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/experiment/lowering.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/program/checking/checking.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

namespace {

/// Prints the machine. The scenario's ranks are placed on the platform, as with `--set platform=`.
void describe(const CheckOptions& options) {
    if (!options.scenario) {
        const machine::Machine machine = machine::build_without_ranks(*options.platform);
        results::write_stdout(description(machine, std::nullopt, machine.notes));
        return;
    }
    std::vector<std::string> sets = options.sets;
    if (options.platform) {
        const std::filesystem::path file = std::filesystem::absolute(*options.platform);
        sets.insert(sets.begin(), fmt::format("platform=\"{}\"", file.string()));
    }
    const Experiment prepared =
        build_experiment(scenario::read_scenario(scenario::read_document(*options.scenario, sets)));
    const machine::Distances apart =
        machine::distances(prepared.machine, [&](const auto& visit) { visit_channels(prepared.program, visit); });
    results::write_stdout(description(prepared.machine, apart, notes_of(prepared, {&Engine::event, 1})));
}

void check_options(const CheckOptions& options) {
    const auto refuse = [](std::string message, std::string expected) {
        throw BadInput(DiagnosticKind::bad_option, {}, std::move(message), std::move(expected));
    };
    const bool nothing = options.files.empty() && !options.platform && !options.scenario;
    if (nothing) {
        refuse("nothing to check", "expected a FILE, `--platform` or `--scenario`; see `warpfront check --help`");
    }
    if (!options.sets.empty() && !options.scenario && options.files.empty()) {
        refuse("`--set` changes a scenario, but no scenario is named",
               "expected `SCENARIO.yaml` or `--scenario SCENARIO.yaml`");
    }
    const bool has_scenario = !options.files.empty() && options.files.size() <= 2;
    for (const auto& [wanted, name] : {std::pair(options.costs, "--costs"), std::pair(options.ir, "--ir")}) {
        if (!wanted || has_scenario) continue;
        refuse(fmt::format("`{}` requires a scenario", name),
               fmt::format("expected `{0} SCENARIO.yaml` or `{0} MODEL.psl SCENARIO.yaml`", name));
    }
    if (options.costs + options.ir + options.format > 1) {
        refuse("`--costs`, `--ir` and `--format` exclude each other", "expected one of them");
    }
}

void show_formatted(const CheckOptions& options) {
    if (options.files.size() != 1 || options.files.front().extension() != ".psl") {
        throw BadInput(DiagnosticKind::bad_option, {}, "`--format` prints one model", "expected `--format MODEL.psl`");
    }
    results::write_stdout(psl::formatted(input::read_file(options.files.front())));
}

/// Builds the experiment of the scenario. A model before the scenario replaces the scenario's own.
Experiment experiment_of(const CheckOptions& options) {
    std::vector<std::string> sets = options.sets;
    if (options.files.size() == 2) {
        const std::filesystem::path model = std::filesystem::absolute(options.files.front());
        sets.insert(sets.begin(), fmt::format("model=\"{}\"", model.string()));
    }
    return build_experiment(scenario::read_scenario(scenario::read_document(options.files.back(), sets)));
}

}  // namespace

ExitStatus check(const CheckOptions& options) {
    check_options(options);
    if (options.costs) results::write_stdout(costs_text(experiment_of(options)));
    if (options.ir) results::write_stdout(program::listing(experiment_of(options).program));
    if (options.format) show_formatted(options);
    if (options.costs || options.ir || options.format) return ExitStatus::done;
    Diagnostics faults;
    for (const std::filesystem::path& file : options.files) {
        faults.collect([&] {
            if (const trace::RunFiles run(file); run.format != trace::RunFiles::Format::none) {
                const RecordedContents contents = contents_of(run);
                results::write_stdout(contents.text);
                trace::read({.files = run, .grid = {contents.ranks, 1}});  // reading reports the faults of a replay
                return;
            }
            std::string text = fmt::format("{}: ok\n", file.string());
            for (const std::string& note : check_file(file, options.sets)) text += fmt::format("note: {}\n", note);
            results::write_stdout(text);
        });
    }
    faults.raise();
    if (options.platform || options.scenario) describe(options);
    return ExitStatus::done;
}

}  // namespace warpfront::tools
