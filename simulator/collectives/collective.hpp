// A collective operation of MPI, as its members call it, and the place of a member in its communicator. Members are
// numbered from 0 within the communicator.
#pragma once

#include <cstddef>
#include <cstdint>
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
};

struct Membership {
    std::uint32_t member = 0;
    std::uint32_t members = 1;
    std::span<const std::uint32_t> ranks{};  // by member; empty where that is the rank itself
    std::uint32_t rank_of(std::uint32_t other) const { return ranks.empty() ? other : ranks[other]; }
};

}  // namespace warpfront::collectives
