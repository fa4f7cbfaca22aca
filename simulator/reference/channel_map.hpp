// The data that follow from program and machine before SimGrid starts: ports, the pairs of ports that exchange
// messages, the numbers of the receive endpoints, and the receive endpoints that need a clear-to-send.
//
// A port is the group of cores of a node that share a NIC, or the whole node if NICs are neither shared nor cabled one
// by one. Ports and buses are numbered node by node. Receive endpoints are numbered rank by rank in the order of their
// class; those of an allreduce's steps follow, rank by rank.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/network/cost.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::reference {

struct Port {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(const Port&, const Port&) = default;
};

/// The mode of a send. Synchronous messages (MPI_Ssend) are rendezvous for any size.
enum class Mode : std::uint8_t { standard, synchronous };
inline Mode mode_of(program::Op op) { return op == program::Op::ssend ? Mode::synchronous : Mode::standard; }

/// One message: its cost and the flow that carries it.
struct Message {
    network::MessageCost cost;
    Bytes flow;   // 0 B if it uses no shared resource on its route
    Gap own;      // gap of the profile; the flow is never faster
    Gap wire;     // gap of the slowest wire, shared or not; the flow is never faster
    Time copied;  // time of the copying in, during which the wire carries bytes; 0 if it carries none
};

/// The shared resources on routes between nodes.
struct SharedOnRoutes {
    bool nic = false;
    bool links = false;
    bool uniform = true;  // true if every row of the profile that uses NIC or links uses the same ones of them
};
SharedOnRoutes shared_on_routes(const machine::Machine& machine);

class ChannelMap {
public:
    /// Creates the map. The program and the machine must outlive it. Throws std::overflow_error if a cost is too long,
    /// and std::logic_error if a send has no receive.
    ChannelMap(const program::Program& program, const machine::Machine& machine);

    std::uint32_t ports() const { return machine_.placement.nodes() * ports_each_; }
    Port port_of(Rank rank) const;
    std::uint32_t node_servers() const { return machine_.placement.nodes() * servers_each_; }
    std::uint32_t server_of(Rank rank) const;
    /// Returns the pairs of ports on different nodes that exchange messages, each once.
    const std::vector<std::pair<Port, Port>>& pairs() const { return pairs_; }
    machine::HostNic nic_of(Port port) const {
        return {machine_.placement.host_of[port.index / ports_each_], port.index % ports_each_};
    }
    /// Returns the port by which messages from one port enter the node of another: the other port itself, or, with
    /// rails, the port with the sender's number.
    Port entered(Port from, Port to) const {
        if (!machine_.routes.cabling.rails) return to;
        return {to.index / ports_each_ * ports_each_ + from.index % ports_each_};
    }
    bool same_node(Port a, Port b) const { return a.index / ports_each_ == b.index / ports_each_; }

    std::uint32_t receive_endpoints() const { return first_step_endpoint_ + ranks() * steps_; }
    std::uint32_t receive_endpoint(Rank rank, std::uint32_t operand) const {
        return first_receive_endpoint_[rank.index] + operand;
    }
    std::uint32_t step_endpoint(Rank rank, std::uint32_t step) const {
        return first_step_endpoint_ + rank.index * steps_ + step;
    }
    /// Returns the receive endpoint of a send endpoint.
    std::uint32_t target_of(Rank rank, std::uint32_t send_endpoint) const {
        return targets_[first_send_endpoint_[rank.index] + send_endpoint];
    }
    Rank receiver(std::uint32_t receive_endpoint) const { return receivers_[receive_endpoint]; }
    /// Returns the sender; nothing if no message is sent to the receive endpoint.
    std::optional<Rank> sender(std::uint32_t receive_endpoint) const { return senders_[receive_endpoint]; }
    /// Returns true if a message to the receive endpoint may use rendezvous, so that its sender waits for posts.
    bool needs_post_notice(std::uint32_t receive_endpoint) const { return needs_post_notice_[receive_endpoint]; }

    const collectives::RecursiveDoubling& doubling() const { return doubling_; }
    std::uint32_t ranks() const { return static_cast<std::uint32_t>(program_.class_of.size()); }
    Message message(Rank from, Rank to, Bytes size, Mode mode = Mode::standard) const;

private:
    void number();
    void connect();
    void check_sends(Rank rank);
    void use(Rank from, Rank to, std::uint32_t receive_endpoint, const Message& message);

    const program::Program& program_;
    const machine::Machine& machine_;
    SharedOnRoutes crossed_;
    std::uint32_t ports_each_;  // per node
    std::uint32_t servers_each_;
    collectives::RecursiveDoubling doubling_;
    std::uint32_t steps_ = 0;                            // steps of an allreduce; 0 if the program has none
    std::vector<std::uint32_t> first_receive_endpoint_;  // by rank
    std::vector<std::uint32_t> first_send_endpoint_;
    std::uint32_t first_step_endpoint_ = 0;
    std::vector<std::uint32_t> targets_;  // receive endpoints, by send endpoint
    std::vector<Rank> receivers_;         // by receive endpoint
    std::vector<bool> needs_post_notice_;
    std::vector<std::optional<Rank>> senders_;
    std::vector<std::pair<Port, Port>> pairs_;
};

}  // namespace warpfront::reference
