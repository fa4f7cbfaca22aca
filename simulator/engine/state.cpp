#include "simulator/engine/state.hpp"

namespace warpfront::engine {

std::uint32_t Backlog::put(const Message& message) {
    if (free_.empty()) {
        messages_.push_back(message);
        return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    messages_[index] = message;
    return index;
}

void Backlog::free(std::uint32_t index) { free_.push_back(index); }

State::State(const Layout& layout)
    : ranks(layout.ranks),
      channels(layout.channels),
      buses(layout.ranks_on.size() / layout.cores),
      gathered(layout.ranks) {
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        RankLine& line = ranks[rank];
        line.node = layout.node_of[rank];
        line.first_outlet = layout.first_outlet[rank];
        line.first_inlet = layout.first_inlet[rank];
    }
}

std::uint64_t State::bytes() const {
    return ranks.capacity() * sizeof(RankLine) + channels.capacity() * sizeof(Message) +
           buses.capacity() * sizeof(network::Server) + gathered.capacity() * sizeof(Gathered) + backlog.bytes();
}

}  // namespace warpfront::engine
