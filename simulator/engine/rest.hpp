// Nodes at rest: skipping what recurs node by node, exactly, while others go on being stepped.
//
// In a sweep over a large array there is no moment at which the whole machine recurs: the front still advances when the
// first nodes are done. But most nodes do just what they did a tile ago, if not all at the same pace. A pace is a
// period, and boundaries that cut virtual time every period. A node whose state at a boundary equals that at the one
// before, shifted by the period (description.hpp), will go on repeating that period for as long as what it is told
// repeats too. So it rests: it is not stepped, and its state stays what it was at the boundary at which it went to
// rest. Nodes touch each other by signals alone (signal.hpp), and for each channel the signals of the recorded period
// are kept at its end, the node that takes them in:
//
//   end       sender   taker     signals
//   live      awake    awake     are sent and taken in
//   fed       rests    awake     are not sent: the taker takes the recorded ones, each when it takes effect
//   watched   awake    rests     are sent and compared with the recorded ones: the first that differs, or is late,
//                                wakes the taker
//   quiet     rests    rests     are neither sent nor compared
//
// A node that wakes at T is brought forward by whole periods (its times shifted, its loops and waits counted on), then
// steps again through the part of a period up to T with what it was told in it. It tells all whom it tells anything at
// which boundary it began; what it sends from there on, a taker that was fed leaves out as far as it was fed already.
//
// Signals of an end are counted from 0 at the boundary `base`, at which one period of them was recorded; the i-th of
// them is at(end, i). Neighbours rest at the same pace or not both. Before a node may rest, its ranks must all be in
// innermost loops without marks and collectives, and must have made equally many trips; it wakes before any of them
// leaves its loop. Nodes whose messages meet on links rest and wake together (companies.hpp), so whoever is at rest
// holds links that nobody awake holds; a collective that would wakes their owners first.
//
// Threads: an end, and all of a node, belong to the region that steps the taking node; what was recorded changes only
// between phases.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/engine/companies.hpp"
#include "simulator/engine/layout.hpp"
#include "simulator/engine/state.hpp"
#include "simulator/engine/table.hpp"

namespace warpfront::engine {

/// What one signal said: a post (time only) or a message on its way.
struct Said {
    std::int64_t time = 0;
    std::int64_t link_delay = 0;
    std::uint32_t cost = 0;
    friend constexpr bool operator==(const Said&, const Said&) = default;
};

struct Pace {
    std::int64_t base = 0;        // boundary 0
    std::int64_t period = 1;

    std::int64_t boundary(std::uint32_t number) const { return base + std::int64_t{number} * period; }
};

/// differs: watched, and something else has come; that, and what follows, waits until the taker is awake.
enum class EndMode : std::uint8_t { live, fed, watched, quiet, differs };

struct End {
    std::uint32_t first = 0;      // of its recorded signals
    std::uint16_t count = 0;      // in a period
    EndMode mode = EndMode::live;
    std::uint8_t pace = 0;        // that they are recorded at
    std::uint32_t base = 0;
    std::uint32_t next = 0;       // fed: the next to take in; watched: the next to come
    std::uint32_t taken = 0;      // watched, quiet: so many are in the taker's state as it rests
    std::uint32_t skip = 0;       // live: so many that come were fed already
    std::uint32_t left_out = 0;   // the trial in which such a one came last
};

struct NodeRest {
    std::uint32_t since = 0;                // boundary
    std::uint32_t until = 0;                // boundary by which it must be awake
    std::int64_t armed = kHorizon.ps;       // when its region looks at it next because of all this
    std::uint8_t pace = 0;
    bool disturbed = false;                 // by a collective since states were kept
};

/// Of one period.
struct RankRest {
    std::int64_t bus_wait = 0;
    std::int64_t nic_wait = 0;
    std::int64_t link_wait = 0;
    std::uint32_t trips = 0;
};

struct Rest {
    static constexpr std::size_t kPaces = 16;
    static constexpr std::uint8_t kRests = 1;
    static constexpr std::uint8_t kMinds = 2;  // awake, and some of its ends are not live or leave signals out

    Rest(const Layout& laid_out, const State& machine, const Companies& together);

    const Layout& layout;
    const State& state;
    const Companies& companies;
    std::array<Pace, kPaces> paces;
    bool records = false;                  // what is taken in is being recorded
    std::uint32_t trial = 0;               // how often that was begun
    std::vector<std::uint8_t> flags;       // by node
    std::vector<NodeRest> nodes;
    std::vector<RankRest> ranks;
    std::vector<std::int64_t> link_waits;  // as State::link_waits, of one period
    Table<End> ends;                       // by inlet of a channel, then by outlet of a channel
    std::vector<Said> said;                // recorded, end by end

    /// Forgets what ends said that are live again, once that is most of what is recorded.
    void forget();

    /// What was waited so far for the links of a company, added to `kept`; what of it came since; and that, `periods`
    /// times over, added to `waits`, as State::link_waits.
    void keep_link_waits(std::uint32_t node, std::vector<std::int64_t>& kept) const;
    void learn_link_waits(std::uint32_t node, std::size_t first, const std::vector<std::int64_t>& kept);
    void repeat_link_waits(std::uint32_t node, std::uint32_t periods, Table<std::int64_t>& waits) const;
    bool rests(std::uint32_t node) const { return (flags[node] & kRests) != 0; }
    std::uint32_t end_of_posts(std::uint32_t outlet) const { return layout.first_collective_inlet + outlet; }
    bool takes_posts(std::uint32_t end) const { return end >= layout.first_collective_inlet; }
    std::uint32_t outlet_of(std::uint32_t end) const { return end - layout.first_collective_inlet; }

    /// The i-th signal of an end that has some in every period.
    Said at(const End& end, std::uint32_t i) const {
        Said what = said[end.first + i % end.count];
        what.time += std::int64_t{i / end.count} * paces[end.pace].period;
        return what;
    }
    /// The earliest that it can be felt.
    std::int64_t effect(std::uint32_t number, const Said& what) const {
        return takes_posts(number) ? what.time + layout.lookahead.ps : what.time;
    }

    /// visit(end, other node) for every channel on which the node takes in signals of another, or sends them to one.
    template <typename Visit>
    void each_taken(std::uint32_t node, const Visit& visit) const {
        taken_.each(node, visit);
    }
    template <typename Visit>
    void each_sent(std::uint32_t node, const Visit& visit) const {
        sent_.each(node, visit);
    }
    /// Where the list of the first of these begins.
    const void* taken_by(std::uint32_t node) const { return taken_.channels.data() + taken_.first[node]; }
    std::uint64_t bytes() const;

private:
    /// visit(Layout::link_number) of all links of a company, where links are shared.
    template <typename Visit>
    void each_link(std::uint32_t node, const Visit& visit) const;
    /// Ends of channels between nodes, node by node.
    struct Channels {
        struct Channel {
            std::uint32_t end = 0;
            std::uint32_t other = 0;           // node
        };
        std::vector<Channel> channels;
        std::vector<std::uint32_t> first{0};   // by node, and one behind

        template <typename Visit>
        void each(std::uint32_t node, const Visit& visit) const {
            for (std::uint32_t k = first[node]; k < first[node + 1]; ++k) visit(channels[k].end, channels[k].other);
        }
        std::uint64_t bytes() const;
    };
    void find_channels(std::uint32_t rank);
    static constexpr std::size_t kLeastSaid = 1024;

    Channels taken_;
    Channels sent_;
    std::size_t forget_at_ = kLeastSaid;       // size of `said` at which it is looked through
};

}  // namespace warpfront::engine
