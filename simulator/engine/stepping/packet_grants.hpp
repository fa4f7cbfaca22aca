// Links granted to the packets of messages (packet_trains.hpp has the protocol).
#pragma once

#include <optional>
#include <span>

#include "simulator/engine/stepping/packet_trains.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

/// Grants links to packets, on a machine whose messages are cut into packets.
class PacketGrants {
public:
    explicit PacketGrants(PartitionContext& context) : context_(context), trains_(context.trains) {}

    /// Removes an event of a request from its count. Returns false if the event has been superseded.
    bool takes_place(LinkRequestId id);
    /// Grants the next packets of the message their links, and adds an event if more packets follow.
    void grant(LinkRequestId id);
    /// Enters a message that uses no shared links into the line of its channel.
    void pass_by(LinkRequestId id, Time arrives);
    /// Removes and returns the first message in the line of the channel, if all its links have been granted.
    std::optional<LinkRequest> take_granted(SendEndpointId send_endpoint);

private:
    LinkRequest& request_of(const PacketTrain& train);
    void request(LinkRequestId id, Time time);
    TrainId begin(LinkRequestId id);
    void join_line(LinkRequestId id);
    /// Takes back packets of trains other than `own` that were granted these links ahead of time, and that come after
    /// the request `by`.
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
