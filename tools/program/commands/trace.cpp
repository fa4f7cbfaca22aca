#include "tools/program/commands/commands.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/results/formatting.hpp"
#include "simulator/results/output.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/trace/write.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/runs/interrupt.hpp"

namespace warpfront::tools {

namespace {

constexpr std::uint64_t kMostFiles = 65'536;
constexpr std::uint64_t kMostLines = 50'000'000;  // about a gigabyte

/// Returns the number of lines of all traces.
std::uint64_t checked_lines(const trace::Writer& writer, const Experiment& prepared) {
    const std::uint64_t ranks = prepared.program.grid.ranks();
    const SourceRange& range = prepared.scenario.grid_range;
    if (ranks > kMostFiles) {
        throw BadInput(DiagnosticKind::trace_too_large, range,
                       fmt::format("traces of {} ranks are too many files", ranks),
                       fmt::format("expected at most {} ranks", kMostFiles));
    }
    const std::uint64_t lines = writer.lines();
    if (lines > kMostLines) {
        throw BadInput(DiagnosticKind::trace_too_large, range, fmt::format("these traces would have {} lines", lines),
                       fmt::format("expected at most {}, by fewer ranks or iterations", kMostLines));
    }
    return lines;
}

/// Throws if a message is from any source or synchronous, which SMPI's replay does not support.
void refuse_what_traces_lack(const Experiment& prepared) {
    refuse_tasks(prepared, "`trace`");
    refuse_choices(prepared, "SimGrid's replay");
    for (const program::RankClass& rank_class : prepared.program.classes) {
        const auto found =
            std::ranges::find_if(rank_class.code, [](const auto& step) { return step.op == program::Op::ssend; });
        if (found == rank_class.code.end()) continue;
        throw BadInput(DiagnosticKind::synchronous_send, prepared.scenario.model_range,
                       fmt::format("SimGrid's replay has no synchronous sends{}",
                                   results::in_statement(found->site, prepared.program)),
                       "expected `send`, on a machine that sends messages of this size by rendezvous");
    }
}

void write_files(const std::filesystem::path& folder, const trace::Writer& writer, const Experiment& prepared) {
    const auto ranks = static_cast<std::uint32_t>(prepared.program.grid.ranks());
    const std::filesystem::path script = folder / trace::kScriptName;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        results::write_atomically(folder / trace::trace_name(rank), writer.text_of({rank}));
    }
    results::write_atomically(folder / trace::kPlatformName, trace::platform_text(ranks));
    results::write_atomically(folder / trace::kHostsName, trace::hosts_text(ranks));
    results::write_atomically(script, trace::script_text(ranks, prepared.machine.profile(prepared.machine.network())));
    std::filesystem::permissions(
        script,
        std::filesystem::perms::owner_exec | std::filesystem::perms::group_exec | std::filesystem::perms::others_exec,
        std::filesystem::perm_options::add);
    results::write_atomically(folder / trace::kListName, trace::list_text(ranks));
}

}  // namespace

ExitStatus trace_scenario(const TraceOptions& options) {
    const results::OutputFolder out(options.out);
    const Experiment prepared =
        build_experiment(scenario::read_scenario(scenario::read_document(options.scenario, options.sets)));
    refuse_what_traces_lack(prepared);
    const trace::Writer writer(prepared.program, prepared.noise, prepared.scenario.noise_configuration.seed);
    const std::uint64_t lines = checked_lines(writer, prepared);
    // The list is written last: if it exists, all files do.
    try {
        guard_signals([&] {
            out.fill(trace::kListName,
                     [&](const std::filesystem::path& folder) { write_files(folder, writer, prepared); });
        });
    } catch (const std::overflow_error& too_long) {
        throw BadInput(DiagnosticKind::cost_too_large, prepared.scenario.model_range, too_long.what());
    }
    results::write_stdout(fmt::format("{} of {} in `{}`; `{}` replays them\n", results::counted(lines, "action"),
                                      results::counted(prepared.program.grid.ranks(), "rank"), options.out.string(),
                                      (options.out / trace::kScriptName).string()));
    if (prepared.noise.called_away()) {
        spdlog::warn(
            "warning: the traces omit `noise.periodic`, since periodic noise depends on the start of the work");
    }
    if (const std::uint32_t nodes = prepared.machine.placement.nodes(); nodes < prepared.program.grid.ranks()) {
        spdlog::warn(
            "warning: the replay has a host for each rank, so messages within the {} take the costs of `network`",
            results::counted(nodes, "node"));
    }
    return ExitStatus::done;
}

}  // namespace warpfront::tools
