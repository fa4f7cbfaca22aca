#include "simulator/engine/stepping/agenda.hpp"

namespace warpfront::engine {

void Agenda::begin(std::uint64_t window, std::int64_t limit) {
    limit_ = limit;
    for (std::uint64_t next = wheel_.first(); next <= window; next = wheel_.first()) {
        taken_.clear();
        wheel_.take(next, taken_);
        for (const std::uint32_t node : taken_) {
            if (places_[node].window == next) places_[node].window = kNoWindow;
            activate(node);
        }
    }
}

std::uint64_t Agenda::bytes() const {
    return wheel_.bytes() + (active_.capacity() + taken_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace warpfront::engine
