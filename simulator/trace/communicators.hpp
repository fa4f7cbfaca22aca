// The communicators of the collectives in traces. SMPI's traces do not contain them, so a file gives them (the key
// `communicators` of a scenario):
//
//   communicators:
//     row: [0..3, 4..7]                     by name, disjoint communicators as MPI_Comm_split makes them: a rank's
//     column: [[0, 4], [1, 5], 2..6..4]     `row` is the one that holds it. Each is a list of its ranks, in the order
//                                           of their ranks within it, a range A..B, both included, or A..B..STEP
//   collectives:                            which of them the collectives of the traces use, one after another
//     - ranks: 0..7                         or a list; default: all. Ranks that stand nowhere here use `world`
//                                           throughout
//       over: [row x 10, world, {repeat: 5, over: [column, row x 2]}]
//
// `world` is all ranks in order. `row x 10` are ten collectives. Each rank's collectives must be as many as `over`
// names. A collective whose line ends with `comm=NAME` (action.hpp) belongs to that one, and `over` does not count it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/collectives/collective.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::trace {

/// A communicator from the side of one of its ranks. Communicators of one name are disjoint.
struct Communicator {
    std::uint32_t name = 0;  // its number; kWorld: all ranks
    collectives::Membership membership;
};
inline constexpr std::uint32_t kWorld = 0;
inline constexpr std::uint64_t kMostCollectives = 20'000'000;  // that a file may name for a rank

class Communicators {
public:
    /// A number of consecutive collectives over the communicators of one name.
    struct Run {
        std::uint32_t name = kWorld;
        std::uint64_t collectives = 0;
    };
    /// The communicators of a rank's collectives, in order; without it all use `world`.
    struct Order {
        std::vector<Run> runs;
        std::uint64_t collectives = 0;
        input::SourceRange range;
    };

    /// Makes `world` alone.
    explicit Communicators(std::uint32_t ranks);
    /// Reads a file. Diagnostics: unknown_communicator, overlapping_communicators, duplicate_name,
    /// peer_outside, out_of_range, bad_range, trace_too_large and those of YAML.
    Communicators(const input::SourceFilePtr& file, std::uint32_t ranks, input::Diagnostics& faults);

    /// Adds a communicator of a recorded run, with a name of its own.
    void add(const std::vector<Rank>& members);

    const std::vector<std::string>& names() const { return names_; }
    std::optional<std::uint32_t> number_of(std::string_view name) const;
    /// Returns the communicator of this name that contains the rank, if there is one.
    std::optional<Communicator> of(std::uint32_t name, std::uint32_t rank) const;
    /// Returns all ranks that are in a communicator of this name, in order.
    std::vector<std::uint32_t> ranks_of(std::uint32_t name) const;
    /// Returns the order; null if all collectives of the rank use `world`.
    const Order* order_of(std::uint32_t rank) const;

private:
    struct Place {
        std::uint32_t communicator = 0;  // index among those of its name
        std::uint32_t member = 0;
    };
    struct Named {
        std::vector<std::vector<std::uint32_t>> ranks;  // by communicator, then member
        std::map<std::uint32_t, Place> place_of;        // by rank
    };
    friend class CommunicatorsReader;

    std::uint32_t ranks_;
    std::vector<std::string> names_;  // by number
    std::vector<Named> named_;        // by number; nothing for `world`
    std::vector<Order> orders_;
    std::map<std::uint32_t, std::size_t> order_of_;  // by rank
};

}  // namespace warpfront::trace
