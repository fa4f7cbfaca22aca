// What will be used soon is fetched into the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/remote_event.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/agenda.hpp"
#include "simulator/engine/stepping/arbitration.hpp"

namespace warpfront::engine {

/// The empty statement keeps GCC from taking a function that does nothing else for one without effect, whose calls it
/// leaves out.
inline void prefetch_line(const void* address) {
    __builtin_prefetch(address);
    asm volatile("");
}

/// What the events that come next will touch, so many events ahead: their endpoints, then what these lead to.
class EventPrefetcher {
public:
    EventPrefetcher(const Layout& layout, const State& state, const std::vector<RemoteEvent>& events)
        : layout_(layout), state_(state), events_(events) {
        for (std::size_t k = 0; k < std::min(kEndpoint, events.size()); ++k) fetch_endpoint(events[k]);
        for (std::size_t k = 0; k < std::min(kBehind, events.size()); ++k) fetch_behind(events[k]);
    }

    /// Before the event at `index` is taken.
    void fetch(std::size_t index) const {
        if (index + kEndpoint < events_.size()) fetch_endpoint(events_[index + kEndpoint]);
        if (index + kBehind < events_.size()) fetch_behind(events_[index + kBehind]);
    }

private:
    void fetch_endpoint(const RemoteEvent& event) const {
        if (event.kind == RemoteEvent::post) prefetch_line(&state_.send_endpoints[event.target]);
        if (event.kind == RemoteEvent::data) prefetch_line(&state_.receive_endpoints[event.target]);
    }
    void fetch_behind(const RemoteEvent& event) const {
        if (event.kind == RemoteEvent::post && state_.send_endpoints[event.target].blocked) {
            prefetch_line(&state_.ranks[layout_.rank_of_send_endpoint(event.target)]);
        }
        if (event.kind != RemoteEvent::data) return;
        const ReceiveEndpoint& head = state_.receive_endpoints[event.target];
        const std::uint32_t rank = layout_.rank_of_receive_endpoint(event.target);
        if (layout_.ejects) prefetch_line(&state_.servers[layout_.hot_state_of(layout_.node_of[rank])]);
        if (!layout_.ejects && head.awaited) prefetch_line(&state_.ranks[rank]);
        if (!is(head, ReceiveState::empty) && event.target < state_.queues.size()) {
            prefetch_line(&state_.queues[event.target]);
        }
    }

    static constexpr std::size_t kEndpoint = 24;
    static constexpr std::size_t kBehind = 12;

    const Layout& layout_;
    const State& state_;
    const std::vector<RemoteEvent>& events_;
};

/// What the nodes that are visited next will touch, so many visits ahead: their hot state; then their ranks and these ranks'
/// channels; then what the rank with the first request will touch on another node, that of the receiver of its message, or of the
/// sender that waits for its next post. Not worth it where few nodes are at work, all of which stay in the cache.
class VisitPrefetcher {
public:
    VisitPrefetcher(const Layout& layout, const State& state) : layout_(layout), state_(state) {}

    /// Before the node at place `k` of the agenda is visited.
    void fetch(const Agenda& agenda, std::size_t k) const {
        const std::size_t count = agenda.active();
        if (count < kMany) return;
        if (k + kHot < count) {
            prefetch_line(&layout_.ranks_on[std::size_t{agenda.at(k + kHot)} * layout_.cores]);
            fetch_hot_state(agenda.at(k + kHot));
        }
        if (k + kRanks < count) fetch_ranks(agenda.at(k + kRanks));
        if (k + kPeers < count) fetch_peers(agenda.at(k + kPeers));
    }

private:
    void fetch_hot_state(std::uint32_t node) const {
        const network::Server* const hot = &state_.servers[layout_.hot_state_of(node)];
        prefetch_line(hot);
        if (layout_.hot.used > 8) prefetch_line(hot + 8);
    }
    void fetch_ranks(std::uint32_t node) const {
        for (std::uint32_t core = 0; core < std::min(layout_.cores, kMostRanks); ++core) {
            const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
            if (rank == kNone) continue;
            prefetch_line(&state_.ranks[rank]);
            prefetch_line(&state_.receive_endpoints[layout_.receive_endpoint_numbers.at(rank, 0)]);
            prefetch_line(&state_.send_endpoints[layout_.send_endpoint_numbers.at(rank, 0)]);
        }
    }
    void fetch_peers(std::uint32_t node) const {
        const std::uint32_t rank = next_request(layout_, state_, node, kHorizon.ps).rank;
        if (rank == kNone) return;
        const RankLine& line = state_.ranks[rank];
        if (line.collective_position > 0) return;
        const program::Instruction* step = &layout_.code[line.at];
        if (line.state == RankState::requests_departure && program::is_send(step->op)) {
            const std::uint32_t out = layout_.send_endpoint_numbers.at(rank, step->operand);
            const std::uint32_t receive_endpoint = state_.send_endpoints[out].receive_endpoint;
            prefetch_line(&state_.receive_endpoints[receive_endpoint]);
            fetch_hot_state(layout_.node_of[layout_.rank_of_receive_endpoint(receive_endpoint)]);
        }
        ++step;
        if (step->op == program::Op::end_loop) step = &layout_.code[step->operand + 1];
        if (step->op != program::Op::recv) return;
        const std::uint32_t in = layout_.receive_endpoint_numbers.at(rank, step->operand);
        const std::uint32_t send_endpoint = state_.receive_endpoints[in].send_endpoint;
        prefetch_line(&state_.send_endpoints[send_endpoint]);
        const std::uint32_t sender = layout_.rank_of_send_endpoint(send_endpoint);
        prefetch_line(&state_.ranks[sender]);
        prefetch_line(&state_.servers[layout_.hot_state_of(layout_.node_of[sender])]);
    }

    static constexpr std::size_t kMany = 64;
    static constexpr std::size_t kHot = 12;
    static constexpr std::size_t kRanks = 8;
    static constexpr std::size_t kPeers = 4;
    static constexpr std::uint32_t kMostRanks = 4;

    const Layout& layout_;
    const State& state_;
};

}  // namespace warpfront::engine
