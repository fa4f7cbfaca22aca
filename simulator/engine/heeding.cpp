// What nodes at rest, and the nodes beside them, are told, and when they are looked at (rest.hpp has the protocol).
#include <algorithm>
#include <stdexcept>

#include "simulator/engine/stepper.hpp"

namespace warpfront::engine {

// --- signals taken in ------------------------------------------------------------------------------------------------

void Stepper::deliver(std::uint32_t number, const Said& what) {
    if (rest_->records) heard_.emplace_back(number, what);
    tell(number, what);
}

void Stepper::tell(std::uint32_t number, const Said& what) {
    if (rest_->takes_posts(number)) {
        accept_post(rest_->outlet_of(number), what.time);
    } else {
        arrive(number, what.time, what.link_delay, what.cost);
    }
}

/// A signal of another node is there. It is left out where it is what was expected of it, or was taken in already.
void Stepper::heed(std::uint32_t number, const Said& what) {
    const std::uint32_t node = taker_of(number);
    End& end = rest_->ends[number];
    if (rest_->flags[node] != 0 && end.mode == EndMode::live && end.skip > 0) {
        --end.skip;
        end.left_out = rest_->trial;
        return;
    }
    if (rest_->flags[node] != 0 && end.mode == EndMode::watched) {
        if (end.count > 0 && what == rest_->at(end, end.next)) {
            ++end.next;
            if (rest_->records) heard_.emplace_back(number, what);
            return;
        }
        end.mode = EndMode::differs;
    }
    if (rest_->flags[node] != 0 && end.mode != EndMode::live) {
        if (end.mode != EndMode::differs) throw std::logic_error("a node at rest has said something");
        surprises_.push_back({node, number, what});
        return;
    }
    deliver(number, what);
}

/// Once all that was sent has been heard, so that it does not matter which signal was heard first: wakes whom something
/// took by surprise, and tells it.
void Stepper::wake_surprised() {
    for (const Surprise& each : surprises_) {
        if (rest_->rests(each.node)) rouse(each.node);
    }
    for (const Surprise& each : surprises_) {
        if (each.end != kNone) deliver(each.end, each.what);
    }
    surprises_.clear();
    for (const auto& [signal, link_delay] : of_collectives_) {
        if (signal.kind == Signal::post) {
            accept_post(signal.target, signal.time);
        } else {
            arrive(signal.target, signal.time, link_delay, signal.cost);
        }
    }
    of_collectives_.clear();
}

std::uint32_t Stepper::taker_of(std::uint32_t number) const {
    return layout_.node_of[rest_->takes_posts(number) ? layout_.rank_of_outlet(rest_->outlet_of(number))
                                                      : layout_.rank_of_inlet(number)];
}

/// A message of a collective, or its post, is never expected.
void Stepper::disturb(std::uint32_t rank, const Signal& signal, std::int64_t link_delay) {
    const std::uint32_t node = layout_.node_of[rank];
    rest_->nodes[node].disturbed = true;
    if (rest_->rests(node)) surprises_.push_back({node, kNone, {}});
    of_collectives_.emplace_back(signal, link_delay);
}

/// The sender of this end has woken, and says again what it says from that boundary on.
void Stepper::join(std::uint32_t number, std::uint32_t boundary) {
    End& end = rest_->ends[number];
    const std::uint32_t from = (boundary - end.base) * end.count;
    if (end.mode == EndMode::fed) {
        while (end.next < from) deliver(number, rest_->at(end, end.next++));
        end.skip = end.next - from;
        end.mode = EndMode::live;
    } else if (end.mode == EndMode::quiet) {
        end.next = from;
        end.mode = EndMode::watched;
        arm(taker_of(number));
    } else {
        throw std::logic_error("who was awake has woken");
    }
}

// --- a node's turn ---------------------------------------------------------------------------------------------------

void Stepper::attend(std::uint32_t node, std::int64_t limit) {
    if (rest_ != nullptr && rest_->flags[node] != 0 && rest_->nodes[node].armed < limit) {
        if (rest_->rests(node)) {
            const std::int64_t next = next_look(node);
            if (next >= limit) {
                arm(node, next);
                return;
            }
            rouse(node);
        }
        if (rest_->nodes[node].armed < limit) feed(node, limit);
    } else if (rest_ != nullptr && rest_->rests(node)) {
        return;
    }
    serve_node(node, limit);
}

/// When the node must be looked at: at rest, when what it expects would be late or its loops end; awake, when it is to
/// be fed.
std::int64_t Stepper::next_look(std::uint32_t node) const {
    const bool rests = rest_->rests(node);
    std::int64_t soonest = rests ? pace_of(node).boundary(rest_->nodes[node].until) : kHorizon.ps;
    rest_->each_taken(node, [&](std::uint32_t number, std::uint32_t) {
        const End& end = rest_->ends[number];
        if (end.mode != (rests ? EndMode::watched : EndMode::fed) || end.count == 0) return;
        soonest = std::min(soonest, rest_->effect(number, rest_->at(end, end.next)));
    });
    return soonest;
}

void Stepper::arm(std::uint32_t node) { arm(node, next_look(node)); }

/// What is due already, such as what a neighbour that wakes is about to say again, is looked at in this phase.
void Stepper::arm(std::uint32_t node, std::int64_t next) {
    next = std::max(next, phase_from_);
    rest_->nodes[node].armed = next;
    if (next < kHorizon.ps) timed_.push_back({next, node, 0, false});
}

/// Tells the node what its neighbours at rest would have told it by now: all that takes effect before `limit`.
void Stepper::feed(std::uint32_t node, std::int64_t limit) {
    bool minds = false;
    bool fed = false;
    std::int64_t next = kHorizon.ps;
    rest_->each_taken(node, [&](std::uint32_t number, std::uint32_t) {
        End& end = rest_->ends[number];
        minds = minds || end.mode == EndMode::fed || end.skip > 0;
        if (end.mode != EndMode::fed || end.count == 0) return;
        Said what = rest_->at(end, end.next);
        for (; rest_->effect(number, what) < limit; what = rest_->at(end, end.next)) {
            ++end.next;
            deliver(number, what);
            fed = true;
        }
        next = std::min(next, rest_->effect(number, what));
    });
    if (!minds) rest_->flags[node] = 0;
    arm(node, next);
    if (fed) settle();
}

}  // namespace warpfront::engine
