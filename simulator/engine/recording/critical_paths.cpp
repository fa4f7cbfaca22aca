#include "simulator/engine/recording/critical_paths.hpp"

#include <algorithm>
#include <utility>

#include "simulator/program/execution.hpp"

namespace warpfront::engine {

namespace {

IndexedVector<InstructionId, InstructionId> tile_loops(const Layout& layout) {
    const auto& code = layout.code;
    const std::vector<std::uint8_t> depths = program::loop_depths(code.values(), program::LoopKind::of_tiles);
    IndexedVector<InstructionId, InstructionId> loops(code.size(), kNone);
    InstructionId last = kNone;  // remains kNone if the loop of tiles contains none
    for (const InstructionId at : code.ids()) {
        if (depths[at.index] != program::kNoLoop) loops[at] = last;
        if (code[at].op == program::Op::loop) last = at;
    }
    return loops;
}

}  // namespace

CriticalPaths::CriticalPaths(const Layout& layout)
    : layout_(layout),
      ranks_(layout.ranks),
      blocks_(layout.ranks),
      noise_(layout.ranks),
      servers_(layout.server_count),
      messages_(layout.receive_endpoints()),
      posts_(layout.send_endpoints()),
      tile_loop_(tile_loops(layout)),
      unfilled_(layout.ranks),
      kept_unfilled_(layout.ranks),
      origins_(1) {}

std::uint64_t CriticalPaths::bytes(const Extents& extents, bool skips) {
    const std::uint64_t send_endpoints = extents.send_endpoints + extents.quiet_send_endpoints;
    const std::uint64_t chains =
        extents.ranks * (sizeof(Chain) + sizeof(SharedBlock) + sizeof(Time) + 2 * sizeof(Wide)) +
        extents.servers * sizeof(Chain) + extents.receive_endpoints * (sizeof(ChainQueue<Message>) + sizeof(Message)) +
        send_endpoints * (sizeof(Posts) + sizeof(Chain));
    if (!skips) return chains;
    return chains + (3 * extents.ranks + extents.servers) * (2 * sizeof(Parts) + 4 * sizeof(PeriodStep));
}

void CriticalPaths::pass_block(Rank rank, std::int64_t clock) {
    Chain& chain = ranks_[rank];
    chain.extend(std::exchange(noise_[rank], Time{}), PathPart::noise);
    chain.pass(clock, PathPart::compute);
}

/// Ends a block of a rank whose core shares memory. Other cores slow computing and noise by the same factor.
void CriticalPaths::pass_shared_block(Rank rank, std::int64_t clock) {
    Chain& chain = ranks_[rank];
    SharedBlock& block = blocks_[rank];
    end_interval(block, clock);
    const std::int64_t lasted = clock - chain.end;
    chain.parts[kSaturated] += block.saturated;
    if (block.saturated > 0) chain.parts[kUneven] += lasted - block.longest;
    const Time noise = std::exchange(noise_[rank], Time{});
    if (noise != Time{}) {
        chain.extend({static_cast<std::int64_t>(Wide{noise.ps} * lasted / block.alone.ps)}, PathPart::noise);
    }
    chain.pass(std::min(chain.end + (block.alone - noise).ps, clock), PathPart::compute);
    chain.pass(clock, PathPart::memory);
}

void CriticalPaths::begin_block(Rank rank, std::int64_t now, Time alone, std::int64_t cores) {
    blocks_[rank] = {.alone = alone, .since = now, .cores = cores};
}

void CriticalPaths::change_block(Rank rank, std::int64_t now, std::int64_t cores) {
    SharedBlock& block = blocks_[rank];
    const machine::MemoryLaw& law = layout_.memory.law;
    if (law.saturated_by(block.cores) || law.saturated_by(cores)) {
        end_interval(block, now);
        block.since = now;
    }
    block.cores = cores;
}

void CriticalPaths::end_interval(SharedBlock& block, std::int64_t now) const {
    const std::int64_t lasted = now - block.since;
    if (layout_.memory.law.saturated_by(block.cores)) block.saturated += lasted;
    block.longest = std::max(block.longest, lasted);
}

/// Extends the chain by the parts of the time for which the service of a received message begins before its request. If
/// `sign` is -1, removes these parts from the end of the chain. If the service is at least as long as the flight, it
/// begins one flight before the request. A bus is occupied until the message has been copied out, a NIC until it has
/// arrived.
void CriticalPaths::extend_early(Chain& chain, const Occupancy& occupancy, PathPart part, int sign) const {
    const auto& [lasts, early] = occupancy.service;
    if (early == Time{}) return;
    const network::TransferParts& flight = layout_.parts_of_flight[occupancy.cost].transfer.flight;
    if (early >= flight.total()) return chain.extend(flight, sign);
    chain.extend(lasts * sign, part);
    chain.extend((early - lasts) * sign, PathPart::overhead);
}

/// Records an occupancy. If another message occupied the server until the grant, the chain of that message continues.
void CriticalPaths::hold(Chain& chain, ServerId server, const Occupancy& occupancy, PathPart part) {
    const auto& [requested, granted, service, packets, cost] = occupancy;
    const std::int64_t begins = granted - service.early.ps;
    Chain& holder = servers_[server];
    if (granted > requested && holder.end == begins) {
        chain = holder;
        extend_early(chain, occupancy, part, 1);
    }
    chain.pass(granted, part);
    holder = chain;
    extend_early(holder, occupancy, part, -1);
    holder.extend(packets, PathPart::packets);
    holder.pass(begins + service.lasts.ps, part);
}

void CriticalPaths::post(SendEndpointId send_endpoint, Rank rank) {
    Posts& posts = posts_[send_endpoint];
    if (posts.owed > 0) {
        --posts.owed;
    } else {
        posts.known.push_back(ranks_[rank]);
    }
}

void CriticalPaths::use_post(SendEndpointId send_endpoint) {
    Posts& posts = posts_[send_endpoint];
    if (posts.known.empty()) {
        ++posts.owed;
    } else {
        posts.known.pop_front();
    }
}

void CriticalPaths::meet(Chain& chain, SendEndpointId send_endpoint, std::int64_t posted, std::int64_t requested,
                         Time request, std::int64_t leaves) {
    if (posted > requested + request.ps) {
        chain = posts_[send_endpoint].known.front();
    }
    chain.pass(leaves, PathPart::latency);
}

void CriticalPaths::begin_packets(RequestKey request) {
    begin_leaving(request);
    in_packets_[request] = {leaving_, leaving_, leaving_};
}

void CriticalPaths::begin_packet(RequestKey request) {
    const PacketChains& chains = in_packets_.at(request);
    leaving_ = chains.wire.end > chains.in.end ? chains.wire : chains.in;
}

void CriticalPaths::pass_packet(RequestKey request, const network::PacketStages& stages,
                                const network::PacketClocks& clocks) {
    auto& [in, wire, out] = in_packets_.at(request);
    in.pass(clocks.in.ps, PathPart::overhead);
    wire = leaving_;
    wire.extend(stages.beyond, PathPart::packets);
    wire.pass(clocks.wire.ps, stages.limited_by_wire ? PathPart::wire : PathPart::bandwidth);
    if (wire.end > out.end) out = wire;
    out.pass(clocks.out.ps, PathPart::overhead);
}

/// Ends the packets of a message. Its chain returns to the departure with which it would arrive at the same time if it
/// waited for no link. Messages that use no links have no packets that pass them.
void CriticalPaths::end_packets(RequestKey request, CostId cost) {
    Chain chain = in_packets_.extract(request).mapped().out;
    if (layout_.costs[cost].holds_links) {
        chain.extend(Time{} - layout_.packet_times[cost].copying_out(), PathPart::overhead);
        chain.extend(layout_.parts_of_flight[cost].transfer.flight, -1);
    }
    begin_leaving(chain);
}

void CriticalPaths::transmit(ReceiveEndpointId receive_endpoint, CostId cost, bool delayed, std::int64_t arrives,
                             bool in_flight) {
    Chain chain = delayed ? leaving_ : before_links_;
    const auto& [latency, parts] = layout_.parts_of_flight[cost];
    chain.extend(latency, PathPart::latency);
    if (const Time detour = Time{arrives - chain.end} - parts.flight.total(); detour != Time{} && !follows_) {
        // adaptive routing has chosen a route with other links and another slowest wire
        const Time wire = layout_.cuts_packets ? Time{} : layout_.longer_on_detour[cost];
        chain.extend(detour - wire, PathPart::latency);
        chain.extend(wire, PathPart::wire);
    }
    sent_ = chain;
    sent_.extend(parts.sent, 1);
    chain.extend(parts.flight, 1);
    if (!std::exchange(follows_, false)) transmitted_ = chain;
    messages_[receive_endpoint].push_back({transmitted_, in_flight});
}

void CriticalPaths::eject(ReceiveEndpointId receive_endpoint, ServerId server, std::int64_t arrived,
                          std::int64_t granted, CostId cost) {
    ChainQueue<Message>& messages = messages_[receive_endpoint];
    const auto first =
        std::find_if(messages.begin(), messages.end(), [](const Message& message) { return message.in_flight; });
    first->in_flight = false;
    Chain& chain = first->chain;
    chain.pass(std::max(chain.end, arrived), PathPart::latency);
    const network::MessageCost& costs = layout_.costs[cost];
    const PathPart part = costs.ejects_at_rate ? PathPart::rate : PathPart::nic;
    hold(chain, server, {arrived, granted, {costs.eject, costs.eject_early}, {}, cost}, part);
}

void CriticalPaths::end_wait_for_bytes(Rank rank, SendEndpointId send_endpoint, std::int64_t until) {
    const auto awaited = awaited_.find(send_endpoint);
    if (awaited == awaited_.end()) return;
    if (until > ranks_[rank].end) ranks_[rank] = awaited->second;
    awaited_.erase(awaited);
}

bool CriticalPaths::in_steady_state(const RankLine& line) const {
    const InstructionId loop = tile_loop_[line.at];
    return loop != kNone && line.iterations_left[layout_.code[loop].depth] != layout_.code[loop].amount;
}

void CriticalPaths::receive(Rank rank, const RankLine& line, ReceiveEndpointId receive_endpoint, std::int64_t waited) {
    ChainQueue<Message>& messages = messages_[receive_endpoint];
    if (waited > 0) {
        ranks_[rank] = messages.front().chain;
        if (!in_steady_state(line)) unfilled_[rank] += waited;
    }
    messages.pop_front();
}

template <typename Visit>
void CriticalPaths::for_each_element(const Visit& visit) {
    for (Chain& chain : ranks_) visit(chain);
    for (Chain& chain : servers_) visit(chain);
    for (ChainQueue<Message>& messages : messages_) {
        for (Message& message : messages) visit(message.chain);
    }
    for (Posts& posts : posts_) {
        for (Chain& chain : posts.known) visit(chain);
    }
    for (auto& [send_endpoint, chain] : begun_) visit(chain);
    for (auto& [request, chain] : departed_) visit(chain);
    for (auto& [request, chains] : in_packets_) {
        for (Chain* const chain : {&chains.in, &chains.wire, &chains.out}) visit(*chain);
    }
    for (auto& [send_endpoint, chain] : awaited_) visit(chain);
    for (auto& [send_endpoint, chain] : posted_) visit(chain);
}

CriticalPaths::Parts CriticalPaths::parts(const Chain& chain) const {
    Parts sum = origins_[chain.origin];
    for (std::size_t part = 0; part < kPathSums; ++part) sum[part] += chain.parts[part];
    return sum;
}

CriticalPaths::Parts CriticalPaths::parts(Rank rank) const { return parts(ranks_[rank]); }

void CriticalPaths::keep() {
    kept_unfilled_ = unfilled_;
    std::vector<Parts> origins;
    for_each_element([&](Chain& chain) {
        origins.push_back(parts(chain));
        chain.origin = static_cast<std::uint32_t>(origins.size() - 1);
        chain.parts = {};
    });
    origins_ = std::move(origins);
}

/// Skips periods. The last simulated period counts as the first of `periods` + 1 periods.
void CriticalPaths::skip(std::int64_t periods) {
    for (const Rank rank : unfilled_.ids()) {
        unfilled_[rank] += (unfilled_[rank] - kept_unfilled_[rank]) * periods;
    }
    std::vector<PeriodStep> power;  // step of each element over 1, then 2, 4, ... periods
    for_each_element([&](const Chain& chain) {
        PeriodStep& step = power.emplace_back();
        step.from = chain.origin;
        for (std::size_t part = 0; part < kPathSums; ++part) step.parts[part] = chain.parts[part];
    });
    std::vector<PeriodStep> all(power.size());  // step of each element over the periods so far
    for (std::uint32_t element = 0; element < all.size(); ++element) all[element].from = element;
    const auto after = [](const std::vector<PeriodStep>& later, const std::vector<PeriodStep>& earlier) {
        std::vector<PeriodStep> both(later);
        for (PeriodStep& step : both) {
            const PeriodStep& before = earlier[step.from];
            for (std::size_t part = 0; part < kPathSums; ++part) step.parts[part] += before.parts[part];
            step.from = before.from;
        }
        return both;
    };
    for (std::int64_t left = periods + 1; left > 0; left /= 2) {
        if (left % 2 == 1) all = after(power, all);
        power = after(power, power);
    }
    std::vector<Parts> origins;
    for (const PeriodStep& step : all) {
        Parts& sum = origins.emplace_back(origins_[step.from]);
        for (std::size_t part = 0; part < kPathSums; ++part) sum[part] += step.parts[part];
    }
    origins_ = std::move(origins);
    std::uint32_t element = 0;
    for_each_element([&](Chain& chain) {
        chain.origin = element++;
        chain.parts = {};
    });
}

}  // namespace warpfront::engine
