#include "tools/answer/experiment/lowering.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/tasks/run.hpp"
#include "simulator/trace/read.hpp"
#include "simulator/trace/read_run.hpp"

namespace warpfront::tools {

using input::BadInput;
using input::DiagnosticKind;
using input::SourceFilePtr;

// --- the messages of a program ---------------------------------------------------------------------------------------

namespace {

/// Visits every pair of neighbours in the columns and rows of the ranks. Closed forms charge messages between these
/// pairs.
void visit_neighbours(const RankGrid& grid, const std::function<void(Rank, Rank)>& visit) {
    for (std::uint32_t row = 1; row <= grid.rows; ++row) {
        for (std::uint32_t column = 1; column <= grid.columns; ++column) {
            const Rank rank = grid.at(column, row);
            if (column < grid.columns) visit(rank, grid.at(column + 1, row));
            if (column > 1) visit(rank, grid.at(column - 1, row));
            if (row < grid.rows) visit(rank, grid.at(column, row + 1));
            if (row > 1) visit(rank, grid.at(column, row - 1));
        }
    }
}

}  // namespace

void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit) {
    const auto ranks = static_cast<std::uint32_t>(program.class_of.size());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (const program::Channel& send_endpoint : program.of({rank}).send_endpoints) {
            visit({rank}, {static_cast<std::uint32_t>(std::int64_t{rank} + send_endpoint.delta)});
        }
    }
}

void visit_pairs(const program::Program& program, const std::function<void(Rank, Rank)>& visit) {
    visit_channels(program, visit);
    const bool has_channels =
        std::ranges::any_of(program.classes, [](const auto& each) { return !each.send_endpoints.empty(); });
    if (!has_channels && !program.closed_form.empty()) visit_neighbours(program.grid, visit);
    for (const program::RankRange& ranks : program::collective_groups(program)) {
        if (!ranks.has_allreduce) continue;
        const collectives::RecursiveDoubling butterfly(ranks.count);
        for (std::uint32_t rank = 0; rank < ranks.count; ++rank) {
            for (std::uint32_t step = 0; step < butterfly.steps(); ++step) {
                const std::optional<Rank> partner = butterfly.step({rank}, step).send_to;
                if (partner) visit({ranks.first + rank}, {ranks.first + partner->index});
            }
        }
    }
}

std::vector<Bytes> sizes_of(const program::Program& program) {
    std::set<std::int64_t> sizes;
    for (const program::RankClass& rank_class : program.classes) {
        for (const program::Instruction& step : rank_class.code) {
            if (program::sends(step.op, program::Operand::send_endpoint) || step.op == program::Op::allreduce)
                sizes.insert(step.amount);
        }
    }
    std::vector<Bytes> descending;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) descending.push_back({*size});
    return descending;
}

machine::RankRequest rank_request(const scenario::Scenario& scenario, const program::Program* program) {
    machine::RankRequest request;
    request.grid = scenario.bindings.grid;
    request.grid_range = scenario.grid_range;
    request.patch = scenario.patch;
    request.patch_range = scenario.patch_range;
    request.cores = scenario.cores.request;
    request.placement = scenario.placement.request;
    request.pairs = [program](const std::function<void(Rank, Rank)>& visit) {
        if (program != nullptr) visit_pairs(*program, visit);
    };
    if (program != nullptr) request.sizes = sizes_of(*program);
    return request;
}

// --- times that depend on the hardware -------------------------------------------------------------------------------

namespace {

Time time_on(const machine::Machine& machine, program::Program lists) {
    lists.grid.columns = machine.cores;
    try {
        return Time{static_cast<std::int64_t>(tasks::run(lists, machine, {}).finish.ps)};
    } catch (const std::length_error& size) {
        throw std::runtime_error(size.what());
    }
}

}  // namespace

Time list_time_on_one_core(const program::Program& lists) {
    machine::Machine machine;
    machine.placement = machine::cut(RankGrid{{1, 1, 1}}, machine::Patch{{1, 1, 1}});
    return time_on(machine, lists);
}

ListTimes::ListTimes(machine::Machine machine) : machine_(std::move(machine)) {
    const std::uint32_t ranks = machine_.placement.patch.ranks();
    idle_ = machine_.cores % ranks;
    machine_.cores = std::max(machine_.cores / ranks, 1U);
    machine_.placement = machine::cut(RankGrid{{machine_.cores, 1, 1}}, machine::Patch{{machine_.cores, 1, 1}});
}

Time ListTimes::operator()(const program::Program& lists) const { return time_on(machine_, lists); }

std::string ListTimes::note() const {
    std::string note =
        fmt::format("ranks run their lists of tasks on {} each", results::counted(machine_.cores, "core"));
    if (idle_ > 0) note += fmt::format(", and leave {} of a node idle", results::counted(idle_, "core"));
    return note;
}

// --- from a model or traces to a program -----------------------------------------------------------------------------

namespace {

/// Places the ranks of the scenario on first use, before their program is known.
class PlacedOnce {
public:
    PlacedOnce(machine::Hardware* hardware, machine::RankRequest request)
        : hardware_(hardware), request_(std::move(request)) {}

    /// Returns the machine; nullptr after an error.
    const machine::Machine* operator()(input::Diagnostics& faults) {
        if (hardware_ == nullptr) return nullptr;
        try {
            if (!machine_) machine_ = machine::place(*hardware_, request_).machine;
        } catch (const BadInput& bad) {
            faults.add(bad.diagnostics());
            hardware_ = nullptr;
        }
        return machine_ ? &*machine_ : nullptr;
    }

private:
    machine::Hardware* hardware_;
    machine::RankRequest request_;
    std::optional<machine::Machine> machine_;
};

/// Reads traces. Computing takes the recorded flops divided by the `speed` of the request.
program::Program read_traces(const scenario::Scenario& scenario, trace::TraceRequest request,
                             std::vector<SourceFilePtr>& sources) {
    request.grid = scenario.bindings.grid;
    request.grid_range = scenario.grid_range;
    request.costs.collectives = scenario.bindings.algorithms;
    trace::Loaded loaded = trace::read(request);
    sources.insert(sources.end(), loaded.sources.begin(), loaded.sources.end());
    return std::move(loaded.program);
}

program::Program read_region(const scenario::Scenario& scenario, const psl::TraceRegion& region,
                             std::vector<SourceFilePtr>& sources) {
    trace::TraceRequest request{.files = region.list};
    if (region.speed && request.files.has_times()) {
        throw BadInput(
            DiagnosticKind::conflicting_keys, region.range,
            fmt::format("`{}` has recorded times, so the rate of flops after `at` has no effect", region.list.string()),
            "expected no `at` for a recorded run");
    }
    request.mentioned_at = region.range;
    request.costs.speed = region.speed.value_or(scenario::TraceSpeed{}.rate);
    return read_traces(scenario, std::move(request), sources);
}

program::Program read_scenario_traces(const scenario::Scenario& scenario, const trace::RunFiles& run,
                                      std::vector<SourceFilePtr>& sources) {
    const scenario::TraceKey& key = *scenario.trace;
    trace::TraceRequest request{.files = run};
    request.mentioned_at = key.range;
    request.costs.speed = key.speed.rate;
    // otherwise the rate already includes the factor
    if (run.has_times()) request.costs.times_as_fast = key.speed.times_as_fast;
    if (key.communicators) {
        request.communicators = key.communicators->file;
        request.communicators_mentioned_at = key.communicators->range;
    }
    if (key.arrivals_recorded) request.arrivals = trace::Arrivals::recorded;
    request.arrivals_mentioned_at = key.arrivals_range;
    return read_traces(scenario, std::move(request), sources);
}

/// Lowers the model. Its analytic regions and lists take their times on the hardware, and its traces are read.
void lower_model(const scenario::Scenario& scenario, machine::Hardware* hardware, Lowered& lowered) {
    lowered.model = psl::load(scenario.model, scenario.model_range);
    lowered.sources = lowered.model->sources();
    machine::RankRequest neighbours = rank_request(scenario, nullptr);
    neighbours.pairs = [grid = neighbours.grid](const std::function<void(Rank, Rank)>& visit) {
        visit_neighbours(grid, visit);
    };
    PlacedOnce with_neighbours(hardware, std::move(neighbours));
    PlacedOnce without_messages(hardware, rank_request(scenario, nullptr));
    std::optional<ListTimes> list_times;
    psl::Bindings bindings = scenario.bindings;
    bindings.closed_form = [&](const program::WavefrontPhase& phase) {
        const machine::Machine* const machine = with_neighbours(lowered.faults);
        return machine != nullptr ? analytic::predict(phase, *machine) : WideTime{};
    };
    bindings.list_time = [&](const program::Program& lists) {
        const machine::Machine* const machine = without_messages(lowered.faults);
        if (machine == nullptr) return Time{};
        if (!list_times) list_times.emplace(*machine);
        return (*list_times)(lists);
    };
    bindings.trace = [&](const psl::TraceRegion& region) { return read_region(scenario, region, lowered.sources); };
    lowered.program = psl::lower(*lowered.model, bindings);
    if (list_times) lowered.program->notes.push_back(list_times->note());
}

}  // namespace

Lowered lower(const scenario::Scenario& scenario, const trace::RunFiles& run, machine::Hardware* hardware) {
    Lowered lowered;
    try {
        if (scenario.trace) {
            lowered.program = read_scenario_traces(scenario, run, lowered.sources);
        } else {
            lower_model(scenario, hardware, lowered);
        }
    } catch (const BadInput& bad) {
        input::Diagnostics of_program = bad.diagnostics();
        of_program.add(std::exchange(lowered.faults, {}));
        lowered.faults = std::move(of_program);
    }
    return lowered;
}

}  // namespace warpfront::tools
