#include "simulator/reference/actors.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace warpfront::reference {

namespace {

namespace s4u = simgrid::s4u;
using record::Blocked;
using program::Op;

std::int64_t picoseconds(double seconds) { return std::llround(seconds * 1e12); }

/// Seconds that the flow of a message takes where it is alone.
double alone(const Message& message, Gap slowest) {
    return static_cast<double>(message.flow.count) *
           std::max(message.own.seconds_per_byte, slowest.seconds_per_byte);
}

}  // namespace

Stage::Stage(const program::Program& of, const machine::Machine& machine, const Wiring& on)
    : program(of), wiring(on), flows(on, machine), inlets(on.inlets()), buses(on.ports()), fates(on.ranks()),
      iteration_ends(static_cast<std::size_t>(of.iterations)) {
    for (std::uint32_t index = 0; index < wiring.inlets(); ++index) {
        Inlet& inlet = inlets[index];
        if (wiring.announces(index)) inlet.posts = s4u::Semaphore::create(0);
        const std::optional<Rank> sender = wiring.sender(index);
        if (!sender) {
            inlet.lying = s4u::Semaphore::create(0);  // whoever receives here waits for ever
            continue;
        }
        const Port from = wiring.port_of(*sender);
        const Port to = wiring.port_of(wiring.receiver(index));
        if (wiring.same_node(from, to)) {
            inlet.lying = s4u::Semaphore::create(0);
        } else {
            inlet.mailbox = s4u::Mailbox::by_name(fmt::format("inlet-{}", index));
            inlet.slowest = flows.slowest(from, to);
        }
    }
}

RankActor::RankActor(Stage& stage, Rank rank)
    : stage_(stage), rank_(rank), class_(stage.program.of(rank)), fate_(stage.fates[rank.index]),
      port_(stage.wiring.port_of(rank)) {}

void RankActor::walk() {
    while (class_.code[at_].op != Op::finish && !stage_.overflow) {
        step(class_.code[at_]);
        stage_.overflow = stage_.overflow || fate_.clock > kHorizon.ps;
    }
    fate_.clock = std::max(fate_.clock, picoseconds(s4u::Engine::get_clock()));
}

void RankActor::step(const program::Instruction& instruction) {
    const Wiring& wiring = stage_.wiring;
    switch (instruction.op) {
        case Op::compute: fate_.clock += instruction.amount; break;
        case Op::send: {
            const std::uint32_t inlet = wiring.inlet_of(rank_, instruction.place);
            ++fate_.sent;
            send(inlet, wiring.receiver(inlet), {instruction.amount});
            break;
        }
        case Op::recv:
            post(wiring.inlet(rank_, instruction.place));
            receive(wiring.inlet(rank_, instruction.place));
            break;
        case Op::post: post(wiring.inlet(rank_, instruction.place)); break;
        case Op::await: receive(wiring.inlet(rank_, instruction.place)); break;
        case Op::isend: {
            const std::uint32_t inlet = wiring.inlet_of(rank_, instruction.place);
            ++fate_.sent;
            start_send(inlet, wiring.receiver(inlet), {instruction.amount});
            break;
        }
        case Op::await_sent: await_sent(wiring.inlet_of(rank_, instruction.place)); break;
        case Op::loop: trips_left_[instruction.depth] = instruction.amount; break;
        case Op::end_loop:
            if (class_.code[at_ - 1].op != Op::iteration) position_.end_trip();
            if (--trips_left_[instruction.depth] > 0) at_ = instruction.place;
            break;
        case Op::allreduce: allreduce({instruction.amount}); break;
        case Op::iteration: {
            std::int64_t& end = stage_.iteration_ends[iteration_++];
            end = std::max(end, fate_.clock);
            position_.end_iteration();
            break;
        }
        case Op::finish: break;
    }
    ++at_;
}

void RankActor::allreduce(Bytes size) {
    const network::RecursiveDoubling& doubling = stage_.wiring.doubling();
    for (std::uint32_t k = 0; k < doubling.steps(); ++k) {
        step_ = k + 1;
        const auto [to, from] = doubling.step(rank_, k);
        const std::uint32_t own = stage_.wiring.step_inlet(rank_, k);
        if (from) post(own);
        if (to) send(stage_.wiring.step_inlet(*to, k), *to, size);
        if (from) receive(own);
    }
    step_ = 0;
    position_.end_collective(doubling.steps());
}

void RankActor::send(std::uint32_t inlet, Rank to, Bytes size) {
    const Message message = stage_.wiring.message(rank_, to, size);
    fate_.clock += message.cost.busy_send.ps;
    if (message.cost.handshake) {
        await_acknowledgement(inlet, message, fate_.clock);
    } else if (stage_.inlets[inlet].posts) {
        ++stage_.inlets[inlet].unposted;
    }
    go_out(inlet, message);
}

void RankActor::go_out(std::uint32_t inlet, const Message& message) {
    if (message.cost.holds_bus) ask_bus(message.cost.bus);
    meet();
    set_out(stage_.inlets[inlet], {message, fate_.clock});
    fate_.clock += message.cost.busy_after.ps;
}

/// What holds nothing is seen off by an actor of its own, while its rank goes on.
void RankActor::start_send(std::uint32_t index, Rank to, Bytes size) {
    const Message message = stage_.wiring.message(rank_, to, size);
    if (!message.cost.handshake) return send(index, to, size);
    fate_.clock += message.cost.busy_send.ps;
    meet();
    Inlet& inlet = stage_.inlets[index];
    inlet.started = Started{message, fate_.clock, 0, nullptr};
    if (message.cost.holds()) return;
    inlet.started->away = s4u::Semaphore::create(0);
    s4u::Actor::create("isend", s4u::this_actor::get_host(), [&inlet] {
        Started& started = *inlet.started;
        started.left = acknowledged(inlet, started.message, started.asked);
        meet(started.left);
        set_out(inlet, {started.message, started.left});
        started.away->release();
    });
}

void RankActor::await_sent(std::uint32_t index) {
    Inlet& inlet = stage_.inlets[index];
    if (!inlet.started) return;
    if (inlet.started->away) {
        stand(Blocked::What::send, index);
        inlet.started->away->acquire();
        fate_.waits = false;
        fate_.clock = std::max(fate_.clock, inlet.started->left) + inlet.started->message.cost.busy_after.ps;
    } else {
        await_acknowledgement(index, inlet.started->message, inlet.started->asked);
        go_out(index, inlet.started->message);
    }
    inlet.started.reset();
}

void RankActor::set_out(Inlet& inlet, const Letter& letter) {
    if (inlet.mailbox == nullptr) {
        inlet.letters.push_back(letter);
        inlet.lying->release();
        return;
    }
    const double takes = alone(letter.message, inlet.slowest);
    const auto bytes = static_cast<std::uint64_t>(letter.message.flow.count);
    const s4u::CommPtr flow = inlet.mailbox->put_init(std::make_unique<Letter>(letter).release(), bytes);
    if (takes > 0.0) flow->set_rate(static_cast<double>(bytes) / takes);
    flow->detach();
}

/// When the acknowledgement is back; waits for the post. Messages of a channel take its posts in order, those too that
/// did not wait for them.
std::int64_t RankActor::acknowledged(Inlet& inlet, const Message& message, std::int64_t asked) {
    for (; inlet.unposted > 0; --inlet.unposted) {
        inlet.posts->acquire();
        inlet.posted.pop_front();
    }
    inlet.posts->acquire();
    const std::int64_t posted = inlet.posted.front();
    inlet.posted.pop_front();
    return std::max(posted, asked + message.cost.request.ps) + message.cost.answer.ps;
}

void RankActor::await_acknowledgement(std::uint32_t inlet, const Message& message, std::int64_t asked) {
    meet();
    stand(Blocked::What::send, inlet);
    fate_.clock = std::max(fate_.clock, acknowledged(stage_.inlets[inlet], message, asked));
    fate_.waits = false;
}

void RankActor::post(std::uint32_t inlet) {
    if (!stage_.inlets[inlet].posts) return;
    meet();
    stage_.inlets[inlet].posted.push_back(fate_.clock);
    stage_.inlets[inlet].posts->release();
}

Letter RankActor::take(Inlet& inlet) {
    if (inlet.mailbox == nullptr) {
        inlet.lying->acquire();
        const Letter letter = inlet.letters.front();
        inlet.letters.pop_front();
        return letter;
    }
    Letter* taken = nullptr;
    const s4u::CommPtr flow = inlet.mailbox->get_async<Letter>(&taken);
    flow->wait();
    const std::unique_ptr<Letter> letter(taken);
    const double took = flow->get_finish_time() - flow->get_start_time();
    const std::int64_t later = picoseconds(took - alone(letter->message, inlet.slowest));
    letter->delay = std::max<std::int64_t>(0, later - letter->message.cost.idle.ps);
    return *letter;
}

void RankActor::receive(std::uint32_t inlet) {
    stand(Blocked::What::recv, inlet);
    const Letter letter = take(stage_.inlets[inlet]);
    fate_.waits = false;
    const network::MessageCost& cost = letter.message.cost;
    const std::int64_t waited = letter.set_out + cost.flight.ps + letter.delay - fate_.clock;
    if (waited > 0) fate_.clock += waited;
    if (waited > 0 && !in_collective()) fate_.flow_wait += std::min(waited, letter.delay);
    if (cost.holds_bus) ask_bus(cost.bus);
    fate_.clock += cost.busy_recv.ps;
}

void RankActor::ask_bus(Time hold) {
    meet();
    Bus& bus = stage_.buses[port_.index];
    const BusRequest request{{fate_.clock}, position_.at(class_.code[at_].site, step_), rank_};
    bus.ask(request);
    std::uint64_t seen = bus.changes();
    for (int quiet = 0; quiet < kTurnsOfAnInstant || !bus.is_first(request);) {
        s4u::this_actor::yield();
        quiet = seen == bus.changes() ? quiet + 1 : 0;
        seen = bus.changes();
    }
    const std::int64_t granted = bus.grant(request, hold).ps;
    if (!in_collective()) fate_.bus_wait += granted - fate_.clock;
    fate_.clock = granted;
}

/// The clock and SimGrid's become one.
void RankActor::meet(std::int64_t& clock) {
    const double now = s4u::Engine::get_clock();
    const std::int64_t simgrids = picoseconds(now);
    if (clock > simgrids) {
        s4u::this_actor::sleep_for(static_cast<double>(clock) * 1e-12 - now);
    } else {
        clock = simgrids;
    }
}

void RankActor::stand(Blocked::What what, std::uint32_t inlet) {
    const program::Instruction& instruction = class_.code[at_];
    const bool sends = what == Blocked::What::send;
    Blocked& stands = fate_.stands;
    stands = {.rank = rank_, .peer = {}, .site = instruction.site, .what = what, .since = Time{fate_.clock}};
    if (in_collective()) {
        stands.what = Blocked::What::collective;
        stands.peer = sends ? stage_.wiring.receiver(inlet) : *stage_.wiring.sender(inlet);
    } else {
        const program::Channel& channel = (sends ? class_.outlets : class_.inlets)[instruction.place];
        stands.peer = {static_cast<std::uint32_t>(std::int64_t{rank_.index} + channel.delta)};
        stands.tag = channel.tag;
    }
    fate_.waits = true;
}

}  // namespace warpfront::reference
