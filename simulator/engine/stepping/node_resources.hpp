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

    /// Each returns when the rank, which requests at its clock, is granted the resource, and counts its wait.
    std::int64_t grant_bus(std::uint32_t rank, const network::MessageCost& cost) {
        RankLine& line = state_.ranks[rank];
        const std::size_t server = server_of(line, layout_.hot.buses + layout_.bus_of_core[line.core]);
        const std::int64_t granted = state_.servers[server].grant({line.clock}, cost.bus).ps;
        if (line.collective_position == 0) line.bus_wait += granted - line.clock;
        record_hold(rank, line, granted, cost.bus, record::Resource::bus, record::Activity::bus_wait);
        if (state_.paths != nullptr) {
            state_.paths->hold(state_.paths->of(rank), server, line.clock, granted, cost.bus.ps, PathPart::bus);
        }
        return granted;
    }
    std::int64_t grant_injection(std::uint32_t rank, const network::MessageCost& cost) {
        RankLine& line = state_.ranks[rank];
        const std::size_t server = server_of(line, layout_.hot.injection + layout_.nic_of_core[line.core]);
        const std::int64_t granted = state_.servers[server].grant({line.clock}, cost.inject).ps;
        if (line.collective_position == 0) line.nic_wait += granted - line.clock;
        record_hold(rank, line, granted, cost.inject, record::Resource::nic, record::Activity::nic_wait);
        if (state_.paths != nullptr) {
            state_.paths->hold(state_.paths->of(rank), server, line.clock, granted, cost.inject.ps, PathPart::nic);
        }
        return granted;
    }
    /// To a message that its rank has begun, at `time`: no rank waits for it. `chain`: of the message, or null.
    std::int64_t grant_bus(std::uint32_t rank, std::int64_t time, const network::MessageCost& cost, Chain* chain) {
        const RankLine& line = state_.ranks[rank];
        const std::size_t server = server_of(line, layout_.hot.buses + layout_.bus_of_core[line.core]);
        return grant_to_message(server, rank, time, cost.bus, {record::Resource::bus, PathPart::bus}, chain);
    }
    std::int64_t grant_injection(std::uint32_t rank, std::int64_t time, const network::MessageCost& cost,
                                 Chain* chain) {
        const RankLine& line = state_.ranks[rank];
        const std::size_t server = server_of(line, layout_.hot.injection + layout_.nic_of_core[line.core]);
        return grant_to_message(server, rank, time, cost.inject, {record::Resource::nic, PathPart::nic}, chain);
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
    struct Records {
        record::Resource resource;
        PathPart part;
    };
    std::int64_t grant_to_message(std::size_t server, std::uint32_t rank, std::int64_t time, Time lasts,
                                  Records records, Chain* chain) {
        const std::int64_t granted = state_.servers[server].grant({time}, lasts).ps;
        if (state_.timeline != nullptr) state_.timeline->hold(rank, records.resource, granted, lasts.ps);
        if (chain != nullptr) state_.paths->hold(*chain, server, time, granted, lasts.ps, records.part);
        return granted;
    }
    /// Where a timeline is recorded.
    void record_hold(std::uint32_t rank, const RankLine& line, std::int64_t granted, Time lasts,
                     record::Resource resource, record::Activity waiting) const {
        if (state_.timeline == nullptr) return;
        const std::uint16_t site = layout_.code[line.at].site;
        state_.timeline->advance(rank, record::Activity::wait, line.clock, site);
        state_.timeline->advance(rank, waiting, granted, site);
        state_.timeline->hold(rank, resource, granted, lasts.ps);
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
