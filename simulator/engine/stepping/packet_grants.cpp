#include "simulator/engine/stepping/packet_trains.hpp"

#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/links.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

namespace {

constexpr std::int64_t kMostAhead = 1 << 20;

/// Returns the longer of two sets of service times.
network::Packets longer(network::Packets a, const network::Packets& b) {
    a.service = std::max(a.service, b.service);
    a.last = std::max(a.last, b.last);
    return a;
}

bool crosses_twice(std::vector<machine::LinkId> route) {
    std::sort(route.begin(), route.end());
    return std::adjacent_find(route.begin(), route.end()) != route.end();
}

}  // namespace

const network::Packets& PacketGrants::packets_on(machine::LinkId link, CostId cost) const {
    const Layout& layout = context_.layout;
    return layout.packets[layout.size_of(cost).index * layout.speeds + layout.link_speed[link]];
}

TrainId& PacketGrants::last_on(machine::LinkId link) {
    const Layout& layout = context_.layout;
    if (last_on_.empty()) last_on_.resize(context_.state.link_waits.size(), kNone);
    return last_on_[layout.link_of(layout.link_server[link])];
}

network::Server& PacketGrants::server(machine::LinkId link) {
    return context_.state.servers[context_.layout.link_server[link]];
}

LinkRequest& PacketGrants::request_of(const PacketTrain& train) { return context_.link_requests[train.request.index]; }

void PacketGrants::request(LinkRequestId id, Time time) {
    LinkRequest& request = context_.link_requests[id.index];
    if (time >= kHorizon) PartitionContext::throw_overflow(request.order.rank, request.order.age.site);
    request.order.time = time;
    ++request.events;
    context_.calendar.add(time.ps, {EventKind::links, id});
}

/// Returns false if the event was added before its packets were taken back. Then the request has another time.
bool PacketGrants::takes_place(LinkRequestId id) {
    LinkRequest& request = context_.link_requests[id.index];
    --request.events;
    if (!request.granted && request.order.time.ps == context_.now) return true;
    if (request.granted && request.transmitted && request.events == 0) context_.link_requests.take(id.index);
    return false;
}

/// Grants the cable to the first switch to the first packet of a message. Returns false if the packet waits for it.
bool PacketGrants::comes_to_switch(LinkRequest& request, machine::LinkId cable) {
    const Layout& layout = context_.layout;
    CriticalPaths* const paths = context_.state.paths;
    if (paths != nullptr) paths->begin_packet(request.key());
    const Time granted{grant_link_on_path<false>(layout, context_.state, layout.link_server[cable], user_of(request),
                                                 request.order.time.ps, packets_on(cable, request.cost))};
    if (paths != nullptr) paths->depart(request.key(), paths->leaving());
    ++request.next;
    return granted == std::exchange(request.order.time, granted);
}

TrainId PacketGrants::begin(LinkRequestId id) {
    LinkRequest& request = context_.link_requests[id.index];
    const Layout& layout = context_.layout;
    if (context_.state.paths != nullptr && request.next == 0) context_.state.paths->begin_packets(request.key());
    PacketTrain train;
    train.request = id;
    const RouteCandidates candidates = find_routes(layout, context_.state, request.send_endpoint, train.route);
    interrupt(train.route, request);
    if (is_decided_by_switch(request, candidates, train.route) && !comes_to_switch(request, train.route.front())) {
        return kNone;
    }
    choose_route(layout, context_.state, request, candidates, train.route);
    train.link = request.next;
    train.times = *request.detours ? &layout.packet_times_on_detour[request.cost] : &layout.packet_times[request.cost];
    for (const machine::LinkId link : train.route) {
        train.slowest = link == train.route.front() ? packets_on(link, request.cost)
                                                    : longer(train.slowest, packets_on(link, request.cost));
    }
    const network::PacketPipeline minimal = network::pipeline_of(layout.packet_times[request.cost]);
    const network::PacketPipeline taken = network::pipeline_of(*train.times);
    train.flight = layout.costs[request.cost].flight - minimal.flight() + taken.flight() + request.detour;
    train.alone = taken.done - taken.lead;
    train.clocks = {request.leaves, request.leaves, request.leaves};
    train.may_go_ahead = layout.links.parallel == 1 && layout.has_lookahead && !crosses_twice(train.route);
    train.free_then.resize(train.route.size());
    return request.train = {trains_.add(train)};
}

void PacketGrants::grant(LinkRequestId id) {
    const TrainId known = context_.link_requests[id.index].train;
    const TrainId number = known == kNone ? begin(id) : known;
    if (number == kNone) return request(id, context_.link_requests[id.index].order.time);
    PacketTrain& train = trains_[number.index];
    train.certain = train.packet;
    const bool begins = train.link == 0;
    interrupt(std::span(train.route).subspan(train.link), request_of(train), number);
    if (!grant_packet(id, train)) return;
    train.certain = train.packet;
    if (train.over()) return end(request_of(train));
    const bool records = context_.state.timeline != nullptr || context_.state.paths != nullptr;
    if (begins && train.may_go_ahead && !records) grant_ahead(train, number);
    request(id, train.next());
}

/// Grants links to the next packet. If the packet waits for a link before the last one, adds the request for the next
/// link and returns false.
bool PacketGrants::grant_packet(LinkRequestId id, PacketTrain& train) {
    const LinkRequest& request = context_.link_requests[id.index];
    CriticalPaths* const paths = context_.state.paths;
    if (paths != nullptr) train.link == 0 ? paths->begin_packet(request.key()) : paths->begin_leaving(request.key());
    Time time = request.order.time;
    while (train.link < train.route.size()) {
        const machine::LinkId link = train.route[train.link++];
        const Time granted{grant_link_on_path<false>(context_.layout, context_.state, context_.layout.link_server[link],
                                                     user_of(request), time.ps, packets_on(link, request.cost),
                                                     train.packet)};
        const bool waits = granted > std::exchange(time, granted);
        if (waits && train.link < train.route.size()) {
            if (paths != nullptr) paths->depart(request.key(), paths->leaving());
            this->request(id, time);
            return false;
        }
    }
    const network::PacketStages stages = train.times->of(train.packet);
    train.pass(time);
    if (paths != nullptr) paths->pass_packet(request.key(), stages, train.clocks);
    return true;
}

/// Grants packets ahead of time. They do not wait for links, since each requests its links when the previous packet has
/// left all of them.
void PacketGrants::grant_ahead(PacketTrain& train, TrainId id) {
    train.clocks_then = train.clocks;
    for (std::size_t k = 0; k < train.route.size(); ++k) {
        train.free_then[k] = server(train.route[k]).free_at;
        last_on(train.route[k]) = id;
    }
    const std::int64_t until = std::min(train.packet + train.most_ahead - 1, train.times->cut.count - 1);
    train.most_ahead = std::min(2 * train.most_ahead, kMostAhead);
    if (train.packet >= until) return;
    Time granted;
    while (train.packet < until) train.pass(granted = train.next());
    hold_links(train, granted);
}

/// Occupies the links of the route until the last packet that has been granted them, at `granted`, has passed.
void PacketGrants::hold_links(const PacketTrain& train, Time granted) {
    const CostId cost = request_of(train).cost;
    for (const machine::LinkId link : train.route) {
        server(link).free_at = granted + packets_on(link, cost).of(train.packet - 1);
    }
}

void PacketGrants::interrupt(std::span<const machine::LinkId> links, const LinkRequest& by, TrainId own) {
    for (const machine::LinkId link : links) {
        TrainId& last = last_on(link);
        if (last != kNone && last != own) take_back(trains_[last.index], by);
        last = kNone;
    }
}

void PacketGrants::take_back(PacketTrain& train, const LinkRequest& by) {
    train.most_ahead = 1;
    if (train.packet == train.certain) return;
    const std::int64_t granted_ahead = train.packet;
    train.packet = train.certain;
    train.clocks = train.clocks_then;
    LinkRequest next = request_of(train);
    const auto comes_before = [&] {
        next.order.time = train.next();
        return next < by;
    };
    Time granted;
    while (train.packet < granted_ahead && comes_before()) train.pass(granted = train.next());
    if (train.packet == granted_ahead) return;
    if (train.packet > train.certain) hold_links(train, granted);
    if (train.packet == train.certain) {
        for (std::size_t k = 0; k < train.route.size(); ++k) server(train.route[k]).free_at = train.free_then[k];
    }
    request(train.request, train.next());
}

void PacketGrants::end(LinkRequest& request) {
    PacketTrain& train = trains_[request.train.index];
    for (const machine::LinkId link : train.route) {
        if (last_on(link) == request.train) last_on(link) = kNone;
    }
    request.granted = true;
    request.delay = train.clocks.out - request.leaves - train.alone;
    request.arrives = request.leaves + request.delay + train.flight;
    trains_.take(request.train.index);
}

void PacketGrants::pass_by(LinkRequestId id, Time arrives) {
    CriticalPaths* const paths = context_.state.paths;
    if (paths != nullptr) paths->begin_packets(context_.link_requests[id.index].key());
    context_.link_requests[id.index].granted = true;
    context_.link_requests[id.index].arrives = arrives;
}

}  // namespace warpfront::engine
