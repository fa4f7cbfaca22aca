// Messages of several packets on their way through links: trains of packets.
//
// Protocol: the first packet of a message requests the links of its route when the message leaves its node. Each packet
// requests the first link at its time, and each further link when it has been granted the one before. The next packet
// requests its links
//   when it has been copied in, and the packet before it has left the slowest of wire and links: at the later of both.
// So packets of other messages may come in between, and a message waits for at most one packet of each message that
// uses its link. The times of copying in, wire and copying out are those of network/packet_pipeline.hpp; the message
// has arrived when its last packet has been copied out, less the time that its receiver spends on copying. A train that
// waits for no link takes exactly as long as that pipeline.
//
// Each packet is an event of the calendar while other messages request the train's links. Otherwise one event grants
// several packets ahead: up to 2^n if n events of this train have granted packets ahead before. A request for one of
// these links takes back the packets that come after it in the order of requests. Taking back is exact. The packets
// that were granted ahead have waited for no link, since each requests its links once the previous packet has left all
// of them. So the state after any of these packets can be computed again from the state that was stored before the
// first of them. In three cases no packet is granted ahead: to a train that crosses a link twice or takes one of
// parallel links; on a machine without lookahead, where requests of one time follow from each other and depend on the
// order in which they become known; and while a timeline or the critical path is recorded, which need every
// packet.
//
// Messages of a channel may pass each other on the links, and are received in the order in which they left.
//
// A receiver begins to copy out before the last packet requests its links, which is when the arrival becomes known. So
// the arrival may lie in the past. The receiver ends its copies in the future, because the last packet is among them;
// its requests for a time in the past are served now, and granted from that time on.
//
// One thread simulates machines whose messages are cut into packets (parallel/simulation.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/event_order.hpp"
#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::engine {

/// The transmission of a message of several packets. Times in picoseconds of virtual time.
struct PacketTrain {
    const network::PacketTimes* times = nullptr;  // times of its packets on its route
    std::vector<machine::LinkId> route;
    network::Packets slowest;  // longest service times on its links
    LinkRequestId request;
    std::int64_t packet = 0;            // number of the next packet
    network::PacketClocks clocks;       // clocks after the previous packets
    Time flight;                        // flight of the message, if it waits for no link
    Time alone;                         // time from departure until it is copied out, if it waits for no link
    bool may_go_ahead = false;          // more than one packet may be granted with one event
    std::int64_t most_ahead = 1;        // packets to be granted with the next event
    std::int64_t certain = 0;           // packets that are not taken back
    network::PacketClocks clocks_then;  // clocks after the certain packets
    std::vector<Time> free_then;        // times at which each link of the route is free after the certain packets

    /// Returns the time at which the next packet requests its links.
    Time next() const { return std::max(clocks.in, clocks.wire); }
    bool over() const { return packet == times->cut.count; }
    /// Advances the clocks by the next packet, which has been granted the last of its links at `granted`.
    void pass(Time granted) {
        const network::PacketStages stages = times->of(packet);
        clocks.wire = granted + std::max(stages.wire, slowest.of(packet));
        clocks.out = std::max(clocks.out, clocks.wire) + stages.out;
        ++packet;
        if (!over()) clocks.in += times->of(packet).in;
    }
};

/// The messages of a channel that have left and have not been transmitted, in order.
struct ChannelLine {
    LinkRequestId first;
    LinkRequestId last;
};

struct PartitionContext;

/// Grants links to packets, on a machine whose messages are cut into packets.
class PacketGrants {
public:
    explicit PacketGrants(PartitionContext& context) : context_(context) {}

    /// Removes an event of a request from its count. Returns false if the event has been superseded.
    bool takes_place(LinkRequestId id);
    /// Grants the next packets of the message their links, and adds an event if more packets follow.
    void grant(LinkRequestId id);
    /// Enters a message that uses no shared links into the line of its channel.
    void pass_by(LinkRequestId id, Time arrives);
    /// Removes and returns the first message in the line of the channel, if all its links have been granted.
    std::optional<LinkRequest> take_granted(SendEndpointId send_endpoint);

    const PacketTrain& train(TrainId id) const { return trains_[id.index]; }
    std::uint64_t bytes() const {
        return trains_.bytes() + last_on_.capacity() * sizeof(TrainId) + lines_.size() * 2 * sizeof(ChannelLine);
    }

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
    NumberedList<PacketTrain> trains_;
    IndexedVector<LinkServerId, TrainId> last_on_;  // the train that was last granted the link, or kNone
    std::unordered_map<SendEndpointId, ChannelLine, IdHash> lines_;
};

}  // namespace warpfront::engine
