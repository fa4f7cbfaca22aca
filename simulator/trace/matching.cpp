#include "simulator/trace/matching.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/trace/action_parser.hpp"
#include "simulator/trace/collectives.hpp"

namespace warpfront::trace {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;

End other_end(std::uint32_t rank, const End& end) { return {rank, end.tag, !end.sends}; }

/// The line of message `number` of the channel.
std::uint32_t line_of(const ExpandedTrace& script, const End& end, std::uint32_t number) {
    for (const Operation& move : script.moves) {
        const bool begins = program::is_send(move.op) || move.op == program::Op::recv || move.op == program::Op::irecv;
        if (begins && move.end == end && move.number == number) return move.line;
    }
    return 1;
}

void complain(const ExpandedTrace& script, std::uint32_t rank, const End& end, std::uint32_t own, std::uint32_t others,
              const SourceFilePtr& source, Diagnostics& faults) {
    const std::uint32_t line = line_of(script, end, others);
    const std::string where = end.tag < 0 ? "in collectives" : fmt::format("with tag {}", end.tag);
    faults.add(
        DiagnosticKind::unmatched_messages, range_of_line(source, line),
        fmt::format("rank {} {} {} messages {} {} rank {}, which {} {} of them", rank, end.sends ? "sends" : "receives",
                    own, where, end.sends ? "to" : "from", end.peer, end.sends ? "receives" : "sends", others),
        "expected as many on both sides");
}

std::string told(const CollectiveCall& round, bool by_size) {
    if (by_size && round.bytes) return fmt::format("`{}` of {} B", name_of(round.verb), round.bytes->count);
    const bool rooted = round.verb == Verb::bcast || round.verb == Verb::reduce || round.verb == Verb::gather ||
                        round.verb == Verb::gatherv;
    return rooted ? fmt::format("`{}` with root {}", name_of(round.verb), round.root)
                  : fmt::format("`{}`", name_of(round.verb));
}

bool same_kind(const CollectiveCall& a, const CollectiveCall& b) { return a.verb == b.verb && a.root == b.root; }
bool same_size(const CollectiveCall& a, const CollectiveCall& b) {
    return !a.bytes || !b.bytes || *a.bytes == *b.bytes;
}

void compare_rounds(const std::vector<ExpandedTrace>& scripts, std::uint32_t rank, const SourceFilePtr& source,
                    Diagnostics& faults) {
    const std::vector<CollectiveCall>& own = scripts[rank].rounds;
    const std::vector<CollectiveCall>& first = scripts.front().rounds;
    const auto same = [](const CollectiveCall& a, const CollectiveCall& b) {
        return same_kind(a, b) && same_size(a, b);
    };
    const auto [here, there] = std::mismatch(own.begin(), own.end(), first.begin(), first.end(), same);
    if (here == own.end() && there == first.end()) return;
    const std::uint32_t line = here == own.end() ? scripts[rank].lines : here->line;
    const bool by_size = here != own.end() && there != first.end() && same_kind(*here, *there);
    const std::string is = here == own.end() ? "missing" : told(*here, by_size);
    const std::string should = there == first.end() ? "no collective" : told(*there, by_size);
    faults.add(DiagnosticKind::unmatched_collectives, range_of_line(source, line),
               fmt::format("collective {} of rank {} is {}", here - own.begin() + 1, rank, is),
               fmt::format("rank 0 has {} there, expected the same on all", should));
}

}  // namespace

SubChannels SubChannels::match(const std::vector<ExpandedTrace>& scripts, const std::vector<SourceFilePtr>& sources,
                               Diagnostics& faults) {
    SubChannels sub_channels;
    const std::size_t before = faults.count();
    for (std::uint32_t rank = 0; rank < scripts.size(); ++rank) compare_rounds(scripts, rank, sources[rank], faults);
    if (faults.count() > before) return sub_channels;
    for (std::uint32_t rank = 0; rank < scripts.size(); ++rank) {
        for (const auto& [end, count] : scripts[rank].counts) {
            if (faults.count() >= Diagnostics::kMostFaults) return sub_channels;  // each costs a search for its line
            const auto& peers = scripts[end.peer].counts;
            const auto other = peers.find(other_end(rank, end));
            const std::uint32_t matched = other == peers.end() ? 0 : other->second.begun;
            if (count.begun > matched) {
                complain(scripts[rank], rank, end, count.begun, matched, sources[rank], faults);
            } else if (count.begun == matched) {
                sub_channels.counts_[{rank, end}] = std::max(count.window, other->second.window);
            }
        }
    }
    return sub_channels;
}

}  // namespace warpfront::trace
