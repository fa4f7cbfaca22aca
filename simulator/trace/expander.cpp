#include "simulator/trace/expander.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace warpfront::trace {

using collectives::Exchange;
using input::DiagnosticKind;
using program::Op;

std::uint32_t WildcardReceives::number_of(const Wildcard& wildcard) {
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

void Expander::complain(DiagnosticKind kind, std::string message, std::string expected) {
    complain_at(trace_.range_of(line_, name_of(verb_)), kind, std::move(message), std::move(expected));
}

void Expander::complain_at(const input::SourceRange& range, DiagnosticKind kind, std::string message,
                           std::string expected) {
    sound_ = false;
    faults_.add(kind, range, std::move(message), std::move(expected));
}

void Expander::put(Op op, const ChannelEnd& end, std::uint32_t number, std::int64_t amount) {
    if (full_) return;
    if (trace_.operations.size() == most_) {
        full_ = true;
        return complain(DiagnosticKind::trace_too_large, "these traces hold too many messages and blocks of computing",
                        fmt::format("expected at most {} in all", kMostOperations));
    }
    trace_.operations.push_back({op, verb_, line_, site_, end, number, amount});
}

void Expander::compute(Time time) {
    if (time.ps > 0) put(Op::compute, {}, 0, time.ps);
}

void Expander::mark_phase(std::uint32_t phase) { put(Op::phase, {}, phase, 0); }

OpenRequest Expander::begin(Op op, const ChannelEnd& end, Bytes bytes, std::uint32_t request) {
    if (!end.sends) any_.postpone_beside({end.peer, end.tag, end.communicator});
    ExpandedTrace::Count& count = trace_.counts[end];
    if (trace_.counts.size() > kMostChannels && !full_) {
        full_ = true;
        complain(DiagnosticKind::trace_too_large, "too many channels (pairs of a peer and a tag) of one rank",
                 fmt::format("expected at most {}", kMostChannels));
    }
    const OpenRequest begun{end, count.begun++, {}, line_, request};
    const OpenRequest* const oldest = open_.oldest_on(end);
    const std::uint32_t window = oldest == nullptr ? 1 : begun.number - oldest->number + 1;
    count.window = std::max(count.window, window);
    put(op, end, begun.number, bytes.count);
    return begun;
}

void Expander::open(const OpenRequest& request) {
    if (open_.on(request.end) == kMostOpen) {
        full_ = true;
        return complain(DiagnosticKind::trace_too_large, "too many requests on one channel (peer and tag) are open",
                        fmt::format("expected a `wait` or `waitall` after at most {}", kMostOpen));
    }
    open_.add(request);
}

void Expander::post_any(const Wildcard& wildcard, std::uint32_t request) {
    AnySource any = any_.post(any_.number_of(wildcard));
    any.operation = trace_.operations.size();
    if (!any.when_waited_for) put(Op::irecv_any, {}, any.slot, 0);
    const ChannelEnd end{wildcard.peer.value_or(0), wildcard.tag.value_or(0), wildcard.communicator, false};
    open({end, 0, any, line_, request});
}

void Expander::take_any(std::uint32_t wildcard) {
    any_.take(wildcard);
    put(Op::recv_any, {}, wildcard, 0);
}

void Expander::wait_for_all() {
    for (const OpenRequest& request : open_.take_sends()) wait_for(request);
    while (const auto request = open_.take_oldest()) wait_for(*request);
    while (open_.left_of_group() > 0) take_of_group();
}

bool Expander::begin_group(const std::function<bool(const OpenRequest&)>& belongs) {
    std::vector<ExpandedTrace::Posted> group;
    for (const OpenRequest& request : open_.begin_group(belongs)) group.emplace_back(request.end, request.number);
    if (group.empty()) return false;
    trace_.groups.push_back(std::move(group));
    return true;
}

void Expander::take_of_group() {
    open_.take_of_group();
    put(Op::wait_any, {}, static_cast<std::uint32_t>(trace_.groups.size() - 1), 0);
}

/// Performs a step with both ends: posts the receive, sends the message, waits for the receive.
void Expander::exchange(const Exchange& step, const ChannelEnd& like) {
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

void Expander::wait_for(const OpenRequest& request) {
    if (request.any) return wait_for(*request.any);
    put(request.end.sends ? Op::wait_send : Op::wait_recv, request.end, request.number, 0);
}

void Expander::wait_for(const AnySource& any) {
    if (any.when_waited_for) return take_any(any.wildcard);
    any_.complete(any);
    put(Op::wait_recv_any, {}, any.slot, 0);
}

void Expander::wait_for_begun() {
    for (const bool sends : {true, false}) {
        for (const OpenRequest& request : begun_) {
            if (request.end.sends == sends) wait_for(request);
        }
    }
    begun_.clear();
}

void Expander::collective(const collectives::Collective& call, const Communicator& over, bool size_unknown) {
    using enum collectives::Kind;
    const collectives::Kind kind = call.kind;
    const collectives::Membership& here = over.membership;
    const bool alike = kind == bcast || kind == reduce || kind == allreduce || kind == scan || kind == exscan;
    const Verb verb = verb_of(kind);
    trace_.calls.push_back({verb, call.root, over.name, line_, {}});
    if (alike && !size_unknown) trace_.calls.back().bytes = call.bytes;
    const collectives::Algorithms& algorithms = costs_.collectives;
    if (here.member == 0) note(call, here.members);
    if (kind == allreduce && over.name == kWorld &&
        algorithms.choose(call, here.members).algorithm == collectives::Algorithm::recursive_doubling) {
        return put(Op::allreduce, {}, 0, call.bytes.count);
    }
    if (collectives::most_exchanges(call, algorithms, here.members) > most_) {
        full_ = true;
        return complain(DiagnosticKind::trace_too_large,
                        fmt::format("`{}` of {} ranks is too many messages", name_of(verb), here.members),
                        fmt::format("expected at most {} in all traces", kMostOperations));
    }
    const ChannelEnd like{0, -1 - static_cast<std::int32_t>(over.name * kVerbs + static_cast<std::uint32_t>(verb))};
    collectives::for_each_exchange(call, algorithms, here.member, here.members, [&](Exchange step) {
        if (step.to) step.to = here.rank_of(*step.to);
        if (step.from) step.from = here.rank_of(*step.from);
        exchange(step, like);
    });
}

/// Adds the uses of a collective. Many calls are identical, so known sizes and members are not described again.
void Expander::note(const collectives::Collective& call, std::uint32_t members) {
    static const collectives::Algorithms smpi = collectives::Algorithms::like(collectives::Library::smpi);
    const std::optional<collectives::Sizes> sizes = collectives::sizes_of(call, members);
    const Noted now{call.kind, members, sizes ? sizes->total.count : 0, sizes ? sizes->elements : 0,
                    !sizes || sizes->equal_shares};
    if (!noted_.insert(now).second) return;
    std::vector<collectives::Description> all = collectives::descriptions_of(call, costs_.collectives, members);
    const auto same = [](const collectives::Description& a, const collectives::Description& b) {
        return a.algorithm == b.algorithm;
    };
    if (!std::ranges::equal(all, collectives::descriptions_of(call, smpi, members), same)) trace_.unlike_smpi = true;
    for (collectives::Description& each : all) {
        program::add_use(trace_.uses, {std::move(each.operation), std::move(each.algorithm), std::move(each.because),
                                       members, members, each.bytes, each.bytes});
    }
}

void Expander::check_open() {
    if (open_.empty()) return;
    line_ = open_.oldest().line;
    complain(DiagnosticKind::unwaited_request,
             open_.count() == 1
                 ? std::string("this request is never waited for")
                 : fmt::format("{} requests are never waited for, this is the first of them", open_.count()),
             "expected `wait` or `waitall`");
}

input::SourceRange ExpandedTrace::range_of(std::uint32_t line, std::string_view what) const {
    if (source) return input::range_of_line(source, std::max<std::uint32_t>(line, 1));
    const std::string above(std::max<std::uint32_t>(line, 1) - 1, '\n');
    return {std::make_shared<input::SourceFile>(name, above + std::string(what)), above.size(), what.size()};
}

}  // namespace warpfront::trace
