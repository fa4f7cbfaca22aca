// Converts a finished simulation to its record: totals, the time of every rank by activity, links, and the work done.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/estimate.hpp"
#include "simulator/engine/parallel/simulation.hpp"
#include "simulator/engine/parallel/thread_team.hpp"
#include "simulator/machine/routes/routes.hpp"
#include "simulator/program/execution.hpp"

namespace warpfront::engine {

namespace {

using program::Op;

/// The messages that a class sends on one endpoint with one size.
struct Sends {
    std::uint32_t place = 0;
    SizeId size;
    Wide count = 0;
};

struct ClassTotals {
    WideTime compute;
    std::vector<Sends> sends;
};

ClassTotals totals_of(const Layout& layout, std::uint32_t rank_class) {
    ClassTotals totals;
    std::vector<Wide> times{1};
    for (InstructionId at = layout.entry[rank_class]; layout.code[at].op != Op::finish; ++at) {
        const program::Instruction& step = layout.code[at];
        if (step.op == Op::loop) times.push_back(times.back() * step.amount);
        if (step.op == Op::end_loop) times.pop_back();
        if (program::operation(step.op).effect == program::Effect::work) {
            totals.compute += WideTime{Wide{step.amount} * times.back()};
        }
        if (program::sends(step.op, program::Operand::send_endpoint)) {
            totals.sends.push_back({step.operand, size_in(step), times.back()});
        }
    }
    return totals;
}

/// Adds the overheads of a rank's messages, at the sender and at the receiver.
void add_overheads(const Layout& layout, const State& state, Rank rank, const std::vector<Sends>& sends,
                   std::vector<record::Breakdown>& parts) {
    for (const Sends& each : sends) {
        const SendEndpoint& out = state.send_endpoints[layout.send_endpoint_numbers.at(rank, each.place)];
        const network::MessageCost& cost = layout.costs[layout.cost_of(each.size, out.path)];
        parts[rank.index].send += WideTime{(cost.busy_send + cost.busy_after).ps * each.count};
        const Rank receiver = layout.rank_of(out.receive_endpoint);
        parts[receiver.index].recv += WideTime{cost.busy_recv.ps * each.count};
    }
}

/// Returns the time of every rank by activity. The activities of a rank add up to its entry of `finish`. Computing and
/// overheads follow from the programs alone, with loops multiplied. Waits for resources were summed during the
/// simulation. The rest of a rank's time is waiting for messages, posts and partners. If `measured` is true, blocks did
/// not take the times of their programs, so computing was summed during the simulation.
std::vector<record::Breakdown> breakdowns(const program::Program& program, const Simulation& simulation, bool measured,
                                          const std::vector<WideTime>& finish) {
    const Layout& layout = simulation.layout();
    std::vector<ClassTotals> totals;
    for (std::uint32_t k = 0; k < program.classes.size(); ++k) totals.push_back(totals_of(layout, k));
    std::vector<record::Breakdown> all(layout.ranks);
    for (const Rank rank : layout.all_ranks()) {
        const ClassTotals& of_class = totals[program.class_of[rank.index]];
        all[rank.index].compute = of_class.compute;
        if (!layout.has_choices) add_overheads(layout, simulation.state(), rank, of_class.sends, all);
    }
    for (const Rank rank : layout.all_ranks()) {
        record::Breakdown& parts = all[rank.index];
        const auto sum = [&](RankSum which) { return WideTime{simulation.sum(rank, which)}; };
        if (layout.has_choices) {
            const Overheads& summed = simulation.state().overheads[rank];
            parts.send = WideTime{Wide{summed.send}};
            parts.recv = WideTime{Wide{summed.recv}};
        }
        if (measured) parts.compute = sum(RankSum::compute);
        (layout.processes_messages ? parts.processing_wait : parts.bus_wait) = sum(RankSum::server_wait);
        parts.nic_wait = sum(RankSum::nic_wait);
        parts.link_wait = sum(RankSum::link_wait);
        parts.collective = sum(RankSum::collective);
        if (!layout.has_choices) parts.recv += sum(RankSum::unexpected_time);
        parts.wait = finish[rank.index] - parts.total();
    }
    return all;
}

/// Returns the time for which the busiest rank has no work for its pipelines: until waves reach the rank, between
/// sweeps, in collectives, and after its end. The busiest rank determines the speed; ranks at the edges have fewer
/// messages and wait for it. Returns nothing if the program has no loop of tiles.
std::optional<WideTime> fill_of(const Simulation& simulation, const program::Program& program,
                                const record::Record& record) {
    const bool has_tiles = std::any_of(program.classes.begin(), program.classes.end(), [](const auto& rank_class) {
        const std::vector<std::uint8_t> depths = program::loop_depths(rank_class.code, program::LoopKind::of_tiles);
        return std::any_of(depths.begin(), depths.end(), [](std::uint8_t depth) { return depth != program::kNoLoop; });
    });
    if (!has_tiles) return std::nullopt;
    std::optional<WideTime> least;
    for (const Rank rank : simulation.layout().all_ranks()) {
        const WideTime fill = simulation.paths()->unfilled(rank) + record.rank_breakdown[rank.index].collective +
                              (record.finish - record.rank_finish[rank.index]);
        if (!least || fill < *least) least = fill;
    }
    return least;
}

/// Adds the critical path, if it is requested. It ends at the rank that finishes last.
void add_path(const Simulation& simulation, const program::Program& program, record::Record& record) {
    if (simulation.paths() == nullptr) return;
    const CriticalPaths::Parts parts = simulation.paths()->parts(*record.last);
    record.path.emplace();
    for (std::size_t k = 0; k < kPathParts; ++k) (*record.path).*record::kPathParts[k].time = WideTime{parts[k]};
    if (simulation.layout().memory.shared) record.saturated = {WideTime{parts[kSaturated]}, WideTime{parts[kUneven]}};
    record.fill = fill_of(simulation, program, record);
}

/// Returns the time of each rank by phase; nothing if the program has no phases.
std::optional<record::Phases> phases_of(const Simulation& simulation, const program::Program& program) {
    if (program.phases.empty()) return std::nullopt;
    const auto times_of = [&](std::uint32_t phase) {
        std::vector<WideTime> times;
        for (const Rank rank : simulation.layout().all_ranks()) {
            times.push_back(simulation.phase_time(rank, phase));
        }
        return times;
    };
    record::Phases phases{program.phases, {}, times_of(0)};
    for (std::uint32_t phase = 1; phase <= program.phases.size(); ++phase) phases.times.push_back(times_of(phase));
    return phases;
}

/// Returns the waits for links; nothing if no message uses links.
std::optional<record::LinkWaits> link_waits_of(const Simulation& simulation, const machine::Machine& machine) {
    if (simulation.state().link_waits.empty()) return std::nullopt;
    record::LinkWaits waits;
    std::vector<std::pair<Wide, machine::LinkId>> links;
    const Layout& layout = simulation.layout();
    for (const machine::LinkId link : layout.link_server.ids()) {
        const WideTime waited = simulation.link_wait(layout.link_of(layout.link_server[link]));
        waits.all += waited;
        if (waited > WideTime{}) links.emplace_back(-waited.ps, link);
    }
    const std::size_t named = std::min(links.size(), record::LinkWaits::kMostNamed);
    std::partial_sort(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(named), links.end());
    for (std::size_t k = 0; k < named; ++k) {
        const auto [waited, link] = links[k];
        waits.hottest.push_back({machine::link_name(machine.routes, link), WideTime{-waited}});
    }
    return waits;
}

/// Returns the unexpected messages; nothing if the machine does not state their cost.
std::optional<record::UnexpectedMessages> unexpected_of(const Simulation& simulation) {
    if (!simulation.layout().counts_unexpected) return std::nullopt;
    record::UnexpectedMessages unexpected;
    for (const Rank rank : simulation.layout().all_ranks()) {
        unexpected.messages += static_cast<std::uint64_t>(simulation.sum(rank, RankSum::unexpected_messages));
        unexpected.copying += WideTime{simulation.sum(rank, RankSum::unexpected_time)};
    }
    return unexpected;
}

/// Returns when each rank ended its first tile. The result is empty if some rank has no tile. Nothing is skipped before
/// a rank's first tile, since its state has not recurred yet.
std::vector<WideTime> first_tiles(const Simulation& simulation) {
    std::vector<WideTime> ends;
    for (const Rank rank : simulation.layout().all_ranks()) {
        const std::int64_t end = simulation.state().statistics[rank].first_tile;
        if (end == 0) return {};
        ends.push_back(WideTime{Wide{end}});
    }
    return ends;
}

/// Returns the expected numbers of messages; nothing if no monitor reports them.
ExpectedMessages expected_messages(const program::Program& program, const machine::Machine& machine,
                                   const Options& options) {
    if (options.monitor == nullptr) return {};
    return {count_messages(program).all(), estimate_messages_stepped(program, machine, options).all()};
}

}  // namespace

record::Record run(const program::Program& program, const machine::Machine& machine, const Options& options) {
    const auto began = std::chrono::steady_clock::now();
    const std::chrono::nanoseconds cpu_before = cpu_time_of_thread();
    Simulation simulation(program, machine, options, expected_messages(program, machine, options));
    record::Record record;
    record.engine = "event";
    simulation.run();
    const Simulation::Work work = simulation.work(cpu_before);
    for (const Rank rank : simulation.layout().all_ranks()) {
        const WideTime finish = simulation.skipped().time + WideTime{Wide{simulation.state().ranks[rank].clock}};
        record.rank_finish.push_back(finish);
        if (!record.last || finish > record.finish) {
            record.last = rank;
            record.finish = finish;
        }
    }
    record.rank_first_tile = first_tiles(simulation);
    record.iterations = simulation.iterations().durations();
    const bool measures_compute = !noise_off(options) || machine.memory;
    record.rank_breakdown = breakdowns(program, simulation, measures_compute, record.rank_finish);
    record.breakdown = record.rank_breakdown[record.last->index];
    record.phases = phases_of(simulation, program);
    record.timeline = simulation.take_timeline();
    add_path(simulation, program, record);
    record.link_waits = link_waits_of(simulation, machine);
    record.unexpected = unexpected_of(simulation);
    if (options.replay == Replay::auto_ && !recurs(program, options)) {
        record.notes.emplace_back(options.noise.recurs()
                                      ? "ranks take messages in the order of arrival: every iteration was simulated"
                                      : "noise is on: every iteration was simulated");
    }
    if (simulation.lacks_lookahead() && options.threads > 1) {
        record.notes.emplace_back("one thread: the machine has no lookahead, so its events are processed in order");
    }
    if (simulation.cuts_packets() && !simulation.lacks_lookahead() && options.threads > 1) {
        record.notes.emplace_back("one thread: messages have several packets, whose links one thread grants");
    }
    if (record.timeline && record.timeline->cut) {
        record.notes.push_back(fmt::format(
            "the timeline ends at {:.6g} ms, where it reaches its limit of size; fewer ranks, or a window of "
            "time, would show more",
            1e3 * seconds(*record.timeline->cut)));
    }
    if (options.path && options.threads > 1) {
        record.notes.emplace_back("one thread: the critical path is recorded by one");
    }
    if (const std::int64_t skipped = simulation.skipped().iterations; skipped > 0) {
        record.notes.push_back(fmt::format("{} of {} iterations skipped: the machine's state recurred exactly", skipped,
                                           program.iterations));
    }
    if (const std::int64_t left_out = simulation.iterations().left_out(); left_out > 0) {
        record.notes.push_back(
            left_out == 1 ? std::string("the duration of the last iteration is not listed: durations differ too often")
                          : fmt::format("the durations of the last {} iterations are not listed: they differ too often",
                                        left_out));
    }
    const std::chrono::duration<double> cpu = work.cpu;
    const Messages messages = count_messages(program);
    record.work =
        record::Work{.messages = messages.of_model,
                     .messages_replayed = work.messages,
                     .collective_messages = messages.of_collectives,
                     .collective_messages_replayed = work.messages_of_collectives,
                     .events = work.events,
                     .wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
                     .cpu_s = cpu.count(),
                     .peak_rss_bytes = work.peak_rss,
                     .state_bytes = work.bytes,
                     .threads = simulation.threads()};
    return record;
}

}  // namespace warpfront::engine
