#include "simulator/engine/rest/node_watch.hpp"

#include <utility>

#include "simulator/engine/recurrence/state_signature.hpp"

namespace warpfront::engine {

namespace {

using program::Op;

/// Fewer periods than these are not worth a rest.
constexpr std::int64_t kLeastPeriods = 3;

/// By instruction of a loop without loops in it: instructions in one trip for which `counts` holds.
template <typename Counts>
std::vector<std::uint32_t> in_one_trip(const std::vector<program::Instruction>& code, Counts counts) {
    std::vector<std::uint32_t> sums(code.size(), 0);
    std::size_t begin = 0;
    std::uint32_t sum = 0;
    for (std::size_t at = 0; at < code.size(); ++at) {
        if (code[at].op == Op::loop) {
            begin = at;
            sum = 0;
        }
        if (counts(code[at].op)) ++sum;
        if (code[at].op == Op::end_loop && code[at].operand == begin) {
            std::fill(sums.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                      sums.begin() + static_cast<std::ptrdiff_t>(at) + 1, sum);
        }
    }
    return sums;
}

std::uint64_t hash_of(const std::vector<std::uint64_t>& words) {
    std::uint64_t hash = words.size();
    for (const std::uint64_t word : words) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    return hash;
}

/// By node: whether one of its messages takes links that other nodes use.
std::vector<bool> takes_shared_links(const Layout& layout, const Channels& channels) {
    std::vector<bool> takes(layout.nodes, false);
    for (std::uint32_t end = 0; end < layout.first_collective_send_endpoint; ++end) {
        const ChannelPath& way = channels.paths[end];
        if (way.receive_endpoint == kNone || way.own_link != kRouted) continue;
        const std::uint32_t from = layout.node_of[layout.rank_of_send_endpoint(end)];
        if (from == layout.node_of[layout.rank_of_receive_endpoint(way.receive_endpoint)]) continue;
        for (std::size_t cost = way.path; cost < layout.costs.size(); cost += layout.paths) {
            if (layout.costs[cost].holds_links) takes[from] = true;
        }
    }
    return takes;
}

}  // namespace

bool has_many_tiles(const std::vector<program::Instruction>& code) {
    constexpr std::int64_t kMany = 8;
    const std::vector<std::uint8_t> depths = loop_depths(code, LoopKind::of_tiles);
    for (std::size_t at = 0; at + 1 < code.size(); ++at) {
        if (code[at].op == Op::loop && depths[at + 1] == code[at].depth && code[at].amount >= kMany) return true;
    }
    return false;
}

std::uint32_t most_events(const std::vector<program::Instruction>& code, std::uint32_t cores) {
    const auto passes = [](Op op) { return program::is_send(op) || op == Op::recv || op == Op::irecv; };
    const std::vector<std::uint32_t> passed = in_one_trip(code, passes);
    return passed.empty() ? 0 : 2 * cores * *std::max_element(passed.begin(), passed.end());
}

std::uint64_t Period::bytes() const {
    return sizeof(Period) + words.capacity() * sizeof(std::uint64_t) + trips.capacity() * sizeof(std::uint32_t) +
           waits.capacity() * sizeof(std::int64_t) + links.capacity() * sizeof(LinkRequest);
}

NodeWatch::NodeWatch(const Layout& layout, State& state, const Channels& channels)
    : layout_(layout),
      state_(state),
      depths_(loop_depths(layout.code, LoopKind::of_tiles)),
      sends_in_trip_(in_one_trip(layout.code, program::is_send)),
      nodes_(layout.nodes),
      room_(most_events(layout.code, layout.cores)),
      events_(std::size_t{layout.nodes} * room_) {
    const std::vector<bool> shared = takes_shared_links(layout, channels);
    with_own_links_ = static_cast<std::uint32_t>(std::count(shared.begin(), shared.end(), false));
}

bool NodeWatch::recurs(std::uint32_t node, Backlog& backlog, std::vector<std::uint64_t>& words) {
    const std::int64_t cut = nodes_[node].last_cut = std::exchange(nodes_[node].cut, kHorizon.ps);
    words.clear();
    pay(nodes_[node], kCut);
    if (!in_tiles(node)) return false;
    const std::uint32_t first = layout_.ranks_on[std::size_t{node} * layout_.cores];
    const StateSignature signature{layout_, state_, depths_};
    const std::uint64_t waves = state_.ranks[first].wave;
    signature.add_ranks(node, cut, waves, words);
    const std::uint64_t hash = hash_of(words);
    words.clear();
    if (std::exchange(nodes_[node].hash, hash) != hash || too_long_to_describe(node, backlog)) return false;
    signature.add_node_in_tiles(node, backlog, cut, waves, words);
    return records(node) && nodes_[node].period->words == words && one_trip_each(node, *nodes_[node].period);
}

bool NodeWatch::too_long_to_describe(std::uint32_t node, Backlog& backlog) const {
    constexpr std::uint32_t kMostQueued = 256;
    std::uint32_t queued = 0;
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank == kNone) continue;
        for (std::uint32_t k = 0; k < layout_.receive_endpoint_numbers.room(rank); ++k) {
            const std::uint32_t end = layout_.receive_endpoint_numbers.at(rank, k);
            if (state_.receive_endpoints[end].queued) queued += backlog.count(end);
        }
    }
    return queued > kMostQueued;
}

bool NodeWatch::in_tiles(std::uint32_t node) const {
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank == kNone) continue;
        const RankLine& line = state_.ranks[rank];
        if (line.state == RankState::done || depths_[line.at] == kNoLoop) return false;
    }
    return true;
}

bool NodeWatch::one_trip_each(std::uint32_t node, const Period& period) const {
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank != kNone && trips_left(state_.ranks[rank]) + 1 != period.trips[core]) return false;
    }
    return true;
}

void NodeWatch::record(std::uint32_t node, std::vector<std::uint64_t>& words, SparePeriods& spare) {
    if (words.empty()) {
        drop(node, spare);
        return;
    }
    std::unique_ptr<Period>& period = nodes_[node].period;
    if (period == nullptr) period = take_spare(spare);
    nodes_[node].stage = Stage::recorded;
    period->begin = nodes_[node].last_cut;
    period->words.swap(words);
    nodes_[node].noted = 0;
    period->links.clear();
    period->waits.clear();
    add_waits(node, period->waits);
    period->trips.clear();
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        period->trips.push_back(rank == kNone ? 0 : trips_left(state_.ranks[rank]));
    }
}

void NodeWatch::pay(Node& node, std::int32_t cost) {
    node.credit -= cost;
    if (node.credit >= 0) return;
    node.credit = kFirstCredit;
    node.pause = kPause;
}

void NodeWatch::resume(std::uint32_t node, std::int64_t periods) {
    Node& each = nodes_[node];
    each.stage = Stage::stepped;
    each.credit = static_cast<std::int32_t>(std::min<std::int64_t>(kMostCredit, each.credit + periods * kPeriod));
    pay(each, kRest);
}

void NodeWatch::drop(std::uint32_t node, SparePeriods& spare) {
    nodes_[node].stage = Stage::stepped;
    if (nodes_[node].period != nullptr) spare.push_back(std::move(nodes_[node].period));
}

std::unique_ptr<Rest> NodeWatch::rest(std::uint32_t node, SpareRests& spare) {
    const Period& period = *nodes_[node].period;
    std::unique_ptr<Rest> rest = take_spare(spare);
    rest->clear();
    rest->begin = nodes_[node].last_cut;
    rest->length = rest->begin - period.begin;
    if (!add_trips(node, *rest) || !add_streams(node, *rest)) {
        spare.push_back(std::move(rest));
        return nullptr;
    }
    rest->end = rest->begin + (rest->periods - 1) * rest->length;
    rest->action = kHorizon.ps;
    add_waits(node, rest->waits);
    for (std::size_t k = 0; k < rest->waits.size(); ++k) rest->waits[k] -= period.waits[k];
    return rest;
}

bool NodeWatch::add_trips(std::uint32_t node, Rest& rest) const {
    if (rest.length <= 0) return false;
    rest.periods = (kHorizon.ps / 2 - rest.begin) / rest.length;
    rest.messages = 0;
    const std::uint32_t steps = layout_.collective_steps;
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank == kNone) continue;
        RankLine& line = state_.ranks[rank];
        rest.periods = std::min(rest.periods, std::int64_t{trips_left(line)} - 1);
        rest.messages += sends_in_trip_[line.at];
        for (std::uint32_t step = 0; step < steps; ++step) {
            const std::uint32_t end = layout_.first_collective_receive_endpoint + rank * steps + step;
            if (!is(state_.receive_endpoints[end], ReceiveState::empty)) return false;
        }
    }
    return rest.periods >= kLeastPeriods;
}

/// Links are requested up to the end of the phase in which the node is woken: its last period has to reach so far.
bool NodeWatch::add_streams(std::uint32_t node, Rest& rest) const {
    if (nodes_[node].noted > room_) return false;
    for (std::uint32_t k = 0; k < nodes_[node].noted; ++k) {
        const NodeEvent& event = events_[std::size_t{node} * room_ + k];
        std::vector<Stream>& streams = event.to == node ? rest.in : rest.out;
        if (find_stream(streams, event) != nullptr || event.from == kNone) return false;
        streams.push_back({.next = event});
        rest.advance(streams.back(), 1);
        streams.back().count = 0;
    }
    for (LinkRequest request : nodes_[node].period->links) {
        for (const LinkStream& other : rest.links) {
            if (other.next.send_endpoint == request.send_endpoint) return false;
        }
        request.order.time.ps += rest.length;
        ++request.order.age.wave;
        rest.links.push_back({.next = request});
    }
    return rest.links.empty() || rest.length >= layout_.lookahead.ps;
}

void NodeWatch::halt(std::uint32_t node, SparePeriods& spare) {
    drop(node, spare);
    nodes_[node].stage = Stage::halted;
}

void NodeWatch::add_waits(std::uint32_t node, std::vector<std::int64_t>& waits) const {
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank == kNone) {
            waits.insert(waits.end(), 3, 0);
        } else {
            const RankLine& line = state_.ranks[rank];
            waits.insert(waits.end(), {line.bus_wait, line.nic_wait, state_.statistics[rank].link_wait});
        }
    }
    if (state_.link_waits.empty()) return;
    const std::size_t first = std::size_t{node} * layout_.own_links();
    for (std::uint32_t link = 0; link < layout_.own_links(); ++link) waits.push_back(state_.link_waits[first + link]);
}

std::uint64_t NodeWatch::bytes() const {
    std::uint64_t sum = nodes_.capacity() * sizeof(Node) + events_.capacity() * sizeof(NodeEvent) + depths_.capacity() +
                        sends_in_trip_.capacity() * sizeof(std::uint32_t);
    for (const Node& node : nodes_) sum += node.period == nullptr ? 0 : node.period->bytes();
    return sum;
}

}  // namespace warpfront::engine
