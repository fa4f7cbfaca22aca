#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/words.hpp"
#include "simulator/trace/expanded_trace.hpp"
#include "simulator/trace/expander.hpp"

namespace warpfront::trace {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using program::Op;

/// The number of events after a wait for any in which the completion of its other requests is searched.
constexpr std::size_t kFarthestCompletion = 10'000;

/// Numbers of requests.
using Requests = std::set<std::uint32_t>;

/// The events of one rank as operations.
class EventExpander : Expander {
public:
    EventExpander(const RecordedRun& run, std::uint32_t number, const RecordedRank& rank,
                  const Communicators& communicators, const Costs& costs, Arrivals arrivals, std::uint64_t most,
                  Diagnostics& faults)
        : Expander(number, costs, most, faults),
          events_(rank.events),
          rank_events_(rank),
          communicators_(communicators),
          has_sites_(run.has_sites),
          arrivals_(arrivals) {
        for (const Event& event : events_) {
            if (arrivals_ == Arrivals::first) break;
            for (const Completion& each : event.completed) {
                if (each.received) taken_[each.request] = each;
            }
        }
        trace_.source = rank.source;
        trace_.name = fmt::format("{}/rank-{}", run.name, number);
    }

    ExpandedTrace read() {
        for (at_ = 0; at_ < events_.size() && !full_; ++at_) {
            const Event& event = events_[at_];
            stand_at(event);
            work(event.work);
            if (event.phase != phase_) enter(event.phase);
            act(event);
        }
        if (full_) return std::move(trace_);
        work(rank_events_.work_after);
        if (!rank_events_.complete) {
            const bool full = rank_events_.lost > 0;
            complain(DiagnosticKind::trace_truncated,
                     full ? fmt::format("rank {} filled its buffer after {}, and {} more {} lost", rank_,
                                        input::counted(events_.size(), "call"), rank_events_.lost,
                                        rank_events_.lost == 1 ? "is" : "are")
                          : fmt::format("rank {} was killed, or filled its buffer, after {}", rank_,
                                        input::counted(events_.size(), "call")),
                     full ? "expected all of them: `record --buffer` makes it larger"
                          : "expected a run that came to MPI_Finalize on all ranks");
        } else if (sound_) {
            check_open();
            if (sound_ && !pending_.empty()) {
                line_ = pending_.begin()->second.line;
                complain(DiagnosticKind::unwaited_request, "a collective that is begun is never waited for",
                         "expected a wait for it");
            }
        }
        return std::move(trace_);
    }

private:
    struct Pending {
        const Event* event = nullptr;
        std::uint32_t line = 0;
    };

    void stand_at(const Event& event) {
        verb_ = verb_of(event);
        trace_.lines = line_ =
            at_ < rank_events_.lines.size() ? rank_events_.lines[at_] : static_cast<std::uint32_t>(at_) + 1;
        site_ = has_sites_ ? event.site : line_;
    }
    static Verb verb_of(const Event& event) {
        switch (event.call) {
            case Call::send: return Verb::send;
            case Call::ssend: return Verb::ssend;
            case Call::isend:
            case Call::issend: return Verb::isend;
            case Call::recv: return Verb::recv;
            case Call::irecv: return Verb::irecv;
            case Call::sendrecv: return Verb::sendrecv;
            case Call::wait: return event.completed.size() == 1 ? Verb::wait : Verb::waitall;
            case Call::wait_any: return Verb::waitany;
            case Call::collective:
            case Call::begin_collective: break;
        }
        return trace::verb_of(event.kind);
    }

    void work(Time time) {
        const auto here = from_seconds(seconds(time) / costs_.times_as_fast);
        if (here) return compute(costs_.times_as_fast == 1.0 ? time : *here);
        complain(DiagnosticKind::cost_too_large, fmt::format("{:g} s of computing take too long", seconds(time)),
                 fmt::format("expected at most {:g} s, at {:g} times the recorded speed", seconds(kLongestCost),
                             costs_.times_as_fast));
    }

    void enter(std::uint32_t phase) {
        phase_ = phase;
        mark_phase(phase);
    }

    /// Replaces any source by the recorded source.
    Event with_source(const Event& event) {
        Event named = event;
        if (event.call == Call::irecv) {
            const auto taken = taken_.find(event.request);
            if (taken == taken_.end() || taken->second.tag < 0) return named;
            named.peer = taken->second.source;
            named.tag = taken->second.tag;
        }
        named.any_source = named.any_tag = false;
        ++trace_.taken_as_recorded;
        return named;
    }

    void act(const Event& recorded) {
        const bool named = arrivals_ != Arrivals::first && (recorded.any_source || recorded.any_tag);
        const Event with_its_source = named ? with_source(recorded) : Event{};
        const Event& event = named ? with_its_source : recorded;
        if (is_to_itself(event)) return;
        const ChannelEnd to{event.peer.index, event.tag, event.communicator, true};
        switch (event.call) {
            case Call::send: begin(Op::send, to, event.bytes); break;
            case Call::ssend: begin(Op::ssend, to, event.bytes); break;
            case Call::issend: ++trace_.begun_synchronous; [[fallthrough]];
            case Call::isend: open(begin(Op::isend, to, event.bytes, event.request)); break;
            case Call::recv: receive(event, event.peer, event.tag, false); break;
            case Call::irecv: receive(event, event.peer, event.tag, true); break;
            case Call::sendrecv: exchange_both(event, to); break;
            case Call::wait: wait(event.completed); break;
            case Call::wait_any: wait_any(event); break;
            case Call::collective: collective_of(event); break;
            case Call::begin_collective:
                ++trace_.begun_collectives;
                pending_[event.request] = {&recorded, line_};
                break;
        }
    }

    /// Returns true for messages of a rank to itself. They take no time, so both their ends are left out.
    bool is_to_itself(const Event& event) {
        const bool is_message = event.call != Call::wait && event.call != Call::wait_any &&
                                event.call != Call::collective && event.call != Call::begin_collective;
        if (!is_message) return false;
        const bool exchanges = event.call == Call::sendrecv;
        const bool receives_any = event.any_source && !exchanges;
        const bool here = event.peer.index == rank_ && !receives_any;
        const bool from_here = exchanges && !event.any_source && event.from.index == rank_;
        if (!here && !from_here) return false;
        if (exchanges && !from_here) receive(event, event.from, event.from_tag, false);
        if (exchanges && !here) begin(Op::send, {event.peer.index, event.tag, event.communicator, true}, event.bytes);
        ++trace_.to_itself;
        if (event.request != 0) made_.insert(event.request);
        return true;
    }

    void receive(const Event& event, Rank from, std::int32_t tag, bool posted) {
        if (event.any_source || event.any_tag) {
            Wildcard wildcard{{}, {}, event.communicator};
            if (!event.any_source) wildcard.peer = from.index;
            if (!event.any_tag) wildcard.tag = tag;
            if (posted) return post_any(wildcard, event.request);
            return take_any(any_.number_of(wildcard));
        }
        const ChannelEnd end{from.index, tag, event.communicator, false};
        const OpenRequest begun = begin(posted ? Op::irecv : Op::recv, end, {}, event.request);
        if (posted) open(begun);
    }

    void exchange_both(const Event& event, const ChannelEnd& to) {
        // No request of the format has this number.
        constexpr std::uint32_t kOwn = ~std::uint32_t{0};
        Event received = event;
        received.request = kOwn;
        receive(received, event.from, event.from_tag, true);
        begin(Op::send, to, event.bytes);
        if (const auto request = open_.take(kOwn)) wait_for(*request);
    }

    /// Waits for begun collectives, then sends, then receives, each in the order of their beginning.
    void wait(const std::vector<Completion>& completed) {
        std::vector<OpenRequest> requests;
        for (const Completion& each : completed) {
            if (const auto pending = pending_.find(each.request); pending != pending_.end()) {
                make_begun(pending->second.event->communicator, each.request);
            } else if (group_.erase(each.request) != 0) {
                take_of_group();
            } else if (auto request = open_.take(each.request)) {
                requests.push_back(*request);
            } else if (!made_.contains(each.request)) {
                complain(DiagnosticKind::unknown_request, fmt::format("request {} is not open", each.request),
                         "expected one that was begun, and is waited for once");
            }
        }
        std::ranges::sort(requests, [](const OpenRequest& a, const OpenRequest& b) {
            return std::pair(!a.end.sends, a.request) < std::pair(!b.end.sends, b.request);
        });
        for (const OpenRequest& each : requests) wait_for(each);
    }

    void wait_any(const Event& event) {
        if (group_.empty() && arrivals_ != Arrivals::recorded) begin_group_of(event);
        const bool decides = std::ranges::all_of(event.completed, [this](const Completion& each) {
            const OpenRequest* const open = open_.find(each.request);
            return group_.contains(each.request) || made_.contains(each.request) ||
                   (open != nullptr && open->end.sends);
        });
        if (!decides) ++trace_.chosen_as_recorded;
        wait(event.completed);
    }

    /// Makes a group of the receives of a wait for any, if all later waits are for one of those left, or for all of
    /// them.
    void begin_group_of(const Event& event) {
        Requests receives;
        for (const std::uint32_t request : event.among) {
            const OpenRequest* const open = open_.find(request);
            if (open == nullptr || open->end.sends) continue;
            if (open->any) return;
            receives.insert(request);
        }
        if (receives.size() < 2 || !taken_one_by_one(receives)) return;
        begin_group([&](const OpenRequest& each) { return receives.contains(each.request); });
        group_ = std::move(receives);
    }

    bool taken_one_by_one(Requests left) const {
        Requests posted;  // after the group began
        const std::size_t end = std::min(events_.size(), at_ + kFarthestCompletion);
        for (std::size_t at = at_; at < end && !left.empty(); ++at) {
            const Event& event = events_[at];
            if (event.call == Call::irecv) posted.insert(event.request);
            std::size_t taken = 0;
            for (const Completion& each : event.completed) taken += left.contains(each.request) ? 1U : 0U;
            if (event.call == Call::wait_any) {
                std::size_t known = 0;
                bool has_others = false;
                for (const std::uint32_t each : event.among) {
                    known += left.contains(each) ? 1U : 0U;
                    has_others = has_others || posted.contains(each);
                }
                if (known > 0 && (known < left.size() || has_others)) return false;
            } else if (taken > 0 && taken < left.size()) {
                return false;
            }
            for (const Completion& each : event.completed) left.erase(each.request);
        }
        return left.empty();
    }

    /// Performs the begun collectives of a communicator, up to the one with this request: all members perform them in
    /// the order in which they were begun.
    void make_begun(std::uint32_t communicator, std::uint32_t up_to) {
        for (auto at = pending_.begin(); at != pending_.end() && at->first <= up_to;) {
            const auto here = at++;
            if (here->second.event->communicator != communicator) continue;
            const Event& event = *here->second.event;
            made_.insert(here->first);
            pending_.erase(here);
            take_part(event);
        }
    }

    void collective_of(const Event& event) {
        make_begun(event.communicator, ~std::uint32_t{0});
        take_part(event);
    }

    void take_part(const Event& event) {
        const std::optional<Communicator> over = communicators_.of(event.communicator, rank_);
        if (!over) {
            return complain(DiagnosticKind::not_a_member,
                            fmt::format("rank {} is not in communicator {}", rank_, event.communicator),
                            "expected one of its members");
        }
        collectives::Collective call{event.kind, 0, event.bytes, event.shares};
        for (std::uint32_t member = 0; member < over->membership.members; ++member) {
            if (over->membership.rank_of(member) == event.peer.index) call.root = member;
        }
        const Verb before = std::exchange(verb_, trace::verb_of(event.kind));
        collective(call, *over, false);
        verb_ = before;
    }

    const std::vector<Event>& events_;
    const RecordedRank& rank_events_;
    const Communicators& communicators_;
    const bool has_sites_;
    const Arrivals arrivals_;
    std::map<std::uint32_t, Completion> taken_;  // by request, if receives take what they took in the recorded run
    std::size_t at_ = 0;
    std::uint32_t phase_ = 0;
    Requests group_;                            // of a wait for any: those that are left
    std::map<std::uint32_t, Pending> pending_;  // begun collectives, by request
    Requests made_;                             // no longer open, or never; a wait may follow
};

}  // namespace

ExpandedTrace expand_events(const RecordedRun& run, std::uint32_t number, const RecordedRank& rank,
                            const Communicators& communicators, const Costs& costs, Arrivals arrivals,
                            std::uint64_t most, Diagnostics& faults) {
    return EventExpander(run, number, rank, communicators, costs, arrivals, most, faults).read();
}

}  // namespace warpfront::trace
