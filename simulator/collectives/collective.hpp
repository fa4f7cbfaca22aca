// A collective operation of MPI, as its members call it, and the place of a member in its communicator. Members are
// numbered from 0 within the communicator.
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
/// MPI's name in lower case.
std::string_view name_of(Kind kind);

struct Collective {
    Kind kind = Kind::barrier;
    std::uint32_t root = 0;  // of a bcast, reduce, gather or scatter, and of those whose shares differ
    /// bcast, reduce, allreduce, scan, exscan: of the message; gather, allgather: of each member's share; gatherv: of
    /// this member's; scatter, alltoall: of the share for each; reduce_scatter: of each member's result.
    Bytes bytes{};
    /// By member: allgatherv from each; alltoallv, reduce_scatter, and the root of a scatterv, to each.
    std::vector<Bytes> shares{};
    Bytes element{};  // of the datatype; 0 if not known
};

/// Sizes that are the same on all members, from which an algorithm is chosen.
struct Sizes {
    /// The size of the message or of each share, as Collective::bytes; the mean of shares that differ.
    Bytes each;
    Bytes total;                // of all shares together; of the message where there are none
    std::int64_t elements = 0;  // in `total`
    bool equal_shares = true;
};
/// Nothing for a gatherv, scatterv or alltoallv, of which no member has the sizes of all.
std::optional<Sizes> sizes_of(const Collective& collective, std::uint32_t members);

/// The bytes of an element of a vector: that of its datatype; where that is not known, the most of 8, 4, 2 and 1 that
/// divides `total`.
Bytes element_of(const Collective& collective, Bytes total);

struct Membership {
    std::uint32_t member = 0;
    std::uint32_t members = 1;
    std::span<const std::uint32_t> ranks{};  // by member; empty where that is the rank itself
    std::uint32_t rank_of(std::uint32_t other) const { return ranks.empty() ? other : ranks[other]; }
};

}  // namespace warpfront::collectives
