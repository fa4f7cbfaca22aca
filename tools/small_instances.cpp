#include "tools/small_instances.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/program/walk.hpp"
#include "simulator/results/deadlock.hpp"
#include "simulator/results/statement.hpp"
#include "tools/scenario_program.hpp"

namespace warpfront::tools {

namespace {

using program::Sends;
using record::Blocked;

constexpr std::int64_t kMostIterations = 3;
constexpr std::uint64_t kMostInstructions = 1'000'000;

struct Instance {
    program::Program program;
    bool has_traces = false;  // of other ranks: nothing is done where they stand
};

/// All ranks finish at once.
program::Program nothing_on(RankGrid grid) {
    program::Program program;
    program.grid = grid;
    program.class_of.resize(grid.ranks());
    program.classes = {{{{.op = program::Op::finish}}, {}, {}}};
    return program;
}

/// The model on `side` x `side` ranks, where analytic regions take no time; nothing where it does not accept them.
std::optional<Instance> instance(const psl::Model& model, const Experiment& prepared, std::uint32_t side) {
    bool has_traces = false;
    psl::Bindings bindings = prepared.scenario.bindings;
    bindings.grid = {side, side};
    bindings.iterations = std::min(bindings.iterations, kMostIterations);
    bindings.algorithms = [&prepared] { return collectives_of(prepared.scenario); };
    bindings.trace = [&](const psl::TraceRegion&) {
        has_traces = true;
        return nothing_on(bindings.grid);
    };
    try {
        program::Program program = psl::lower(model, bindings);
        return Instance{std::move(program), has_traces};
    } catch (const input::BadInput&) {
        return std::nullopt;
    }
}

std::vector<Blocked> blocked(const program::Program& program, Sends sends) {
    const auto stuck = program::stuck_ranks(program, sends, kMostInstructions);
    std::vector<Blocked> all;
    if (!stuck) return all;
    for (const program::Stuck& each : *stuck) {
        using What = program::Stuck::What;
        const Blocked::What what = each.what == What::allreduce ? Blocked::What::collective
                                   : each.what == What::send    ? Blocked::What::send
                                                                : Blocked::What::recv;
        all.push_back({each.rank, each.peer, each.tag, each.site, what, std::nullopt, each.partners});
    }
    return all;
}

/// Where the statement begins, in the sources of the experiment; no source where it is none of them.
input::SourceRange range_of(const program::Site& site, const std::vector<input::SourceFilePtr>& sources) {
    const auto found = std::find_if(sources.begin(), sources.end(),
                                    [&](const input::SourceFilePtr& each) { return each->name() == site.file; });
    if (found == sources.end()) return {};
    const std::size_t begin = (*found)->line_start(site.line) + site.column - 1;
    const std::size_t rest = (*found)->line_text(site.line).size() - (site.column - 1);
    return {*found, begin, std::min(site.text.size(), rest)};
}

/// One fault for each statement of the cycle or chain.
void add_stuck(const std::vector<Blocked>& blocked, const program::Program& program, const Experiment& prepared,
               input::Diagnostics& faults) {
    const results::WaitPath path = results::wait_path(blocked);
    std::set<std::uint16_t> said;
    for (const Blocked& each : path.members) {
        if (!said.insert(each.site).second) continue;
        faults.add(input::DiagnosticKind::stuck_ranks, range_of(program.sites.at(each.site), prepared.sources),
                   fmt::format("on {} x {} ranks {} waits here for ever for rank {}", program.grid.columns,
                               program.grid.rows, results::rank_text(each.rank, program), each.peer.index),
                   path.is_cycle ? "the ranks wait for each other: expected one that sends before it receives"
                                 : "the last rank that is waited for has finished");
    }
}

std::string on_ranks(const program::Program& program, std::string_view text) {
    return fmt::format("on {} x {} ranks {}", program.grid.columns, program.grid.rows, text);
}

std::string describe_run_ahead(const program::Program& program) {
    const auto found = program::run_ahead(program, kMostInstructions);
    if (!found) return {};
    return on_ranks(
        program,
        fmt::format("{} never waits for rank {}, to which it sends{}: it may be any number of iterations ahead, "
                    "and eager messages queue up",
                    results::rank_text(found->rank, program), found->receiver.index,
                    results::in_statement(found->site, program)));
}

/// True where something was found. Without its traces a model waits less, so what is stuck stays stuck with them, but
/// who runs ahead may wait in one.
bool walk(const Instance& instance, const Experiment& prepared, SmallInstances& found) {
    const program::Program& program = instance.program;
    const std::vector<Blocked> stuck = blocked(program, Sends::buffered);
    if (!stuck.empty()) {
        add_stuck(stuck, program, prepared, found.stuck);
        found.deadlock = on_ranks(program, results::describe_deadlock(stuck, program));
        return true;
    }
    const std::vector<Blocked> unbuffered = blocked(program, Sends::rendezvous);
    if (!unbuffered.empty()) {
        found.eager_only = on_ranks(program, "the model ends as long as messages are eager; as rendezvous: " +
                                                 results::describe_deadlock(unbuffered, program));
    }
    if (!instance.has_traces) found.run_ahead = describe_run_ahead(program);
    return !found.eager_only.empty() || !found.run_ahead.empty();
}

}  // namespace

SmallInstances walk_small_instances(const Experiment& prepared) {
    SmallInstances found;
    if (prepared.scenario.trace) return found;
    const psl::Model model = psl::load(prepared.scenario.model, prepared.scenario.model_range);
    for (const std::uint32_t side : {2U, 3U}) {
        const std::optional<Instance> small = instance(model, prepared, side);
        if (small && walk(*small, prepared, found)) break;
    }
    return found;
}

}  // namespace warpfront::tools
