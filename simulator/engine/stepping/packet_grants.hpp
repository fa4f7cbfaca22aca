// Links granted to the packets of messages (packet_trains.hpp has the protocol).
#pragma once

#include <optional>
#include <span>

#include "simulator/engine/stepping/packet_trains.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

/// On a machine whose messages are cut into packets.
class PacketGrants {
public:
    explicit PacketGrants(PartitionContext& context) : context_(context), trains_(context.trains) {}

    /// An event of a request takes place; returns false where it has no effect.
    bool takes_place(LinkRequestId id);
    /// The next packets of the message are granted their links; an event is added for those that are still to come.
    void grant(LinkRequestId id);
    /// The message holds no links.
    void pass_by(LinkRequestId id, Time arrives);
    /// The first message of the channel that has left and has not been taken here, if all its links have been granted.
    std::optional<LinkRequest> take_granted(SendEndpointId send_endpoint);

private:
    LinkRequest& request_of(const PacketTrain& train);
    void request(LinkRequestId id, Time time);
    TrainId begin(LinkRequestId id);
    void join_line(LinkRequestId id);
    /// Takes back what was granted ahead on these links to trains other than `own`, of what comes after the request.
    void interrupt(std::span<const machine::LinkId> links, const LinkRequest& by, TrainId own = kNone);
    void grant_packet(const LinkRequest& request, PacketTrain& train);
    void grant_ahead(PacketTrain& train, TrainId id);
    void take_back(PacketTrain& train, const LinkRequest& by);
    void hold_links(const PacketTrain& train, Time granted);
    void end(LinkRequest& request);
    network::Server& server(machine::LinkId link);
    const network::Packets& packets_on(machine::LinkId link, CostId cost) const;
    TrainId& last_on(machine::LinkId link);

    PartitionContext& context_;
    PacketTrains& trains_;
};

}  // namespace warpfront::engine
