#include "tools/answer/experiment/small_instances.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/network/cost.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/walk.hpp"
#include "simulator/results/deadlock.hpp"
#include "simulator/results/formatting.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

namespace {

using program::Buffering;
using program::Instruction;
using record::Blocked;

constexpr std::int64_t kMostIterations = 3;  // largest number of iterations of the model, and of each loop, in a walk
constexpr std::uint64_t kMostInstructions = 1'000'000;
constexpr std::uint64_t kMostLooks = 20 * kMostInstructions;  // largest number of visits of ranks, over all passes

struct Instance {
    program::Program program;
    /// True if the program replays traces. The traces are omitted, since they are valid for one number of ranks only.
    bool has_traces = false;
};

/// Returns a program in which all ranks finish at once.
program::Program nothing_on(RankGrid grid) {
    program::Program program;
    program.grid = grid;
    program.class_of.resize(grid.ranks());
    program.classes = {{{{.op = program::Op::finish}}, {}, {}}};
    return program;
}

/// Returns the number of instructions that all ranks execute, or the largest value of the type on overflow.
std::uint64_t instructions_run(const program::Program& program) {
    try {
        return program::sum_over_ranks(program, [](const Instruction&) { return std::uint64_t{1}; });
    } catch (const std::overflow_error&) {
        return std::numeric_limits<std::uint64_t>::max();
    }
}

/// Returns the model on `side` x `side` ranks, with `side` planes if the scenario has several. Analytic regions take no
/// time. Returns nothing if the model does not accept these ranks.
std::optional<Instance> instance(const psl::Model& model, const Experiment& prepared, std::uint32_t side) {
    bool has_traces = false;
    psl::Bindings bindings = prepared.scenario.bindings;
    bindings.grid = {side, side, bindings.grid.planes > 1 ? side : 1};
    bindings.iterations = std::min(bindings.iterations, kMostIterations);
    bindings.trace = [&](const psl::TraceRegion&) {
        has_traces = true;
        return nothing_on(bindings.grid);
    };
    try {
        program::Program program = psl::lower(model, bindings);
        if (instructions_run(program) > kMostInstructions) {
            std::optional<program::Program> shorter = program::shortened(program, kMostIterations);
            if (!shorter) return std::nullopt;
            program = std::move(*shorter);
        }
        return Instance{std::move(program), has_traces};
    } catch (const input::BadInput&) {
        return std::nullopt;
    }
}

/// Returns the protocol that the machine selects for each message.
Buffering on_machine(const machine::Machine& machine) {
    Buffering buffering;
    buffering.eager = [&machine](Rank sender, Rank receiver, const Instruction& send) {
        const machine::Profile& profile = machine.profile(machine.locality(sender, receiver));
        return !network::is_rendezvous(machine::row_for(profile, {send.amount}), {send.amount});
    };
    return buffering;
}

/// The file, line and column of a statement. They are the same for any number of ranks.
using Place = std::tuple<std::string_view, unsigned, unsigned>;
Place place_of(const program::Site& site) { return {site.file, site.line, site.column}; }

struct SentTimes {
    Instruction send;
    std::uint64_t times = 0;
};

/// Returns the sends of a class in these statements. Throws std::overflow_error if a count does not fit its type.
std::vector<SentTimes> sends_of(const program::RankClass& rank_class, const program::Program& program,
                                const std::set<Place>& places) {
    std::vector<SentTimes> all;
    program::for_each_counted(rank_class.code, [&](const Instruction& step, std::uint64_t times) {
        const bool sends = step.op == program::Op::send || step.op == program::Op::isend;
        if (sends && places.contains(place_of(program.sites[step.site]))) all.push_back({step, times});
    });
    return all;
}

/// Returns, for each sending statement of the scenario's program, true if any of its messages is buffered.
std::map<Place, bool> buffered_statements(const program::Program& program, const Buffering& buffering) {
    std::map<Place, bool> buffered;
    std::vector<bool> known(program.sites.size(), false);  // statements that are known to have a buffered message
    for (std::uint32_t rank = 0; rank < program.class_of.size(); ++rank) {
        const program::RankClass& rank_class = program.of({rank});
        for (const Instruction& step : rank_class.code) {
            if (!program::sends(step.op) || known[step.site]) continue;
            const std::span<const std::uint32_t> endpoints = program::endpoints_of(step, rank_class);
            known[step.site] = std::any_of(endpoints.begin(), endpoints.end(), [&](std::uint32_t endpoint) {
                return buffering.eager({rank}, program::peer_of({rank}, rank_class.send_endpoints[endpoint]), step);
            });
            bool& any = buffered[place_of(program.sites[step.site])];
            any = any || known[step.site];
        }
    }
    return buffered;
}

/// Gives each message of `small` the protocol that the messages of its statement have in the scenario.
Buffering by_statement(const program::Program& small, const std::map<Place, bool>& buffered, Buffering on_machine) {
    on_machine.eager = [&](Rank, Rank, const Instruction& send) {
        const auto found = buffered.find(place_of(small.sites.at(send.site)));
        return found == buffered.end() || found->second;
    };
    return on_machine;
}

/// Counts the eager messages of these statements on all channels. Returns the largest value of the type on overflow.
std::uint64_t messages_queued(const program::Program& program, const Buffering& buffering,
                              const std::set<Place>& places) {
    std::uint64_t queued = 0;
    try {
        std::vector<std::vector<SentTimes>> of_class;
        for (const program::RankClass& rank_class : program.classes) {
            of_class.push_back(sends_of(rank_class, program, places));
        }
        for (std::uint32_t rank = 0; rank < program.class_of.size(); ++rank) {
            for (const SentTimes& each : of_class[program.class_of[rank]]) {
                const Rank receiver = program::peer_of({rank}, program.of({rank}).send_endpoints[each.send.operand]);
                if (!buffering.eager({rank}, receiver, each.send)) continue;
                queued = program::checked_sum(queued, each.times);
            }
        }
        return queued;
    } catch (const std::overflow_error&) {
        return std::numeric_limits<std::uint64_t>::max();
    }
}

/// Returns the ranks that wait forever; nothing if the walk is too long.
std::optional<std::vector<Blocked>> blocked(const program::Program& program, const Buffering& buffering) {
    const auto stuck = program::stuck_ranks(program, buffering, kMostLooks);
    if (!stuck) return std::nullopt;
    std::vector<Blocked> all;
    for (const program::Stuck& each : *stuck) {
        using What = program::Stuck::What;
        const Blocked::What what = each.what == What::allreduce ? Blocked::What::collective
                                   : each.what == What::send    ? Blocked::What::send
                                                                : Blocked::What::recv;
        all.push_back({each.rank, each.peer, each.tag, each.site, what, std::nullopt, each.partners});
    }
    return all;
}

/// Returns the range of a statement in the sources of the experiment. The range has no source if none of them contains
/// the statement.
input::SourceRange range_of(const program::Site& site, const std::vector<input::SourceFilePtr>& sources) {
    const auto found = std::find_if(sources.begin(), sources.end(),
                                    [&](const input::SourceFilePtr& each) { return each->name() == site.file; });
    if (found == sources.end()) return {};
    const std::size_t begin = (*found)->line_start(site.line) + site.column - 1;
    const std::size_t rest = (*found)->line_text(site.line).size() - (site.column - 1);
    return {*found, begin, std::min(site.text.size(), rest)};
}

std::string on_ranks(const program::Program& program, std::string_view text) {
    return fmt::format("on {} ranks {}", as_text(program.grid), text);
}

/// Adds an error for each statement of the cycle or chain. `why` is the end of the message.
void add_stuck(const std::vector<Blocked>& blocked, const program::Program& program, std::string_view why,
               const Experiment& prepared, input::Diagnostics& faults) {
    const results::WaitPath path = results::wait_path(blocked);
    std::set<std::uint16_t> said;
    for (const Blocked& each : path.members) {
        if (!said.insert(each.site).second) continue;
        faults.add(input::DiagnosticKind::stuck_ranks, range_of(program.sites.at(each.site), prepared.sources),
                   on_ranks(program, fmt::format("{} waits here forever {}{}", results::rank_text(each.rank, program),
                                                 results::wanted(each), each.what == Blocked::What::send ? why : "")),
                   path.is_cycle ? results::remedy(path)
                                 : "the last rank in this chain of waits needs a rank that has already finished");
    }
}

/// The walks for one experiment.
class Walks {
public:
    explicit Walks(const Experiment& prepared)
        : prepared_(prepared),
          buffering_(on_machine(prepared.machine)),
          buffered_(buffered_statements(prepared.program, buffering_)) {}

    SmallInstances run() {
        if (prepared_.model) {
            for (const std::uint32_t side : {2U, 3U}) {
                const std::optional<Instance> small = instance(*prepared_.model, prepared_, side);
                if (small && walk(*small)) break;
            }
        }
        walk_as_it_is();
        return std::move(found_);
    }

private:
    bool walk(const Instance& instance);
    void report(const std::vector<Blocked>& stuck, const program::Program& program, std::string_view why);
    bool find_stuck(const program::Program& program, const Buffering& buffering, std::string_view why);
    void find_run_ahead(const program::Program& program, const Buffering& buffering);
    void walk_as_it_is();

    const Experiment& prepared_;
    Buffering buffering_;
    std::map<Place, bool> buffered_;
    SmallInstances found_;
};

constexpr std::string_view kRendezvousHere = ": on this machine its message is not buffered";

void Walks::report(const std::vector<Blocked>& stuck, const program::Program& program, std::string_view why) {
    add_stuck(stuck, program, why, prepared_, found_.stuck);
    found_.deadlock = on_ranks(program, results::describe_deadlock(stuck, program));
}

bool Walks::find_stuck(const program::Program& program, const Buffering& buffering, std::string_view why) {
    const std::optional<std::vector<Blocked>> stuck = blocked(program, buffering);
    if (!stuck || stuck->empty()) return false;
    report(*stuck, program, why);
    return true;
}

/// Walks an instance. Returns true if anything was found. A model without its traces waits less. So a deadlock without
/// traces is also a deadlock with them, but a rank that runs ahead may in fact wait in a trace.
bool Walks::walk(const Instance& instance) {
    const program::Program& program = instance.program;
    if (find_stuck(program, program::all_eager(), "")) return true;
    if (find_stuck(program, by_statement(program, buffered_, buffering_), kRendezvousHere)) return true;
    if (const auto unbuffered = blocked(program, program::all_rendezvous()); unbuffered && !unbuffered->empty()) {
        found_.eager_only =
            on_ranks(program, "the model finishes only if messages are eager; with rendezvous messages: " +
                                  results::describe_deadlock(*unbuffered, program));
    }
    if (!instance.has_traces) find_run_ahead(program, by_statement(program, buffered_, buffering_));
    return !found_.eager_only.empty() || found_.queued;
}

void Walks::find_run_ahead(const program::Program& program, const Buffering& buffering) {
    const auto all = program::run_ahead(program, buffering, kMostLooks);
    if (!all || all->empty()) return;
    std::set<Place> places;
    for (const program::RunAhead& each : *all) places.insert(place_of(program.sites.at(each.site)));
    found_.queued = messages_queued(prepared_.program, buffering_, places);
    if (program.iterations < 2) return;
    const program::RunAhead& first = all->front();
    found_.run_ahead = on_ranks(program, fmt::format("{} never waits for rank {}, to which it sends{}: the sender may "
                                                     "be any number of iterations ahead, and eager messages queue up",
                                                     results::rank_text(first.rank, program), first.receiver.index,
                                                     results::in_statement(first.site, program)));
}

void Walks::walk_as_it_is() {
    const program::Program& program = prepared_.program;
    const std::uint64_t instructions = instructions_run(program);
    if (instructions > kMostInstructions) return;
    const std::uint64_t walks =
        program.class_of.size();  // additional walks that pause one rank each, to find ranks that run ahead
    if (!found_.queued && instructions * walks <= kMostInstructions) find_run_ahead(program, buffering_);
    const std::optional<std::vector<Blocked>> stuck = blocked(program, buffering_);
    if (!stuck) return;
    if (program::has_choices(program)) return;  // `run` may receive messages in another order
    if (stuck->empty()) {
        found_.stuck = {};
    } else if (found_.stuck.empty()) {
        const std::optional<std::vector<Blocked>> buffered = blocked(program, program::all_eager());
        const bool by_machine = buffered && buffered->empty();
        report(*stuck, program, by_machine ? kRendezvousHere : "");
    }
}

}  // namespace

SmallInstances walk_small_instances(const Experiment& prepared) { return Walks(prepared).run(); }

}  // namespace warpfront::tools
