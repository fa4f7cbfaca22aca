// Trains: messages of several packets on their way through links.
//
// Protocol: the first packet of a message requests the first link of its route when the message leaves its node. Each
// packet requests each further link when it has been granted the previous link. If it waits for a link, it requests the
// next one with a separate event (links.hpp). The next packet requests the first link
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
// first of them. In four cases no packet is granted ahead:
//   - A packet has waited for a link before the last one. Other messages may have been granted its first links since.
//   - The train crosses a link twice, or takes one of parallel links.
//   - The machine has no lookahead. Then a request may cause another at the same time, and the order in which they
//     become known matters.
//   - A timeline or the critical path is recorded. They need every packet.
//
// A receiver begins to copy out before the last packet requests its links, and only this request shows when the message
// arrives. So the arrival may be in the past. The receiver ends its copies in the future, because they include the last
// packet. Its requests for a time in the past are served now, and granted from that time on.
//
// A machine that divides messages into packets is simulated by one thread (parallel/simulation.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/event_order.hpp"
#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::engine {

/// The transmission of a message of several packets. Times are picoseconds of virtual time.
struct PacketTrain {
    const network::PacketTimes* times = nullptr;  // times of the packets on the message's route
    std::vector<machine::LinkId> route;
    network::Packets slowest;  // longest service times on the links of the route
    LinkRequestId request;
    std::int64_t packet = 0;            // index of the next packet
    std::uint32_t link = 0;             // links of the route that this packet has been granted
    network::PacketClocks clocks;       // clocks after the previous packets
    Time flight;                        // flight of the message if it waits for no link
    Time alone;                         // time from departure until the message is copied out, if it waits for no link
    bool may_go_ahead = false;          // true if one event may grant several packets
    std::int64_t most_ahead = 1;        // number of packets that the next event may grant
    std::int64_t certain = 0;           // number of packets that cannot be taken back
    network::PacketClocks clocks_then;  // clocks after these packets
    std::vector<Time> free_then;        // for each link of the route, when it is free after these packets

    /// Returns when the next packet requests its links.
    Time next() const { return std::max(clocks.in, clocks.wire); }
    bool over() const { return packet == times->cut.count; }
    /// Advances the clocks by the next packet. It was granted the last of its links at `granted`.
    void pass(Time granted) {
        const network::PacketStages stages = times->of(packet);
        clocks.wire = granted + std::max(stages.wire, slowest.of(packet));
        clocks.out = std::max(clocks.out, clocks.wire) + stages.out;
        link = 0;
        ++packet;
        if (!over()) clocks.in += times->of(packet).in;
    }
};

struct PartitionContext;

/// Grants links to packets, on a machine whose messages are cut into packets.
class PacketGrants {
public:
    explicit PacketGrants(PartitionContext& context) : context_(context) {}

    /// Removes an event of a request from the number of its events. Returns false if the event has been superseded.
    bool takes_place(LinkRequestId id);
    /// Grants the next packets of the message their links, and adds an event if more packets follow.
    void grant(LinkRequestId id);
    /// Adds a message without shared links to the line of its channel.
    void pass_by(LinkRequestId id, Time arrives);

    const PacketTrain& train(TrainId id) const { return trains_[id.index]; }
    std::uint64_t bytes() const { return trains_.bytes() + last_on_.capacity() * sizeof(TrainId); }

private:
    LinkRequest& request_of(const PacketTrain& train);
    void request(LinkRequestId id, Time time);
    /// Begins the train of a message. Returns kNone if the switch behind the cable decides the route, and the first
    /// packet waits for this cable.
    TrainId begin(LinkRequestId id);
    bool comes_to_switch(LinkRequest& request, machine::LinkId cable);
    /// Takes back packets that were granted these links ahead of time and come after the request `by`. Packets of the
    /// train `own` are not taken back.
    void interrupt(std::span<const machine::LinkId> links, const LinkRequest& by, TrainId own = kNone);
    bool grant_packet(LinkRequestId id, PacketTrain& train);
    void grant_ahead(PacketTrain& train, TrainId id);
    void take_back(PacketTrain& train, const LinkRequest& by);
    void hold_links(const PacketTrain& train, Time granted);
    void end(LinkRequest& request);
    network::Server& server(machine::LinkId link);
    const network::Packets& packets_on(machine::LinkId link, CostId cost) const;
    TrainId& last_on(machine::LinkId link);

    PartitionContext& context_;
    NumberedList<PacketTrain> trains_;
    IndexedVector<LinkServerId, TrainId> last_on_;  // the train that was granted the link last, or kNone
};

}  // namespace warpfront::engine
