#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

void PartitionContext::throw_overflow(std::uint32_t rank, std::uint16_t site) { throw TimeOverflow({rank}, site); }

std::uint64_t PartitionContext::bytes() const {
    std::uint64_t sum = backlog.bytes() + ready.capacity() * sizeof(std::uint32_t) +
                        requests.capacity() * sizeof(ResourceRequest) + link_requests.capacity() * sizeof(LinkRequest);
    for (const auto& box : remote_events) sum += box.capacity() * sizeof(RemoteEvent);
    return sum;
}

}  // namespace warpfront::engine
