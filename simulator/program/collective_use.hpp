// The algorithms by which a program performs its collectives, and the reasons for them, for results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/units/bytes.hpp"

namespace warpfront::program {

/// Collectives of one operation that are performed by one algorithm for one reason.
struct CollectiveUse {
    std::string operation;  // in lower case; "bcast in allreduce" if it is part of another one
    std::string algorithm;
    std::string because;
    std::uint32_t fewest_ranks = 0;
    std::uint32_t most_ranks = 0;
    std::optional<Bytes> least{};  // of the message, or of each share; nothing if members differ in it
    std::optional<Bytes> most{};
    friend bool operator==(const CollectiveUse&, const CollectiveUse&) = default;
};

/// Adds a use to those of the same operation, algorithm and reason; otherwise appends it.
void add_use(std::vector<CollectiveUse>& uses, const CollectiveUse& use);

}  // namespace warpfront::program
