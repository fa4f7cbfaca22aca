#include "simulator/engine/state/channel_numbers.hpp"

#include <stdexcept>

namespace warpfront::engine {

namespace {

constexpr unsigned kWidestShift = 16;
constexpr std::uint64_t kCostBeyond = 8;  // price of an endpoint beyond the rank's own numbers, in unused numbers

std::uint64_t beyond(const IndexedVector<Rank, std::uint32_t>& counts, unsigned shift) {
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts) sum += count >> shift == 0 ? 0 : count - (1U << shift);
    return sum;
}

/// Returns the best shift. An endpoint beyond the rank's own numbers takes twice as much memory, and finding its rank
/// needs a table. So only many unused numbers justify a smaller shift.
unsigned cheapest_shift(const IndexedVector<Rank, std::uint32_t>& counts) {
    unsigned best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (unsigned shift = 0; shift <= kWidestShift; ++shift) {
        const std::uint64_t cost = (std::uint64_t{counts.size()} << shift) + kCostBeyond * beyond(counts, shift);
        if (cost > least) continue;
        least = cost;
        best = shift;
    }
    return best;
}

template <typename EndpointId>
ChannelNumbers<EndpointId> numbers(const program::Program& program,
                                   std::vector<program::Channel> program::RankClass::*ends) {
    IndexedVector<Rank, std::uint32_t> counts;
    counts.reserve(program.class_of.size());
    for (const std::uint32_t rank_class : program.class_of) {
        counts.push_back(static_cast<std::uint32_t>((program.classes[rank_class].*ends).size()));
    }
    return ChannelNumbers<EndpointId>(counts);
}

}  // namespace

ChannelNumbers<ReceiveEndpointId> receive_endpoint_numbers(const program::Program& program) {
    return numbers<ReceiveEndpointId>(program, &program::RankClass::receive_endpoints);
}

ChannelNumbers<SendEndpointId> send_endpoint_numbers(const program::Program& program) {
    return numbers<SendEndpointId>(program, &program::RankClass::send_endpoints);
}

template <typename EndpointId>
ChannelNumbers<EndpointId>::ChannelNumbers(const IndexedVector<Rank, std::uint32_t>& counts)
    : shift_(cheapest_shift(counts)) {
    const std::uint64_t extra = beyond(counts, shift_);
    const std::uint64_t all = (std::uint64_t{counts.size()} << shift_) + extra;
    if (all >= kMostEndpoints)
        throw std::length_error("the ranks have more channels than the engine can number (2^29)");
    first_extra_ = static_cast<std::uint32_t>(counts.size() << shift_);
    if (extra == 0) return;
    extra_begin_.reserve(counts.size() + 1);
    extra_rank_.reserve(extra);
    for (const Rank rank : counts.ids()) {
        extra_begin_.push_back(static_cast<std::uint32_t>(extra_rank_.size()));
        if (counts[rank] >> shift_ > 0) extra_rank_.insert(extra_rank_.end(), counts[rank] - (1U << shift_), rank);
    }
    extra_begin_.push_back(static_cast<std::uint32_t>(extra_rank_.size()));
}

template <typename EndpointId>
std::uint64_t ChannelNumbers<EndpointId>::bytes() const {
    return extra_begin_.capacity() * sizeof(std::uint32_t) + extra_rank_.capacity() * sizeof(Rank);
}

template class ChannelNumbers<ReceiveEndpointId>;
template class ChannelNumbers<SendEndpointId>;

}  // namespace warpfront::engine
