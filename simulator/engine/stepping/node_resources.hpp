// The resources that the ranks of a node share, as servers in virtual time (network/server.hpp): buses, NICs both ways,
// the links that no other node uses. A rank has at most one request at a time; it stands in the node's hot state.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/stepping/links.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

class NodeResources {
public:
    explicit NodeResources(PartitionContext& context)
        : context_(context), layout_(context.layout), state_(context.state) {}

    /// The rank wants, at its clock, what a message of this cost holds.
    [[gnu::always_inline]] void request(std::uint32_t rank, RankLine& line, RankState what, std::uint32_t cost) {
        context_.check_horizon(rank, line);
        line.state = what;
        line.request_cost = cost;
        state_.request_time(layout_.hot_state_of(line.node), line.core) = line.clock;
        context_.requests.push_back({line.clock, line.node, rank});
    }

    /// Whether a rank of the node has been granted bus and NIC and requests links at `time` or before.
    bool links_are_requested(std::uint32_t node, std::int64_t time) const {
        const std::size_t hot = layout_.hot_state_of(node);
        for (std::uint32_t core = 0; core < layout_.cores; ++core) {
            if (state_.servers[hot + core].free_at.ps > time) continue;
            const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
            if (state_.ranks[rank].state == RankState::requests_links) return true;
        }
        return false;
    }

    /// The request is taken out, to be granted.
    void take_request(const RankLine& line) {
        state_.request_time(layout_.hot_state_of(line.node), line.core) = kHorizon.ps;
    }

    /// The requester, which is the rank or a message that it has begun, requests at its clock. Each moves the clock on to
    /// when the resource is granted, and counts the wait. `chain`: of the message; null where no path is wanted.
    void grant_bus(std::uint32_t rank, Requester& requester, const network::MessageCost& cost, Chain* chain) {
        const RankLine& line = state_.ranks[rank];
        const std::size_t server = server_of(line, layout_.hot.buses + layout_.bus_of_core[line.core]);
        requester.bus_wait += grant(server, rank, requester, cost.bus, kBus, chain);
    }
    void grant_injection(std::uint32_t rank, Requester& requester, const network::MessageCost& cost, Chain* chain) {
        const RankLine& line = state_.ranks[rank];
        const std::size_t server = server_of(line, layout_.hot.injection + layout_.nic_of_core[line.core]);
        requester.nic_wait += grant(server, rank, requester, cost.inject, kNic, chain);
    }
    /// The ejection of the NIC by which the messages of a channel enter the node of `rank`, their receiver: the receiver's, or, with
    /// rails, that of the same number as the sender's.
    std::size_t ejection_server(std::uint32_t node, std::uint32_t rank, std::uint32_t receive_endpoint) const {
        std::uint32_t nic = 0;
        if (layout_.rails) {
            const std::uint32_t sender = state_.receive_endpoints[receive_endpoint].send_endpoint;
            nic = layout_.nic_of_rank[layout_.rank_of_send_endpoint(sender)];
        } else if (layout_.hot.nics > 1) {
            nic = layout_.nic_of_core[state_.ranks[rank].core];
        }
        return layout_.hot_state_of(node) + layout_.hot.ejection + nic;
    }
    /// A message is there at `time`.
    std::int64_t grant_ejection(std::size_t server, std::int64_t time, const network::MessageCost& cost) {
        return state_.servers[server].grant({time}, cost.eject).ps;
    }
    /// A link that no other node uses.
    std::int64_t grant_own_link(std::uint32_t node, const SendEndpoint& out, const LinkRequest& request) {
        const std::uint32_t first =
            node * layout_.hot.stride + layout_.hot.links + out.own_link * layout_.links.parallel;
        return grant_link(layout_, state_, first, request, request.order.time.ps, layout_.packets_of_own[request.cost]);
    }
    /// All links of the route, each requested when the one before is granted.
    RouteGrant grant_route(const LinkRequest& request) { return engine::grant_route(layout_, state_, request, route_); }

private:
    /// What a resource is in records.
    struct Records {
        record::Resource resource;
        record::Activity waiting;
        PathPart part;
    };
    static constexpr Records kBus{record::Resource::bus, record::Activity::bus_wait, PathPart::bus};
    static constexpr Records kNic{record::Resource::nic, record::Activity::nic_wait, PathPart::nic};

    /// Returns the wait that is counted: none within a collective of the rank.
    std::int64_t grant(std::size_t server, std::uint32_t rank, Requester& requester, Time lasts, const Records& records,
                       Chain* chain) {
        const RankLine& line = state_.ranks[rank];
        const bool rank_waits = &requester == &line;
        const std::int64_t requested = requester.clock;
        const std::int64_t granted = state_.servers[server].grant({requested}, lasts).ps;
        requester.clock = granted;
        if (chain != nullptr) [[unlikely]]
            state_.paths->hold(*chain, server, requested, granted, lasts.ps, records.part);
        if (state_.timeline != nullptr) [[unlikely]] {
            const std::uint16_t site = layout_.code[line.at].site;
            if (rank_waits) state_.timeline->advance(rank, record::Activity::wait, requested, site);
            if (rank_waits) state_.timeline->advance(rank, records.waiting, granted, site);
            state_.timeline->hold(rank, records.resource, granted, lasts.ps);
        }
        return rank_waits && line.collective_position > 0 ? 0 : granted - requested;
    }
    std::size_t server_of(const RankLine& line, std::uint32_t offset) const {
        return layout_.hot_state_of(line.node) + offset;
    }

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    std::vector<machine::LinkId> route_;
};

}  // namespace warpfront::engine
