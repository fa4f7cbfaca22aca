#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "simulator/collectives/exchanges.hpp"
#include "simulator/input/words.hpp"
#include "simulator/trace/expanded_trace.hpp"

namespace warpfront::trace {

namespace {

using collectives::Exchange;
using program::Op;

/// The number of events after a wait for any that are searched for the completion of its other requests.
constexpr std::size_t kFarthestCompletion = 10'000;

/// Numbers of requests.
using Requests = std::set<std::uint32_t>;

/// The receives of one rank from any source or of any tag: the messages that they may take, and the receives that are
/// matched when they are posted (open_requests.hpp). If several receives with the same wildcard are open, each uses a
/// separate slot.
class WildcardReceives {
public:
    WildcardReceives(ExpandedTrace& trace, OpenRequests& open) : trace_(trace), open_(open) {}

    std::uint32_t number_of(const Wildcard& wildcard) {
        std::vector<ExpandedTrace::Taken>& all = trace_.wildcards;
        const auto found = std::ranges::find_if(all, [&](const auto& each) { return each.wildcard == wildcard; });
        const auto index = static_cast<std::uint32_t>(found - all.begin());
        if (found == all.end()) all.push_back({wildcard, 0, trace_.lines});
        return index;
    }

    /// Posts a receive. A receive that is matched when it is posted gets a slot.
    AnySource post(std::uint32_t wildcard) {
        AnySource any{wildcard, trace_.wildcards[wildcard].wildcard};
        any.when_waited_for = open_.has_beside(any.takes);
        if (any.when_waited_for) {
            ++trace_.postponed;
            return any;
        }
        std::vector<std::uint32_t>& slots = trace_.slots;
        while (any.slot < slots.size() && (slots[any.slot] != wildcard || taken_slots_.contains(any.slot))) ++any.slot;
        if (any.slot == slots.size()) slots.push_back(wildcard);
        taken_slots_.insert(any.slot);
        return any;
    }

    /// Waits for a receive that was matched when it was posted.
    void complete(const AnySource& any) {
        ++trace_.wildcards[any.wildcard].messages;
        taken_slots_.erase(any.slot);
    }

    /// Takes a message by a blocking receive, or by a receive that was not matched when it was posted.
    void take(std::uint32_t wildcard) {
        postpone_beside(trace_.wildcards[wildcard].wildcard);
        ++trace_.wildcards[wildcard].messages;
    }

    /// Postpones the matches of open receives to their waits, since another receive may take the same messages.
    void postpone_beside(const Wildcard& wildcard) {
        for (const std::size_t operation : open_.postpone_beside(wildcard)) {
            trace_.operations[operation].left_out = true;
            taken_slots_.erase(trace_.operations[operation].number);
            ++trace_.postponed;
        }
    }

private:
    ExpandedTrace& trace_;
    OpenRequests& open_;
    std::set<std::uint32_t> taken_slots_;
};

/// The events of one rank as operations: messages are numbered, collectives expanded, waits assigned to requests.
class Expander {
public:
    Expander(const RecordedRun& run, std::uint32_t number, const RecordedRank& rank, const Communicators& communicators,
             const Costs& costs, Arrivals arrivals, std::uint64_t most, Diagnostics& faults)
        : run_(run),
          rank_(number),
          events_(rank.events),
          rank_events_(rank),
          communicators_(communicators),
          costs_(costs),
          arrivals_(arrivals),
          most_(most),
          faults_(faults) {
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
            stand_at(at_);
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
                     full ? "expected a buffer for all calls; `record --buffer` sets a larger one"
                          : "expected a run that reached MPI_Finalize on all ranks");
        } else if (sound_) {
            check_open();
            if (sound_ && !pending_.empty()) {
                stand_at(pending_.begin()->second);
                complain(DiagnosticKind::unwaited_request, "this nonblocking collective is never waited for",
                         "expected a wait for the request of the collective");
            }
        }
        return std::move(trace_);
    }

private:
    void stand_at(std::size_t at) {
        const Event& event = events_[at];
        verb_ = verb_of(event);
        own_site_ = event.site;
        trace_.lines = line_ =
            at < rank_events_.lines.size() ? rank_events_.lines[at] : static_cast<std::uint32_t>(at) + 1;
        site_ = run_.has_sites ? event.site : line_;
    }

    /// Adds an error of the current call.
    void complain(DiagnosticKind kind, std::string message, std::string expected) {
        sound_ = false;
        faults_.add(kind, trace_.range_of(line_, call_text(run_, verb_, own_site_)), std::move(message),
                    std::move(expected));
    }

    void work(Time time) {
        const auto here = from_seconds(seconds(time) / costs_.times_as_fast);
        if (here) return compute(costs_.times_as_fast == 1.0 ? time : *here);
        complain(DiagnosticKind::cost_too_large, fmt::format("computing takes {:g} s", seconds(time)),
                 fmt::format("expected at most {:g} s, at {:g} times the recorded speed", seconds(kLongestCost),
                             costs_.times_as_fast));
    }

    void enter(std::uint32_t phase) {
        phase_ = phase;
        put(Op::phase, {}, phase, 0);
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
            case Call::wait: wait(event); break;
            case Call::wait_any: wait_any(event); break;
            case Call::collective: collective_of(event); break;
            case Call::begin_collective:
                ++trace_.begun_collectives;
                pending_[event.request] = at_;
                break;
            case Call::compute: break;
        }
    }

    /// Returns true for messages of a rank to itself. Such messages take no time, so their sends and receives are left
    /// out.
    bool is_to_itself(const Event& event) {
        if (event.call > Call::sendrecv) return false;
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
        // The trace has no request with this number.
        constexpr std::uint32_t kOwn = ~std::uint32_t{0};
        Event received = event;
        received.request = kOwn;
        receive(received, event.from, event.from_tag, true);
        begin(Op::send, to, event.bytes);
        if (const auto request = open_.take(kOwn)) wait_for(*request);
    }

    /// Waits for begun collectives, then sends, then receives, each in the order of their beginning, or of arrival.
    void wait(const Event& event) {
        Requests by_arrival;
        for (const Completion& each : event.completed) {
            const OpenRequest* const open = event.by_arrival ? open_.find(each.request) : nullptr;
            if (open != nullptr && !open->end.sends && !open->any) by_arrival.insert(each.request);
        }
        if (by_arrival.size() < 2) by_arrival.clear();
        std::vector<OpenRequest> requests;
        for (const Completion& each : event.completed) {
            if (by_arrival.contains(each.request)) continue;
            if (const auto pending = pending_.find(each.request); pending != pending_.end()) {
                make_begun(events_[pending->second].communicator, each.request);
            } else if (group_.erase(each.request) != 0) {
                take_of_group();
            } else if (auto request = open_.take(each.request)) {
                requests.push_back(*request);
            } else if (!made_.contains(each.request)) {
                complain(DiagnosticKind::unknown_request, fmt::format("request {} is not open", each.request),
                         "expected a request that no earlier call has waited for");
            }
        }
        std::ranges::sort(requests, [](const OpenRequest& a, const OpenRequest& b) {
            return std::pair(!a.end.sends, a.request) < std::pair(!b.end.sends, b.request);
        });
        for (const OpenRequest& each : requests) wait_for(each);
        if (by_arrival.empty()) return;
        begin_group(by_arrival);
        while (open_.left_of_group() > 0) take_of_group();
    }

    void wait_any(const Event& event) {
        if (group_.empty() && arrivals_ != Arrivals::recorded) begin_group_of(event);
        const bool decides = std::ranges::all_of(event.completed, [this](const Completion& each) {
            const OpenRequest* const open = open_.find(each.request);
            return group_.contains(each.request) || made_.contains(each.request) ||
                   (open != nullptr && open->end.sends);
        });
        if (!decides) ++trace_.chosen_as_recorded;
        wait(event);
    }

    /// Makes a group of the receives of a wait for any, if each later wait is for one of the remaining receives or for
    /// all of them.
    void begin_group_of(const Event& event) {
        Requests receives;
        for (const std::uint32_t request : event.among) {
            const OpenRequest* const open = open_.find(request);
            if (open == nullptr || open->end.sends) continue;
            if (open->any) return;
            receives.insert(request);
        }
        if (receives.size() < 2 || !taken_one_by_one(receives)) return;
        begin_group(receives);
        group_ = std::move(receives);
    }

    bool taken_one_by_one(Requests left) const {
        Requests posted;  // receives that began after the group
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
            const Event& event = events_[here->second];
            if (event.communicator != communicator) continue;
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
        const std::optional<collectives::Membership> over = communicators_.of(event.communicator, rank_);
        if (!over) {
            return complain(DiagnosticKind::not_a_member,
                            fmt::format("rank {} is not in communicator {}", rank_, event.communicator),
                            "expected one of its members");
        }
        collectives::Collective call{event.kind, 0, event.bytes, event.shares, event.element};
        for (std::uint32_t member = 0; member < over->members; ++member) {
            if (over->rank_of(member) == event.peer.index) call.root = member;
        }
        const Verb before = std::exchange(verb_, trace::verb_of(event.kind));
        collective(call, event, *over);
        verb_ = before;
    }

    void put(Op op, const ChannelEnd& end, std::uint32_t number, std::int64_t amount) {
        if (full_) return;
        if (trace_.operations.size() == most_) {
            full_ = true;
            return complain(DiagnosticKind::trace_too_large,
                            "these traces contain too many messages and blocks of computing",
                            fmt::format("expected at most {} in all", kMostOperations));
        }
        trace_.operations.push_back({op, verb_, line_, site_, end, number, amount});
    }

    void compute(Time time) {
        if (time.ps > 0) put(Op::compute, {}, 0, time.ps);
    }

    OpenRequest begin(Op op, const ChannelEnd& end, Bytes bytes, std::uint32_t request = 0) {
        if (!end.sends) any_.postpone_beside({end.peer, end.tag, end.communicator});
        ExpandedTrace::Count& count = trace_.counts[end];
        if (trace_.counts.size() > kMostChannels && !full_) {
            full_ = true;
            complain(DiagnosticKind::trace_too_large, "this rank has too many channels (pairs of a peer and a tag)",
                     fmt::format("expected at most {}", kMostChannels));
        }
        const OpenRequest begun{end, count.begun++, {}, static_cast<std::uint32_t>(at_), request};
        const OpenRequest* const oldest = open_.oldest_on(end);
        const std::uint32_t window = oldest == nullptr ? 1 : begun.number - oldest->number + 1;
        count.window = std::max(count.window, window);
        put(op, end, begun.number, bytes.count);
        return begun;
    }

    void open(const OpenRequest& request) {
        if (open_.on(request.end) == kMostOpen) {
            full_ = true;
            return complain(DiagnosticKind::trace_too_large, "too many requests on one channel (peer and tag) are open",
                            fmt::format("expected a `wait` or `waitall` after at most {}", kMostOpen));
        }
        open_.add(request);
    }

    void post_any(const Wildcard& wildcard, std::uint32_t request) {
        AnySource any = any_.post(any_.number_of(wildcard));
        any.operation = trace_.operations.size();
        if (!any.when_waited_for) put(Op::irecv_any, {}, any.slot, 0);
        const ChannelEnd end{wildcard.peer.value_or(0), wildcard.tag.value_or(0), wildcard.communicator, false};
        open({end, 0, any, static_cast<std::uint32_t>(at_), request});
    }

    void take_any(std::uint32_t wildcard) {
        any_.take(wildcard);
        put(Op::recv_any, {}, wildcard, 0);
    }

    /// Makes a group of open receives from named sources.
    void begin_group(const Requests& requests) {
        open_.begin_group(requests);
        std::vector<ExpandedTrace::Posted>& group = trace_.groups.emplace_back();
        for (const OpenRequest& each : open_.group()) group.emplace_back(each.end, each.number);
    }

    void take_of_group() {
        open_.take_of_group();
        put(Op::wait_any, {}, static_cast<std::uint32_t>(trace_.groups.size() - 1), 0);
    }

    /// Performs a step with both ends: posts the receive, sends the message, waits for the receive.
    void exchange(const Exchange& step, const ChannelEnd& like) {
        if (step.waits()) return wait_for_begun();
        const auto from = [&] { return ChannelEnd{*step.from, like.tag, like.communicator, false}; };
        const auto to = [&] { return ChannelEnd{*step.to, like.tag, like.communicator, true}; };
        if (step.begins) {
            if (step.from) begun_.push_back(begin(Op::irecv, from(), {}));
            if (step.to) begun_.push_back(begin(Op::isend, to(), step.bytes));
            return;
        }
        if (!step.to) {
            begin(Op::recv, from(), {});
            return;
        }
        if (!step.from) {
            begin(Op::send, to(), step.bytes);
            return;
        }
        const OpenRequest receive = begin(Op::irecv, from(), {});
        begin(Op::send, to(), step.bytes);
        wait_for(receive);
    }

    void wait_for(const OpenRequest& request) {
        if (request.any) return wait_for(*request.any);
        put(request.end.sends ? Op::wait_send : Op::wait_recv, request.end, request.number, 0);
    }

    void wait_for(const AnySource& any) {
        if (any.when_waited_for) return take_any(any.wildcard);
        any_.complete(any);
        put(Op::wait_recv_any, {}, any.slot, 0);
    }

    void wait_for_begun() {
        for (const bool sends : {true, false}) {
            for (const OpenRequest& request : begun_) {
                if (request.end.sends == sends) wait_for(request);
            }
        }
        begun_.clear();
    }

    void collective(const collectives::Collective& call, const Event& event, const collectives::Membership& here) {
        using enum collectives::Kind;
        const collectives::Kind kind = call.kind;
        const bool alike = kind == bcast || kind == reduce || kind == allreduce || kind == scan || kind == exscan;
        trace_.calls.push_back({kind, call.root, event.communicator, line_, own_site_, {}});
        if (alike && !event.size_unknown) trace_.calls.back().bytes = call.bytes;
        const collectives::Algorithms& algorithms = costs_.collectives;
        if (here.member == 0) note(call, here.members);
        if (kind == allreduce && event.communicator == 0 &&
            algorithms.choose(call, here.members).algorithm == collectives::Algorithm::recursive_doubling) {
            return put(Op::allreduce, {}, 0, call.bytes.count);
        }
        if (collectives::most_exchanges(call, algorithms, here.members) > most_) {
            full_ = true;
            return complain(DiagnosticKind::trace_too_large,
                            fmt::format("`{}` of {} ranks consists of too many messages", name_of(kind), here.members),
                            fmt::format("expected at most {} in all traces", kMostOperations));
        }
        const std::uint32_t family = communicators_.family(event.communicator);
        const ChannelEnd like{
            0, -1 - static_cast<std::int32_t>(family * collectives::kKinds + static_cast<std::uint32_t>(kind))};
        collectives::for_each_exchange(call, algorithms, here.member, here.members, [&](Exchange step) {
            if (step.to) step.to = here.rank_of(*step.to);
            if (step.from) step.from = here.rank_of(*step.from);
            exchange(step, like);
        });
    }

    /// Adds the uses of a collective. Many calls are identical, so known sizes and members are not described again.
    void note(const collectives::Collective& call, std::uint32_t members) {
        static const collectives::Algorithms smpi = collectives::Algorithms::like(collectives::Library::smpi);
        const std::optional<collectives::Sizes> sizes = collectives::sizes_of(call, members);
        const std::tuple now{call.kind, members, sizes ? sizes->total.count : std::int64_t{0},
                             sizes ? sizes->elements : std::int64_t{0}, !sizes || sizes->equal_shares};
        if (!noted_.insert(now).second) return;
        std::vector<collectives::Description> all = collectives::descriptions_of(call, costs_.collectives, members);
        const auto same = [](const collectives::Description& a, const collectives::Description& b) {
            return a.algorithm == b.algorithm;
        };
        if (!std::ranges::equal(all, collectives::descriptions_of(call, smpi, members), same))
            trace_.unlike_smpi = true;
        for (collectives::Description& each : all) {
            program::add_use(trace_.uses, {std::move(each.operation), std::move(each.algorithm),
                                           std::move(each.because), members, members, each.bytes, each.bytes});
        }
    }

    void check_open() {
        const OpenRequest* const oldest = open_.oldest();
        if (oldest == nullptr) return;
        stand_at(oldest->event);
        complain(DiagnosticKind::unwaited_request,
                 open_.count() == 1
                     ? std::string("this request is never waited for")
                     : fmt::format("this is the first of {} requests that are never waited for", open_.count()),
                 "expected `wait` or `waitall` for it");
    }

    const RecordedRun& run_;
    const std::uint32_t rank_;
    const std::vector<Event>& events_;
    const RecordedRank& rank_events_;
    const Communicators& communicators_;
    const Costs& costs_;
    const Arrivals arrivals_;
    const std::uint64_t most_;
    Diagnostics& faults_;
    ExpandedTrace trace_;
    OpenRequests open_;
    WildcardReceives any_{trace_, open_};
    std::map<std::uint32_t, Completion> taken_;     // recorded messages by request, if receives take them
    Requests group_;                                // remaining requests of the group that a waitany began
    std::map<std::uint32_t, std::size_t> pending_;  // events of nonblocking collectives, by request
    Requests made_;                   // requests that are no longer open, or never were; a wait may follow
    std::vector<OpenRequest> begun_;  // requests that the collective being expanded has begun
    /// Uses by kind, members, total bytes and elements, and equality of shares.
    std::set<std::tuple<collectives::Kind, std::uint32_t, std::int64_t, std::int64_t, bool>> noted_;
    // The current event.
    std::size_t at_ = 0;
    Verb verb_ = 0;
    std::uint32_t line_ = 0;
    std::uint32_t site_ = 0;      // site of operations
    std::uint32_t own_site_ = 0;  // site of the event in the run
    std::uint32_t phase_ = 0;
    bool sound_ = true;
    bool full_ = false;
};

}  // namespace

void Communicators::update(const RecordedRun& run) {
    for (std::size_t number = ranks_.size(); number < run.communicators.size(); ++number) {
        std::vector<std::uint32_t>& ranks = ranks_.emplace_back();
        std::map<std::uint32_t, std::uint32_t>& members = members_.emplace_back();
        for (const Rank each : run.communicators[number]) {
            if (number > 0) members.emplace(each.index, static_cast<std::uint32_t>(ranks.size()));
            ranks.push_back(each.index);
        }
        const auto first = by_name_.try_emplace(run.communicator_names[number], static_cast<std::uint32_t>(number));
        families_.push_back(first.first->second);
    }
}

std::optional<collectives::Membership> Communicators::of(std::uint32_t communicator, std::uint32_t rank) const {
    const auto members = static_cast<std::uint32_t>(ranks_[communicator].size());
    if (communicator == 0) return collectives::Membership{rank, members, {}};
    const auto member = members_[communicator].find(rank);
    if (member == members_[communicator].end()) return std::nullopt;
    return collectives::Membership{member->second, members, ranks_[communicator]};
}

ExpandedTrace expand_events(const RecordedRun& run, std::uint32_t number, const RecordedRank& rank,
                            const Communicators& communicators, const Costs& costs, Arrivals arrivals,
                            std::uint64_t most, Diagnostics& faults) {
    return Expander(run, number, rank, communicators, costs, arrivals, most, faults).read();
}

SourceRange ExpandedTrace::range_of(std::uint32_t line, std::string_view what) const {
    if (source) return input::range_of_line(source, std::max<std::uint32_t>(line, 1));
    const std::string above(std::max<std::uint32_t>(line, 1) - 1, '\n');
    return {std::make_shared<input::SourceFile>(name, above + std::string(what)), above.size(), what.size()};
}

}  // namespace warpfront::trace
