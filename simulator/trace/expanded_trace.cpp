#include "simulator/trace/expanded_trace.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/collectives/exchanges.hpp"

namespace warpfront::trace {

namespace {

using collectives::Exchange;
using input::DiagnosticKind;
using input::Diagnostics;
using input::range_of_line;
using input::SourceRange;
using program::Op;

/// The receives of one rank's trace from any source or of any tag: which messages they may take, and which of them are
/// matched by their posts (open_requests.hpp). Those that are open at once with one wildcard have slots of their own,
/// since each is a choice of the program.
class WildcardReceives {
public:
    WildcardReceives(ExpandedTrace& trace, OpenRequests& open) : trace_(trace), open_(open) {}

    std::uint32_t wildcard_of(const Action& action);
    /// A receive is posted, and gets a slot if its post matches it.
    AnySource post(std::uint32_t wildcard);
    /// What a post has matched is waited for.
    void complete(const AnySource& any);
    /// A message is taken by a receive that blocks, or that was not matched by its post.
    void take(std::uint32_t wildcard);
    /// A receive is made that may take such messages.
    void postpone_beside(const Wildcard& wildcard);

private:
    ExpandedTrace& trace_;
    OpenRequests& open_;
    std::set<std::uint32_t> taken_slots_;
};

std::uint32_t WildcardReceives::wildcard_of(const Action& action) {
    Wildcard wildcard;
    if (!action.any_source) wildcard.peer = action.verb == Verb::wait ? action.from : action.peer;
    if (!action.any_tag) wildcard.tag = action.tag;
    std::vector<ExpandedTrace::Taken>& all = trace_.wildcards;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.wildcard == wildcard; });
    const auto index = static_cast<std::uint32_t>(found - all.begin());
    if (found == all.end()) all.push_back({wildcard, 0, trace_.lines});
    return index;
}

AnySource WildcardReceives::post(std::uint32_t wildcard) {
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

void WildcardReceives::complete(const AnySource& any) {
    ++trace_.wildcards[any.wildcard].messages;
    taken_slots_.erase(any.slot);
}

void WildcardReceives::take(std::uint32_t wildcard) {
    postpone_beside(trace_.wildcards[wildcard].wildcard);
    ++trace_.wildcards[wildcard].messages;
}

void WildcardReceives::postpone_beside(const Wildcard& wildcard) {
    for (const std::size_t operation : open_.postpone_beside(wildcard)) {
        trace_.operations[operation].left_out = true;
        taken_slots_.erase(trace_.operations[operation].number);
        ++trace_.postponed;
    }
}

/// The lines of one rank as operations.
class Expander {
public:
    Expander(const input::SourceFilePtr& source, const Reading& reading, const Costs& costs, std::uint64_t most,
             Diagnostics& faults)
        : source_(source),
          reading_(reading),
          costs_(costs),
          most_(most),
          faults_(faults),
          order_(reading.communicators->order_of(reading.rank)) {
        take_communicator();
    }

    ExpandedTrace read() {
        const std::string_view text = source_->text();
        for (std::size_t at = 0; at < text.size() && !full_;) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            ++trace_.lines;
            read_line(at, text.substr(at, end - at));
            at = end + 1;
        }
        if (!full_) finish();
        return std::move(trace_);
    }

    ExpandedTrace read(const std::vector<Action>& actions) {
        for (const Action& action : actions) {
            if (full_) break;
            trace_.lines = action.line;
            here_ = range_of_line(source_, action.line);
            verb_ = action.verb;
            began_ = true;
            act(action);
        }
        if (!full_) finish();
        return std::move(trace_);
    }

private:
    void read_line(std::size_t offset, std::string_view line) {
        line = line.substr(0, line.find('#'));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) return;
        line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        here_ = {source_, offset + first, line.size() - first};
        const std::optional<Action> action = parse({source_, offset, line.size()}, line, reading_, faults_);
        if (!action) {
            sound_ = false;
            return;
        }
        verb_ = action->verb;
        if (finalized_) return complain(DiagnosticKind::trace_line, "an action after `finalize`", "expected it last");
        if ((verb_ == Verb::init) == began_) {
            return complain(DiagnosticKind::trace_line, began_ ? "a second `init`" : "an action before `init`",
                            fmt::format("expected one `{} init`, first", reading_.rank));
        }
        began_ = true;
        if (action->size_unknown) ++trace_.sizes_unknown;
        act(*action);
    }

    void act(const Action& action) {
        switch (action.verb) {
            case Verb::init:
                if (action.counts_doubles) reading_.count_bytes = sizeof(double);
                break;
            case Verb::finalize: finalized_ = true; break;
            case Verb::compute: action.time ? compute(*action.time) : compute(action.flops); break;
            case Verb::send: begin(Op::send, {action.peer, action.tag, true}, action.bytes); break;
            case Verb::isend: open(begin(Op::isend, {action.peer, action.tag, true}, action.bytes)); break;
            case Verb::ssend: begin(Op::ssend, {action.peer, action.tag, true}, action.bytes); break;
            case Verb::recv:
            case Verb::irecv: receive(action); break;
            case Verb::sendrecv: exchange({action.peer, action.bytes, action.from}, action.tag); break;
            case Verb::wait: wait(action); break;
            case Verb::waitall: wait_for_all(); break;
            case Verb::waitany: wait_for_any(); break;
            default: collective(action);
        }
    }

    void complain(DiagnosticKind kind, std::string message, std::string expected = {}) {
        sound_ = false;
        faults_.add(kind, here_, std::move(message), std::move(expected));
    }

    void put(const Operation& operation) {
        if (full_) return;
        if (trace_.operations.size() == most_) {
            full_ = true;
            return complain(DiagnosticKind::trace_too_large,
                            "these traces hold too many messages and blocks of computing",
                            fmt::format("expected at most {} in all", kMostOperations));
        }
        trace_.operations.push_back(operation);
    }

    void compute(Flops flops) {
        const auto time = from_seconds(flops.count / costs_.speed.per_second);
        if (!time) {
            return complain(DiagnosticKind::cost_too_large, fmt::format("{:g} flops take too long", flops.count),
                            fmt::format("expected at most {:g} s at {:g} flop/s, the `speed` of the scenario",
                                        seconds(kLongestCost), costs_.speed.per_second));
        }
        if (time->ps > 0) put({Op::compute, verb_, trace_.lines, {}, 0, time->ps});
    }

    /// Computing as long as it took, at 1 Tflop/s.
    void compute(Time recorded) { compute(Flops{seconds(recorded) * 1e12}); }

    void receive(const Action& action) {
        const ChannelEnd end{action.peer, action.tag, false};
        const bool posted = action.verb == Verb::irecv;
        if (posted && open_.left_of_group() > 0) {
            return complain(DiagnosticKind::unwaited_request,
                            fmt::format("`irecv` while {} requests of a `waitany` are open", open_.left_of_group()),
                            "expected `waitany` for each of them, or `waitall`, first: which are left is not known");
        }
        if (!action.any_source && !action.any_tag) {
            const OpenRequest request = begin(posted ? Op::irecv : Op::recv, end, {});
            if (posted) open(request);
            return;
        }
        const std::uint32_t wildcard = any_.wildcard_of(action);
        posted ? post_any(end, wildcard) : take_any(wildcard);
    }

    void post_any(const ChannelEnd& end, std::uint32_t wildcard) {
        AnySource any = any_.post(wildcard);
        any.operation = trace_.operations.size();
        if (!any.when_waited_for) put({Op::irecv_any, verb_, trace_.lines, {}, any.slot, 0});
        open({end, 0, any, trace_.lines});
    }

    void take_any(std::uint32_t wildcard) {
        any_.take(wildcard);
        put({Op::recv_any, verb_, trace_.lines, {}, wildcard, 0});
    }

    OpenRequest begin(Op op, const ChannelEnd& end, Bytes bytes) {
        if (!end.sends) any_.postpone_beside({end.peer, end.tag});
        ExpandedTrace::Count& count = trace_.counts[end];
        if (trace_.counts.size() > kMostChannels && !full_) {
            full_ = true;
            complain(DiagnosticKind::trace_too_large, "too many channels (pairs of a peer and a tag) of one rank",
                     fmt::format("expected at most {}", kMostChannels));
        }
        const OpenRequest request{end, count.begun++, {}, trace_.lines};
        const OpenRequest* const oldest = open_.oldest_on(end);
        const std::uint32_t window = oldest == nullptr ? 1 : request.number - oldest->number + 1;
        count.window = std::max(count.window, window);
        put({op, verb_, trace_.lines, end, request.number, bytes.count});
        return request;
    }

    void open(const OpenRequest& request) {
        if (open_.on(request.end) == kMostOpen) {
            full_ = true;
            return complain(DiagnosticKind::trace_too_large, "too many requests on one channel (peer and tag) are open",
                            fmt::format("expected a `wait` or `waitall` after at most {}", kMostOpen));
        }
        open_.add(request);
    }

    void wait(const Action& action) {
        const bool sends = !action.any_source && action.from == reading_.rank;
        const ChannelEnd end{sends ? action.peer : action.from, action.tag, sends};
        const bool own = sends != (action.peer == reading_.rank);
        std::optional<std::uint32_t> wildcard;
        if (action.any_source || action.any_tag) wildcard = any_.wildcard_of(action);
        const std::optional<OpenRequest> request = own ? open_.take(end, wildcard) : std::nullopt;
        if (request) return wait_for(*request);
        complain(DiagnosticKind::unknown_request,
                 fmt::format("no request from {} to rank {} with {} is open",
                             action.any_source ? "any source" : fmt::format("rank {}", action.from), action.peer,
                             action.any_tag ? "any tag" : fmt::format("tag {}", action.tag)),
                 own ? fmt::format("expected an `{}` before it that nothing waits for yet", sends ? "isend" : "irecv")
                     : fmt::format("expected one of the two to be {}, whose trace this is", reading_.rank));
    }

    void wait_for_all() {
        for (const OpenRequest& request : open_.take_sends()) wait_for(request);
        while (const auto request = open_.take_oldest()) wait_for(*request);
        while (open_.left_of_group() > 0) take_of_group();
    }

    void wait_for_any() {
        if (open_.left_of_group() == 0) {
            std::vector<ExpandedTrace::Posted> group;
            for (const OpenRequest& request : open_.begin_group()) group.emplace_back(request.end, request.number);
            if (!group.empty()) trace_.groups.push_back(std::move(group));
        }
        if (open_.left_of_group() > 0) return take_of_group();
        if (const auto sent = open_.take_oldest_send()) return wait_for(*sent);
        complain(
            DiagnosticKind::unknown_request,
            open_.empty() ? "no request is open" : "a receive from any source is open, which no `waitany` can take",
            "expected an `irecv` or `isend` before it that nothing waits for yet");
    }

    void take_of_group() {
        open_.take_of_group();
        put({Op::wait_any, verb_, trace_.lines, {}, static_cast<std::uint32_t>(trace_.groups.size() - 1), 0});
    }

    /// With both ends: post the receive, send the message, wait for the receive.
    void exchange(const Exchange& step, std::int32_t tag) {
        if (step.waits()) return wait_for_begun();
        if (step.begins) {
            if (step.from) begun_.push_back(begin(Op::irecv, {*step.from, tag, false}, {}));
            if (step.to) begun_.push_back(begin(Op::isend, {*step.to, tag, true}, step.bytes));
            return;
        }
        if (!step.to) {
            begin(Op::recv, {*step.from, tag, false}, {});
            return;
        }
        if (!step.from) {
            begin(Op::send, {*step.to, tag, true}, step.bytes);
            return;
        }
        const OpenRequest receive = begin(Op::irecv, {*step.from, tag, false}, {});
        begin(Op::send, {*step.to, tag, true}, step.bytes);
        wait_for(receive);
    }

    void wait_for(const OpenRequest& request) {
        if (request.any) return wait_for(*request.any);
        const Op op = request.end.sends ? Op::wait_send : Op::wait_recv;
        put({op, verb_, trace_.lines, request.end, request.number, 0});
    }

    void wait_for(const AnySource& any) {
        if (any.when_waited_for) return take_any(any.wildcard);
        any_.complete(any);
        put({Op::wait_recv_any, verb_, trace_.lines, {}, any.slot, 0});
    }

    void wait_for_begun() {
        for (const bool sends : {true, false}) {
            for (const OpenRequest& request : begun_) {
                if (request.end.sends == sends) wait_for(request);
            }
        }
        begun_.clear();
    }

    /// The next collective that names no communicator belongs to the next of the order.
    void take_communicator() {
        if (order_ == nullptr || next_run_ == order_->runs.size()) return;
        const Communicators::Run& run = order_->runs[next_run_];
        reading_.next_communicator = run.name;
        if (++of_run_ < run.collectives) return;
        ++next_run_;
        of_run_ = 0;
    }

    void collective(const Action& action) {
        const bool alike =
            verb_ == Verb::bcast || verb_ == Verb::reduce || verb_ == Verb::allreduce || verb_ == Verb::scan;
        const Communicator& over = action.communicator;
        const collectives::Membership& here = over.membership;
        if (!action.names_communicator) {
            ++unnamed_;
            take_communicator();
            if (order_ == nullptr) ++trace_.of_all_ranks;
        }
        trace_.calls.push_back({verb_, action.peer, over.name, trace_.lines, {}});
        if (alike && !action.size_unknown) trace_.calls.back().bytes = action.bytes;
        const collectives::Algorithms& algorithms = costs_.collectives;
        const collectives::Kind kind = kind_of(verb_);
        const auto tag = -1 - static_cast<std::int32_t>(over.name * kVerbs + static_cast<std::uint32_t>(verb_));
        if (verb_ == Verb::allreduce && over.name == kWorld &&
            algorithms.of(kind, action.bytes, here.members) == collectives::Algorithm::recursive_doubling) {
            put({Op::allreduce, verb_, trace_.lines, {}, 0, action.bytes.count});
        } else if (collectives::most_exchanges(kind, algorithms, here.members) > most_) {
            full_ = true;
            complain(DiagnosticKind::trace_too_large,
                     fmt::format("`{}` of {} ranks is too many messages", name_of(verb_), here.members),
                     fmt::format("expected at most {} in all traces", kMostOperations));
        } else {
            collectives::for_each_exchange({kind, action.peer, action.bytes, action.shares}, algorithms, here.member,
                                           here.members, [&](Exchange step) {
                                               if (step.to) step.to = here.rank_of(*step.to);
                                               if (step.from) step.from = here.rank_of(*step.from);
                                               exchange(step, tag);
                                           });
        }
        compute(action.flops);
    }

    void finish() {
        if (!sound_) return;
        here_ = range_of_line(source_, std::max<std::uint32_t>(trace_.lines, 1));
        if (!finalized_)
            complain(DiagnosticKind::trace_truncated, "the trace ends before `finalize`",
                     fmt::format("expected `{} finalize` last: is the file whole?", reading_.rank));
        if (order_ != nullptr && order_->collectives != unnamed_) {
            faults_.add(DiagnosticKind::unmatched_collectives, order_->range,
                        fmt::format("`over` names {} collectives of rank {}, whose trace has {} without `comm=`",
                                    order_->collectives, reading_.rank, unnamed_),
                        "expected as many");
        }
        if (open_.empty()) return;
        here_ = range_of_line(source_, open_.oldest().line);
        complain(DiagnosticKind::unwaited_request,
                 fmt::format("{} requests are never waited for, this is the first of them", open_.count()),
                 "expected `wait` or `waitall`");
    }

    const input::SourceFilePtr& source_;
    Reading reading_;
    const Costs& costs_;
    const std::uint64_t most_;
    Diagnostics& faults_;
    const Communicators::Order* const order_;
    std::size_t next_run_ = 0;   // of the order
    std::uint64_t of_run_ = 0;   // its collectives so far
    std::uint64_t unnamed_ = 0;  // collectives that name no communicator
    ExpandedTrace trace_;
    SourceRange here_;
    Verb verb_ = Verb::init;
    OpenRequests open_;
    WildcardReceives any_{trace_, open_};
    std::vector<OpenRequest> begun_;  // by the collective being expanded
    bool began_ = false;
    bool finalized_ = false;
    bool sound_ = true;
    bool full_ = false;
};

}  // namespace

ExpandedTrace expand_actions(const std::vector<Action>& actions, const input::SourceFilePtr& source,
                             const Reading& reading, const Costs& costs, std::uint64_t most, Diagnostics& faults) {
    return Expander(source, reading, costs, most, faults).read(actions);
}

ExpandedTrace expand_trace(const input::SourceFilePtr& source, const Reading& reading, const Costs& costs,
                           std::uint64_t most, Diagnostics& faults) {
    return Expander(source, reading, costs, most, faults).read();
}

}  // namespace warpfront::trace
