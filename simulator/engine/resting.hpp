// Who goes to rest and when (rest.hpp says what that means): decided between phases, by one thread.
//
// A few ranks, spread over the array, are sampled: when they end a tile. Where the last 2 p tiles of one took equally
// long p by p (p = 1 to kMostTiles), that sum is a pace worth a try. One pace is tried at a time, that of most samples
// awake first: at one of its boundaries the state of every company in a sweep is kept, at the next it is compared, and
// whoever recurs goes to rest. A pace at which nodes do go to rest is tried again after kOften periods, another more
// and more rarely.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/engine/description.hpp"
#include "simulator/engine/region.hpp"
#include "simulator/engine/rest.hpp"

namespace warpfront::engine {

class Resting {
public:
    static constexpr std::size_t kMostTiles = 4;
    static constexpr std::uint32_t kOften = 4;
    static constexpr std::uint32_t kRarely = 64;
    static constexpr std::size_t kSamples = 64;

    /// A company is in one region.
    Resting(const Layout& layout, State& state, const Companies& companies,
            const std::vector<std::unique_ptr<Region>>& regions, const std::vector<std::uint16_t>& region_of);

    /// Whether nodes of this machine may rest at all: most are in small companies.
    bool applies() const;
    /// By rank, whether the ends of its tiles are wanted.
    const std::vector<std::uint8_t>& sampled() const { return sample_of_; }

    /// Takes in what samples say; the boundary to be observed next, where there is one and it was not asked for yet.
    /// No boundary is before `granted_until`.
    std::optional<std::int64_t> next_boundary(std::int64_t granted_until);
    /// The machine is settled at a boundary that was asked for.
    void observe(std::int64_t cut);

    bool anybody() const { return resting() > 0; }
    bool rests(std::uint32_t node) const { return rest_ && rest_->rests(node); }
    /// Wakes everybody at `now`; what they have to say is still to be taken in.
    void wake_all(std::int64_t now);
    /// Messages of collectives have been begun that may cross links of nodes at rest.
    void wake_owners(std::int64_t now);
    std::uint64_t bytes() const;

private:
    /// Why a node may not rest.
    static constexpr std::uint8_t kCrowd = 1;         // its company is large
    static constexpr std::uint8_t kCrossed = 2;       // a collective may cross links of its company
    struct Sample {
        std::uint32_t rank = 0;
        std::array<std::int64_t, 2 * kMostTiles + 1> ends{};  // of its last tiles, the latest first
        std::uint64_t seen = 0;
        std::int64_t period = 0;                              // 0: none
        std::size_t tiles = 0;                                // in it
    };
    /// How a pace fares.
    struct Trial {
        std::int64_t not_before = 0;
        std::uint32_t pause = kOften;                         // periods until it is tried again
        std::uint64_t put = 0;                                // nodes ever put to rest at it
        bool known = false;
        bool idle = true;                                     // nobody rested at it when paces were last chosen from
    };
    using Votes = std::array<std::uint32_t, Rest::kPaces>;
    /// A company whose state was kept.
    struct Kept {
        std::uint32_t node = 0;  // its first
        std::size_t words = 0;   // where its description begins
        std::size_t ranks = 0;   // where its ranks begin in kept_ranks_
        std::size_t links = 0;   // where its links begin in kept_link_waits_
    };

    void hear(const TileEnd& end);
    bool prepare();
    std::size_t pace_for(std::int64_t period, std::int64_t now, const Votes& votes);
    bool is_worthwhile(const Sample& sample, std::int64_t shortest) const;
    std::optional<std::size_t> choose_pace(std::int64_t now);
    std::uint64_t resting_at(std::size_t pace) const;
    const Pace& pace() const { return rest_->paces[pace_]; }
    std::uint64_t resting() const;
    bool may_recur(std::uint32_t node, std::int64_t cut) const;
    bool may_recur_together(std::uint32_t node, std::int64_t cut) const;
    void describe(std::uint32_t node, std::int64_t cut, std::vector<std::uint64_t>& words) const;
    void keep(std::int64_t cut);
    std::size_t compare(std::int64_t cut);
    bool recurs(std::size_t index, std::int64_t cut);
    std::uint32_t periods_left(const Kept& kept) const;
    bool in_step(std::uint32_t node) const;
    void lay_down(const Kept& kept);
    void open_ends(const std::vector<std::uint32_t>& going);
    void open(End& end, std::uint16_t count, EndMode mode);
    void fill_ends();
    void rouse(std::uint32_t node, std::int64_t now);
    template <typename Visit>
    void each_rank(std::uint32_t node, const Visit& visit) const;
    template <typename Visit>
    void each_rank_together(std::uint32_t node, const Visit& visit) const;
    Stepper& stepper_of(std::uint32_t node) const { return regions_[region_of_[node]]->stepper; }

    const Layout& layout_;
    State& state_;
    const Companies& companies_;
    const std::vector<std::unique_ptr<Region>>& regions_;
    const std::vector<std::uint16_t>& region_of_;
    std::optional<Rest> rest_;                 // since the first trial
    std::vector<std::uint8_t> depths_;         // loop_depths of tiles
    std::vector<std::uint8_t> bars_;           // by node: why it may not rest
    std::vector<Sample> samples_;
    std::vector<std::uint8_t> sample_of_;      // by rank: 1 + index, 0: none
    std::array<Trial, Rest::kPaces> trials_{};
    std::uint8_t pace_ = 0;                    // being tried
    std::uint32_t next_ = 0;                   // its boundary to be observed next
    bool asked_ = false;                       // for that
    bool keeps_ = false;                       // the state of boundary next_ - 1 is kept
    std::int64_t next_choice_ = 0;             // no pace is to be tried before
    std::vector<Kept> kept_;
    std::vector<std::uint64_t> kept_words_;
    std::vector<std::int64_t> kept_link_waits_;  // of all kept, as Rest::link_waits
    std::vector<RankRest> kept_ranks_;         // waits and trips left as they were
    std::vector<std::uint64_t> now_;
    std::vector<std::uint16_t> heard_;         // by end: signals of the period
    std::vector<machine::LinkId> route_;
};

}  // namespace warpfront::engine
