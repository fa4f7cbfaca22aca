#include "simulator/trace/matching.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "simulator/input/words.hpp"

namespace warpfront::trace {

namespace {

ChannelEnd other_end(std::uint32_t rank, const ChannelEnd& end) {
    return {rank, end.tag, end.communicator, !end.sends};
}

bool takes(const ExpandedTrace& receiver, const ChannelEnd& from) {
    return std::ranges::any_of(receiver.wildcards, [&](const auto& each) { return each.wildcard.matches(from); });
}

/// Returns the range of message `number` of the channel.
SourceRange range_of(const RecordedRun& run, const ExpandedTrace& trace, const ChannelEnd& end, std::uint32_t number) {
    for (const Operation& operation : trace.operations) {
        const bool begins =
            !program::chooses(operation.op) && (program::sends(operation.op) || program::receives(operation.op));
        if (begins && operation.end == end && operation.number == number) {
            return trace.range_of(operation.line, call_text(run, operation.verb, run.has_sites ? operation.site : 0));
        }
    }
    return trace.range_of(1, "");
}

void complain(const RecordedRun& run, const ExpandedTrace& trace, std::uint32_t rank, const ChannelEnd& end,
              std::uint32_t own, std::uint32_t others, Diagnostics& faults) {
    std::string where = end.tag < 0 ? "in collectives" : fmt::format("with tag {}", end.tag);
    if (end.communicator != 0) where += fmt::format(" of communicator {}", end.communicator);
    faults.add(DiagnosticKind::unmatched_messages, range_of(run, trace, end, others),
               fmt::format("rank {} {} {} {} {} rank {}, which {} {} of them", rank, end.sends ? "sends" : "receives",
                           input::counted(own, "message"), where, end.sends ? "to" : "from", end.peer,
                           end.sends ? "receives" : "sends", others),
               "expected the same number on both sides");
}

std::string description(const CollectiveCall& call, bool by_size) {
    using enum collectives::Kind;
    if (by_size && call.bytes) return fmt::format("`{}` of {} B", name_of(call.kind), call.bytes->count);
    const bool rooted = call.kind == bcast || call.kind == reduce || call.kind == gather || call.kind == gatherv ||
                        call.kind == scatter || call.kind == scatterv;
    return rooted ? fmt::format("`{}` with root {}", name_of(call.kind), call.root)
                  : fmt::format("`{}`", name_of(call.kind));
}

bool same_kind(const CollectiveCall& a, const CollectiveCall& b) { return a.kind == b.kind && a.root == b.root; }
bool same_size(const CollectiveCall& a, const CollectiveCall& b) {
    return !a.bytes || !b.bytes || *a.bytes == *b.bytes;
}

using Calls = std::vector<CollectiveCall>;

/// Compares the collectives of a rank over a communicator with those of its first member.
void compare_collectives(const RecordedRun& run, const std::vector<ExpandedTrace>& traces, std::uint32_t communicator,
                         std::uint32_t rank, const Calls& own, const Calls& first, Diagnostics& faults) {
    const auto same = [](const CollectiveCall& a, const CollectiveCall& b) {
        return same_kind(a, b) && same_size(a, b);
    };
    const auto [here, there] = std::ranges::mismatch(own, first, same);
    if (here == own.end() && there == first.end()) return;
    const SourceRange range = here == own.end()
                                  ? traces[rank].range_of(traces[rank].lines, "")
                                  : traces[rank].range_of(here->line, call_text(run, verb_of(here->kind), here->site));
    const bool by_size = here != own.end() && there != first.end() && same_kind(*here, *there);
    const std::string is = here == own.end() ? "missing" : description(*here, by_size);
    const std::string should = there == first.end() ? "no collective" : description(*there, by_size);
    const std::string over = communicator == 0 ? "" : fmt::format(" over `{}`", run.communicator_names[communicator]);
    const std::string in_line = there == first.end() ? "" : fmt::format(", in line {} of its trace", there->line);
    faults.add(DiagnosticKind::unmatched_collectives, range,
               fmt::format("the ranks call different collectives: call {} of rank {}{} is {}",
                           std::ranges::distance(own.begin(), here) + 1, rank, over, is),
               fmt::format("expected the same collective as on rank {}, which is {}{}",
                           run.communicators[communicator].front().index, should, in_line));
}

/// Compares each rank of every communicator with the first rank of the communicator.
void compare_collectives(const RecordedRun& run, const std::vector<ExpandedTrace>& traces, Diagnostics& faults) {
    std::vector<std::map<std::uint32_t, Calls>> calls;  // calls of each rank, by communicator
    for (const ExpandedTrace& trace : traces) {
        std::map<std::uint32_t, Calls>& own = calls.emplace_back();
        for (const CollectiveCall& call : trace.calls) own[call.communicator].push_back(call);
    }
    for (std::uint32_t each = 0; each < run.communicators.size(); ++each) {
        const std::uint32_t first = run.communicators[each].front().index;
        for (const Rank rank : run.communicators[each]) {
            if (rank.index == first) continue;
            compare_collectives(run, traces, each, rank.index, calls[rank.index][each], calls[first][each], faults);
        }
    }
}

}  // namespace

SubChannels SubChannels::match(const RecordedRun& run, const std::vector<ExpandedTrace>& traces, Diagnostics& faults) {
    SubChannels sub_channels;
    const std::size_t before = faults.count();
    compare_collectives(run, traces, faults);
    if (faults.count() > before) return sub_channels;
    for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
        for (const auto& [end, count] : traces[rank].counts) {
            if (faults.count() >= Diagnostics::kMostDiagnostics)
                return sub_channels;  // the rest is not searched, since each fault requires a search for its line
            if (sub_channels.add_from_any(traces, rank, end, count)) continue;
            const auto& peers = traces[end.peer].counts;
            const auto other = peers.find(other_end(rank, end));
            const std::uint32_t matched = other == peers.end() ? 0 : other->second.begun;
            if (count.begun > matched) {
                complain(run, traces[rank], rank, end, count.begun, matched, faults);
            } else if (count.begun == matched) {
                sub_channels.counts_[{rank, end}] = std::max(count.window, other->second.window);
            }
        }
    }
    for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
        sub_channels.compare_from_any(traces, rank, faults);
    }
    return sub_channels;
}

/// Adds a channel if a receive from any source may take its messages; returns false otherwise.
bool SubChannels::add_from_any(const std::vector<ExpandedTrace>& traces, std::uint32_t rank, const ChannelEnd& end,
                               const ExpandedTrace::Count& count) {
    const std::uint32_t receiver = end.sends ? end.peer : rank;
    const ChannelEnd received{end.sends ? rank : end.peer, end.tag, end.communicator, false};
    if (!takes(traces[receiver], received)) return false;
    const auto& peers = traces[end.peer].counts;
    const auto other = peers.find(other_end(rank, end));
    const std::uint32_t window = other == peers.end() ? count.window : std::max(count.window, other->second.window);
    counts_[{rank, end}] = counts_[{end.peer, other_end(rank, end)}] = window;
    if (window > 1 && (!end.sends || other != peers.end())) undecided_.insert(receiver);
    if (end.sends) sources_[receiver].push_back(received);
    return true;
}

/// Compares the number of messages that are sent on the channels of receives from any source with the number that the
/// rank takes on these channels, by such receives and by receives from a named source.
void SubChannels::compare_from_any(const std::vector<ExpandedTrace>& traces, std::uint32_t rank,
                                   Diagnostics& faults) const {
    if (traces[rank].wildcards.empty()) return;
    std::uint64_t taken = 0;
    std::uint64_t sent = 0;
    for (const ExpandedTrace::Taken& each : traces[rank].wildcards) taken += each.messages;
    for (const auto& [end, count] : traces[rank].counts) {
        if (!end.sends && takes(traces[rank], end)) taken += count.begun;
    }
    for (const ChannelEnd& each : sources_of(rank)) sent += traces[each.peer].counts.at(other_end(rank, each)).begun;
    const bool all_have_sources =
        std::all_of(traces[rank].wildcards.begin(), traces[rank].wildcards.end(), [&](const auto& each) {
            return std::any_of(sources_of(rank).begin(), sources_of(rank).end(),
                               [&](const ChannelEnd& from) { return each.wildcard.matches(from); });
        });
    if (taken == sent && all_have_sources) return;
    faults.add(DiagnosticKind::unmatched_messages,
               traces[rank].range_of(traces[rank].wildcards.front().line, "any source"),
               fmt::format("rank {} receives {} from any source or from a named one, but {} {} sent to it", rank,
                           input::counted(taken, "message"), sent, sent == 1 ? "is" : "are"),
               "expected as many messages as receives; receives from MPI_PROC_NULL, which SMPI writes like receives "
               "from any source, cannot be read");
}

const std::vector<ChannelEnd>& SubChannels::sources_of(std::uint32_t rank) const {
    static const std::vector<ChannelEnd> kNone;
    const auto found = sources_.find(rank);
    return found == sources_.end() ? kNone : found->second;
}

}  // namespace warpfront::trace
