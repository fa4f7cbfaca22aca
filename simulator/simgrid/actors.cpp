#include "simulator/simgrid/actors.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/simgrid/s4u.hpp"

namespace warpfront::reference {

namespace {

namespace s4u = simgrid::s4u;
using program::Effect;
using program::Op;
using record::Blocked;

/// Converts SimGrid's seconds to the nearest picosecond.
std::int64_t picoseconds(double seconds) { return std::llround(seconds * 1e12); }

/// Sets both the actor's clock and SimGrid's to the later of the two: the actor sleeps, or its clock catches up.
void synchronise_clock(std::int64_t& clock) {
    const double now = s4u::Engine::get_clock();
    const std::int64_t simgrids = picoseconds(now);
    if (clock > simgrids) {
        s4u::this_actor::sleep_for(static_cast<double>(clock) * 1e-12 - now);
    } else {
        clock = simgrids;
    }
}

/// Returns the seconds that the flow of a message takes without other flows: the time of its bytes by the slowest wire,
/// or by the profile if that is longer. The time by the profile is at most the flight of the message. The flight of a
/// segmented message is shorter, since its first packets are copied out before the last one arrives.
double alone(const Message& message) {
    const auto bytes = static_cast<double>(message.flow.count);
    const double own = std::min(bytes * message.own.seconds_per_byte, seconds(message.cost.flight));
    return std::max(own, bytes * message.wire.seconds_per_byte);
}

bool requests_bus(const Message& message) { return message.cost.holds_server && !message.cost.processed; }

/// Returns the message without the bytes that the wire carries during the copying in. It is for messages that may wait
/// between their copying in and their departure, since a flow cannot be interrupted.
Message after_copying(Message message) {
    if (message.copied == Time{}) return message;
    const auto carried = static_cast<std::int64_t>(std::ceil(seconds(message.copied) / message.wire.seconds_per_byte));
    message.flow.count = std::max<std::int64_t>(0, message.flow.count - carried);
    return message;
}

}  // namespace

SimulationContext::SimulationContext(const program::Program& of, const machine::Machine& machine, const ChannelMap& on,
                                     const variation::ComputeTime& takes)
    : program(of),
      channel_map(on),
      compute_time(takes),
      flows(on, machine),
      receive_endpoints(on.receive_endpoints()),
      node_servers(on.node_servers()),
      results(on.ranks()),
      iteration_ends(static_cast<std::size_t>(of.iterations)) {
    for (std::uint32_t index = 0; index < channel_map.receive_endpoints(); ++index) {
        ReceiveQueue& receive_endpoint = receive_endpoints[index];
        if (channel_map.needs_post_notice(index)) receive_endpoint.posts = s4u::Semaphore::create(0);
        const std::optional<Rank> sender = channel_map.sender(index);
        if (!sender) {
            receive_endpoint.queued = s4u::Semaphore::create(0);  // a receive here waits for ever
            continue;
        }
        const Port from = channel_map.port_of(*sender);
        const Port to = channel_map.port_of(channel_map.receiver(index));
        if (channel_map.same_node(from, to)) {
            receive_endpoint.queued = s4u::Semaphore::create(0);
        } else {
            receive_endpoint.mailbox = s4u::Mailbox::by_name(fmt::format("receive-endpoint-{}", index));
        }
    }
}

RankActor::RankActor(SimulationContext& context, Rank rank)
    : context_(context),
      rank_(rank),
      class_(context.program.of(rank)),
      result_(context.results[rank.index]),
      port_(context.channel_map.port_of(rank)),
      server_(context.channel_map.server_of(rank)),
      cursor_(class_) {}

void RankActor::run() {
    while (!context_.ended() && cursor_.next().op != Op::finish) {
        step(cursor_.current());
        context_.overflow = context_.overflow || result_.clock > kHorizon.ps;
    }
    result_.clock = std::max(result_.clock, picoseconds(s4u::Engine::get_clock()));
}

void RankActor::step(const program::Instruction& instruction) {
    const ChannelMap& channel_map = context_.channel_map;
    const std::uint32_t operand = instruction.operand;
    switch (program::operation(instruction.op).effect) {
        case Effect::work:
            if (program::computes(instruction.op)) {
                compute({instruction.amount});
            } else {
                result_.clock += instruction.amount;
            }
            break;
        case Effect::send: {
            const std::uint32_t receive_endpoint = channel_map.target_of(rank_, operand);
            ++result_.sent;
            const Rank to = channel_map.receiver(receive_endpoint);
            send(receive_endpoint, channel_map.message(rank_, to, {instruction.amount}, mode_of(instruction.op)));
            break;
        }
        case Effect::receive:
            post(channel_map.receive_endpoint(rank_, operand));
            receive(channel_map.receive_endpoint(rank_, operand));
            break;
        case Effect::post: post(channel_map.receive_endpoint(rank_, operand)); break;
        case Effect::end_receive: receive(channel_map.receive_endpoint(rank_, operand)); break;
        case Effect::begin_send: {
            const std::uint32_t receive_endpoint = channel_map.target_of(rank_, operand);
            ++result_.sent;
            start_send(receive_endpoint, channel_map.receiver(receive_endpoint), {instruction.amount});
            break;
        }
        case Effect::end_send: wait_send(channel_map.target_of(rank_, operand)); break;
        case Effect::collective: allreduce({instruction.amount}); break;
        case Effect::mark:
            if (instruction.op != Op::iteration) break;
            context_.iteration_ends[iteration_] = std::max(context_.iteration_ends[iteration_], result_.clock);
            ++iteration_;
            break;
        case Effect::loop:
        case Effect::finish: break;
    }
}

/// Advances the clock. Records an overflow instead of throwing, since an exception would not leave the actor.
void RankActor::compute(Time nominal) {
    try {
        result_.clock +=
            context_.compute_time(rank_, cursor_.wave(), cursor_.block_number(), nominal, {result_.clock}).ps;
    } catch (const std::overflow_error& too_long) {
        context_.cost_overflow = too_long.what();
    }
}

void RankActor::allreduce(Bytes size) {
    const collectives::RecursiveDoubling& doubling = context_.channel_map.doubling();
    for (std::uint32_t k = 0; k < doubling.steps(); ++k) {
        step_ = k + 1;
        const auto [to, from] = doubling.step(rank_, k);
        const std::uint32_t own = context_.channel_map.step_endpoint(rank_, k);
        if (from) post(own);
        if (to) {
            ++result_.collective_sent;
            send(context_.channel_map.step_endpoint(*to, k), context_.channel_map.message(rank_, *to, size));
        }
        if (from) receive(own);
    }
    step_ = 0;
    cursor_.add_waves(doubling.steps());
}

void RankActor::send(std::uint32_t index, const Message& message) {
    ReceiveQueue& receive_endpoint = context_.receive_endpoints[index];
    const network::MessageCost& cost = message.cost;
    if (cost.processed) request_server(cost.service);
    if (!cost.rendezvous && receive_endpoint.posts) ++receive_endpoint.unposted;
    if (cost.rendezvous || requests_bus(message)) {
        result_.clock += cost.busy_send.ps;
        if (cost.rendezvous) wait_for_acknowledgement(index, message, result_.clock);
        if (requests_bus(message)) request_server(cost.service);
        synchronise();
        transmit(receive_endpoint, {after_copying(message), result_.clock});
    } else {
        result_.clock += (cost.busy_send - message.copied).ps;
        synchronise();
        result_.clock += message.copied.ps;
        transmit(receive_endpoint, {message, result_.clock});
    }
    result_.clock += cost.busy_after.ps;
}

/// Starts a send. If it may have to wait for its post, or for a bus, a separate actor completes it while its rank
/// continues.
void RankActor::start_send(std::uint32_t index, Rank to, Bytes size) {
    const Message message = context_.channel_map.message(rank_, to, size);
    if (!message.cost.rendezvous && !requests_bus(message)) return send(index, message);
    if (message.cost.processed) request_server(message.cost.service);
    result_.clock += message.cost.busy_send.ps;
    synchronise();
    ReceiveQueue& receive_endpoint = context_.receive_endpoints[index];
    receive_endpoint.started = StartedSend{message, result_.clock, 0, 0, s4u::Semaphore::create(0)};
    if (!message.cost.rendezvous && receive_endpoint.posts) ++receive_endpoint.unposted;
    const ServerRequest request{{}, age(), rank_, 1 + cursor_.current().operand};
    ServerQueue& server = context_.node_servers[server_];
    s4u::Actor::create("isend", s4u::this_actor::get_host(), [&receive_endpoint, &server, request] {
        StartedSend& started = *receive_endpoint.started;
        started.left = started.message.cost.rendezvous
                           ? acknowledged(receive_endpoint, started.message, started.requested_at)
                           : started.requested_at;
        synchronise_clock(started.left);
        if (requests_bus(started.message)) {
            const std::int64_t requested_at = started.left;
            started.left = granted(server, {{requested_at}, request.age, request.rank, request.begun},
                                   {started.message.cost.service, {}});
            started.server_wait = started.left - requested_at;
            synchronise_clock(started.left);
        }
        transmit(receive_endpoint, {after_copying(started.message), started.left});
        started.away->release();
    });
}

void RankActor::wait_send(std::uint32_t index) {
    ReceiveQueue& receive_endpoint = context_.receive_endpoints[index];
    if (!receive_endpoint.started) return;
    const StartedSend& started = *receive_endpoint.started;
    record_wait(Blocked::What::send, index);
    started.away->acquire();
    result_.waits = false;
    const std::int64_t waited = std::max<std::int64_t>(0, started.left - result_.clock);
    result_.server_wait += std::min(waited, started.server_wait);
    result_.clock += waited + started.message.cost.busy_after.ps;
    receive_endpoint.started.reset();
}

void RankActor::transmit(ReceiveQueue& receive_endpoint, const Envelope& envelope) {
    if (receive_endpoint.mailbox == nullptr) {
        receive_endpoint.envelopes.push_back(envelope);
        receive_endpoint.queued->release();
        return;
    }
    const double takes = alone(envelope.message);
    const auto bytes = static_cast<std::uint64_t>(envelope.message.flow.count);
    const s4u::CommPtr flow = receive_endpoint.mailbox->put_init(std::make_unique<Envelope>(envelope).release(), bytes);
    if (takes > 0.0) flow->set_rate(static_cast<double>(bytes) / takes);
    flow->detach();
}

/// Waits for the post and returns the arrival of the acknowledgement. The messages of a channel, including eager ones,
/// take its posts in order.
std::int64_t RankActor::acknowledged(ReceiveQueue& receive_endpoint, const Message& message,
                                     std::int64_t requested_at) {
    for (; receive_endpoint.unposted > 0; --receive_endpoint.unposted) {
        receive_endpoint.posts->acquire();
        receive_endpoint.posted.pop_front();
    }
    receive_endpoint.posts->acquire();
    const std::int64_t posted = receive_endpoint.posted.front();
    receive_endpoint.posted.pop_front();
    return std::max(posted, requested_at + message.cost.request.ps) + message.cost.answer.ps;
}

void RankActor::wait_for_acknowledgement(std::uint32_t receive_endpoint, const Message& message,
                                         std::int64_t requested_at) {
    synchronise();
    record_wait(Blocked::What::send, receive_endpoint);
    result_.clock =
        std::max(result_.clock, acknowledged(context_.receive_endpoints[receive_endpoint], message, requested_at));
    result_.waits = false;
}

void RankActor::post(std::uint32_t receive_endpoint) {
    context_.receive_endpoints[receive_endpoint].receive_posted = result_.clock;
    if (!context_.receive_endpoints[receive_endpoint].posts) return;
    synchronise();
    context_.receive_endpoints[receive_endpoint].posted.push_back(result_.clock);
    context_.receive_endpoints[receive_endpoint].posts->release();
}

Envelope RankActor::take(ReceiveQueue& receive_endpoint) {
    if (receive_endpoint.mailbox == nullptr) {
        receive_endpoint.queued->acquire();
        const Envelope envelope = receive_endpoint.envelopes.front();
        receive_endpoint.envelopes.pop_front();
        return envelope;
    }
    Envelope* taken = nullptr;
    const s4u::CommPtr flow = receive_endpoint.mailbox->get_async<Envelope>(&taken);
    flow->wait();
    const std::unique_ptr<Envelope> envelope(taken);
    const double took = flow->get_finish_time() - flow->get_start_time();
    const std::int64_t later = picoseconds(took - alone(envelope->message));
    envelope->delay = std::max<std::int64_t>(0, later - envelope->message.cost.idle.ps);
    return *envelope;
}

void RankActor::receive(std::uint32_t receive_endpoint) {
    record_wait(Blocked::What::recv, receive_endpoint);
    const Envelope envelope = take(context_.receive_endpoints[receive_endpoint]);
    result_.waits = false;
    const network::MessageCost& cost = envelope.message.cost;
    const std::int64_t arrives = envelope.set_out + cost.flight.ps + envelope.delay;
    const std::int64_t waited = arrives - result_.clock;
    if (waited > 0) result_.clock += waited;
    if (waited > 0 && !in_collective()) result_.flow_wait += std::min(waited, envelope.delay);
    if (arrives < context_.receive_endpoints[receive_endpoint].receive_posted) result_.clock += cost.unexpected.ps;
    result_.clock += cost.before_service.ps;
    if (cost.receiver_holds_server) request_server(cost.service_received, cost.service_early);
    result_.clock += (cost.busy_recv - cost.before_service).ps;
}

void RankActor::synchronise() { synchronise_clock(result_.clock); }

void RankActor::request_server(Time hold, Time early) {
    synchronise();
    const ServerRequest request{{result_.clock}, age(), rank_};
    const std::int64_t time = granted(context_.node_servers[server_], request, {hold, early});
    if (!in_collective()) result_.server_wait += time - result_.clock;
    result_.clock = time;
}

/// Requests the server at SimGrid's current time and waits until it is granted.
std::int64_t RankActor::granted(ServerQueue& server, const ServerRequest& request, const network::Service& service) {
    server.request(request);
    std::uint64_t seen = server.changes();
    for (int quiet = 0; quiet < kTurnsOfAnInstant || !server.is_first(request);) {
        s4u::this_actor::yield();
        quiet = seen == server.changes() ? quiet + 1 : 0;
        seen = server.changes();
    }
    return server.grant(request, service).ps;
}

void RankActor::record_wait(Blocked::What what, std::uint32_t receive_endpoint) {
    const program::Instruction& instruction = cursor_.current();
    const bool sends = what == Blocked::What::send;
    Blocked& blocked = result_.blocked;
    blocked = {.rank = rank_, .peer = {}, .site = instruction.site, .what = what, .since = Time{result_.clock}};
    if (in_collective()) {
        blocked.what = Blocked::What::collective;
        blocked.peer =
            sends ? context_.channel_map.receiver(receive_endpoint) : *context_.channel_map.sender(receive_endpoint);
    } else {
        const program::Channel& channel =
            (sends ? class_.send_endpoints : class_.receive_endpoints)[instruction.operand];
        blocked.peer = program::peer_of(rank_, channel);
        blocked.tag = channel.tag;
    }
    result_.waits = true;
}

namespace {

Simulated simulate(const program::Program& program, const machine::Machine& machine, const ChannelMap& channel_map,
                   const variation::ComputeTime& compute_time) {
    std::optional<SimulationContext> context;  // outlives the engine, which ends actors that still wait
    std::vector<RankActor> actors;
    char name[] = "warpfront";
    char* arguments[] = {name, nullptr};
    int count = 1;
    s4u::Engine engine(&count, arguments);
    for (const char* setting :
         {"network/model:CM02", "network/crosstraffic:0", "network/weight-S:0", "network/TCP-gamma:1e15",
          "surf/precision:1e-13", "contexts/stack-size:64", "contexts/guard-size:0"}) {
        s4u::Engine::set_config(setting);
    }
    context.emplace(program, machine, channel_map, compute_time);
    actors.reserve(channel_map.ranks());
    std::vector<s4u::ActorPtr> by_rank;
    for (std::uint32_t rank = 0; rank < channel_map.ranks(); ++rank) {
        RankActor& actor = actors.emplace_back(*context, Rank{rank});
        s4u::Host* host = context->flows.host(channel_map.port_of({rank}));
        by_rank.push_back(s4u::Actor::create(fmt::format("rank-{}", rank), host, [&actor] { actor.run(); }));
    }
    for (std::uint32_t each = 0; each < channel_map.receive_endpoints(); ++each) {
        // otherwise a message would start only when it is received
        s4u::Mailbox* mailbox = context->receive_endpoints[each].mailbox;
        if (mailbox != nullptr) mailbox->set_receiver(by_rank[channel_map.receiver(each).index]);
    }
    engine.run();
    return {std::move(context->results), std::move(context->iteration_ends), context->overflow,
            std::move(context->cost_overflow)};
}

}  // namespace

}  // namespace warpfront::reference

void warpfront_simgrid_simulate(const warpfront::program::Program& program, const warpfront::machine::Machine& machine,
                                const warpfront::reference::ChannelMap& channel_map,
                                const warpfront::variation::ComputeTime& compute_time,
                                warpfront::reference::Simulated& result) {
    result = warpfront::reference::simulate(program, machine, channel_map, compute_time);
}
