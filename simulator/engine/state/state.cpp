#include "simulator/engine/state/state.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace warpfront::engine {

void Backlog::push(std::uint32_t inlet, const Entry& entry) {
    std::uint32_t index = 0;
    if (free_.empty()) {
        index = static_cast<std::uint32_t>(entries_.size());
        budget_.push(entries_, entry);
    } else {
        index = free_.back();
        free_.pop_back();
        entries_[index] = entry;
    }
    Ends& queue = ends(inlet);
    (queue.first == kNone ? queue.first : entries_[queue.last].next) = index;
    queue.last = index;
    ++queue.count;
    if (entry.flying && queue.flying == kNone) queue.flying = index;
}

Backlog::Entry Backlog::pop(std::uint32_t inlet, bool& more) {
    Ends& queue = ends(inlet);
    const std::uint32_t index = queue.first;
    if (queue.flying == index) queue.flying = next_flying(entries_[index].next);
    queue.first = entries_[index].next;
    --queue.count;
    more = queue.first != kNone;
    free_.push_back(index);
    return entries_[index];
}

void Backlog::land(std::uint32_t inlet) {
    Ends& queue = ends(inlet);
    entries_[queue.flying].flying = 0;
    queue.flying = next_flying(entries_[queue.flying].next);
}

std::uint32_t Backlog::next_flying(std::uint32_t index) const {
    while (index != kNone && !entries_[index].flying) index = entries_[index].next;
    return index;
}

std::uint64_t Backlog::bytes() const {
    return collective_.size() * (sizeof(Ends) + 4 * sizeof(void*)) +
           entries_.capacity() * sizeof(Entry) + free_.capacity() * sizeof(std::uint32_t);
}

namespace {

bool tells_posts_of_collectives(const Layout& layout, const Channels& channels) {
    const auto first = channels.announces.begin() + static_cast<std::ptrdiff_t>(layout.first_collective_inlet);
    return std::find(first, channels.announces.end(), true) != channels.announces.end();
}

}  // namespace

State::State(const Layout& layout, const Channels& channels)
    : ranks(layout.ranks),
      inlets(layout.inlets()),
      outlets(tells_posts_of_collectives(layout, channels) ? layout.outlets() : layout.first_collective_outlet),
      silent_outlets(layout.outlets() - outlets.size()),
      servers(layout.server_count),
      turns(layout.routes != nullptr && layout.links.choice == machine::LinkChoice::round_robin ? layout.server_count
                                                                                                : 0),
      link_waits(layout.routes != nullptr ? layout.link_number(layout.server_count) : 0),
      gathered(layout.ranks),
      delays(layout.ejects || layout.routes != nullptr ? layout.first_collective_inlet : 0),
      queues(layout.first_collective_inlet),
      before_post(channels.mixes_protocols ? outlets.size() : 0),
      eager_windows(layout.eager_limit ? layout.first_collective_outlet : 0) {
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        ranks[rank].node = layout.node_of[rank];
    }
    for (std::uint32_t node = 0; node < layout.nodes; ++node) {
        for (std::uint32_t core = 0; core < layout.cores; ++core) {
            const std::uint32_t rank = layout.ranks_on[std::size_t{node} * layout.cores + core];
            if (rank != kNone) ranks[rank].core = static_cast<std::uint16_t>(core);
            asked(layout.desk_of(node), core) = kHorizon.ps;
        }
        if (!layout.ejects) continue;
        arrival(layout, node) = kHorizon.ps;
        set_first_flight(layout, node, {});
    }
    for (std::uint32_t outlet = 0; outlet < layout.outlets(); ++outlet) {
        const Way& way = channels.ways[outlet];
        Outlet& out = this->outlet(outlet);
        out.inlet = way.inlet;
        out.path = way.path & 0xFFFFU;
        out.own_link = way.own_link & 7U;
        out.announced = way.inlet != kNone && channels.announces[way.inlet] ? 1 : 0;
    }
    for (std::uint32_t inlet = 0; inlet < layout.inlets(); ++inlet) {
        inlets[inlet].outlet = channels.outlet_of[inlet];
        inlets[inlet].announces = channels.announces[inlet] ? 1 : 0;
    }
}

std::uint64_t State::bytes() const {
    return ranks.capacity() * sizeof(RankLine) + inlets.capacity() * sizeof(Inlet) +
           outlets.capacity() * sizeof(PostedOutlet) + silent_outlets.capacity() * sizeof(Outlet) +
           servers.capacity() * sizeof(network::Server) +
           turns.capacity() * sizeof(network::Turn) + link_waits.capacity() * sizeof(std::int64_t) +
           gathered.capacity() * sizeof(Gathered) + delays.capacity() * sizeof(Delay) +
           queues.capacity() * sizeof(Backlog::Ends) + before_post.capacity() * sizeof(std::uint64_t) +
           std::accumulate(eager_windows.begin(), eager_windows.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const EagerWindow& window) { return sum + window.bytes(); });
}

}  // namespace warpfront::engine
