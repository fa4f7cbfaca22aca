// The messages of collectives, for each rank (simulator/collectives). Partners are relative to the rank. So ranks with
// the same steps belong to one class, and their steps are stored once.
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

/// The communicators of collectives. A communicator contains the ranks for which an expression, the colour, has the
/// same value, as after MPI_Comm_split. Its members are numbered from 0 in the order of their ranks.
class Communicators {
public:
    Communicators(const Slots& slots, RankGrid grid)
        : slots_(slots), ranks_(static_cast<std::uint32_t>(grid.ranks())) {}

    std::uint32_t ranks() const { return ranks_; }
    /// Evaluates the colour on every rank. Only the first call for a colour does this. Afterwards `values` belongs to
    /// another rank.
    void add(SlotId colour, RankValues& values);
    /// Returns the number of a rank in its communicator, and the ranks of the communicator. `add` must have been called
    /// for this colour.
    Membership of(SlotId colour, std::uint32_t rank) const;

private:
    struct Split {
        std::vector<std::uint32_t> ranks;  // all ranks, ordered by colour, then by rank
        std::vector<std::uint32_t> place;  // index of each rank in `ranks`
        /// For each index in `ranks`, the index of the first rank of the same communicator.
        std::vector<std::uint32_t> begins;
    };

    const Slots& slots_;
    std::uint32_t ranks_;
    std::map<SlotId, Split> splits_;  // communicators of each colour expression that differs between ranks
};

/// An exchange (collectives::Exchange). Its partners are relative to the rank.
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

    /// Returns a number for the steps of the current rank of `values`. Ranks with the same steps have the same number.
    /// Errors: unmatched_collectives (the members have different sizes or roots), out_of_range (the root is no member),
    /// program_too_large.
    std::int64_t number_of(const ResidualStatement& collective, RankValues& values);
    const std::vector<CollectiveStep>& steps(std::int64_t number) const {
        return *all_[static_cast<std::size_t>(number)];
    }
    /// Records an allreduce of all ranks that is written as a single instruction.
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
        std::uint32_t rank;  // the rank that was evaluated first
    };

    std::uint32_t root_of(const ResidualStatement& collective, const Membership& here, RankValues& values) const;
    void agree(const ResidualStatement& collective, const Membership& here, const Agreed& own, RankValues& values);
    void refuse_many(const ResidualStatement& collective, RankValues& values) const;
    void note(const collectives::Collective& call, std::uint32_t members);

    const Skeleton& skeleton_;
    const Graph& graph_;
    Communicators& communicators_;
    std::unordered_map<std::vector<CollectiveStep>, std::int64_t, Hash> numbers_;
    std::vector<const std::vector<CollectiveStep>*> all_;  // keys of `numbers_`, whose addresses never change
    /// The size and root on which the members of a communicator agree, by the slots of size, root and colour and the
    /// first rank.
    std::map<std::tuple<SlotId, SlotId, SlotId, std::uint32_t>, Agreed> agreed_;
    std::set<std::tuple<collectives::Kind, std::int64_t, std::uint32_t>> noted_;  // by kind, bytes and members
    std::vector<program::CollectiveUse> uses_;
    std::uint64_t made_ = 0;       // number of exchanges of all ranks so far
    std::uint64_t different_ = 0;  // number of different exchanges so far
};

}  // namespace warpfront::psl
