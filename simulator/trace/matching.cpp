#include "simulator/trace/matching.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/trace/action_parser.hpp"

namespace warpfront::trace {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;

ChannelEnd other_end(std::uint32_t rank, const ChannelEnd& end) { return {rank, end.tag, !end.sends}; }

/// The line of message `number` of the channel.
std::uint32_t line_of(const ExpandedTrace& trace, const ChannelEnd& end, std::uint32_t number) {
    for (const Operation& operation : trace.operations) {
        const bool begins =
            program::is_send(operation.op) || operation.op == program::Op::recv || operation.op == program::Op::irecv;
        if (begins && operation.end == end && operation.number == number) return operation.line;
    }
    return 1;
}

void complain(const ExpandedTrace& trace, std::uint32_t rank, const ChannelEnd& end, std::uint32_t own,
              std::uint32_t others, const SourceFilePtr& source, Diagnostics& faults) {
    const std::uint32_t line = line_of(trace, end, others);
    const std::string where = end.tag < 0 ? "in collectives" : fmt::format("with tag {}", end.tag);
    faults.add(
        DiagnosticKind::unmatched_messages, range_of_line(source, line),
        fmt::format("rank {} {} {} messages {} {} rank {}, which {} {} of them", rank, end.sends ? "sends" : "receives",
                    own, where, end.sends ? "to" : "from", end.peer, end.sends ? "receives" : "sends", others),
        "expected as many on both sides");
}

std::string description(const CollectiveCall& call, bool by_size) {
    if (by_size && call.bytes) return fmt::format("`{}` of {} B", name_of(call.verb), call.bytes->count);
    const bool rooted = call.verb == Verb::bcast || call.verb == Verb::reduce || call.verb == Verb::gather ||
                        call.verb == Verb::gatherv || call.verb == Verb::scatter;
    return rooted ? fmt::format("`{}` with root {}", name_of(call.verb), call.root)
                  : fmt::format("`{}`", name_of(call.verb));
}

bool same_kind(const CollectiveCall& a, const CollectiveCall& b) { return a.verb == b.verb && a.root == b.root; }
bool same_size(const CollectiveCall& a, const CollectiveCall& b) {
    return !a.bytes || !b.bytes || *a.bytes == *b.bytes;
}

void compare_collectives(const std::vector<ExpandedTrace>& traces, std::uint32_t rank, const SourceFilePtr& source,
                         Diagnostics& faults) {
    const std::vector<CollectiveCall>& own = traces[rank].calls;
    const std::vector<CollectiveCall>& first = traces.front().calls;
    const auto same = [](const CollectiveCall& a, const CollectiveCall& b) {
        return same_kind(a, b) && same_size(a, b);
    };
    const auto [here, there] = std::mismatch(own.begin(), own.end(), first.begin(), first.end(), same);
    if (here == own.end() && there == first.end()) return;
    const std::uint32_t line = here == own.end() ? traces[rank].lines : here->line;
    const bool by_size = here != own.end() && there != first.end() && same_kind(*here, *there);
    const std::string is = here == own.end() ? "missing" : description(*here, by_size);
    const std::string should = there == first.end() ? "no collective" : description(*there, by_size);
    faults.add(DiagnosticKind::unmatched_collectives, range_of_line(source, line),
               fmt::format("collective {} of rank {} is {}", here - own.begin() + 1, rank, is),
               fmt::format("rank 0 has {} there, expected the same on all", should));
}

}  // namespace

SubChannels SubChannels::match(const std::vector<ExpandedTrace>& traces, const std::vector<SourceFilePtr>& sources,
                               Diagnostics& faults) {
    SubChannels sub_channels;
    const std::size_t before = faults.count();
    for (std::uint32_t rank = 0; rank < traces.size(); ++rank) compare_collectives(traces, rank, sources[rank], faults);
    if (faults.count() > before) return sub_channels;
    for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
        for (const auto& [end, count] : traces[rank].counts) {
            if (faults.count() >= Diagnostics::kMostFaults)
                return sub_channels;  // each fault costs a search for its line
            const auto& peers = traces[end.peer].counts;
            const auto other = peers.find(other_end(rank, end));
            const std::uint32_t matched = other == peers.end() ? 0 : other->second.begun;
            if (count.begun > matched) {
                complain(traces[rank], rank, end, count.begun, matched, sources[rank], faults);
            } else if (count.begun == matched) {
                sub_channels.counts_[{rank, end}] = std::max(count.window, other->second.window);
            }
        }
    }
    return sub_channels;
}

}  // namespace warpfront::trace
