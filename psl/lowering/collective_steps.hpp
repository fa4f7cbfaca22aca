// The messages of collectives, rank by rank (simulator/collectives). Partners are relative to the rank, so that ranks
// with the same steps share a class; equal steps are stored once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "psl/specialising/residual.hpp"
#include "psl/specialising/skeleton.hpp"
#include "simulator/collectives/collective.hpp"
#include "simulator/collectives/exchanges.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

using collectives::Membership;

/// The ranks that take part in a collective: those for which an expression, the colour, has the same value, as after
/// MPI_Comm_split. They are numbered from 0 in the order of their ranks.
class Communicators {
public:
    Communicators(const Slots& slots, RankGrid grid)
        : slots_(slots), ranks_(static_cast<std::uint32_t>(grid.ranks())) {}

    std::uint32_t ranks() const { return ranks_; }
    /// Evaluates the colour on every rank, once; afterwards `values` is at another rank.
    void add(SlotId colour, RankValues& values);
    /// Returns the place of a rank among the ranks that have its value of this colour, which `add` has evaluated.
    Membership of(SlotId colour, std::uint32_t rank) const;

private:
    struct Split {
        std::vector<std::uint32_t> ranks;  // all ranks, ordered by colour, then by number
        std::vector<std::uint32_t> place;  // index of each rank in `ranks`
        /// For each index in `ranks`, the index of the first rank of the same communicator.
        std::vector<std::uint32_t> begins;
    };

    const Slots& slots_;
    std::uint32_t ranks_;
    std::map<SlotId, Split> splits_;  // communicators of each colour expression that differs between ranks
};

/// An exchange (collectives::Exchange) with partners as differences of rank numbers.
struct CollectiveStep {
    std::optional<std::int32_t> to;
    std::optional<std::int32_t> from;
    Bytes bytes;
    bool begins = false;
    bool waits() const { return !to && !from; }
    friend bool operator==(const CollectiveStep&, const CollectiveStep&) = default;
};

class CollectiveSteps {
public:
    CollectiveSteps(const Skeleton& skeleton, const Graph& graph, Communicators& communicators)
        : skeleton_(skeleton), graph_(graph), communicators_(communicators) {}

    /// Returns a number that is equal for ranks with the same steps, for the current rank of `values`. Errors:
    /// unmatched_collectives (size or root differ between members), out_of_range (a root that is no member),
    /// program_too_large.
    std::int64_t number_of(const ResidualStatement& collective, RankValues& values);
    const std::vector<CollectiveStep>& steps(std::int64_t number) const {
        return *all_[static_cast<std::size_t>(number)];
    }
    /// Records an allreduce of all ranks that is a single instruction.
    void note_allreduce(Bytes bytes) { note({collectives::Kind::allreduce, 0, bytes}, communicators_.ranks()); }
    /// Returns the uses of collectives so far, with their algorithms.
    const std::vector<program::CollectiveUse>& uses() const { return uses_; }

private:
    struct Hash {
        std::size_t operator()(const std::vector<CollectiveStep>& steps) const;
    };
    struct Agreed {
        std::int64_t bytes;
        std::uint32_t root;
        std::uint32_t rank;  // the rank whose values were evaluated first
    };

    std::uint32_t root_of(const ResidualStatement& collective, const Membership& here, RankValues& values) const;
    void agree(const ResidualStatement& collective, const Membership& here, const Agreed& own, RankValues& values);
    void refuse_many(const ResidualStatement& collective, RankValues& values) const;
    void note(const collectives::Collective& call, std::uint32_t members);

    const Skeleton& skeleton_;
    const Graph& graph_;
    Communicators& communicators_;
    std::unordered_map<std::vector<CollectiveStep>, std::int64_t, Hash> numbers_;
    std::vector<const std::vector<CollectiveStep>*> all_;  // keys of numbers_, whose addresses are stable
    /// Agreed values by amount, root, colour and the communicator's first rank.
    std::map<std::tuple<SlotId, SlotId, SlotId, std::uint32_t>, Agreed> agreed_;
    std::set<std::tuple<collectives::Kind, std::int64_t, std::uint32_t>> noted_;  // by kind, bytes and members
    std::vector<program::CollectiveUse> uses_;
    std::uint64_t made_ = 0;       // number of exchanges so far, over all ranks
    std::uint64_t different_ = 0;  // number of different exchanges in the numbered steps
};

}  // namespace warpfront::psl
