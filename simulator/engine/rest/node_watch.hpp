// Nodes watched for a state that recurs from one of their own tiles to the next, up to a shift in time.
//
// A node is observed one lookahead after the first of its ranks has ended a tile, a cut of that node alone: its requests
// before the cut are granted and none after, and its NICs have received what arrived before. What other nodes have sent
// it is known as far as it has been taken. Two equal states (recurrence/state_signature.hpp) lead to the same future if
// the same events come in, shifted: what a node does depends on its state and on the events it takes, not on when it
// takes them, as long as that is before they have effect.
//
// Most states differ in their ranks already: a hash of what these say is kept of every cut. Where it is that of the cut
// before, the whole state is listed and the next period recorded: events taken, events sent, links requested, waits. If
// the state at its end equals that at its beginning word by word the node may come to rest at that cut.
//
// Each node is watched by the thread that steps it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/engine/recurrence/loops.hpp"
#include "simulator/engine/rest/node_event.hpp"
#include "simulator/engine/rest/rest.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"

namespace warpfront::engine {

/// A stretch of a node from one of its cuts to the next.
struct Period {
    std::int64_t begin = 0;
    std::vector<std::uint64_t> words;  // the state at its begin
    std::vector<std::uint32_t> trips;  // left by core at its begin
    std::vector<std::int64_t> waits;   // at its begin, as NodeWatch::add_waits lists them
    std::vector<LinkRequest> links;    // requested

    std::uint64_t bytes() const;
};

/// Watching takes about two kilobytes for each node.
inline constexpr std::uint32_t kMostNodesAtRest = 1U << 16;

/// Whether some loop without loops in it has so many trips that nodes are watched.
bool has_many_tiles(const std::vector<program::Instruction>& code);

/// Events that a node may take or send in a period in which every rank makes one trip: each message is two events at
/// most, itself and the notice of its post. Of any loop without loops in it.
std::uint32_t most_events(const std::vector<program::Instruction>& code, std::uint32_t cores);

/// Periods that are not in use, of one partition: recording allocates no memory once warm.
using SparePeriods = std::vector<std::unique_ptr<Period>>;

class NodeWatch {
public:
    NodeWatch(const Layout& layout, State& state, const Channels& channels);

    /// The first rank of the node ends a trip of its loop. False where no cut is wanted.
    bool wants_cut(std::uint32_t node, const RankLine& line) {
        if (line.core != 0 || depths_[line.at] == kNoLoop || line.trips_left[depths_[line.at]] <= kLeastTrips)
            return false;
        Node& each = nodes_[node];
        if (each.pause == 0) return each.cut == kHorizon.ps;
        --each.pause;
        return false;
    }
    /// From there to the cut.
    std::int64_t delay() const { return layout_.lookahead.ps; }
    void cut_at(std::uint32_t node, std::int64_t time) { nodes_[node].cut = time; }
    /// kHorizon: none is wanted.
    std::int64_t cut(std::uint32_t node) const { return nodes_[node].cut; }

    /// At the node's cut. True where its state is that at the cut before, and all its ranks have made one trip since.
    /// `words` becomes its state, or remains empty where that is known to differ.
    bool recurs(std::uint32_t node, Backlog& backlog, std::vector<std::uint64_t>& words);
    /// From such a cut on; null where its loops end soon, where an endpoint has two events of a kind in the period, and
    /// where a message of a collective is there.
    std::unique_ptr<Rest> rest(std::uint32_t node, SpareRests& spare);
    /// Its next period is recorded from the cut on, where `words` is its state; none if they are empty.
    void record(std::uint32_t node, std::vector<std::uint64_t>& words, SparePeriods& spare);

    /// At rest, or about to be.
    bool halted(std::uint32_t node) const { return nodes_[node].stage == Stage::halted; }
    void halt(std::uint32_t node, SparePeriods& spare);
    /// The node is stepped again, so many periods later.
    void resume(std::uint32_t node, std::int64_t periods);

    bool records(std::uint32_t node) const { return nodes_[node].stage == Stage::recorded; }
    /// The node takes or sends an event.
    void note(std::uint32_t node, const NodeEvent& event) {
        const std::uint32_t noted = nodes_[node].noted++;
        if (noted < room_) events_[std::size_t{node} * room_ + noted] = event;
    }
    void requested(std::uint32_t node, const LinkRequest& request) { nodes_[node].period->links.push_back(request); }

    /// Messages of collectives that have been begun, have not left their nodes, and will take a link of this node's own:
    /// while there are any, the node can neither grant these links itself nor rest.
    std::uint32_t& crossings(std::uint32_t node) { return nodes_[node].crossings; }
    bool is_crossed(std::uint32_t node) const { return nodes_[node].crossings > 0; }

    /// By core what its rank has waited for bus, NIC and links, then by own link what messages have waited for it.
    void add_waits(std::uint32_t node, std::vector<std::int64_t>& waits) const;
    std::uint32_t& trips_left(RankLine& line) const { return line.trips_left[depths_[line.at]]; }
    /// To be fetched into the cache before the node is served.
    const void* line(std::uint32_t node) const { return &nodes_[node]; }
    /// Nodes all of whose messages take links of their own or none.
    std::uint32_t with_own_links() const { return with_own_links_; }
    std::uint64_t bytes() const;

private:
    enum class Stage : std::uint8_t { stepped, recorded, halted };

    // A node whose rests do not make up for what watching takes is not watched for a while. In halves of what stepping a
    // tile takes: for each cut, for each rest, and what each period at rest saves.
    static constexpr std::int32_t kFirstCredit = 64;
    static constexpr std::int32_t kMostCredit = 256;
    static constexpr std::int32_t kCut = 1;
    static constexpr std::int32_t kRest = 24;
    static constexpr std::int64_t kPeriod = 2;
    static constexpr std::uint16_t kPause = 256;
    static constexpr std::uint32_t kLeastTrips = 4;  // left: one is recorded, and a rest should be worth it

    struct alignas(64) Node {
        std::int64_t cut = kHorizon.ps;  // the next
        std::int64_t last_cut = 0;
        std::uint64_t hash = 0;  // of its ranks' words at the last
        std::unique_ptr<Period> period;
        std::uint32_t noted = 0;      // events of the period
        std::uint32_t crossings = 0;  // messages of collectives
        std::int32_t credit = kFirstCredit;
        std::uint16_t pause = 0;  // tiles until it is watched again
        Stage stage = Stage::stepped;
    };
    static_assert(sizeof(Node) == 64);
    bool in_tiles(std::uint32_t node) const;
    /// A queue that grows never recurs, and its description would grow with it: every tile would cost more than the last.
    bool too_long_to_describe(std::uint32_t node, Backlog& backlog) const;
    bool one_trip_each(std::uint32_t node, const Period& period) const;
    bool add_trips(std::uint32_t node, Rest& rest) const;
    bool add_streams(std::uint32_t node, Rest& rest) const;
    void drop(std::uint32_t node, SparePeriods& spare);
    void pay(Node& node, std::int32_t cost);

    const Layout& layout_;
    State& state_;
    std::vector<std::uint8_t> depths_;          // by instruction: of the tile loop that it stands in, or kNoLoop
    std::vector<std::uint32_t> sends_in_trip_;  // by instruction of a tile loop
    HugePageArray<Node> nodes_;
    std::uint32_t room_;  // for events of a node in which every rank makes one trip
    HugePageArray<NodeEvent> events_;
    std::uint32_t with_own_links_ = 0;
};

}  // namespace warpfront::engine
