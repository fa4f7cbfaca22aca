#include "simulator/reference/channel_map.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "simulator/machine/wires.hpp"

namespace warpfront::reference {

using program::Op;

SharedOnRoutes shared_on_routes(const machine::Machine& machine) {
    SharedOnRoutes crossed;
    for (const machine::ProfileRow& row : machine.profile(machine.network())) {
        const bool nic = row.holds_nic && machine.nic;
        const bool links = row.holds_links && machine.links;
        if (!nic && !links) continue;
        const bool first = !crossed.nic && !crossed.links;
        crossed.uniform = crossed.uniform && (first || (nic == crossed.nic && links == crossed.links));
        crossed.nic = crossed.nic || nic;
        crossed.links = crossed.links || links;
    }
    return crossed;
}

ChannelMap::ChannelMap(const program::Program& program, const machine::Machine& machine)
    : program_(program),
      machine_(machine),
      crossed_(shared_on_routes(machine)),
      ports_each_(machine.nics()),
      servers_each_(std::max<std::uint32_t>(1, machine.node_servers())),
      doubling_(static_cast<std::uint32_t>(program.class_of.size())),
      steps_(program::has_allreduce(program) ? doubling_.steps() : 0) {
    number();
    connect();
    needs_post_notice_.assign(receive_endpoints(), false);
    senders_.assign(receive_endpoints(), std::nullopt);
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) check_sends({rank});
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

void ChannelMap::number() {
    std::uint32_t send_endpoints = 0;
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
        const program::RankClass& rank_class = program_.of({rank});
        first_receive_endpoint_.push_back(first_step_endpoint_);
        first_send_endpoint_.push_back(send_endpoints);
        first_step_endpoint_ += static_cast<std::uint32_t>(rank_class.receive_endpoints.size());
        send_endpoints += static_cast<std::uint32_t>(rank_class.send_endpoints.size());
        receivers_.resize(first_step_endpoint_, Rank{rank});
    }
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) receivers_.insert(receivers_.end(), steps_, Rank{rank});
    targets_.resize(send_endpoints);
}

void ChannelMap::connect() {
    std::vector<std::map<program::Channel, std::uint32_t>> receive_endpoints(program_.classes.size());
    for (std::size_t c = 0; c < receive_endpoints.size(); ++c) {
        for (const program::Channel& each : program_.classes[c].receive_endpoints) {
            receive_endpoints[c].emplace(each, static_cast<std::uint32_t>(receive_endpoints[c].size()));
        }
    }
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
        std::uint32_t send_endpoint = first_send_endpoint_[rank];
        for (const program::Channel& channel : program_.of({rank}).send_endpoints) {
            const Rank peer = program::peer_of({rank}, channel);
            if (peer.index >= ranks()) throw std::logic_error("a send beyond the ranks reached the reference engine");
            const auto& at_peer = receive_endpoints[program_.class_of[peer.index]];
            const auto match = at_peer.find({-channel.delta, channel.tag});
            if (match == at_peer.end()) throw std::logic_error("a send without a receive reached the reference engine");
            targets_[send_endpoint++] = receive_endpoint(peer, match->second);
        }
    }
}

void ChannelMap::check_sends(Rank rank) {
    for (const program::Instruction& step : program_.of(rank).code) {
        if (program::sends(step.op, program::Operand::send_endpoint)) {
            const std::uint32_t target = target_of(rank, step.operand);
            use(rank, receivers_[target], target, message(rank, receivers_[target], {step.amount}, mode_of(step.op)));
        } else if (step.op == Op::allreduce) {
            for (std::uint32_t k = 0; k < steps_; ++k) {
                const std::optional<Rank> to = doubling_.step(rank, k).send_to;
                if (to) use(rank, *to, step_endpoint(*to, k), message(rank, *to, {step.amount}));
            }
        }
    }
}

void ChannelMap::use(Rank from, Rank to, std::uint32_t receive_endpoint, const Message& message) {
    if (message.cost.rendezvous) needs_post_notice_[receive_endpoint] = true;
    const bool is_new = !senders_[receive_endpoint] && !same_node(port_of(from), port_of(to));
    if (is_new) pairs_.emplace_back(port_of(from), port_of(to));
    senders_[receive_endpoint] = from;
}

Port ChannelMap::port_of(Rank rank) const {
    return {machine_.placement.node_of(rank).index * ports_each_ + machine_.group_of(rank, ports_each_)};
}

std::uint32_t ChannelMap::server_of(Rank rank) const {
    return machine_.placement.node_of(rank).index * servers_each_ + machine_.group_of(rank, servers_each_);
}

Message ChannelMap::message(Rank from, Rank to, Bytes size, Mode mode) const {
    const machine::Locality locality = machine_.locality(from, to);
    machine::ProfileRow row = machine::row_for(machine_.profile(locality), size);
    if (mode == Mode::synchronous) machine::make_synchronous(row);
    const bool between_nodes = locality == machine_.network();
    const Time beyond = between_nodes ? machine_.extra_latency(from, to) : Time{};
    if (between_nodes) row.wire = machine::slowest_wire(machine_, from, to).gap;
    const network::Buses buses = network::buses_of(machine_, from, to);
    const network::MessageCost cost = network::fold(row, size, beyond, machine_, {}, buses);
    const bool crosses_shared = between_nodes && (crossed_.nic || crossed_.links);
    const bool flows = !crosses_shared || cost.holds_nic || cost.holds_links;
    const bool cut_through = flows && !row.packet.size && row.wire > row.G;
    return {cost, flows ? size : Bytes{}, row.G, row.wire, cut_through ? cost.busy_send - row.o_send : Time{}};
}

}  // namespace warpfront::reference
