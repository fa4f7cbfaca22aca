#include "simulator/engine/stepping/partition.hpp"

namespace warpfront::engine {

void Partition::count_messages(std::unordered_map<ReceiveEndpointId, std::uint64_t, IdHash>& sum) const {
    for (const auto* const boxes : {&sent_, &context.remote_events}) {
        for (const std::vector<RemoteEvent>& box : *boxes) {
            for (const RemoteEvent& event : box) {
                if (event.kind == RemoteEvent::data) ++sum[event.receive_endpoint()];
            }
        }
    }
}

std::uint64_t Partition::bytes() const {
    std::uint64_t sum = context.bytes() + protocol.bytes() + interpreter.bytes();
    for (const auto& box : sent_) sum += box.capacity() * sizeof(RemoteEvent);
    return sum;
}

}  // namespace warpfront::engine
