// Program and machine joined, before SimGrid comes in: ports, the pairs of them that messages use, receive endpoints
// numbered, which receive endpoints announce their posts.
//
// A port is a group of cores on a node: what shares a bus and a NIC. Ports are numbered node by node. Inlets are
// numbered rank by rank in the order of their class; those of an allreduce's steps follow, rank by rank.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/network/allreduce.hpp"
#include "simulator/network/cost.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::reference {

struct Port {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(const Port&, const Port&) = default;
};

/// What one message is: its cost, and the flow that carries it.
struct Message {
    network::MessageCost cost;
    Bytes flow;  // none of its bytes where it holds nothing of what others share on its route
    Gap own;     // of the profile: the flow is no faster, alone or not
};

/// What a route between two nodes crosses besides a wire of its own.
struct Crossed {
    bool nic = false;
    bool links = false;
    bool alike = true;  // for all rows of the profile that hold one of the two
};
Crossed crossed_by(const machine::Machine& machine);

class ChannelMap {
public:
    /// `program` and `machine` must outlive it. Throws std::overflow_error where a cost is too long, and
    /// std::logic_error where a send has no receive.
    ChannelMap(const program::Program& program, const machine::Machine& machine);

    std::uint32_t ports() const { return machine_.placement.nodes() * machine_.groups; }
    Port port_of(Rank rank) const;
    /// Pairs of ports on different nodes, each once, between which messages go.
    const std::vector<std::pair<Port, Port>>& pairs() const { return pairs_; }
    Node host_of(Port port) const { return {machine_.placement.host_of[port.index / machine_.groups]}; }
    bool same_node(Port a, Port b) const { return a.index / machine_.groups == b.index / machine_.groups; }

    std::uint32_t receive_endpoints() const { return first_step_inlet_ + ranks() * steps_; }
    std::uint32_t receive_endpoint(Rank rank, std::uint32_t place) const { return first_inlet_[rank.index] + place; }
    std::uint32_t step_inlet(Rank rank, std::uint32_t step) const {
        return first_step_inlet_ + rank.index * steps_ + step;
    }
    /// The other end of an send endpoint.
    std::uint32_t inlet_of(Rank rank, std::uint32_t send_endpoint) const {
        return targets_[first_outlet_[rank.index] + send_endpoint];
    }
    Rank receiver(std::uint32_t receive_endpoint) const { return receivers_[receive_endpoint]; }
    /// Nobody where nothing is sent to the receive endpoint.
    std::optional<Rank> sender(std::uint32_t receive_endpoint) const { return senders_[receive_endpoint]; }
    /// Whether a message on it may make the rendezvous, so that its sender has to know of posts.
    bool announces(std::uint32_t receive_endpoint) const { return announces_[receive_endpoint]; }

    const network::RecursiveDoubling& doubling() const { return doubling_; }
    std::uint32_t ranks() const { return static_cast<std::uint32_t>(program_.class_of.size()); }
    Message message(Rank from, Rank to, Bytes size) const;

private:
    void number();
    void connect();
    void check_sends(Rank rank);
    void use(Rank from, Rank to, std::uint32_t receive_endpoint, Bytes size);

    const program::Program& program_;
    const machine::Machine& machine_;
    Crossed crossed_;
    network::RecursiveDoubling doubling_;
    std::uint32_t steps_ = 0;                 // of an allreduce; 0 without one
    std::vector<std::uint32_t> first_inlet_;  // by rank
    std::vector<std::uint32_t> first_outlet_;
    std::uint32_t first_step_inlet_ = 0;
    std::vector<std::uint32_t> targets_;  // receive endpoints, by send endpoint
    std::vector<Rank> receivers_;         // by receive endpoint
    std::vector<bool> announces_;
    std::vector<std::optional<Rank>> senders_;
    std::vector<std::pair<Port, Port>> pairs_;
};

}  // namespace warpfront::reference
