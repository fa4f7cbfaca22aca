// The communicators of the collectives in traces. SMPI's traces do not contain them, so a file gives them (the key
// `communicators` of a scenario):
//
//   communicators:
//     row: [0..3, 4..7]
//     column: [[0, 4], [1, 5], 2..6..4]
//   collectives:
//     - ranks: 0..7                         or a list of ranks; default: all
//       over: [row x 10, world, {repeat: 5, over: [column, row x 2]}]
//
// A name has disjoint communicators, as MPI_Comm_split makes them: a rank's `row` is the one that contains the rank. A
// communicator is a list of its ranks in their order, a range A..B with both ends, or A..B..STEP. `over` names the
// communicators of the collectives of the traces, one after another; `row x 10` are ten collectives. `world` has all
// ranks in order; ranks that no item of `collectives` lists use it for all their collectives. The number of collectives
// in `over` must equal that in each rank's trace. `over` does not count collectives whose line ends with `comm=NAME`
// (simgrid.hpp); these are over that communicator.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::trace {

inline constexpr std::uint64_t kMostCollectives = 20'000'000;  // limit of the collectives of one rank in a file

/// The communicators of a file, by name.
class NamedCommunicators {
public:
    /// A number of consecutive collectives over the communicators with the same name.
    struct Run {
        std::uint32_t name = 0;
        std::uint64_t collectives = 0;
    };
    /// The communicator names of a rank's collectives, in order. A rank without an Order uses `world` for all of them.
    struct Order {
        std::vector<Run> runs;
        std::uint64_t collectives = 0;
        SourceRange range;
    };
    struct Named {
        std::string name;
        std::vector<std::vector<Rank>> communicators;          // the ranks of each communicator
        std::map<std::uint32_t, std::size_t> communicator_of;  // index of the communicator of each rank
    };

    /// Makes the communicator `world` only.
    explicit NamedCommunicators(std::uint32_t ranks);
    /// Reads a file. Diagnostics: unknown_communicator, overlapping_communicators, duplicate_name,
    /// peer_outside, out_of_range, bad_range, trace_too_large and those of YAML.
    NamedCommunicators(const SourceFilePtr& file, std::uint32_t ranks, Diagnostics& faults);

    /// Returns the names with their communicators, by number; the first is `world`.
    const std::vector<Named>& all() const { return named_; }
    std::vector<std::string> names() const;
    std::optional<std::uint32_t> number_of(std::string_view name) const;
    /// Returns the order; null if all collectives of the rank use `world`.
    const Order* order_of(std::uint32_t rank) const;

private:
    friend class CommunicatorsReader;

    std::uint32_t ranks_;
    std::vector<Named> named_;
    std::vector<Order> orders_;
    std::map<std::uint32_t, std::size_t> order_of_;  // index of the order of each rank
};

}  // namespace warpfront::trace
