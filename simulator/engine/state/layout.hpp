// The flat layout of a run: one code array for all classes, numbered channels, a cost for each pair of size and path,
// and numbered servers. It is built once per run from program and machine, and is not changed during the simulation.
//
// Numbering
//   code             classes one after another; program counters, and the operands of loop and end_loop, are indices
//                    into the whole array
//   receive endpoints   those of channels, rank by rank (channel_numbers.hpp); then, if the program has collectives,
//                    `collective_steps` for each rank
//   send endpoints   in the same way
//   paths     the few distinct (layer, latency beyond L, arbitration, link speed, buses) between ranks; a send costs
//             cost_of(size, path)
//   servers   node by node: message processing or buses, NICs' injection and ejection, own links that are alone in
//             their routes; then all other links, in the order in which channels first cross them
//
// A link is `own` to a node if all channels that cross it come from one group of cores of this node, and cross only own
// links of this group (LinkOwners). Messages use an own link in the order in which they leave the group, so the link is
// granted at once. Messages of collectives may cross an own link too; parallel/README.md describes how their order is
// kept.
//
// The order of resources is fixed if messages pass all their resources in the order in which they pass the first one.
// Then a message that is granted its first resource can be granted all others at once. There are two conditions. First,
// all messages that use a NIC or links use the same resources, and occupy each of them except the last for some time.
// Second, each NIC serves cores of one bus only. Messages within a node may use the bus alone. The bus is granted in
// the order of requests, independently of other resources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/engine/state/channel_numbers.hpp"
#include "simulator/engine/state/ids.hpp"
#include "simulator/engine/state/indexed_vector.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/memory_law.hpp"
#include "simulator/network/cost.hpp"
#include "simulator/network/packet_pipeline.hpp"
#include "simulator/network/server.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::engine {

// The values of ChannelPath::own_link that are not the number of an own link:
inline constexpr std::uint32_t kOwnRoute = 6;  // all links of the stored route are own to the sender's group
inline constexpr std::uint32_t kRouted = 7;    // other groups use the links as well

/// Endpoints of a rank, of which the run selects one. They are the receive endpoints of a recv_any or a similar
/// operation, or the send endpoints for replies to them, in the same order. Endpoints are given by their index in the
/// rank's class.
struct ChoiceLayout {
    std::vector<std::uint32_t> places;
    ChoiceId of{};              // for replies: the choice to whose messages they reply
    bool posted_alone = false;  // true for a wait_any: only endpoints with a posted receive count
};

/// An endpoint of a choice.
struct PlaceOfChoice {
    ChoiceId choice;
    std::uint32_t index = 0;
    SendOrderId send_order = kNone;  // order of the messages of its source; kNone if it is not needed
};

/// The path of a rank's messages on one of its send endpoints.
struct ChannelPath {
    ReceiveEndpointId receive_endpoint = kNone;  // endpoint of the receiver; kNone if there is no such send endpoint
    std::uint32_t path = 0;
    std::uint32_t own_link = kRouted;
};

/// The servers of a node, as offsets from its first server. The first ones are message processing or buses.
struct NodeServers {
    std::uint32_t stride = 0;  // number of servers reserved for each node
    std::uint32_t used = 0;    // number of servers that a node uses
    /// number of NICs, if they are shared; each has a server for injection and one for ejection
    std::uint32_t nics = 1;
    std::uint32_t injection = 0;  // injection server of NIC 0
    std::uint32_t ejection = 0;   // ejection server of NIC 0
    std::uint32_t links = 0;      // server of own link 0
};

/// A link of a route for which messages wait, and the index of its speed.
struct RouteLink {
    ServerId server;  // server of the first link of its bundle
    std::uint32_t speed = 0;
};

/// The routes of channels without a numbered own link. They are stored so that a message need not compute its route
/// again. Routes of messages of collectives are not stored. No routes are stored if routing is adaptive, if messages
/// are divided into packets, or if the routes would take too much memory.
struct StoredRoutes {
    LargePageVector<std::uint32_t> first;  // for each send endpoint the first link of its route, and the end
    LargePageVector<RouteLink> links;

    bool contains(SendEndpointId send_endpoint) const {
        const std::uint32_t at = send_endpoint.index;
        return at + 1 < first.size() && first[at] < first[at + 1];
    }
    std::span<const RouteLink> of(SendEndpointId send_endpoint) const {
        const RouteLink* const all = links.data();
        return {all + first[send_endpoint.index], all + first[send_endpoint.index + 1]};
    }
};

/// Memory bandwidth that cores share (stepping/shared_memory.hpp).
struct MemoryLayout {
    /// The cores [first, last).
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };

    bool shared = false;
    IndexedVector<Core, Range> sharing;  // for each core, the cores that share memory with it, including itself
    machine::MemoryLaw law;
};

/// Both ends of all channels. They are the initial state of a run.
struct Channels {
    IndexedVector<SendEndpointId, ChannelPath> paths;
    /// endpoint of the sender; kNone if there is none
    IndexedVector<ReceiveEndpointId, SendEndpointId> send_endpoint_of;
    IndexedVector<ReceiveEndpointId, bool> needs_post_notice;  // true if the sender may have to wait for posts
    bool mixes_protocols = false;  // true if some channel has both eager and rendezvous messages
};

/// Ranks that perform the same allreduces: all ranks, or the ranks of a job.
struct CollectiveGroup {
    program::RankRange ranks;
    collectives::RecursiveDoubling doubling{1};
    std::uint32_t steps = 0;  // number of steps of an allreduce; 0 if the group has none
};

struct Layout {
    /// for sends and allreduces, `amount` is the index of the size
    IndexedVector<InstructionId, program::Instruction> code;
    /// choices, which are operands of recv_any and similar operations
    IndexedVector<ChoiceId, ChoiceLayout> choices;
    /// choices of send endpoints, which are operands of reply and similar operations
    IndexedVector<ReplyId, ChoiceLayout> replies;
    /// true for endpoints of a recv_any or irecv_any; empty if there are none
    IndexedVector<ReceiveEndpointId, bool> from_any_source;
    /// see stepping/call_progress.hpp; empty if there are none
    IndexedVector<ReceiveEndpointId, bool> acknowledged_in_calls;
    /// true for endpoints of any choice; empty if there are none
    IndexedVector<ReceiveEndpointId, bool> in_choice;
    /// choices that contain a receive endpoint, by class and index
    std::vector<std::vector<std::vector<PlaceOfChoice>>> choices_of_place;
    /// Send orders that contain a receive endpoint, by class and index. This member and the next are empty if there are
    /// none.
    std::vector<std::vector<std::vector<SendOrderId>>> send_orders_of_place;
    IndexedVector<ReceiveEndpointId, bool> in_send_order;  // true for endpoints of a send order
    std::vector<InstructionId> entry;                      // first instruction of each class
    /// phase of the program at each instruction; empty if the program has no phases
    IndexedVector<InstructionId, std::uint16_t> phase_at;
    /// number of phases, plus one for no phase; 0 if the program has no phases
    std::uint32_t phases = 0;
    ChannelNumbers<ReceiveEndpointId> receive_endpoint_numbers;
    ChannelNumbers<SendEndpointId> send_endpoint_numbers;

    /// groups of ranks that perform allreduces together, in the order of ranks
    std::vector<CollectiveGroup> groups;
    /// steps of the group with the most steps; 0 if there are no collectives
    std::uint32_t collective_steps = 0;
    ReceiveEndpointId first_collective_receive_endpoint;  // endpoint of rank 0 in step 0
    SendEndpointId first_collective_send_endpoint;

    IndexedVector<SizeId, Bytes> sizes;
    IndexedVector<SizeId, bool> synchronous;  // true for sizes of an ssend, which is always a rendezvous
    std::uint32_t paths = 1;
    IndexedVector<CostId, network::MessageCost> costs;
    IndexedVector<CostId, Time> latency_of_cost;                  // latency of the data
    IndexedVector<CostId, network::FlightParts> parts_of_flight;  // empty unless requested
    IndexedVector<CostId, Time> longer_on_detour;  // additional flight time on a Valiant route because of other wires

    std::uint32_t cores = 1;  // number of cores of a node that have ranks
    std::uint32_t nodes = 0;
    HugePageArray<Rank, Node> node_of;
    IndexedVector<Core, std::uint16_t> server_of_core;
    IndexedVector<Core, std::uint16_t> nic_of_core;
    IndexedVector<Rank, std::uint16_t> nic_of_rank;  // NIC of each rank, if each NIC has its own cable
    bool rails = false;                              // true if the cables of a node lead into separate planes
    LargePageVector<Rank> ranks_on;                  // ranks by node and core (ranks_of)
    IndexedVector<Node, Host> host_of;
    NodeServers on_node;
    MemoryLayout memory;
    std::uint32_t server_count = 0;

    const machine::Routes* routes = nullptr;  // null unless links are shared
    StoredRoutes stored_routes;
    machine::Links links;
    IndexedVector<machine::LinkId, ServerId> link_server;      // server of the first link of its bundle
    IndexedVector<machine::LinkId, std::uint32_t> link_speed;  // index of the link's speed among the distinct speeds
    /// for each rank, the key that selects parallel links, if the choice is deterministic
    IndexedVector<Rank, std::uint16_t> link_keys;
    std::uint32_t speeds = 1;
    std::vector<network::Packets> packets;                   // packets of a message on a link, by size * speeds + speed
    IndexedVector<CostId, network::Packets> packets_of_own;  // packets on the sender's own link, if the path has one
    bool cuts_packets = false;                               // true if some message that uses links has several packets
    /// times of the packets of a message, if cuts_packets
    IndexedVector<CostId, network::PacketTimes> packet_times;
    /// the same on Valiant routes, if routing is adaptive
    IndexedVector<CostId, network::PacketTimes> packet_times_on_detour;

    std::uint32_t ranks = 0;
    bool has_begun = false;    // true if ranks use nonblocking messages
    bool has_choices = false;  // true if ranks take messages in the order of arrival
    /// true if ranks use nonblocking messages, and some messages make progress only in calls
    bool progress_in_calls = false;
    bool numbers_messages = false;  // true if ranks number the messages of channels, for requests of rendezvous
    /// true if the servers of a node are its message processing; false if they are its buses
    bool processes_messages = false;
    bool departs_in_order = false;  // true if messages that wait for no post depart in the order of their processing
    /// true if ranks post receives before they wait for them, or take messages in the order of arrival
    bool posts_ahead = false;
    // of arrival
    bool counts_unexpected = false;  // true if some message costs its receiver more when it arrives before its post
    bool senders_wait = false;       // true if senders of some rendezvous wait longer than for its acknowledgement
    bool shares = false;             // true if some message uses a shared resource, or if memory is shared
    bool ejects = false;             // true if some message uses a NIC
    /// true if some message between nodes, or its post, may resume a rank without an event
    bool continues_unserved = false;
    bool mixed_link_use = false;       // true if some messages between nodes use links and others do not
    bool messages_pass = false;        // messages of a channel may pass each other on links
    bool fixed_resource_order = true;  // true if bus, NIC and own links are granted together
    /// true if own links are granted to whole messages, in the order in which these leave
    bool own_links_ahead = true;
    Time lookahead;             // least time between a cause on one node and its effect on another node
    bool has_lookahead = true;  // if false, an event may cause events on other nodes at the same time
    Time longest_early;         // longest part of a service that may precede its request
    /// least time between entering a collective and the departure of its first message
    Time soonest_collective;

    auto all_ranks() const { return id_range<Rank>(0, ranks); }
    auto all_nodes() const { return id_range<Node>(0, nodes); }
    auto all_cores() const { return id_range<Core>(0, cores); }
    auto all_receive_endpoints() const { return id_range<ReceiveEndpointId>(0, receive_endpoints()); }
    auto all_send_endpoints() const { return id_range<SendEndpointId>(0, send_endpoints()); }
    std::uint32_t receive_endpoints() const {
        return first_collective_receive_endpoint.index + ranks * collective_steps;
    }
    std::uint32_t send_endpoints() const { return first_collective_send_endpoint.index + ranks * collective_steps; }

    /// Returns the receive endpoint of a rank in a step of a collective. send_endpoint below does so for send
    /// endpoints.
    ReceiveEndpointId collective_receive_endpoint(Rank rank, std::uint32_t step) const {
        return {first_collective_receive_endpoint.index + rank.index * collective_steps + step};
    }
    SendEndpointId collective_send_endpoint(Rank rank, std::uint32_t step) const {
        return {first_collective_send_endpoint.index + rank.index * collective_steps + step};
    }
    /// Returns how many steps an allreduce of the rank has.
    std::uint32_t collective_steps_of(Rank rank) const {
        return groups.size() == 1 ? collective_steps : group_of(rank).steps;
    }
    /// Returns the partners of a rank in one step of an allreduce.
    collectives::RecursiveDoubling::Step collective_step(Rank rank, std::uint32_t step) const {
        const CollectiveGroup& group = group_of(rank);
        if (step >= group.steps) return {};
        auto [to, from] = group.doubling.step({rank.index - group.ranks.first}, step);
        for (std::optional<Rank>* each : {&to, &from}) {
            if (*each) (*each)->index += group.ranks.first;
        }
        return {to, from};
    }
    /// Returns true if the endpoint belongs to a step of a collective.
    bool is_of_collective(ReceiveEndpointId endpoint) const { return endpoint >= first_collective_receive_endpoint; }
    bool is_of_collective(SendEndpointId endpoint) const { return endpoint >= first_collective_send_endpoint; }

    Rank rank_of(ReceiveEndpointId endpoint) const {
        if (!is_of_collective(endpoint)) return receive_endpoint_numbers.rank_of(endpoint);
        return {(endpoint.index - first_collective_receive_endpoint.index) / collective_steps};
    }
    Rank rank_of(SendEndpointId endpoint) const {
        if (!is_of_collective(endpoint)) return send_endpoint_numbers.rank_of(endpoint);
        return {(endpoint.index - first_collective_send_endpoint.index) / collective_steps};
    }
    /// Returns the rank on a core of a node; kNone if there is none.
    Rank rank_on(Node node, Core core) const { return ranks_of(node)[core.index]; }
    /// Returns the ranks on all cores of a node, in the order of cores. The entry of an empty core is kNone.
    std::span<const Rank> ranks_of(Node node) const { return {&ranks_on[std::size_t{node.index} * cores], cores}; }

    /// Returns the cost of a message of this size on this path. `size_of` returns the size of a cost.
    CostId cost_of(SizeId size, std::uint32_t path) const { return {size.index * paths + path}; }
    SizeId size_of(CostId cost) const { return {cost.index / paths}; }
    /// Returns the class whose code contains this instruction.
    std::uint32_t class_at(InstructionId instruction) const;
    /// Returns the instruction that follows the loop beginning with this instruction.
    InstructionId behind_loop(InstructionId loop) const { return InstructionId{code[loop].operand} + 1; }
    /// Returns the first statement of the class that sends on a send endpoint. If a size is given, only sends of this
    /// size are considered.
    const program::Instruction& first_send(std::uint32_t rank_class, std::uint32_t place,
                                           std::optional<SizeId> size = {}) const;
    ServerId servers_of(Node node) const { return {node.index * on_node.stride}; }
    /// Returns the first of those links that several nodes use.
    ServerId first_shared_link() const { return {nodes * on_node.stride}; }
    /// Returns how many own links each node has servers for.
    std::uint32_t own_links() const { return on_node.used - on_node.links; }
    /// Returns the number of a server among the links: own links, node by node, then all others.
    LinkServerId link_of(ServerId server) const {
        const std::uint32_t on_nodes = first_shared_link().index;
        if (server.index >= on_nodes) return {nodes * own_links() + (server.index - on_nodes)};
        return {server.index / on_node.stride * own_links() + server.index % on_node.stride - on_node.links};
    }
    /// Returns the host and NIC at which the routes of the rank's messages begin and end.
    machine::HostNic host_nic_of(Rank rank) const {
        return {host_of[node_of[rank]], nic_of_rank.empty() ? 0U : nic_of_rank[rank]};
    }
    std::uint32_t link_key(Rank rank) const { return link_keys.empty() ? 0 : link_keys[rank]; }
    std::uint64_t bytes() const;  // returns the memory that the layout uses

private:
    const CollectiveGroup& group_of(Rank rank) const {
        std::size_t group = 0;
        while (rank.index - groups[group].ranks.first >= groups[group].ranks.count) ++group;
        return groups[group];
    }
};

/// Returns the size of a send or an allreduce in the code of a layout.
inline SizeId size_in(const program::Instruction& step) { return {static_cast<std::uint32_t>(step.amount)}; }

struct LayoutAndChannels {
    Layout layout;
    Channels channels;
};

/// Makes the layout of a run from a program and a machine: computes all costs and assigns all numbers. Throws
/// std::overflow_error for a cost beyond virtual time, and std::length_error for too many channels, costs or packets.
/// `machine` must outlive the layout. `divides_flights` requests Layout::parts_of_flight.
LayoutAndChannels lay_out(const program::Program& program, const machine::Machine& machine,
                          bool divides_flights = false);

}  // namespace warpfront::engine
