// An MPI collective as its members call it, and the position of a member in its communicator. Members are numbered from
// 0 within the communicator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "simulator/units/bytes.hpp"

namespace warpfront::collectives {

enum class Kind : std::uint8_t {
    barrier,
    bcast,
    reduce,
    allreduce,
    gather,
    gatherv,
    scatter,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    reduce_scatter,
    scan,
    exscan,
    scatterv
};
inline constexpr std::size_t kKinds = 15;
/// Returns the name in MPI, in lower case.
std::string_view name_of(Kind kind);
/// Returns the collective with this name; nothing if there is none.
std::optional<Kind> kind_named(std::string_view name);

struct Collective {
    Kind kind = Kind::barrier;
    std::uint32_t root = 0;  // root of a bcast, reduce, gather or scatter, and of a gatherv or scatterv
    /// The number of bytes, which depends on the operation:
    ///   bcast, reduce, allreduce, scan, exscan   the message
    ///   gather, allgather                        each member's share
    ///   gatherv                                  this member's share
    ///   scatter, alltoall                        the share for each member
    ///   reduce_scatter                           each member's result
    Bytes bytes{};
    /// Bytes of each member's share, if they differ: from each member (allgatherv) or to each member (alltoallv,
    /// reduce_scatter, and scatterv at its root).
    std::vector<Bytes> shares{};
    Bytes element{};  // size of the datatype; 0 if unknown
};

/// The sizes by which rules select the algorithm. They are the same on all members.
struct Sizes {
    /// Size of the message or of each share, as in Collective::bytes. If shares differ, their mean.
    Bytes each;
    Bytes total;                // size of all shares together, or of the message if there are no shares
    std::int64_t elements = 0;  // elements in `total`
    bool equal_shares = true;
};
/// Returns the sizes. Returns nothing for a gatherv, scatterv or alltoallv, since no member has the sizes of all
/// others.
std::optional<Sizes> sizes_of(const Collective& collective, std::uint32_t members);

/// Returns the size of an element. If the datatype is unknown, this is the largest of 8, 4, 2 and 1 that divides
/// `total`.
Bytes element_of(const Collective& collective, Bytes total);

struct Membership {
    std::uint32_t member = 0;
    std::uint32_t members = 1;
    std::span<const std::uint32_t> ranks{};  // rank of each member; empty if member k is rank k
    std::uint32_t rank_of(std::uint32_t other) const { return ranks.empty() ? other : ranks[other]; }
};

/// One step of a member (exchanges.hpp). If the step sends and receives, the receive is posted first.
struct Exchange {
    std::optional<std::uint32_t> to;
    Bytes bytes;  // number of bytes sent
    std::optional<std::uint32_t> from;
    /// true if the member does not wait for the messages of this step until the end of the algorithm
    bool begins = false;
    /// The position of the first byte that is sent. It is counted in the message, in the shares of all members, in the
    /// results of all members (reduce_scatter), or in the sender's shares for all receivers (alltoall; 0 for bruck).
    /// Bytes beyond the end continue at the beginning.
    Bytes at{};

    /// Returns true if the step only waits for all nonblocking exchanges.
    bool waits() const { return !to && !from; }
};

}  // namespace warpfront::collectives
