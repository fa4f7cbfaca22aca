// One step of a member of a collective (exchanges.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/units/bytes.hpp"

namespace warpfront::collectives {

/// One step of a member; with both ends, the receive is posted first.
struct Exchange {
    std::optional<std::uint32_t> to;
    Bytes bytes;  // number of bytes sent
    std::optional<std::uint32_t> from;
    bool begins = false;  // without waiting
    /// The beginning of the bytes in the vector: the message; all shares in the order of members; the sender's shares
    /// by receiver in an alltoall (0 by bruck); all results in a reduce_scatter. After the end they continue at 0.
    Bytes at{};

    /// Returns true if the step has neither end: it waits for all begun exchanges.
    bool waits() const { return !to && !from; }
};

}  // namespace warpfront::collectives
