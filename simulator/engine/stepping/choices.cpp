#include "simulator/engine/stepping/choices.hpp"

namespace warpfront::engine {

void Choices::send(std::uint32_t send_endpoint) { ++sent_[send_endpoint]; }

std::uint32_t Choices::take(std::uint32_t receive_endpoint) { return taken_[receive_endpoint]++; }

std::uint64_t Choices::bytes() const {
    constexpr std::uint64_t kNode = 48;  // of a hash table, its entry included
    return kNode * (first_.size() + taken_of_.size() + replied_on_.size() + posted_.size() + sent_.size() +
                    taken_.size() + requests_.size());
}

}  // namespace warpfront::engine
