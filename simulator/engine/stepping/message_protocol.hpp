// The protocol of every message, from its send to its receiver, acted out on the state of a partition.
//
// Protocol (network/cost.hpp gives the costs):
//   eager       busy_send; bus; NIC; links; arrives `flight` after it has left, its sender busy_after
//   rendezvous  busy_send; request arrives `request` later; met by the posted receive at the later of the two times;
//               acknowledgement `answer` back; then as eager. The receiver notifies the sender when it posts; when the
//               request itself arrives, only the sender needs to know
//   isend       eager: as a send. Rendezvous: busy_send; its rank goes on while request and post meet, and waits for
//               the acknowledgement later. What holds a shared resource requests it no sooner than its rank waits
//   limited     where the machine limits eager messages (eager_window.hpp): one that goes beyond waits for a post as a
//               rendezvous does, but makes no request
//   receive     received by the NIC as it arrives; at the later of posting and being received: bus; busy_recv; goes on
// A sender goes on once the last resource of its node is granted; link waits delay the message alone. Links are
// requested when the message leaves its node: each in turn, later by what was waited before. Where links are circuits
// (machine::Links::circuit) the message takes all of them at once and its sender waits for that; of the senders that
// wait the oldest wave is first.
//
// Methods of a rank's side return whether its program goes on. They leave the rank's clock at the end of what was done.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/engine/stepping/arbitration.hpp"
#include "simulator/engine/stepping/nic_arrivals.hpp"
#include "simulator/engine/stepping/node_resources.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

class MessageProtocol {
public:
    explicit MessageProtocol(PartitionContext& context);

    // A rank's side. `size`: index into Layout::sizes.
    Next send(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t size);
    Next isend(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t size);
    Next wait_send(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint);
    /// A receive is posted.
    void post(RankLine& line, std::uint32_t receive_endpoint);
    Next wait_receive(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint);

    // A node's side.
    /// Grants the rank's request, the earliest of its node.
    Next serve(std::uint32_t rank, std::int64_t limit);
    /// The NIC receives the message that arrives first at the node.
    void receive_at_nic(std::uint32_t node);
    /// The node's NICs receive what has arrived before `time`, for which no rank waits.
    void drain_nics(std::uint32_t node, std::int64_t time);

    // Between nodes.
    /// Events that other nodes have sent.
    void take(const std::vector<RemoteEvent>& events);
    /// A message leaves its node: it arrives `flight`, and the additional latency of a detour, later. Only link waiting
    /// beyond the sender's copy time delays it.
    void transmit(const SendEndpoint& out, std::int64_t leaves, std::int64_t link_wait, std::uint32_t cost,
                  Time detour = {});

    std::uint64_t bytes() const { return arrivals_.bytes(); }

private:
    // message_protocol.cpp: sends, posts, receives
    Next send_begun(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint, std::uint32_t cost);
    bool begin_message(std::uint32_t send_endpoint, std::uint32_t cost);
    bool may_leave(std::uint32_t send_endpoint, const network::MessageCost& cost) const;
    std::int64_t leaves_at(std::uint32_t send_endpoint, std::int64_t requested, const network::MessageCost& cost) const;
    void accept_post(std::uint32_t send_endpoint, std::int64_t posted);
    Next receive(std::uint32_t rank, RankLine& line, std::uint32_t receive_endpoint);
    void account_wait(std::uint32_t rank, std::uint32_t receive_endpoint, std::int64_t waited);
    void pop(std::uint32_t receive_endpoint, ReceiveEndpoint& head);

    // message_protocol_isend.cpp
    bool departs_asynchronously(std::uint32_t cost) const;
    void depart_asynchronously(std::uint32_t send_endpoint);
    Next depart_waited_for(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint);
    bool meet_started(std::uint32_t rank, RankLine& line, std::uint32_t send_endpoint);

    // message_protocol_departure.cpp
    Next request_departure(std::uint32_t rank, RankLine& line, std::uint32_t cost);
    bool request_again(std::uint32_t rank, RankLine& line, RankState what, std::int64_t granted);
    bool depart(std::uint32_t rank, RankLine& line, std::int64_t requested, std::int64_t limit);
    bool depart_on_circuit(RankLine& line, const LinkRequest& request);
    void depart_without_links(std::uint32_t rank, const RankLine& line, std::uint32_t cost);
    [[noreturn]] void throw_arrives_too_late(const SendEndpoint& out, std::uint32_t cost) const;

    // message_protocol_arrival.cpp
    void arrive(std::uint32_t receive_endpoint, std::int64_t time, std::int64_t link_delay, std::uint32_t cost);
    void await_in_flight(std::uint32_t receive_endpoint, std::uint32_t node);

    std::uint32_t send_endpoint_in_use(std::uint32_t rank, const RankLine& line) const;
    Next complete(std::uint32_t rank, RankLine& line, Time busy);

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    NodeResources resources_;
    NicArrivals arrivals_;
    /// A rendezvous that its rank has begun without waiting for it.
    struct Started {
        std::int64_t requested = 0;
        std::uint32_t cost = 0;
        std::optional<std::int64_t> left;
    };
    std::unordered_map<std::uint32_t, Started> started_;  // by send endpoint; looked up, never iterated
};

}  // namespace warpfront::engine
