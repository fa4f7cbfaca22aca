#include "simulator/trace/read.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/trace/action.hpp"
#include "simulator/trace/communicators.hpp"
#include "simulator/trace/matching.hpp"
#include "simulator/trace/recorded_actions.hpp"
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

/// Next to the list or below one of its parent folders.
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

/// The list, then the traces by rank.
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

/// Numbers of (line, verb), ascending; all beyond the first `kMostSites` share the last number.
class Sites {
public:
    explicit Sites(const std::vector<ExpandedTrace>& traces) {
        std::set<std::pair<std::uint32_t, Verb>> all;
        for (const ExpandedTrace& trace : traces) {
            for (const Operation& operation : trace.operations) {
                all.emplace(operation.line, operation.verb);
                if (all.size() > kMostSites) all.erase(std::prev(all.end()));
            }
        }
        for (const auto& site : all) numbers_.emplace_hint(numbers_.end(), site, numbers_.size());
    }

    std::uint16_t of(const Operation& operation) const {
        const auto found = numbers_.find({operation.line, operation.verb});
        return static_cast<std::uint16_t>(found == numbers_.end() ? numbers_.size() : found->second);
    }

    std::vector<program::Site> table(const std::string& file) const {
        std::vector<program::Site> sites;
        for (const auto& [site, number] : numbers_) {
            sites.push_back({file, site.first, 1, std::string(name_of(site.second))});
        }
        sites.push_back({file, sites.empty() ? 1 : sites.back().line + 1, 1, "a later action"});
        return sites;
    }

private:
    std::map<std::pair<std::uint32_t, Verb>, std::size_t> numbers_;
};

/// Tags of the IR by (tag, sub-channel) of the traces, the same on all ranks.
class Tags {
public:
    std::int32_t of(std::int32_t tag, std::uint32_t sub_channel) {
        if (tag >= 0 && sub_channel == 0) return tag;
        const auto [known, is_new] =
            numbers_.try_emplace({tag, sub_channel}, -1 - static_cast<std::int32_t>(numbers_.size()));
        return known->second;
    }

private:
    std::map<std::pair<std::int32_t, std::uint32_t>, std::int32_t> numbers_;
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
        } else if (program::operation(operation.op).operand != program::Operand::none) {
            step.operand = operand(operation.end, operation.number);
        }
        result_.code.push_back(step);
    }

    void add_choice(const Wildcard& wildcard) {
        program::Choice choice;
        for (const ChannelEnd& source : sub_channels_.sources_of(rank_)) {
            if (!wildcard.matches(source.peer, source.tag)) continue;
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
            channels.push_back({static_cast<std::int32_t>(delta), tags_.of(end.tag, sub_channel)});
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
    std::unordered_multimap<std::size_t, std::uint32_t> known_;  // looked up, never iterated
};

/// The algorithms of a collective by the rules of the hardware file, as "linear" or "bruck up to 200 B, else pairwise".
std::string described(const std::vector<collectives::Rule>& rules) {
    std::string text;
    for (const collectives::Rule& rule : rules) {
        const bool last = &rule == &rules.back();
        text += fmt::format("{}{}", text.empty() ? "" : last ? ", else " : ", ", name_of(rule.algorithm));
        if (rule.up_to) text += fmt::format(" up to {} B", rule.up_to->count);
        if (rule.ranks) text += fmt::format(" {} {} ranks", rule.up_to ? "on up to" : "up to", *rule.ranks);
    }
    return text;
}

/// The algorithms of the collectives in the traces, with SMPI's default if it differs.
std::string algorithms_note(const ExpandedTrace& trace, const collectives::Algorithms& algorithms) {
    std::string used;
    for (const collectives::Offer& offer : collectives::offers()) {
        const auto named = [&offer](const CollectiveCall& call) { return kind_of(call.verb) == offer.kind; };
        if (std::none_of(trace.calls.begin(), trace.calls.end(), named)) continue;
        const std::vector<collectives::Rule>& rules = algorithms.rules(offer.kind);
        used += fmt::format("{}{} {}", used.empty() ? "" : ", ", name_of(offer.kind), described(rules));
        if (rules != std::vector<collectives::Rule>{{offer.smpi}}) {
            used += fmt::format(" (SMPI's default: {})", name_of(offer.smpi));
        }
    }
    return used.empty() ? used : "traces: collectives are " + used;
}

std::vector<std::string> notes_of(const std::vector<ExpandedTrace>& traces, const Costs& costs) {
    std::vector<std::string> notes{fmt::format("traces: computing at {:g} flop/s", costs.speed.per_second)};
    if (std::string note = algorithms_note(traces.front(), costs.collectives); !note.empty()) {
        notes.push_back(std::move(note));
    }
    std::uint64_t of_all_ranks = 0;
    for (const ExpandedTrace& trace : traces) of_all_ranks += trace.of_all_ranks;
    if (of_all_ranks > 0) {
        notes.emplace_back(
            "traces: collectives are taken to be of all ranks, since these traces do not name communicators; if the "
            "code splits MPI_COMM_WORLD, a file that the key `communicators` names tells which are of fewer");
    }
    std::uint64_t posted = 0;
    for (const ExpandedTrace& trace : traces) posted += trace.postponed;
    if (posted > 0) {
        notes.push_back(
            fmt::format("traces: {} receives that are posted for any source take their messages when they are "
                        "waited for, since other receives beside them may take the same",
                        posted));
    }
    std::uint64_t unknown = 0;
    for (const ExpandedTrace& trace : traces) unknown += trace.sizes_unknown;
    if (unknown > 0) {
        notes.push_back(
            fmt::format("traces: {} actions have derived datatypes, whose sizes SMPI does not write: their "
                        "messages are empty, as in SMPI's own replay",
                        unknown));
    }
    return notes;
}

/// The communicators of the request's file, which is added to `sources`, or `world` alone. Throws BadInput with the
/// file's faults: they would only repeat themselves in the traces.
Communicators read_communicators(const TraceRequest& request, std::vector<SourceFilePtr>& sources,
                                 Diagnostics& faults) {
    const auto ranks = static_cast<std::uint32_t>(request.grid.ranks());
    if (request.communicators.empty()) return Communicators(ranks);
    sources.push_back(input::read_file(request.communicators, request.communicators_mentioned_at));
    Communicators communicators(sources.back(), ranks, faults);
    faults.raise();
    return communicators;
}

}  // namespace

namespace {

/// Fills the program with the operations of all ranks, which are used up; `file` is where its sites lie. Throws
/// BadInput where they do not match.
void fill(program::Program& program, const TraceRequest& request, std::vector<ExpandedTrace> traces,
          const Communicators& communicators, const std::vector<SourceFilePtr>& sources, const std::string& file) {
    Diagnostics faults;
    const SubChannels sub_channels = SubChannels::match(traces, communicators, sources, faults);
    faults.raise();
    program.name = request.list.string();
    program.grid = request.grid;
    const Sites sites(traces);
    Tags tags;
    Classes classes(program);
    for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
        classes.add(ClassWriter(rank, sub_channels, sites, tags).code(traces[rank]));
        traces[rank] = {};
    }
    program.sites = sites.table(file);
}

/// Faults of a recorded run that a replay cannot do without.
void refuse_parts(const RecordedRun& run, const TraceRequest& request) {
    if (run.ranks.size() != request.grid.ranks()) {
        throw BadInput(DiagnosticKind::trace_ranks, request.grid_range,
                       fmt::format("{} = {} ranks", as_text(request.grid), request.grid.ranks()),
                       fmt::format("`{}` is a run of {} ranks, expected as many", run.name, run.ranks.size()));
    }
    Diagnostics faults;
    for (const Unread& each : run.unread) {
        if (!each.refused) continue;
        faults.add(DiagnosticKind::unread_call, request.mentioned_at,
                   fmt::format("`{}` calls {} {} times, which is not replayed", run.name, each.call, each.times),
                   each.why);
    }
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        if (run.ranks[rank].complete) continue;
        faults.add(DiagnosticKind::trace_truncated, request.mentioned_at,
                   fmt::format("rank {} of `{}` is not recorded to its end", rank, run.name),
                   "expected a run in which all ranks come to MPI_Finalize and no buffer is full");
        break;
    }
    faults.raise();
}

/// The places of calls, a line for each: where faults of a recorded run are reported.
SourceFilePtr places_of(const RecordedRun& run) {
    std::string text;
    for (const RecordedSite& site : run.sites) {
        text += site.file.empty() ? fmt::format("{}\n", site.function.empty() ? "unknown place" : site.function)
                                  : fmt::format("{}:{} {}\n", site.file, site.line, site.function);
    }
    return std::make_shared<input::SourceFile>(run.name, std::move(text));
}

std::vector<std::string> notes_of(const RecordedRun& run, const ExpandedTrace& trace, const Costs& costs) {
    std::vector<std::string> notes;
    if (std::string note = algorithms_note(trace, costs.collectives); !note.empty()) notes.push_back(std::move(note));
    for (const Unread& each : run.unread) {
        notes.push_back(fmt::format("recorded run: {}, {} times, left out: {}", each.call, each.times, each.why));
    }
    return notes;
}

Loaded read_recorded(const TraceRequest& request) {
    const RecordedRun run = read_recorded_run(request.list, request.mentioned_at);
    refuse_parts(run, request);
    const Communicators communicators(run.communicators);
    const SourceFilePtr places = places_of(run);
    const RecordedTags tags = tags_of(run);
    Diagnostics faults;
    std::vector<ExpandedTrace> traces;
    std::uint64_t left = kMostOperations;
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        const Reading reading{
            .rank = rank, .ranks = static_cast<std::uint32_t>(run.ranks.size()), .communicators = &communicators};
        traces.push_back(expand_actions(actions_of(run, Rank{rank}, tags, communicators), places, reading,
                                        request.costs, left, faults));
        left -= traces.back().operations.size();
    }
    faults.raise();
    Loaded loaded{{}, run.sources};
    loaded.program.notes = notes_of(run, traces.front(), request.costs);
    fill(loaded.program, request, std::move(traces), communicators,
         std::vector<SourceFilePtr>(run.ranks.size(), places), run.name);
    for (program::Site& site : loaded.program.sites) {
        const RecordedSite* const place = site.line <= run.sites.size() ? &run.sites[site.line - 1] : nullptr;
        if (place == nullptr || place->file.empty()) continue;
        site.file = place->file;
        site.line = place->line;
    }
    return loaded;
}

}  // namespace

Loaded read(const TraceRequest& request) {
    if (is_recorded_run(request.list)) return read_recorded(request);
    Loaded loaded{{}, read_files(request)};
    const std::vector<SourceFilePtr> sources(loaded.sources.begin() + 1, loaded.sources.end());
    Diagnostics faults;
    const Communicators communicators = read_communicators(request, loaded.sources, faults);
    std::vector<ExpandedTrace> traces = expand_traces(sources, communicators, request.costs, faults);
    faults.raise();
    loaded.program.notes = notes_of(traces, request.costs);
    fill(loaded.program, request, std::move(traces), communicators, sources,
         (std::filesystem::path(sources.front()->name()).parent_path() / "*").string());
    return loaded;
}

}  // namespace warpfront::trace
