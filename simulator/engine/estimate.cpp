#include "simulator/engine/estimate.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/engine/recording/critical_paths.hpp"
#include "simulator/engine/recurrence/recurrence.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/calendar.hpp"
#include "simulator/network/cost.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"

namespace warpfront::engine {

namespace {

using program::Op;
using program::RankClass;

// words of an observed state for each rank: the rank itself with an incoming message, and a post (recurrence.cpp)
constexpr std::uint64_t kWordsPerRank = 6 + 4;
constexpr std::uint64_t kOwnLinks = 4;  // own links of a node, one to each neighbour (layout_machine.hpp)

/// Returns the bytes of an array whose size is known from the beginning.
template <typename T>
std::uint64_t sized(std::uint64_t count) {
    return count * sizeof(T);
}

/// Returns the bytes of an array that doubles its size while it is filled.
template <typename T>
std::uint64_t grown(std::uint64_t count) {
    return std::bit_ceil(count) * sizeof(T);
}

/// The number of allocated objects of each kind.
struct Counts {
    Extents state;
    std::uint64_t nodes = 0;
    std::uint64_t cores = 0;
    std::uint64_t numbers = 0;       // bytes of the tables that number channels
    std::uint64_t links = 0;         // number of directed links, if links are shared
    bool chooses_by_sender = false;  // true if the sender determines which of the parallel links is used
    bool cables = false;             // true if each NIC has its own cable
    std::uint64_t instructions = 0;
    std::uint64_t classes = 0;
};

bool skips(const program::Program& program, const Options& options) {
    return options.replay == Replay::auto_ && recurs(program, options);
}

bool shares(const machine::Machine& machine) {
    return machine.node_servers() > 0 || machine.nic.has_value() || machine.links.has_value() ||
           machine.memory.has_value();
}

/// Returns the number of servers. Each node has a power of two of them: message processing or buses, NICs in both
/// directions, and its own links.
std::uint64_t servers(const machine::Machine& machine, std::uint64_t links) {
    std::uint64_t on_node = machine.node_servers();
    if (machine.nic) on_node += 2 * std::uint64_t{machine.nic->count};
    if (machine.links) on_node += kOwnLinks * machine.links->parallel;
    const std::uint64_t elsewhere = machine.links ? links * machine.links->parallel : 0;
    return machine.placement.nodes() * std::bit_ceil(std::max<std::uint64_t>(on_node, 1)) + elsewhere;
}

/// Returns true if a layer states the cost of unexpected messages.
bool states_unexpected(const machine::Machine& machine) {
    return std::any_of(machine.profiles.begin(), machine.profiles.end(), [](const machine::Profile& profile) {
        return std::any_of(profile.begin(), profile.end(), [](const auto& row) { return row.eager.has_value(); });
    });
}

/// Returns true if allreduces can use a rendezvous on some layer of the machine, even if no two ranks of a step use
/// this layer.
bool allreduces_make_rendezvous(const program::Program& program, const machine::Machine& machine) {
    const auto makes_one = [&](const program::Instruction& step) {
        if (step.op != Op::allreduce) return false;
        return std::any_of(machine.profiles.begin(), machine.profiles.end(), [&](const machine::Profile& profile) {
            if (profile.empty()) return false;  // the machine does not have this layer
            return network::is_rendezvous(machine::row_for(profile, {step.amount}), {step.amount});
        });
    };
    return std::any_of(program.classes.begin(), program.classes.end(), [&](const RankClass& rank_class) {
        return std::any_of(rank_class.code.begin(), rank_class.code.end(), makes_one);
    });
}

Counts count(const program::Program& program, const machine::Machine& machine) {
    Counts counts;
    counts.nodes = machine.placement.nodes();
    counts.cores = machine.placement.cores_in_use().size();
    counts.classes = program.classes.size();
    for (const RankClass& rank_class : program.classes) counts.instructions += rank_class.code.size();
    const ChannelNumbers receive_endpoints = receive_endpoint_numbers(program);
    const ChannelNumbers send_endpoints = send_endpoint_numbers(program);
    counts.numbers = receive_endpoints.bytes() + send_endpoints.bytes();
    counts.links = machine.links ? machine.routes.link_count() : 0;
    counts.chooses_by_sender =
        machine.links && machine.links->parallel > 1 && machine.links->choice == machine::LinkChoice::deterministic;

    counts.cables = machine.routes.cabling.cables > 1;

    Extents& state = counts.state;
    state.ranks = program.grid.ranks();
    std::uint32_t steps = 0;
    for (const program::RankRange& ranks : program::collective_groups(program)) {
        if (ranks.has_allreduce) steps = std::max(steps, collectives::RecursiveDoubling(ranks.count).steps());
    }
    const std::uint64_t collectives = state.ranks * steps;
    const bool quiet = !allreduces_make_rendezvous(program, machine);
    state.channels = receive_endpoints.size();
    state.receive_endpoints = state.channels + collectives;
    state.send_endpoints = send_endpoints.size() + (quiet ? 0 : collectives);
    state.quiet_send_endpoints = quiet ? collectives : 0;
    state.servers = servers(machine, counts.links);
    if (machine.links) state.links = (counts.nodes * kOwnLinks + counts.links) * machine.links->parallel;
    if (machine.nic || machine.links) state.delay_numbers = state.channels;
    if (!program.phases.empty()) state.phase_times = state.ranks * (program.phases.size() + 1);
    if (program::has_choices(program)) state.overheads = state.ranks;
    if (states_unexpected(machine)) state.open_posts = state.receive_endpoints;
    return counts;
}

std::uint64_t layout_bytes(const Counts& counts) {
    return counts.numbers + grown<program::Instruction>(counts.instructions) + grown<std::uint32_t>(counts.classes) +
           sized<std::uint32_t>(counts.state.ranks) +                                       // node_of
           grown<std::uint16_t>(counts.chooses_by_sender ? counts.state.ranks : 0) +        // link_keys
           grown<std::uint16_t>(counts.cables ? counts.state.ranks : 0) +                   // nic_of_rank
           sized<std::uint32_t>(counts.nodes * counts.cores) + grown<Host>(counts.nodes) +  // ranks_on, host_of
           2 * sized<std::uint32_t>(counts.links);                                          // link_server, link_speed
}

std::uint64_t sums(const Extents& state) { return state.ranks * kRankSums + state.phase_times + state.links; }

/// Returns the bytes for the present and the kept state as words, and for other data that is kept.
std::uint64_t recurrence_bytes(const Counts& counts) {
    const std::uint64_t words = counts.state.ranks * kWordsPerRank + counts.state.servers;
    return 2 * grown<std::uint64_t>(words) + grown<std::uint32_t>(counts.state.ranks) + grown<Wide>(sums(counts.state));
}

std::uint64_t skipping_bytes(const program::Program& program, const Counts& counts) {
    return program.iterations > 1 ? sized<Wide>(sums(counts.state)) + recurrence_bytes(counts) : 0;
}

/// Returns the bytes of the calendars of all partitions, for `kEvents` events per rank.
std::uint64_t calendar_bytes(const Counts& counts, std::uint64_t partitions) {
    constexpr std::uint64_t kEvents = 4;
    const std::uint64_t bins =
        std::min<std::uint64_t>(std::bit_ceil(counts.state.ranks / partitions), EventBins::kMostBins);
    return partitions * bins * sizeof(std::uint32_t) + kEvents * sized<Event>(counts.state.ranks);
}

/// Counts the iterations of outermost loops that are usually simulated, loop by loop. The draws of noise repeat after R
/// iterations. The state is observed after the first iteration, then after every R iterations. It recurs at the second
/// observation in a loop. Then multiples of R iterations are skipped. If ranks are paused between iterations, the loop
/// is skipped to its end, and the next observation follows at once. Otherwise the last iteration of the loop is
/// simulated, and the next observation follows after one more iteration.
class SimulatedIterations {
public:
    SimulatedIterations(const program::Program& program, const machine::Machine& machine, const Options& options)
        : repeats_after_(options.draws_repeat_after()),
          pauses_(!shares(machine) || (!options.noise.off() && program::has_closed_iterations(program))) {}

    /// Returns how many of the `iterations` of the next loop are simulated.
    std::int64_t of_next(std::int64_t iterations) {
        const std::int64_t recurs_after = observed_after_ + repeats_after_;
        const std::int64_t skippable = std::max<std::int64_t>(0, iterations - recurs_after - (pauses_ ? 0 : 1));
        const std::int64_t skipped = skippable - skippable % repeats_after_;
        const std::int64_t observed = skipped > 0 ? recurs_after + skipped + (pauses_ ? 0 : 1) : observed_after_;
        const std::int64_t behind = (iterations - observed) % repeats_after_;
        observed_after_ = behind > 0 ? repeats_after_ - behind : -behind;
        return iterations - skipped;
    }

private:
    std::int64_t repeats_after_;
    bool pauses_;
    std::int64_t observed_after_ = 1;  // number of iterations of the next loop before its first observation
};

/// Shortens the outermost loops of iterations to the iterations that are simulated.
RankClass shortened(RankClass rank_class, SimulatedIterations simulated) {
    const std::vector<std::uint8_t> depths = program::loop_depths(rank_class.code, program::LoopKind::of_iterations);
    for (std::size_t at = 0; at < rank_class.code.size(); ++at) {
        program::Instruction& step = rank_class.code[at];
        if (step.op != Op::loop || step.depth != 0 || depths[at + 1] == program::kNoLoop) continue;
        step.amount = simulated.of_next(step.amount);
    }
    return rank_class;
}

}  // namespace

std::uint64_t estimate_bytes(const program::Program& program, const machine::Machine& machine, const Options& options) {
    const Counts counts = count(program, machine);
    std::uint64_t bytes = layout_bytes(counts) + state_bytes(counts.state);
    if (skips(program, options)) bytes += skipping_bytes(program, counts);
    if (!options.noise.off())
        bytes += variation::ComputeTime::bytes(options.noise, static_cast<std::uint32_t>(counts.state.ranks));
    for (std::size_t k = 0; k < options.noise_of_jobs.size(); ++k) {
        bytes += variation::ComputeTime::bytes(options.noise_of_jobs[k].noise, program.jobs[k].ranks);
    }
    if (options.path) bytes += CriticalPaths::bytes(counts.state, skips(program, options));
    const bool events = shares(machine) || program::has_choices(program);
    return events ? bytes + calendar_bytes(counts, std::min<std::uint64_t>(options.threads, counts.nodes)) : bytes;
}

std::uint64_t queue_bytes(std::uint64_t messages) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 56;  // more bytes than any host has
    return grown<Backlog::Entry>(std::min(messages, kMost));
}

Messages count_messages(const program::Program& program) {
    std::uint64_t of_collectives = 0;
    for (const program::RankRange& ranks : program::collective_groups(program)) {
        std::uint64_t allreduces = 0;  // every rank of the group takes part in all of them
        program::for_each_counted(program.of({ranks.first}).code,
                                  [&](const program::Instruction& step, std::uint64_t times) {
                                      if (step.op == Op::allreduce)
                                          allreduces = program::checked_sum(allreduces, times);
                                  });
        const collectives::RecursiveDoubling doubling(ranks.count);
        of_collectives =
            program::checked_sum(of_collectives, program::checked_product(allreduces, doubling.messages()));
    }
    return {program::traffic(program).messages, of_collectives};
}

Messages estimate_messages_stepped(const program::Program& program, const machine::Machine& machine,
                                   const Options& options) {
    if (!skips(program, options)) return count_messages(program);
    const SimulatedIterations simulated(program, machine, options);
    program::Program stepped;
    stepped.class_of = program.class_of;
    for (const RankClass& rank_class : program.classes) stepped.classes.push_back(shortened(rank_class, simulated));
    return count_messages(stepped);
}

}  // namespace warpfront::engine
