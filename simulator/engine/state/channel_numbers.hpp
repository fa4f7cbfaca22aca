// Assigns a number to each receive endpoint (or send endpoint) of the machine. The number follows from the rank, and
// from the endpoint's position in the rank's class.
//
// Every rank has 2^shift numbers of its own, rank << shift | position. So the rank follows from the number without a
// memory access. If a rank has more endpoints, such as the root of a gather, its further endpoints are numbered after
// the own numbers of all ranks, in rank order. A table contains their ranks. The shift is chosen so that few numbers
// are unused.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/state/ids.hpp"
#include "simulator/engine/state/indexed_vector.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// The numbers of all endpoints of one type, ReceiveEndpointId or SendEndpointId.
template <typename EndpointId>
class ChannelNumbers {
public:
    ChannelNumbers() = default;
    /// Makes the numbers. `counts` contains the number of endpoints of each rank. Throws std::length_error if there are
    /// kMostEndpoints or more in total.
    explicit ChannelNumbers(const IndexedVector<Rank, std::uint32_t>& counts);

    EndpointId at(Rank rank, std::uint32_t place) const {
        if (place >> shift_ == 0) return {(rank.index << shift_) + place};
        return {first_extra_ + extra_begin_[rank.index] + (place - (1U << shift_))};
    }
    Rank rank_of(EndpointId number) const {
        return number.index < first_extra_ ? Rank{number.index >> shift_} : extra_rank_[number.index - first_extra_];
    }
    std::uint32_t place_of(EndpointId number) const {
        if (number.index < first_extra_) return number.index & ((1U << shift_) - 1);
        const std::uint32_t extra = number.index - first_extra_;
        return (1U << shift_) + extra - extra_begin_[extra_rank_[extra].index];
    }
    /// Returns the number of bits by which an endpoint's number is shifted right to give its rank. This is not valid
    /// for extra numbers.
    unsigned rank_shift() const { return shift_; }
    /// Returns how many endpoints of a rank can have numbers, including unused numbers.
    std::uint32_t room(Rank rank) const {
        return (1U << shift_) + (extra_rank_.empty() ? 0 : extra_begin_[rank.index + 1] - extra_begin_[rank.index]);
    }
    std::uint32_t size() const { return first_extra_ + static_cast<std::uint32_t>(extra_rank_.size()); }
    std::uint64_t bytes() const;

private:
    unsigned shift_ = 0;
    std::uint32_t first_extra_ = 0;  // number of the first endpoint beyond own numbers: ranks << shift
    /// by rank, the index of its first further endpoint, and the end; empty if there are no further endpoints
    std::vector<std::uint32_t> extra_begin_;
    std::vector<Rank> extra_rank_;  // rank of each further endpoint
};

extern template class ChannelNumbers<ReceiveEndpointId>;
extern template class ChannelNumbers<SendEndpointId>;

/// Returns the numbers of the receive endpoints, or of the send endpoints, of a program's channels.
ChannelNumbers<ReceiveEndpointId> receive_endpoint_numbers(const program::Program& program);
ChannelNumbers<SendEndpointId> send_endpoint_numbers(const program::Program& program);

}  // namespace warpfront::engine
