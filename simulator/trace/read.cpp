#include "simulator/trace/read.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/words.hpp"
#include "simulator/trace/matching.hpp"
#include "simulator/trace/read_run.hpp"
#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

namespace {

using program::Op;

constexpr std::size_t kMostSites = 65'000;

/// Numbers of (site, verb), ascending; all beyond the first `kMostSites` share the last number.
class Sites {
public:
    explicit Sites(const std::vector<ExpandedTrace>& traces) {
        std::set<std::pair<std::uint32_t, Verb>> all;
        for (const ExpandedTrace& trace : traces) {
            for (const Operation& operation : trace.operations) {
                all.emplace(operation.site, operation.verb);
                if (all.size() > kMostSites) all.erase(std::prev(all.end()));
            }
        }
        for (const auto& site : all) numbers_.emplace_hint(numbers_.end(), site, numbers_.size());
    }

    std::uint16_t of(const Operation& operation) const {
        const auto found = numbers_.find({operation.site, operation.verb});
        return static_cast<std::uint16_t>(found == numbers_.end() ? numbers_.size() : found->second);
    }

    /// Returns the places of the sites in the code if the run has them, else their lines in the trace.
    std::vector<program::Site> table(const RecordedRun& run) const {
        const std::string& file = run.place;
        std::vector<program::Site> sites;
        for (const auto& [site, number] : numbers_) {
            std::string text(name_of(site.second));
            if (!run.has_sites) {
                sites.push_back({file, site.first, 1, std::move(text)});
                continue;
            }
            const RecordedSite& place = run.sites[site.first];
            if (!place.function.empty()) text += fmt::format(" in {}", place.function);
            sites.push_back({place.file.empty() ? file : place.file, std::max(place.line, 1U), 1, std::move(text)});
        }
        sites.push_back({file, sites.empty() ? 1 : sites.back().line + 1, 1, "a later action"});
        return sites;
    }

private:
    std::map<std::pair<std::uint32_t, Verb>, std::size_t> numbers_;
};

/// Tags of the IR by (communicator, tag, sub-channel) of the traces, the same on all ranks.
class Tags {
public:
    std::int32_t of(const ChannelEnd& end, std::uint32_t sub_channel) {
        if (end.tag >= 0 && sub_channel == 0 && end.communicator == 0) return end.tag;
        const std::int32_t highest = end.tag < 0 ? -1 : program::kHighestExtraTag;
        const auto [known, is_new] = numbers_.try_emplace({end.communicator, end.tag, sub_channel},
                                                          highest - static_cast<std::int32_t>(numbers_.size()));
        return known->second;
    }

private:
    std::map<std::tuple<std::uint32_t, std::int32_t, std::uint32_t>, std::int32_t> numbers_;
};

/// One rank's trace as the code of a class.
class ClassWriter {
public:
    ClassWriter(std::uint32_t rank, const SubChannels& sub_channels, const Sites& sites, Tags& tags)
        : rank_(rank), sub_channels_(sub_channels), sites_(sites), tags_(tags) {}

    program::RankClass code(const ExpandedTrace& trace) {
        for (const ExpandedTrace::Taken& each : trace.wildcards) add_choice(each.wildcard);
        for (const std::uint32_t wildcard : trace.slots) add_choice(trace.wildcards[wildcard].wildcard);
        for (const auto& group : trace.groups) add_choice(group);
        first_slot_ = static_cast<std::uint32_t>(trace.wildcards.size());
        first_group_ = static_cast<std::uint32_t>(trace.wildcards.size() + trace.slots.size());
        for (const Operation& operation : trace.operations) add(operation);
        result_.code.push_back({.op = Op::iteration});
        result_.code.push_back({.op = Op::finish});
        return std::move(result_);
    }

private:
    void add(const Operation& operation) {
        if (operation.left_out) return;
        program::Instruction step{.op = operation.op, .site = sites_.of(operation), .amount = operation.amount};
        if (operation.op == Op::recv_any) {
            step.operand = operation.number;
        } else if (operation.op == Op::irecv_any || operation.op == Op::wait_recv_any) {
            step.operand = first_slot_ + operation.number;
        } else if (operation.op == Op::wait_any) {
            step.operand = first_group_ + operation.number;
        } else if (operation.op == Op::phase) {
            step.operand = operation.number;
        } else if (program::operation(operation.op).operand != program::Operand::none) {
            step.operand = operand(operation.end, operation.number);
        }
        result_.code.push_back(step);
    }

    void add_choice(const Wildcard& wildcard) {
        program::Choice choice;
        for (const ChannelEnd& source : sub_channels_.sources_of(rank_)) {
            if (!wildcard.matches(source)) continue;
            for (std::uint32_t sub_channel = 0; sub_channel < sub_channels_.of(rank_, source); ++sub_channel) {
                choice.receive_endpoints.push_back(operand(source, sub_channel));
            }
        }
        result_.choices.push_back(std::move(choice));
    }

    void add_choice(const std::vector<ExpandedTrace::Posted>& group) {
        program::Choice choice;
        for (const auto& [end, number] : group) choice.receive_endpoints.push_back(operand(end, number));
        result_.choices.push_back(std::move(choice));
    }

    std::uint32_t operand(const ChannelEnd& end, std::uint32_t number) {
        std::vector<std::uint32_t>& operands = operands_[end];
        if (operands.empty()) add_channels(end, operands);
        return operands[number % operands.size()];
    }

    void add_channels(const ChannelEnd& end, std::vector<std::uint32_t>& operands) {
        auto& channels = end.sends ? result_.send_endpoints : result_.receive_endpoints;
        const std::int64_t delta = std::int64_t{end.peer} - std::int64_t{rank_};
        for (std::uint32_t sub_channel = 0; sub_channel < sub_channels_.of(rank_, end); ++sub_channel) {
            operands.push_back(static_cast<std::uint32_t>(channels.size()));
            channels.push_back({static_cast<std::int32_t>(delta), tags_.of(end, sub_channel)});
        }
    }

    const std::uint32_t rank_;
    const SubChannels& sub_channels_;
    const Sites& sites_;
    Tags& tags_;
    std::map<ChannelEnd, std::vector<std::uint32_t>> operands_;  // operands of each sub-channel
    std::uint32_t first_slot_ = 0;                               // index of the first slot among the choices
    std::uint32_t first_group_ = 0;                              // index of the first group among the choices
    program::RankClass result_;
};

std::size_t hash_of(const program::RankClass& rank_class) {
    std::size_t hash = rank_class.code.size();
    const auto mix = [&hash](std::uint64_t value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29;
    };
    for (const program::Instruction& step : rank_class.code) {
        mix(static_cast<std::uint64_t>(step.amount));
        mix((std::uint64_t{step.operand} << 32) | (std::uint64_t{step.site} << 8) |
            static_cast<std::uint64_t>(step.op));
    }
    for (const auto* channels : {&rank_class.send_endpoints, &rank_class.receive_endpoints}) {
        for (const program::Channel& each : *channels) {
            mix((static_cast<std::uint64_t>(each.delta) << 32) ^ static_cast<std::uint32_t>(each.tag));
        }
    }
    return hash;
}

/// Assigns classes to ranks; equal ranks share one.
class Classes {
public:
    explicit Classes(program::Program& program) : program_(program) {}

    void add(program::RankClass rank_class) {
        const std::size_t hash = hash_of(rank_class);
        const auto [first, last] = known_.equal_range(hash);
        for (auto at = first; at != last; ++at) {
            if (program_.classes[at->second] != rank_class) continue;
            program_.class_of.push_back(at->second);
            return;
        }
        const auto index = static_cast<std::uint32_t>(program_.classes.size());
        known_.emplace(hash, index);
        program_.class_of.push_back(index);
        program_.classes.push_back(std::move(rank_class));
    }

private:
    program::Program& program_;
    std::unordered_multimap<std::size_t, std::uint32_t> known_;  // for lookup only, never iterated
};

std::vector<program::CollectiveUse> uses_of(const std::vector<ExpandedTrace>& traces) {
    std::vector<program::CollectiveUse> uses;
    for (const ExpandedTrace& trace : traces) {
        for (const program::CollectiveUse& use : trace.uses) program::add_use(uses, use);
    }
    return uses;
}

/// Returns the sum of a count over all traces.
template <class Count>
std::uint64_t sum_of(const std::vector<ExpandedTrace>& traces, Count ExpandedTrace::*count) {
    std::uint64_t sum = 0;
    for (const ExpandedTrace& trace : traces) sum += trace.*count;
    return sum;
}

std::vector<std::string> notes_of(const RecordedRun& run, const std::vector<ExpandedTrace>& traces, const Costs& costs,
                                  Arrivals arrivals, bool has_times) {
    std::vector<std::string> notes = run.notes;
    if (has_times) {
        notes.push_back(
            costs.times_as_fast == 1.0
                ? std::string("traces: computing takes the recorded times")
                : fmt::format("traces: computing is {:.6g} times as fast as recorded", costs.times_as_fast));
    } else if (std::ranges::any_of(traces, &ExpandedTrace::unlike_smpi)) {
        notes.emplace_back(
            "traces: SMPI's own replay performs some of these collectives by other algorithms; `collectives: {like: "
            "smpi}` in the hardware file selects SMPI's algorithms");
    }
    if (const std::uint64_t posted = sum_of(traces, &ExpandedTrace::postponed); posted > 0) {
        notes.push_back(
            fmt::format("traces: the messages of {} from any source are assigned at the waits for these receives, "
                        "since other open receives may match the same messages",
                        input::counted(posted, "receive")));
    }
    if (const std::uint64_t begun = sum_of(traces, &ExpandedTrace::begun_collectives); begun > 0) {
        notes.push_back(fmt::format(
            "traces: {} nonblocking collectives, such as MPI_Ibarrier, are performed at their waits", begun));
    }
    if (const std::uint64_t begun = sum_of(traces, &ExpandedTrace::begun_synchronous); begun > 0) {
        notes.push_back(fmt::format("traces: {} nonblocking synchronous sends are treated as isends", begun));
    }
    if (sum_of(traces, &ExpandedTrace::to_itself) > 0) {
        notes.emplace_back("traces: messages of a rank to itself take no time");
    }
    if (const std::uint64_t chosen = sum_of(traces, &ExpandedTrace::chosen_as_recorded); chosen > 0) {
        notes.push_back(
            fmt::format("traces: {} for any of several requests complete the same requests as in the recorded run",
                        input::counted(chosen, "wait")));
    }
    if (const std::uint64_t taken = sum_of(traces, &ExpandedTrace::taken_as_recorded); taken > 0) {
        notes.push_back(
            fmt::format("traces: {} from any source take the same messages as in the recorded run{}",
                        input::counted(taken, "receive"),
                        arrivals == Arrivals::recorded
                            ? ""
                            : ", since their ranks also have receives from a named source with several open sends"));
    }
    for (const Unread& each : run.unread) {
        notes.push_back(fmt::format("traces: left out: {}, {}: {}", each.call, input::times(each.times), each.why));
    }
    return notes;
}

/// Converts the operations of all ranks to a program.
void make_program(std::vector<ExpandedTrace>& traces, const SubChannels& sub_channels, const RecordedRun& run,
                  program::Program& program) {
    const Sites sites(traces);
    program.collectives = uses_of(traces);
    Tags tags;
    Classes classes(program);
    for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
        classes.add(ClassWriter(rank, sub_channels, sites, tags).code(traces[rank]));
        traces[rank] = {};
    }
    program.sites = sites.table(run);
}

[[noreturn]] void refuse_recorded_arrivals(const TraceRequest& request) {
    throw BadInput(DiagnosticKind::conflicting_keys, request.arrivals_mentioned_at,
                   "`arrivals: recorded` is given, but these traces do not contain the order of arrivals",
                   "expected a recorded run as `trace`, or `arrivals: first`");
}

/// Refuses calls that cannot be replayed.
void refuse_unread(const RecordedRun& run, const SourceRange& range) {
    Diagnostics faults;
    for (const Unread& each : run.unread) {
        if (!each.refused) continue;
        faults.add(DiagnosticKind::unread_call, range,
                   fmt::format("`{}` calls {} {}: {}; the first call is on {}", run.name, each.call,
                               input::times(each.times), each.why, first_place(run, each)),
                   "expected a run without this call");
    }
    faults.raise();
}

/// A recorded run whose ranks are operations.
struct ExpandedRun {
    RecordedRun run;  // the recorded run without its events
    std::vector<ExpandedTrace> traces;
    SubChannels sub_channels;
};

/// Reads one rank after another, expands its operations and discards its events. On the ranks `as_recorded`, receives
/// from any source take the recorded message.
ExpandedRun expand_run(const TraceRequest& request, const std::set<std::uint32_t>& as_recorded) {
    Diagnostics faults;
    const auto ranks = static_cast<std::uint32_t>(request.grid.ranks());
    ExpandedRun expanded;
    std::vector<ExpandedTrace>& traces = expanded.traces;
    Communicators communicators;
    std::uint64_t left = kMostOperations;
    const auto take = [&](const RecordedRun& so_far, const RecordedRank& rank) {
        if (so_far.communicators.front().size() != ranks) {
            throw BadInput(DiagnosticKind::trace_ranks, request.grid_range,
                           fmt::format("the grid has {} = {} ranks", as_text(request.grid), ranks),
                           fmt::format("expected {}, as many as `{}` has",
                                       input::counted(so_far.communicators.front().size(), "rank"), so_far.name));
        }
        communicators.update(so_far);
        const auto number = static_cast<std::uint32_t>(traces.size());
        const Arrivals any = as_recorded.contains(number) ? Arrivals::recorded_sources : request.arrivals;
        traces.push_back(expand_events(so_far, number, rank, communicators, request.costs, any, left, faults));
        left -= traces.back().operations.size();
    };
    faults.collect([&] {
        expanded.run =
            read_recorded_run(request.files, request.mentioned_at, take,
                              {request.costs.speed, request.communicators, request.communicators_mentioned_at});
        refuse_unread(expanded.run, request.mentioned_at);
    });
    faults.raise();
    expanded.sub_channels = SubChannels::match(expanded.run, traces, faults);
    faults.raise();
    return expanded;
}

}  // namespace

Loaded read(const TraceRequest& request) {
    const bool recorded_arrivals = request.arrivals == Arrivals::recorded;
    if (recorded_arrivals && !request.files.has_times()) refuse_recorded_arrivals(request);
    ExpandedRun expanded = expand_run(request, {});
    const bool takes_any =
        std::ranges::any_of(expanded.traces, [](const ExpandedTrace& each) { return !each.wildcards.empty(); });
    if (recorded_arrivals && request.files.format == RunFiles::Format::goal && takes_any) {
        refuse_recorded_arrivals(request);
    }
    const std::set<std::uint32_t> undecided = expanded.sub_channels.undecided();
    if (!undecided.empty() && request.files.has_times()) expanded = expand_run(request, undecided);
    RecordedRun& run = expanded.run;
    Loaded loaded{{}, std::move(run.sources)};
    loaded.program.notes = notes_of(run, expanded.traces, request.costs, request.arrivals, request.files.has_times());
    loaded.program.phases.assign(run.phases.begin() + 1, run.phases.end());
    make_program(expanded.traces, expanded.sub_channels, run, loaded.program);
    loaded.program.name = request.files.path.string();
    loaded.program.grid = request.grid;
    return loaded;
}

}  // namespace warpfront::trace
