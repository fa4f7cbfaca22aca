#include "simulator/trace/read.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/words.hpp"
#include "simulator/trace/action.hpp"
#include "simulator/trace/communicators.hpp"
#include "simulator/trace/matching.hpp"
#include "simulator/trace/read_run.hpp"
#include "simulator/trace/recorded_run.hpp"
#include "simulator/trace/replay.hpp"

namespace warpfront::trace {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;
using input::SourceRange;
using program::Op;

constexpr std::size_t kMostText = std::size_t{1} << 30;  // of all traces

struct Named {
    std::string name;
    SourceRange range;
};

std::vector<Named> listed(const SourceFilePtr& list) {
    std::vector<Named> files;
    for (std::size_t at = 0; at < list->text().size();) {
        const std::size_t end = std::min(list->text().find('\n', at), list->text().size());
        std::string_view line = list->text().substr(at, end - at);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) files.push_back({std::string(line), {list, at, line.size()}});
        at = end + 1;
    }
    return files;
}

std::filesystem::path list_of(const TraceRequest& request) {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(request.list, ignored);
    const std::filesystem::path list = folder ? request.list / kListName : request.list;
    if (std::filesystem::exists(list, ignored)) return list;
    throw BadInput(DiagnosticKind::unreadable_file, request.mentioned_at,
                   fmt::format("cannot read `{}`", list.string()),
                   fmt::format("expected a list of traces of any name, or a folder with one called `{}`", kListName));
}

/// Finds a trace next to the list or below one of its parent folders.
std::optional<std::filesystem::path> find(const std::filesystem::path& list, const std::string& name) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::absolute(list, ignored).lexically_normal().parent_path();
    for (std::filesystem::path above = folder;; above = above.parent_path()) {
        if (std::filesystem::exists(above / name, ignored)) {
            return above == folder ? list.parent_path() / name : above / name;
        }
        if (above == above.parent_path()) return std::nullopt;
    }
}

/// Reads the list, then the traces by rank.
std::vector<SourceFilePtr> read_files(const TraceRequest& request) {
    const std::filesystem::path list = list_of(request);
    std::vector<SourceFilePtr> sources{input::read_file(list, request.mentioned_at)};
    const std::vector<Named> files = listed(sources.front());
    if (files.size() != request.grid.ranks()) {
        throw BadInput(
            DiagnosticKind::trace_ranks, request.grid_range,
            fmt::format("{} = {} ranks", as_text(request.grid), request.grid.ranks()),
            fmt::format("`{}` lists {} traces, expected as many ranks", sources.front()->name(), files.size()));
    }
    Diagnostics faults;
    std::size_t bytes = 0;
    for (const Named& file : files) {
        const std::optional<std::filesystem::path> path = find(list, file.name);
        if (!path) {
            faults.add(DiagnosticKind::unreadable_file, file.range, fmt::format("cannot read `{}`", file.name),
                       "expected the path of a trace from the folder of this list, or from one above it");
            continue;
        }
        try {
            sources.push_back(input::read_file(*path, file.range));
        } catch (const BadInput& unreadable) {
            faults.add(unreadable.diagnostics());
        }
        bytes += sources.back()->text().size();
        if (bytes <= kMostText) continue;
        throw BadInput(DiagnosticKind::trace_too_large, file.range, "these traces are too large",
                       fmt::format("expected at most {} bytes in all", kMostText));
    }
    faults.raise();
    return sources;
}

constexpr std::size_t kMostSites = 65'000;

std::vector<ExpandedTrace> expand_traces(const std::vector<SourceFilePtr>& sources, const Communicators& communicators,
                                         const Costs& costs, Diagnostics& faults) {
    std::vector<ExpandedTrace> traces;
    std::uint64_t left = kMostOperations;
    for (const SourceFilePtr& source : sources) {
        const Reading reading{.rank = static_cast<std::uint32_t>(traces.size()),
                              .ranks = static_cast<std::uint32_t>(sources.size()),
                              .communicators = &communicators};
        traces.push_back(expand_trace(source, reading, costs, left, faults));
        left -= traces.back().operations.size();
    }
    return traces;
}

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

    /// Returns lines of `file`, or places in the code of a recorded run that has them.
    std::vector<program::Site> table(const std::string& file, const RecordedRun& run) const {
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
    std::map<ChannelEnd, std::vector<std::uint32_t>> operands_;  // by sub-channel
    std::uint32_t first_slot_ = 0;                               // among the choices, as the next
    std::uint32_t first_group_ = 0;
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

/// Adds the notes of all formats.
void add_notes(const std::vector<ExpandedTrace>& traces, std::vector<std::string>& notes) {
    if (sum_of(traces, &ExpandedTrace::of_all_ranks) > 0) {
        notes.emplace_back(
            "traces: collectives are taken to be of all ranks, since these traces do not name communicators; if the "
            "code splits MPI_COMM_WORLD, a file that the key `communicators` names tells which are of fewer");
    }
    if (const std::uint64_t posted = sum_of(traces, &ExpandedTrace::postponed); posted > 0) {
        notes.push_back(
            fmt::format("traces: the messages of {} posted for any source are taken when they are waited for, since "
                        "other receives beside them may take the same",
                        input::counted(posted, "receive")));
    }
    if (const std::uint64_t unknown = sum_of(traces, &ExpandedTrace::sizes_unknown); unknown > 0) {
        notes.push_back(
            fmt::format("traces: {} actions have derived datatypes, whose sizes SMPI does not write: their "
                        "messages are empty, as in SMPI's own replay",
                        unknown));
    }
}

std::vector<std::string> notes_of_lines(const std::vector<ExpandedTrace>& traces, const Costs& costs) {
    std::vector<std::string> notes{fmt::format("traces: computing at {:g} flop/s", costs.speed.per_second)};
    if (std::ranges::any_of(traces, &ExpandedTrace::unlike_smpi)) {
        notes.emplace_back(
            "traces: SMPI's own replay performs some of these collectives by other algorithms; in the hardware file "
            "`collectives: {like: smpi}` takes those");
    }
    add_notes(traces, notes);
    return notes;
}

std::vector<std::string> notes_of_run(const RecordedRun& run, const std::vector<ExpandedTrace>& traces,
                                      const Costs& costs, Arrivals arrivals) {
    std::vector<std::string> notes{
        costs.times_as_fast == 1.0
            ? std::string("traces: computing takes the time that was recorded")
            : fmt::format("traces: computing is {:.6g} times as fast as it was recorded", costs.times_as_fast)};
    add_notes(traces, notes);
    if (const std::uint64_t begun = sum_of(traces, &ExpandedTrace::begun_collectives); begun > 0) {
        notes.push_back(fmt::format(
            "traces: {} collectives that are begun, such as MPI_Ibarrier, are made when they are waited for", begun));
    }
    if (const std::uint64_t begun = sum_of(traces, &ExpandedTrace::begun_synchronous); begun > 0) {
        notes.push_back(fmt::format("traces: {} synchronous sends that are begun are begun as other sends", begun));
    }
    if (sum_of(traces, &ExpandedTrace::to_itself) > 0) {
        notes.emplace_back("traces: messages of a rank to itself take no time");
    }
    if (const std::uint64_t chosen = sum_of(traces, &ExpandedTrace::chosen_as_recorded); chosen > 0) {
        notes.push_back(fmt::format("traces: as recorded, what is completed by {} for any of several requests",
                                    input::counted(chosen, "wait")));
    }
    if (const std::uint64_t taken = sum_of(traces, &ExpandedTrace::taken_as_recorded); taken > 0) {
        notes.push_back(
            fmt::format("traces: as recorded, what is taken by {} from any source{}", input::counted(taken, "receive"),
                        arrivals == Arrivals::recorded
                            ? ""
                            : ", since their ranks receive by name too from sources that have several sends open"));
    }
    for (const Unread& each : run.unread) {
        notes.push_back(fmt::format("traces: left out: {}, {}: {}", each.call, input::times(each.times), each.why));
    }
    return notes;
}

/// Returns the communicators of the request's file, which is added to `sources`, or `world` alone. Throws BadInput with
/// the file's errors, which would only be repeated in the traces.
Communicators read_communicators(const TraceRequest& request, std::vector<SourceFilePtr>& sources,
                                 Diagnostics& faults) {
    const auto ranks = static_cast<std::uint32_t>(request.grid.ranks());
    if (request.communicators.empty()) return Communicators(ranks);
    sources.push_back(input::read_file(request.communicators, request.communicators_mentioned_at));
    Communicators communicators(sources.back(), ranks, faults);
    faults.raise();
    return communicators;
}

/// Makes the program from the operations of any format.
void make_program(std::vector<ExpandedTrace>& traces, const SubChannels& sub_channels, const std::string& file,
                  const RecordedRun& run, program::Program& program) {
    const Sites sites(traces);
    program.collectives = uses_of(traces);
    Tags tags;
    Classes classes(program);
    for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
        classes.add(ClassWriter(rank, sub_channels, sites, tags).code(traces[rank]));
        traces[rank] = {};
    }
    program.sites = sites.table(file, run);
}

[[noreturn]] void refuse_recorded_arrivals(const TraceRequest& request) {
    throw BadInput(DiagnosticKind::conflicting_keys, request.arrivals_mentioned_at,
                   "arrivals as recorded of traces that do not have them", "expected a recorded run beside it");
}

Loaded read_lines(const TraceRequest& request) {
    if (request.arrivals == Arrivals::recorded) refuse_recorded_arrivals(request);
    Loaded loaded{{}, read_files(request)};
    const std::vector<SourceFilePtr> sources(loaded.sources.begin() + 1, loaded.sources.end());
    Diagnostics faults;
    const Communicators communicators = read_communicators(request, loaded.sources, faults);
    std::vector<ExpandedTrace> traces = expand_traces(sources, communicators, request.costs, faults);
    faults.raise();
    const SubChannels sub_channels = SubChannels::match(traces, communicators, faults);
    faults.raise();
    loaded.program.notes = notes_of_lines(traces, request.costs);
    const std::filesystem::path all = std::filesystem::path(sources.front()->name()).parent_path() / "*";
    make_program(traces, sub_channels, all.string(), {}, loaded.program);
    return loaded;
}

/// Refuses calls that cannot be replayed.
void refuse_unread(const RecordedRun& run, const SourceRange& range) {
    Diagnostics faults;
    for (const Unread& each : run.unread) {
        if (!each.refused) continue;
        faults.add(DiagnosticKind::unread_call, range,
                   fmt::format("`{}` calls {} {}: {}; the first is of {}", run.name, each.call,
                               input::times(each.times), each.why, first_place(run, each)),
                   "expected a run without them");
    }
    faults.raise();
}

/// A recorded run whose ranks are operations.
struct ExpandedRun {
    RecordedRun run;  // without events
    std::vector<ExpandedTrace> traces;
    Communicators communicators;
};

/// Reads rank after rank, makes its operations and drops it. Receives from any source take the recorded message on the
/// ranks `as_recorded`.
ExpandedRun expand_run(const TraceRequest& request, const std::set<std::uint32_t>& as_recorded) {
    Diagnostics faults;
    const auto ranks = static_cast<std::uint32_t>(request.grid.ranks());
    ExpandedRun expanded{{}, {}, Communicators(ranks)};
    std::vector<ExpandedTrace>& traces = expanded.traces;
    Communicators& communicators = expanded.communicators;
    std::uint64_t left = kMostOperations;
    expanded.run =
        read_recorded_run(request.list, request.mentioned_at, [&](const RecordedRun& so_far, const RecordedRank& rank) {
            if (so_far.communicators.front().size() != ranks) {
                throw BadInput(DiagnosticKind::trace_ranks, request.grid_range,
                               fmt::format("{} = {} ranks", as_text(request.grid), ranks),
                               fmt::format("`{}` has {}, expected as many", so_far.name,
                                           input::counted(so_far.communicators.front().size(), "rank")));
            }
            for (std::size_t at = communicators.names().size(); at < so_far.communicators.size(); ++at) {
                communicators.add(so_far.communicators[at]);
            }
            const auto number = static_cast<std::uint32_t>(traces.size());
            const Arrivals any = as_recorded.contains(number) ? Arrivals::recorded_sources : request.arrivals;
            traces.push_back(expand_events(so_far, number, rank, communicators, request.costs, any, left, faults));
            left -= traces.back().operations.size();
        });
    refuse_unread(expanded.run, request.mentioned_at);
    faults.raise();
    return expanded;
}

SubChannels matched(const ExpandedRun& expanded) {
    Diagnostics faults;
    SubChannels sub_channels = SubChannels::match(expanded.traces, expanded.communicators, faults);
    faults.raise();
    return sub_channels;
}

Loaded read_run(const TraceRequest& request) {
    if (!request.communicators.empty()) {
        throw BadInput(DiagnosticKind::conflicting_keys, request.communicators_mentioned_at,
                       "`communicators` beside a recorded run", "expected none: it has its communicators itself");
    }
    ExpandedRun expanded = expand_run(request, {});
    const bool takes_any =
        std::ranges::any_of(expanded.traces, [](const ExpandedTrace& each) { return !each.wildcards.empty(); });
    if (request.arrivals == Arrivals::recorded && expanded.run.format == "GOAL" && takes_any) {
        refuse_recorded_arrivals(request);
    }
    SubChannels sub_channels = matched(expanded);
    if (const std::set<std::uint32_t> undecided = sub_channels.undecided(); !undecided.empty()) {
        expanded = expand_run(request, undecided);
        sub_channels = matched(expanded);
    }
    RecordedRun& run = expanded.run;
    Loaded loaded{{}, std::move(run.sources)};
    loaded.program.notes = notes_of_run(run, expanded.traces, request.costs, request.arrivals);
    loaded.program.phases.assign(run.phases.begin() + (run.phases.empty() ? 0 : 1), run.phases.end());
    make_program(expanded.traces, sub_channels, (std::filesystem::path(run.name) / "*").string(), run, loaded.program);
    return loaded;
}

}  // namespace

Loaded read(const TraceRequest& request) {
    refuse_binary_dumpi(request.list, request.mentioned_at);
    Loaded loaded = is_recorded_run(request.list) ? read_run(request) : read_lines(request);
    loaded.program.name = request.list.string();
    loaded.program.grid = request.grid;
    return loaded;
}

}  // namespace warpfront::trace
