#include "simulator/engine/state/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "simulator/engine/state/layout_machine.hpp"
#include "simulator/machine/wires.hpp"
#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::engine {

namespace {

using program::Op;

constexpr std::uint64_t kMostCosts = std::uint64_t{1} << 24;  // state.hpp: bits of ReceiveEndpoint::cost
constexpr std::uint64_t kMostPaths = std::uint64_t{1} << 16;  // state.hpp: bits of SendEndpoint::path
constexpr std::int64_t kMostPackets = 1 << 20;                // packets of one message
/// shorter windows would cost more than simulating their few events
constexpr Time kLeastWindow{1024};

// --- what follows from the program: code, phases, numbers of channels, choices ---------------------------------------

/// Adds the choices and replies of a class. The code of the class must have been added.
void lay_out_choices(const program::RankClass& rank_class, Layout& layout) {
    const auto first = static_cast<std::uint32_t>(layout.choices.size());
    for (const program::Choice& each : rank_class.choices) layout.choices.push_back({each.receive_endpoints});
    for (const program::Reply& each : rank_class.replies) {
        layout.replies.push_back({each.send_endpoints, {first + each.choice}});
    }
}

/// Returns, for each receive endpoint of the class, the choices that contain it.
std::vector<std::vector<PlaceOfChoice>> choices_of_places(const program::RankClass& rank_class, std::uint32_t first) {
    std::vector<std::vector<PlaceOfChoice>> all(rank_class.choices.empty() ? 0 : rank_class.receive_endpoints.size());
    for (std::uint32_t choice = 0; choice < rank_class.choices.size(); ++choice) {
        const std::vector<std::uint32_t>& places = rank_class.choices[choice].receive_endpoints;
        for (std::uint32_t index = 0; index < places.size(); ++index) {
            all[places[index]].push_back({{first + choice}, index});
        }
    }
    return all;
}

/// Lays out the code of the classes one after another, with their choices. Sizes become indices.
void lay_out_code(const program::Program& program, Layout& layout) {
    std::map<std::pair<std::int64_t, bool>, std::int64_t> numbers;
    const auto size_index = [&](std::int64_t bytes, bool synchronous) {
        const auto [known, is_new] = numbers.try_emplace({bytes, synchronous}, std::ssize(layout.sizes));
        if (is_new) layout.sizes.push_back({bytes});
        if (is_new) layout.synchronous.push_back(synchronous);
        return known->second;
    };
    for (const program::RankClass& rank_class : program.classes) {
        const auto base = static_cast<std::uint32_t>(layout.code.size());
        layout.entry.push_back({base});
        const auto first_choice = static_cast<std::uint32_t>(layout.choices.size());
        const auto first_reply = static_cast<std::uint32_t>(layout.replies.size());
        for (program::Instruction step : rank_class.code) {
            const bool sized = program::sends(step.op, program::Operand::send_endpoint) || step.op == Op::allreduce ||
                               program::sends(step.op, program::Operand::reply);
            if (step.op == Op::loop || step.op == Op::end_loop) step.operand += base;
            if (program::chooses(step.op)) step.operand += first_choice;
            if (program::sends(step.op, program::Operand::reply) || step.op == Op::wait_reply)
                step.operand += first_reply;
            if (sized) step.amount = size_index(step.amount, step.op == Op::ssend);
            layout.code.push_back(step);
        }
        lay_out_choices(rank_class, layout);
    }
}

/// Determines the phase of the program at every instruction: the phase of the last mark before it. This suffices since
/// a loop ends in the phase in which it begins.
void lay_out_phases(const program::Program& program, Layout& layout) {
    if (program.phases.empty()) return;
    layout.phases = static_cast<std::uint32_t>(program.phases.size() + 1);
    std::uint32_t phase = 0;
    for (const program::Instruction& step : layout.code) {
        layout.phase_at.push_back(static_cast<std::uint16_t>(phase));
        if (step.op == Op::phase) phase = step.operand;
    }
}

/// Numbers the channels. Throws std::length_error if there are too many channels.
void number_channels(const program::Program& program, Layout& layout) {
    layout.receive_endpoint_numbers = receive_endpoint_numbers(program);
    layout.send_endpoint_numbers = send_endpoint_numbers(program);
    for (const program::RankRange& ranks : program::collective_groups(program)) {
        const collectives::RecursiveDoubling doubling(ranks.count);
        layout.groups.push_back({ranks, doubling, ranks.has_allreduce ? doubling.steps() : 0});
        layout.collective_steps = std::max(layout.collective_steps, layout.groups.back().steps);
    }
    layout.first_collective_receive_endpoint = {layout.receive_endpoint_numbers.size()};
    layout.first_collective_send_endpoint = {layout.send_endpoint_numbers.size()};
    const std::uint64_t most = std::max(layout.receive_endpoint_numbers.size(), layout.send_endpoint_numbers.size());
    if (most + std::uint64_t{layout.collective_steps} * layout.ranks >= kMostEndpoints) {
        throw std::length_error("the ranks have more channels than the engine can number (2^29)");
    }
}

/// By choice and distance of a source, the receive endpoints of the choice for messages of this source.
using PlacesBySource = std::map<std::pair<ChoiceId, std::int32_t>, std::vector<std::uint32_t>>;

/// Returns the lists of endpoints that need a send order: those with several endpoints, and those with one endpoint for
/// which receives are also posted by name. A wait_any needs none, since each of its receives takes messages of one
/// channel only.
PlacesBySource places_by_source(const program::RankClass& rank_class, std::uint32_t number, const Layout& layout) {
    PlacesBySource places;
    std::vector<bool> posted(rank_class.receive_endpoints.size());
    for (const program::Instruction& step : rank_class.code) {
        if (step.op == Op::irecv) posted[step.operand] = true;
    }
    const auto& choices = layout.choices_of_place[number];
    for (std::uint32_t place = 0; place < choices.size(); ++place) {
        const std::int32_t source = rank_class.receive_endpoints[place].delta;
        for (const PlaceOfChoice& each : choices[place]) {
            if (!layout.choices[each.choice].posted_alone) places[{each.choice, source}].push_back(place);
        }
    }
    std::erase_if(places, [&](const auto& each) { return each.second.size() == 1 && !posted[each.second.front()]; });
    return places;
}

/// Numbers the send orders of a class, from `next` on. Choices with the same endpoints for a source share a send order.
void number_send_orders(const program::RankClass& rank_class, std::uint32_t number, std::uint32_t& next,
                        Layout& layout) {
    const PlacesBySource by_source = places_by_source(rank_class, number, layout);
    std::map<std::vector<std::uint32_t>, SendOrderId> numbers;
    auto& choices = layout.choices_of_place[number];
    auto& of_place = layout.send_orders_of_place.emplace_back(choices.size());
    for (const auto& [source, places] : by_source) {
        const auto [order, fresh] = numbers.try_emplace(places, SendOrderId{next});
        if (fresh) ++next;
        for (const std::uint32_t place : places) {
            if (fresh) of_place[place].push_back(order->second);
            for (PlaceOfChoice& each : choices[place]) {
                if (each.choice == source.first) each.send_order = order->second;
            }
        }
    }
}

/// Finds the receive endpoints whose messages choices must take in the order of sending (stepping/matching.hpp).
void find_send_orders(const program::Program& program, Layout& layout) {
    std::uint32_t count = 0;
    for (std::uint32_t number = 0; number < program.classes.size(); ++number) {
        number_send_orders(program.classes[number], number, count, layout);
    }
    if (count == 0) return layout.send_orders_of_place.clear();
    layout.in_send_order.assign(layout.receive_endpoint_numbers.size(), false);
    for (const Rank rank : layout.all_ranks()) {
        const auto& of_place = layout.send_orders_of_place[program.class_of[rank.index]];
        for (std::uint32_t place = 0; place < of_place.size(); ++place) {
            const ReceiveEndpointId receive_endpoint = layout.receive_endpoint_numbers.at(rank, place);
            layout.in_send_order[receive_endpoint] = !of_place[place].empty();
        }
    }
}

/// Finds the receive endpoints whose messages ranks take in the order of arrival (stepping/matching.hpp).
void find_choices(const program::Program& program, Layout& layout) {
    layout.has_choices = program::has_choices(program);
    if (!layout.has_choices) return;
    layout.shares = true;  // messages are taken in an order, as resources are granted in one
    std::uint32_t first = 0;
    for (const program::RankClass& rank_class : program.classes) {
        layout.choices_of_place.push_back(choices_of_places(rank_class, first));
        first += static_cast<std::uint32_t>(rank_class.choices.size());
    }
    for (const program::Instruction& step : layout.code) {
        if (step.op == Op::wait_any) layout.choices[ChoiceId{step.operand}].posted_alone = true;
    }
    layout.from_any_source.assign(layout.receive_endpoint_numbers.size(), false);
    layout.in_choice.assign(layout.receive_endpoint_numbers.size(), false);
    for (const Rank rank : layout.all_ranks()) {
        const auto& of_class = layout.choices_of_place[program.class_of[rank.index]];
        for (std::uint32_t place = 0; place < of_class.size(); ++place) {
            const ReceiveEndpointId receive_endpoint = layout.receive_endpoint_numbers.at(rank, place);
            for (const PlaceOfChoice& each : of_class[place]) {
                layout.in_choice[receive_endpoint] = true;
                if (!layout.choices[each.choice].posted_alone) layout.from_any_source[receive_endpoint] = true;
            }
        }
    }
    find_send_orders(program, layout);
}

// --- what follows from program and machine: paths, channels, costs, packets ------------------------------------------

/// The distinct paths between ranks. They are numbered in the order in which they occur, rank by rank, so the numbers
/// are the same in every run.
class PathTable {
public:
    PathTable(const machine::Machine& machine, const LinkOwners& links) : machine_(machine), links_(links) {}

    ChannelPath between(Rank a, Rank b) {
        const machine::Locality locality = machine_.locality(a, b);
        ChannelPath way;
        Path path{.locality = locality, .buses = network::buses_of(machine_, a, b)};
        if (locality == machine_.network()) {
            path.beyond = machine_.extra_latency(a, b);
            path.wire = machine::slowest_wire(machine_, a, b).gap;
            path.detour_wire = detour_wire(a, b, path.wire);
            links_.find_route(a, b, route_);
            path.arbitration = links_.arbitration(route_);
            way.own_link = links_.own_link(route_);
            if (way.own_link != kRouted) path.speed = links_.speed_of(route_.front());
        }
        const auto [at, fresh] = numbers_.try_emplace(path, paths_.size());
        if (fresh) paths_.push_back(path);
        if (paths_.size() > kMostPaths) {
            throw std::length_error("the routes between ranks differ more than the engine can number (2^16)");
        }
        way.path = static_cast<std::uint32_t>(at->second);
        return way;
    }

    struct Path {
        machine::Locality locality;
        Time beyond{};
        Time arbitration{};
        std::uint32_t speed = 0;
        Gap wire{};         // time per byte of the slowest wire on the route
        Gap detour_wire{};  // the same for the Valiant route that a message may take; equal to `wire` if there is none
        network::Buses buses = network::Buses::two;
        friend constexpr auto operator<=>(const Path&, const Path&) = default;
    };
    const std::vector<Path>& paths() const { return paths_; }

private:
    Gap detour_wire(Rank a, Rank b, Gap minimal) const {
        if (machine_.routes.routing != machine::Routing::adaptive) return minimal;
        std::vector<machine::LinkId> links;
        if (!machine_.routes.append_detour(machine_.nic_of(a), machine_.nic_of(b), links)) return minimal;
        const machine::NicWires nics = machine::nic_wires(machine_);
        Gap slowest = std::max(nics.injection, nics.ejection);
        for (const machine::LinkId link : links) slowest = std::max(slowest, machine_.routes.gap(link));
        return slowest;
    }

    const machine::Machine& machine_;
    const LinkOwners& links_;
    std::map<Path, std::size_t> numbers_;
    std::vector<Path> paths_;
    LinkOwners::Route route_;
};

/// Returns, for each class, the index of each channel among its receive endpoints.
std::vector<std::map<program::Channel, std::uint32_t>> receive_endpoints_by_class(const program::Program& program) {
    std::vector<std::map<program::Channel, std::uint32_t>> all;
    for (const program::RankClass& rank_class : program.classes) {
        auto& places = all.emplace_back();
        for (const program::Channel& receive_endpoint : rank_class.receive_endpoints) {
            places.emplace(receive_endpoint, static_cast<std::uint32_t>(places.size()));
        }
    }
    return all;
}

void connect(const program::Program& program, const Layout& layout, PathTable& paths, Channels& channels) {
    channels.paths.resize(layout.send_endpoints());
    channels.send_endpoint_of.assign(layout.receive_endpoints(), kNone);
    const auto receive_endpoints = receive_endpoints_by_class(program);
    for (const Rank rank : layout.all_ranks()) {
        const auto& send_endpoints = program.of(rank).send_endpoints;
        for (std::uint32_t place = 0; place < send_endpoints.size(); ++place) {
            const Rank peer = program::peer_of(rank, send_endpoints[place]);
            const auto& at_peer = receive_endpoints[program.class_of[peer.index]];
            const auto match = at_peer.find({-send_endpoints[place].delta, send_endpoints[place].tag});
            if (match == at_peer.end()) throw std::logic_error("a send without a receive reached the engine");
            const SendEndpointId send_endpoint = layout.send_endpoint_numbers.at(rank, place);
            ChannelPath& way = channels.paths[send_endpoint] = paths.between(rank, peer);
            way.receive_endpoint = layout.receive_endpoint_numbers.at(peer, match->second);
            channels.send_endpoint_of[way.receive_endpoint] = send_endpoint;
        }
    }
    for (const Rank rank : layout.all_ranks()) {
        for (std::uint32_t step = 0; step < layout.collective_steps; ++step) {
            const auto to = layout.collective_step(rank, step).send_to;
            if (!to) continue;
            const SendEndpointId send_endpoint = layout.collective_send_endpoint(rank, step);
            ChannelPath& way = channels.paths[send_endpoint] = paths.between(rank, *to);
            way.receive_endpoint = layout.collective_receive_endpoint(*to, step);
            channels.send_endpoint_of[way.receive_endpoint] = send_endpoint;
        }
    }
}

/// Returns, for each class, which of its receive endpoints have nonblocking receives.
std::vector<std::vector<bool>> posted_places(const program::Program& program, const Layout& layout) {
    std::vector<std::vector<bool>> posted;
    for (std::size_t c = 0; c < program.classes.size(); ++c) {
        std::vector<bool>& places = posted.emplace_back(program.classes[c].receive_endpoints.size());
        for (InstructionId at = layout.entry[c]; layout.code[at].op != Op::finish; ++at) {
            const program::Instruction& step = layout.code[at];
            if (step.op == Op::irecv) places[step.operand] = true;
            if (step.op != Op::irecv_any) continue;
            for (const std::uint32_t place : layout.choices[ChoiceId{step.operand}].places) places[place] = true;
        }
    }
    return posted;
}

/// Finds the channels whose senders need a clear-to-send: those with a rendezvous, or with an eager limit. If a
/// rendezvous makes progress in calls and its receive may be nonblocking, the receiver notifies the sender only when it
/// acknowledges.
void find_post_notices(const program::Program& program, Layout& layout, Channels& channels) {
    /// sizes on each send endpoint of each class
    std::vector<std::vector<std::vector<SizeId>>> sizes_on(program.classes.size());
    std::vector<SizeId> collective_sizes;
    for (std::size_t c = 0; c < program.classes.size(); ++c) {
        sizes_on[c].resize(program.classes[c].send_endpoints.size());
        for (InstructionId at = layout.entry[c]; layout.code[at].op != Op::finish; ++at) {
            const program::Instruction& step = layout.code[at];
            const SizeId size = size_in(step);
            if (program::sends(step.op, program::Operand::send_endpoint)) sizes_on[c][step.operand].push_back(size);
            if (program::sends(step.op, program::Operand::reply)) {
                for (const std::uint32_t place : layout.replies[ReplyId{step.operand}].places) {
                    sizes_on[c][place].push_back(size);
                }
            }
            if (step.op == Op::allreduce) collective_sizes.push_back(size);
        }
        for (auto& sizes : sizes_on[c]) {
            std::sort(sizes.begin(), sizes.end());
            sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
        }
    }
    channels.needs_post_notice.assign(layout.receive_endpoints(), false);
    const auto posted = posted_places(program, layout);
    if (layout.progress_in_calls) layout.acknowledged_in_calls.assign(layout.receive_endpoints(), false);
    for (const ReceiveEndpointId receive_endpoint : layout.all_receive_endpoints()) {
        const SendEndpointId send_endpoint = channels.send_endpoint_of[receive_endpoint];
        if (send_endpoint == kNone) continue;
        const Rank sender = layout.rank_of(send_endpoint);
        const auto& sizes =
            layout.is_of_collective(send_endpoint)
                ? collective_sizes
                : sizes_on[program.class_of[sender.index]][layout.send_endpoint_numbers.place_of(send_endpoint)];
        const std::uint32_t path = channels.paths[send_endpoint].path;
        const auto makes_rendezvous = [&](SizeId size) { return layout.costs[layout.cost_of(size, path)].rendezvous; };
        const auto rendezvous = std::count_if(sizes.begin(), sizes.end(), makes_rendezvous);
        channels.needs_post_notice[receive_endpoint] = rendezvous > 0;
        const auto in_calls = [&](SizeId size) { return layout.costs[layout.cost_of(size, path)].in_calls; };
        if (layout.progress_in_calls && !layout.is_of_collective(receive_endpoint)) {
            const Rank receiver = layout.rank_of(receive_endpoint);
            const std::uint32_t place = layout.receive_endpoint_numbers.place_of(receive_endpoint);
            layout.acknowledged_in_calls[receive_endpoint] =
                posted[program.class_of[receiver.index]][place] && std::any_of(sizes.begin(), sizes.end(), in_calls);
        }
        channels.mixes_protocols |= channels.needs_post_notice[receive_endpoint] && rendezvous < std::ssize(sizes);
    }
}

/// Returns true if ranks send or receive without waiting at once.
bool begins_messages(const Layout& layout) {
    return std::any_of(layout.code.begin(), layout.code.end(), [](const program::Instruction& step) {
        const program::Effect effect = program::operation(step.op).effect;
        return effect == program::Effect::begin_send || effect == program::Effect::post;
    });
}

/// Returns how much longer a message takes on its Valiant route because of slower wires. The result is negative for
/// faster wires.
Time longer_on_detour(machine::ProfileRow row, Bytes size, const PathTable::Path& path,
                      const machine::Machine& machine) {
    if (path.detour_wire == path.wire) return {};
    const Time minimal = network::fold(row, size, {}, machine, path.arbitration).flight;
    row.wire = path.detour_wire;
    return network::fold(row, size, {}, machine, path.arbitration).flight - minimal;
}

/// Returns true if messages that wait for no post leave their node in the order in which their processing is granted.
/// There are two conditions. All messages between nodes are processed. A message whose processing is granted later, by
/// the least service time, leaves later, even with the shortest o_send and no handshake.
bool departs_as_processed(const Layout& layout, const machine::Machine& machine, const PathTable& paths) {
    Time least_service = kHorizon;
    Time soonest = kHorizon;
    Time latest;
    for (const CostId number : layout.costs.ids()) {
        if (paths.paths()[number.index % layout.paths].locality != machine.network()) continue;
        const network::MessageCost& cost = layout.costs[number];
        if (!cost.processed) return false;
        const Time leaves = cost.busy_send + cost.handshake();
        least_service = std::min(least_service, cost.service);
        soonest = std::min(soonest, leaves);
        latest = std::max(latest, leaves);
    }
    return least_service > latest - soonest;
}

void fold_costs(const machine::Machine& machine, const PathTable& paths, bool divides_flights, Layout& layout) {
    layout.paths = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(paths.paths().size()));
    layout.lookahead = kHorizon;
    layout.soonest_collective = kHorizon;
    if (std::uint64_t{layout.sizes.size()} * layout.paths > kMostCosts) {
        throw std::length_error("sizes and routes make more different costs than the engine can number (2^24)");
    }
    bool some_hold_links = false;
    bool some_do_not = false;
    const bool begins = begins_messages(layout);
    for (const SizeId number : layout.sizes.ids()) {
        const Bytes size = layout.sizes[number];
        for (const PathTable::Path& path : paths.paths()) {
            machine::ProfileRow row = machine::row_for(machine.profile(path.locality), size);
            if (layout.synchronous[number]) machine::make_synchronous(row);
            row.wire = path.wire;
            const network::MessageCost cost =
                network::fold(row, size, path.beyond, machine, path.arbitration, path.buses);
            layout.costs.push_back(cost);
            const Time on_detour = longer_on_detour(row, size, path, machine);
            if (machine.routes.routing == machine::Routing::adaptive) layout.longer_on_detour.push_back(on_detour);
            layout.latency_of_cost.push_back(network::data_latency(row, path.beyond));
            if (divides_flights) {
                layout.parts_of_flight.push_back(network::parts_of_flight(row, size, path.beyond, path.arbitration));
            }
            layout.progress_in_calls = layout.progress_in_calls || (begins && cost.in_calls);
            layout.senders_wait = layout.senders_wait || cost.sender_goes_on != machine::SenderGoesOn::acknowledged;
            layout.shares = layout.shares || cost.holds_server || cost.holds() ||
                            layout.progress_in_calls;  // ranks then act in an order
            layout.ejects = layout.ejects || cost.holds_nic;
            layout.longest_early = std::max({layout.longest_early, cost.eject_early, cost.service_early});
            layout.counts_unexpected = layout.counts_unexpected || cost.counts_unexpected;
            layout.soonest_collective = std::min(layout.soonest_collective, cost.busy_send);
            if (path.locality == machine.network()) {
                const Time flight = cost.flight - cost.eject_ahead + std::min(Time{}, on_detour);
                Time soonest = cost.rendezvous ? std::min(cost.answer, flight) : flight;
                const bool requests = layout.has_choices || (begins && cost.in_calls);
                if (cost.rendezvous && requests) soonest = std::min(soonest, cost.request);
                layout.lookahead = std::min(layout.lookahead, soonest);
                (cost.holds_links ? some_hold_links : some_do_not) = true;
                const bool received_in_event = cost.holds_server || cost.holds_nic;
                layout.continues_unserved = layout.continues_unserved || !received_in_event || !cost.holds();
            }
        }
    }
    const auto holds = [](const network::MessageCost& cost) {
        return std::tuple(cost.holds_server, cost.holds_nic, cost.holds_links);
    };
    /// Requires a service time. Without one, two messages could leave a resource at the same time, and their age would
    /// determine their order.
    const auto follow = [](const network::MessageCost& cost) {
        const bool server_first = cost.holds_server && !cost.processed && (cost.holds_nic || cost.holds_links);
        const bool nic_first = cost.holds_nic && cost.holds_links;
        return (!server_first || cost.service > Time{}) && (!nic_first || cost.inject > Time{});
    };
    layout.mixed_link_use = some_hold_links && some_do_not;
    const bool any_parallel =
        machine.links && machine.links->parallel > 1 && machine.links->choice != machine::LinkChoice::deterministic;
    const bool choose_links = any_parallel || machine.routes.routing == machine::Routing::adaptive;
    layout.messages_pass = layout.mixed_link_use || (some_hold_links && choose_links);
    layout.fixed_resource_order =
        machine.node_servers() == 0 || !machine.nic || machine.nic->count % machine.node_servers() == 0;
    const network::MessageCost* first = nullptr;
    for (const CostId number : layout.costs.ids()) {
        const network::MessageCost& cost = layout.costs[number];
        const bool between_nodes = paths.paths()[number.index % layout.paths].locality == machine.network();
        if (!(cost.holds_server || cost.holds()) || !between_nodes) continue;
        if (first == nullptr) first = &cost;
        layout.fixed_resource_order = layout.fixed_resource_order && holds(cost) == holds(*first) && follow(cost);
    }
    layout.has_lookahead = layout.lookahead >= kLeastWindow;
    layout.departs_in_order = layout.fixed_resource_order && departs_as_processed(layout, machine, paths);
    layout.own_links_ahead = layout.fixed_resource_order;
}

network::Packets packets_of(const machine::Packet& packet, Bytes size, const LinkSpeed& link) {
    const network::Segmentation cut = network::segment(packet, size);
    if (cut.count > kMostPackets) throw std::length_error("a message has more than 2^20 packets");
    const Time overhead = packet.overhead + link.arbitration;
    network::Packets packets{cut.count,
                             cut.buffered,
                             network::hold_of(cut.size, link.gap) + overhead,
                             packet.full,
                             network::hold_of(cut.last, link.gap) + overhead,
                             overhead};
    if (cut.buffered < cut.count) packets.last += packet.full;
    (void)network::times(packets.service + packets.full, cut.count);  // throws if the total service time is too long
    return packets;
}

/// Computes the service times of packets on links, for each speed of links.
void find_packet_holds(const machine::Machine& machine, const LinkOwners& owners, const PathTable& paths,
                       Layout& layout) {
    if (owners.distinct_speeds().empty()) return;  // messages do not wait for any link of the platform
    layout.speeds = static_cast<std::uint32_t>(owners.distinct_speeds().size());
    for (const Bytes size : layout.sizes) {
        const machine::ProfileRow& row = machine::row_for(machine.profile(machine.network()), size);
        for (const LinkSpeed& link : owners.distinct_speeds()) {
            layout.packets.push_back(packets_of(row.packet, size, link));
            layout.cuts_packets = layout.cuts_packets || (row.holds_links && layout.packets.back().count > 1);
        }
        for (const PathTable::Path& path : paths.paths()) {
            layout.packets_of_own.push_back(layout.packets[layout.packets.size() - layout.speeds + path.speed]);
        }
    }
}

/// Computes the times for which the packets of each message are copied in, carried and copied out.
void find_packet_times(const machine::Machine& machine, const PathTable& paths, Layout& layout) {
    if (!layout.cuts_packets) return;
    layout.own_links_ahead = false;
    layout.messages_pass = true;
    for (const Bytes size : layout.sizes) {
        for (const PathTable::Path& path : paths.paths()) {
            machine::ProfileRow row = machine::row_for(machine.profile(path.locality), size);
            row.wire = path.wire;
            layout.packet_times.push_back(*network::times_of_packets(row, size, path.arbitration));
            if (machine.routes.routing != machine::Routing::adaptive) continue;
            row.wire = path.detour_wire;
            layout.packet_times_on_detour.push_back(*network::times_of_packets(row, size, path.arbitration));
        }
    }
}

template <typename Values>
std::uint64_t bytes_of(const Values& values) {
    return values.capacity() * sizeof(typename Values::value_type);
}

}  // namespace

LayoutAndChannels lay_out(const program::Program& program, const machine::Machine& machine, bool divides_flights) {
    LayoutAndChannels result;
    Layout& layout = result.layout;
    layout.ranks = static_cast<std::uint32_t>(program.grid.ranks());
    lay_out_code(program, layout);
    lay_out_phases(program, layout);
    number_channels(program, layout);
    lay_out_nodes(machine, layout);
    lay_out_memory(machine, layout);
    const LinkOwners owners(program, machine, layout);
    PathTable paths(machine, owners);
    connect(program, layout, paths, result.channels);
    layout.has_begun = program::has_isend(program);
    find_choices(program, layout);
    fold_costs(machine, paths, divides_flights, layout);
    layout.posts_ahead =
        layout.has_choices || std::any_of(layout.code.begin(), layout.code.end(), [](const auto& step) {
            return program::operation(step.op).effect == program::Effect::post;
        });
    layout.numbers_messages = layout.has_choices || layout.progress_in_calls;
    find_post_notices(program, layout, result.channels);
    if (machine.links) {
        layout.routes = &machine.routes;
        layout.links = *machine.links;
        layout.link_speed = owners.speeds();
        find_packet_holds(machine, owners, paths, layout);
        find_packet_times(machine, paths, layout);
        number_link_keys(machine.placement, layout);
    }
    number_servers(machine, owners, layout);
    store_routes(machine, owners, result.channels, layout);
    return result;
}

std::uint32_t Layout::class_at(InstructionId instruction) const {
    return static_cast<std::uint32_t>(std::upper_bound(entry.begin(), entry.end(), instruction) - entry.begin() - 1);
}

const program::Instruction& Layout::first_send(std::uint32_t rank_class, std::uint32_t place,
                                               std::optional<SizeId> size) const {
    const auto sends_it = [&](const program::Instruction& step) {
        if (size && step.amount != size->index) return false;
        if (!program::sends(step.op, program::Operand::reply))
            return program::sends(step.op, program::Operand::send_endpoint) && step.operand == place;
        const std::vector<std::uint32_t>& places = replies[ReplyId{step.operand}].places;
        return std::find(places.begin(), places.end(), place) != places.end();
    };
    return *std::find_if(code.begin() + static_cast<std::ptrdiff_t>(entry[rank_class].index), code.end(), sends_it);
}

std::uint64_t Layout::bytes() const {
    std::uint64_t of_choices = 0;
    for (const auto& of_class : choices_of_place) {
        of_choices += bytes_of(of_class);
        for (const auto& of_place : of_class) of_choices += bytes_of(of_place);
    }
    for (const auto& of_class : send_orders_of_place) {
        of_choices += bytes_of(of_class);
        for (const auto& of_place : of_class) of_choices += bytes_of(of_place);
    }
    return of_choices + receive_endpoint_numbers.bytes() + send_endpoint_numbers.bytes() + bytes_of(code) +
           bytes_of(entry) + bytes_of(phase_at) + bytes_of(costs) + bytes_of(node_of) + bytes_of(server_of_core) +
           bytes_of(nic_of_core) + bytes_of(nic_of_rank) + bytes_of(ranks_on) + bytes_of(host_of) +
           bytes_of(link_server) + bytes_of(link_speed) + bytes_of(stored_routes.first) +
           bytes_of(stored_routes.links) + bytes_of(link_keys) + bytes_of(packets) + bytes_of(packets_of_own) +
           bytes_of(packet_times) + bytes_of(packet_times_on_detour) + bytes_of(parts_of_flight);
}

}  // namespace warpfront::engine
