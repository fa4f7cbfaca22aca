// A collective operation of MPI, as called by its members, and the position of a member in its communicator. Members
// are numbered from 0 within the communicator.
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
/// Returns MPI's name in lower case.
std::string_view name_of(Kind kind);
/// Returns the collective of a name; nothing if no collective has it.
std::optional<Kind> kind_named(std::string_view name);

struct Collective {
    Kind kind = Kind::barrier;
    std::uint32_t root = 0;  // of a bcast, reduce, gather or scatter, and of their variants with different shares
    /// The size of the message (bcast, reduce, allreduce, scan, exscan), of each member's share (gather, allgather), of
    /// this member's share (gatherv), of the share for each member (scatter, alltoall), or of each member's result
    /// (reduce_scatter).
    Bytes bytes{};
    /// The bytes from each member (allgatherv), or to each member (alltoallv, reduce_scatter, the root of a scatterv).
    std::vector<Bytes> shares{};
    Bytes element{};  // of the datatype; 0 if unknown
};

/// Sizes that are the same on all members and select the algorithm.
struct Sizes {
    /// The size of the message or of each share, as in Collective::bytes; if shares differ, their mean.
    Bytes each;
    Bytes total;                // size of all shares together, or of the message if there are no shares
    std::int64_t elements = 0;  // in `total`
    bool equal_shares = true;
};
/// Returns the sizes; nothing for a gatherv, scatterv or alltoallv, since no member has the sizes of all others.
std::optional<Sizes> sizes_of(const Collective& collective, std::uint32_t members);

/// Returns the bytes of an element of a vector: those of its datatype; if unknown, the largest of 8, 4, 2 and 1 that
/// divides `total`.
Bytes element_of(const Collective& collective, Bytes total);

struct Membership {
    std::uint32_t member = 0;
    std::uint32_t members = 1;
    std::span<const std::uint32_t> ranks{};  // by member; empty if members are the ranks themselves
    std::uint32_t rank_of(std::uint32_t other) const { return ranks.empty() ? other : ranks[other]; }
};

/// One step of a member of a collective (exchanges.hpp). If it sends and receives, the receive is posted first.
struct Exchange {
    std::optional<std::uint32_t> to;
    Bytes bytes;  // number of bytes sent
    std::optional<std::uint32_t> from;
    bool begins = false;  // true if the step is nonblocking
    /// The position of the first byte in the vector: in the message, in all shares by member, in the sender's shares by
    /// receiver (alltoall; 0 by bruck), or in all results (reduce_scatter). At the end of the vector, bytes continue at
    /// its beginning.
    Bytes at{};

    /// Returns true if the step has neither end: it waits for all begun exchanges.
    bool waits() const { return !to && !from; }
};

}  // namespace warpfront::collectives
