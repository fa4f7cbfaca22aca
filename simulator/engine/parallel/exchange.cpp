// What processes that step one machine together send each other: remote events, link requests and reports between two
// phases, servers of links, and in the end what their ranks have done.
#include <algorithm>
#include <span>

#include "simulator/engine/parallel/simulation.hpp"
#include "simulator/engine/state/phase_times.hpp"

namespace warpfront::engine {

/// One round: the events for the other processes' nodes, the requests for links, and what to plan by. The report was
/// made before links are granted; what the grants add to it all processes find alike.
void Simulation::exchange_phase() {
    reported_ = report();
    for (std::uint32_t process = 0; process < peers_.count(); ++process) {
        if (process != peers_.index()) write_phase(process, reported_);
    }
    peers_.meet();
    for (auto& events : received_) events.clear();
    for (std::uint32_t process = 0; process < peers_.count(); ++process) {
        if (process != peers_.index()) read_phase(process);
    }
    grant_links_of_all();
}

void Simulation::write_phase(std::uint32_t process, const PhaseReport& here) {
    MessageWriter message = peers_.to(process);
    message.put(here);
    message.put_list(link_requests_);
    for (const auto& partition : partitions_) {
        const auto& sent = partition->sent();
        for (std::size_t to = 0; to < sent.size(); ++to) {
            if (process_of(to) != process || sent[to].empty()) continue;
            message.put(static_cast<std::uint32_t>(to));
            message.put_list(sent[to]);
        }
    }
    message.put(kNone);
}

void Simulation::read_phase(std::uint32_t process) {
    MessageReader message = peers_.from(process);
    reported_.add(message.get<PhaseReport>());
    message.get_list(link_requests_);
    for (auto to = message.get<std::uint32_t>(); to != kNone; to = message.get<std::uint32_t>()) {
        message.get_list(received_[to - first_partition_]);
    }
}

Simulation::PhaseReport Simulation::report_of_all() {
    PhaseReport all = report();
    if (peers_.alone()) return all;
    for (std::uint32_t process = 0; process < peers_.count(); ++process) peers_.to(process).put(all);
    peers_.meet();
    for (std::uint32_t process = 0; process < peers_.count(); ++process) {
        if (process != peers_.index()) all.add(peers_.from(process).get<PhaseReport>());
    }
    return all;
}

/// Every process grants all requests; the receiver's sends itself what the message becomes, the sender's throws where it
/// arrives too late.
void Simulation::grant_links_of_all() {
    sort_link_requests();
    reported_.sent = reported_.sent || !link_requests_.empty();
    for (const LinkRequest& request : link_requests_) {
        const std::int64_t leaves = request.order.time.ps;
        const RouteGrant granted = grant_route(layout_, state_, request, route_);
        const SendEndpoint& out = state_.send_endpoint(request.send_endpoint);
        const std::int64_t arrives = arrival_of(layout_, leaves, granted.time - leaves, request.cost, granted.detour);
        reported_.next_window = std::min(reported_.next_window, static_cast<std::uint64_t>(arrives) >> window_shift_);
        const std::uint32_t from = layout_.node_of[request.order.rank.index];
        const std::uint32_t to = layout_.node_of[layout_.rank_of_receive_endpoint(out.receive_endpoint)];
        if (arrives >= kHorizon.ps) {
            if (owns(from)) partition_of(from).protocol.throw_arrives_too_late(out, request.cost);
        } else if (owns(to)) {
            partition_of(to).protocol.transmit(out, leaves, granted.time - leaves, request.cost, granted.detour);
        }
    }
    for (std::size_t k = 0; k < partitions_.size(); ++k) {
        granted_[k].clear();
        granted_[k].swap(partitions_[k]->context.remote_events[first_partition_ + k]);
    }
}

/// The links of nodes' own, which only their process has granted so far, become the same in all processes.
void Simulation::share_own_links() {
    const bool turns = !state_.turns.empty();
    const std::size_t each = layout_.own_links();
    if (each == 0) return;
    const auto servers_of = [&](std::uint32_t node) {
        return std::span(&state_.servers[layout_.hot_state_of(node) + layout_.hot.links], each);
    };
    const auto turns_of = [&](std::uint32_t node) {
        return std::span(&state_.turns[layout_.hot_state_of(node) + layout_.hot.links], each);
    };
    for (std::uint32_t process = 0; process < peers_.count(); ++process) {
        for (std::uint32_t node = 0; node < layout_.nodes && process != peers_.index(); ++node) {
            if (!owns(node)) continue;
            peers_.to(process).put_all(std::span<const network::Server>(servers_of(node)));
            if (turns) peers_.to(process).put_all(std::span<const network::Turn>(turns_of(node)));
        }
    }
    peers_.meet();
    for (std::uint32_t process = 0; process < peers_.count(); ++process) {
        if (process == peers_.index()) continue;
        MessageReader message = peers_.from(process);
        for (std::uint32_t node = 0; node < layout_.nodes; ++node) {
            if (process_of(partition_of_[node]) != process) continue;
            message.get_all(servers_of(node));
            if (turns) message.get_all(turns_of(node));
        }
    }
}

/// Only process 0 has the results of all.
Simulation::Work Simulation::gather_results(Work here) {
    if (peers_.alone()) return here;
    if (peers_.index() > 0) write_results(here);
    peers_.meet();
    if (peers_.index() > 0) return {};
    for (std::uint32_t process = 1; process < peers_.count(); ++process) here.add(read_results(process));
    return here;
}

void Simulation::write_results(const Work& here) {
    MessageWriter message = peers_.to(0);
    message.put(here);
    message.put(skipped_.messages);
    message.put(skipped_.messages_of_collectives);
    const bool some_skipped = !skipped_.waits.empty();
    for (std::uint32_t rank = 0; rank < layout_.ranks; ++rank) {
        if (!owns(layout_.node_of[rank])) continue;
        message.put(state_.ranks[rank]);
        message.put(state_.statistics[rank]);
        if (some_skipped) message.put(skipped_.waits[rank]);
        for (std::uint32_t phase = 0; phase < layout_.phases; ++phase) {
            message.put(state_.phase_times[phase_place(layout_, rank, phase)]);
            if (some_skipped) message.put(skipped_.phase_times[phase_place(layout_, rank, phase)]);
        }
    }
    for_each_own_link(peers_.index(), [&](std::size_t link) {
        message.put(state_.link_waits[link]);
        if (!skipped_.link_waits.empty()) message.put(skipped_.link_waits[link]);
    });
}

Simulation::Work Simulation::read_results(std::uint32_t process) {
    MessageReader message = peers_.from(process);
    const auto work = message.get<Work>();
    skipped_.messages += message.get<std::uint64_t>();
    skipped_.messages_of_collectives += message.get<std::uint64_t>();
    const bool some_skipped = !skipped_.waits.empty();
    for (std::uint32_t rank = 0; rank < layout_.ranks; ++rank) {
        if (process_of(partition_of_[layout_.node_of[rank]]) != process) continue;
        state_.ranks[rank] = message.get<RankLine>();
        state_.statistics[rank] = message.get<RankStatistics>();
        if (some_skipped) skipped_.waits[rank] = message.get<Waits>();
        for (std::uint32_t phase = 0; phase < layout_.phases; ++phase) {
            state_.phase_times[phase_place(layout_, rank, phase)] = message.get<std::int64_t>();
            if (some_skipped) skipped_.phase_times[phase_place(layout_, rank, phase)] = message.get<Wide>();
        }
    }
    for_each_own_link(process, [&](std::size_t link) {
        state_.link_waits[link] = message.get<std::int64_t>();
        if (!skipped_.link_waits.empty()) skipped_.link_waits[link] = message.get<Wide>();
    });
    return work;
}

/// Visits the places of the links of a process's nodes in State::link_waits: its own sums are those of the whole run.
void Simulation::for_each_own_link(std::uint32_t process, const std::function<void(std::size_t)>& visit) const {
    if (state_.link_waits.empty()) return;
    for (std::size_t place = 0; place < std::size_t{layout_.nodes} * layout_.own_links(); ++place) {
        if (process_of(partition_of_[place / layout_.own_links()]) == process) visit(place);
    }
}

}  // namespace warpfront::engine
