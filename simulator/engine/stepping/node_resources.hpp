// The resources that the ranks of a node share, as servers in virtual time (network/server.hpp): buses, NICs in both
// directions, and links that no other node uses. A rank has at most one request at a time, which is an event of the
// calendar.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/stepping/links.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

template <bool kPlain>
class NodeResources {
public:
    explicit NodeResources(PartitionContext& context)
        : context_(context),
          layout_(context.layout),
          state_(context.state),
          run_{layout_, state_},
          ranks_(state_.ranks),
          receive_endpoints_(state_.receive_endpoints),
          code_(layout_.code),
          servers_(state_.servers) {}

    /// Grants a server of the node to the requester, the rank or one of its nonblocking messages, at its clock. This
    /// function and grant_injection move the clock to the grant, and count the wait. `chain` is the chain of the
    /// message; null if no path is requested.
    void grant_server(Rank rank, Requester& requester, const network::Service& service, Chain* chain) {
        const RankLine& line = ranks_[rank];
        const ServerId server = server_of(line, layout_.server_of_core[line.core]);
        const Records& records = layout_.processes_messages ? kProcessing : kBus;
        requester.server_wait += grant(server, rank, requester, service, records, chain);
    }
    void grant_injection(Rank rank, Requester& requester, const network::MessageCost& cost, Chain* chain) {
        const RankLine& line = ranks_[rank];
        const ServerId server = server_of(line, layout_.on_node.injection + layout_.nic_of_core[line.core]);
        requester.nic_wait +=
            grant(server, rank, requester, {cost.inject, {}}, cost.injects_at_rate ? kNicRate : kNic, chain);
    }
    /// Returns what a rank does while it waits for a server of its node.
    record::Activity waiting_for_server() const {
        return layout_.processes_messages ? kProcessing.waiting : kBus.waiting;
    }
    /// Returns the server of the NIC by which the messages of a channel enter the node of their receiver `rank`. It is
    /// the NIC of the receiver. With rails, it is the NIC with the number of the sender's NIC.
    ServerId ejection_server(Node node, Rank rank, ReceiveEndpointId receive_endpoint) const {
        std::uint32_t nic = 0;
        if (layout_.rails) {
            const SendEndpointId sender = receive_endpoints_[receive_endpoint].send_endpoint;
            nic = layout_.nic_of_rank[layout_.rank_of(sender)];
        } else if (layout_.on_node.nics > 1) {
            nic = layout_.nic_of_core[ranks_[rank].core];
        }
        return layout_.servers_of(node) + layout_.on_node.ejection + nic;
    }
    /// Grants the NIC to a message that arrives at `time` if it need not wait. Returns when it actually arrives. The
    /// bytes of a message occupy the NIC while they arrive. If the message waits, its bytes begin to arrive when the
    /// NIC is free. They begin to arrive `spread` earlier if its packets have waited one by one for links.
    std::int64_t grant_ejection(ServerId server, std::int64_t time, const network::MessageCost& cost,
                                std::int64_t spread = 0) {
        return std::max(time, servers_[server].grant({time - spread}, {cost.eject, cost.eject_early}).ps);
    }
    /// Grants the only link of a route that no other node uses.
    std::int64_t grant_own_link(const LinkUser& user, const SendEndpoint& out, std::int64_t time, CostId cost) {
        const ServerId own = layout_.servers_of(ranks_[user.rank].node) + layout_.on_node.links;
        const ServerId first = own + out.own_link * layout_.links.parallel;
        return grant_link_on_path<kPlain>(layout_, state_, first, user, time, layout_.packets_of_own[cost]);
    }

private:
    /// The names of a resource in records.
    struct Records {
        record::Resource resource;
        record::Activity waiting;
        PathPart part;
    };
    static constexpr Records kBus{record::Resource::bus, record::Activity::bus_wait, PathPart::bus};
    static constexpr Records kProcessing{record::Resource::processing, record::Activity::processing_wait,
                                         PathPart::processing};
    static constexpr Records kNic{record::Resource::nic, record::Activity::nic_wait, PathPart::nic};
    static constexpr Records kNicRate{record::Resource::nic, record::Activity::nic_wait, PathPart::rate};

    /// Grants a server and records the grant. Returns the wait to be counted, which is 0 if the rank is in a
    /// collective.
    std::int64_t grant(ServerId server, Rank rank, Requester& requester, const network::Service& service,
                       const Records& records, Chain* chain) {
        const RankLine& line = ranks_[rank];
        const bool rank_waits = &requester == &line;
        const std::int64_t requested = requester.clock;
        const std::int64_t granted = servers_[server].grant({requested}, service).ps;
        requester.clock = granted;
        if (run_.paths() != nullptr) [[unlikely]]
            run_.paths()->hold(*chain, server, {requested, granted, service, {}, requester.request_cost}, records.part);
        if (run_.timeline() != nullptr) [[unlikely]] {
            const std::uint16_t site = code_[line.at].site;
            if (rank_waits) run_.timeline()->advance(rank, record::Activity::wait, requested, site);
            if (rank_waits) run_.timeline()->advance(rank, records.waiting, granted, site);
            run_.timeline()->hold(rank, records.resource, granted - service.early.ps, service.lasts.ps);
        }
        return rank_waits && line.collective_position > 0 ? 0 : granted - requested;
    }
    ServerId server_of(const RankLine& line, std::uint32_t offset) const {
        return layout_.servers_of(line.node) + offset;
    }

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    const Features<kPlain> run_;
    const IndexedSpan<Rank, RankLine> ranks_;
    const IndexedSpan<ReceiveEndpointId, ReceiveEndpoint> receive_endpoints_;
    const IndexedSpan<InstructionId, const program::Instruction> code_;
    const IndexedSpan<ServerId, network::Server> servers_;
};

}  // namespace warpfront::engine
