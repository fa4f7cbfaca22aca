#include "psl/lowering/message_writer.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/words.hpp"

namespace warpfront::psl {

using ResidualForm = ResidualStatement::Form;

std::optional<program::Channel> MessageWriter::channel_of(const ResidualStatement& each) {
    const std::int64_t delta = values_(each.peer);
    if (delta == kNoPeer) return std::nullopt;
    return program::Channel{static_cast<std::int32_t>(delta), static_cast<std::int32_t>(values_(each.tag))};
}

void MessageWriter::send(const ResidualStatement& each, program::Op op) {
    const std::optional<program::Channel> channel = channel_of(each);
    if (!channel) return;
    op == program::Op::isend ? begin(each, *channel, true) : refuse_second(each, *channel, true);
    code_.push(op, each.site, code_.sends_on(*channel), values_(each.amount));
}

void MessageWriter::receive(const ResidualStatement& each, program::Op op) {
    const std::optional<program::Channel> channel = channel_of(each);
    if (!channel) return;
    op == program::Op::irecv ? begin(each, *channel, false) : refuse_second(each, *channel, false);
    code_.push(op, each.site, code_.receives_on(*channel), 0);
}

void MessageWriter::wait_for(const ResidualStatement& each, bool sends) {
    if (const auto channel = channel_of(each)) wait(each.site, *channel, sends);
}

void MessageWriter::begin(const ResidualStatement& each, const program::Channel& channel, bool sends) {
    refuse_second(each, channel, sends);
    const bool named = !each.origin->name.text.empty() || each.origin->form == Statement::Form::sendrecv;
    if (!sends) refuse_beside_group(each, named);
    open_.push_back({channel, sends, named, &each, iterations_.size()});
}

void MessageWriter::refuse_beside_group(const ResidualStatement& each, bool named) const {
    if (named || !group_) return;
    graph_.fail({DiagnosticKind::unwaited_request,
                 "an earlier `waitany` has completed some of the open receives, but not all: expected this receive "
                 "before the first `waitany`, or after a `waitall`"},
                each.origin->span, &values_.here());
}

void MessageWriter::wait(std::uint16_t site, const program::Channel& channel, bool sends) {
    std::erase_if(open_, [&](const Open& each) { return each.channel == channel && each.sends == sends && !each.any; });
    code_.push(sends ? program::Op::wait_send : program::Op::wait_recv, site,
               sends ? code_.sends_on(channel) : code_.receives_on(channel), 0);
}

void MessageWriter::wait_for_all(const ResidualStatement& each) {
    const std::vector<Open> open = open_;
    for (const bool sends : {true, false}) {
        for (const Open& request : open) {
            if (request.named || request.sends != sends || request.grouped) continue;
            if (request.depth < iterations_.size()) refuse_in_loop(each);
            wait(each.site, request);
        }
    }
    if (!group_) return;
    if (group_->depth < iterations_.size()) refuse_in_loop(each);
    for (; group_->left > 0; --group_->left) code_.push(program::Op::wait_any, each.site, group_->choice, 0);
    end_group();
}

void MessageWriter::wait_for_any(const ResidualStatement& each) {
    if (!group_) begin_group(each);
    std::int64_t takes = 1;
    for (std::size_t loop = group_->depth; loop < iterations_.size() && takes <= group_->left; ++loop)
        takes *= iterations_[loop];
    if (takes > group_->left) {
        graph_.fail({DiagnosticKind::unknown_request,
                     fmt::format("only {} {} open, but the loops around this `waitany` execute it more often",
                                 input::counted(static_cast<std::uint64_t>(group_->left), "receive"),
                                 group_->left == 1 ? "is" : "are")},
                    each.origin->span, &values_.here());
    }
    code_.push(program::Op::wait_any, each.site, group_->choice, 0);
    group_->left -= takes;
    if (group_->left == 0) end_group();
}

/// Makes a group of the open receives without a name.
void MessageWriter::begin_group(const ResidualStatement& each) {
    program::Choice choice;
    std::size_t depth = 0;
    for (Open& open : open_) {
        if (open.named || open.sends) continue;
        if (open.any) refuse_any_in_group(each);
        choice.receive_endpoints.push_back(code_.receives_on(open.channel));
        open.grouped = true;
        depth = std::max(depth, open.depth);
    }
    if (choice.receive_endpoints.empty()) {
        graph_.fail({DiagnosticKind::unknown_request,
                     "no receive is open for this `waitany`: expected an earlier `irecv from PEER` without a name"},
                    each.origin->span, &values_.here());
    }
    const std::int64_t count = std::ssize(choice.receive_endpoints);
    group_ = Group{code_.choice(std::move(choice)), count, depth};
}

void MessageWriter::end_group() {
    std::erase_if(open_, [](const Open& each) { return each.grouped; });
    group_.reset();
}

void MessageWriter::refuse_in_loop(const ResidualStatement& each) const {
    graph_.fail({DiagnosticKind::unwaited_request,
                 "this `waitall` is in a loop, but would wait for a request from before the loop: expected a `waitall` "
                 "before the loop"},
                each.origin->span, &values_.here());
}

void MessageWriter::refuse_open() const {
    const auto left = std::ranges::find_if(open_, [&](const Open& each) { return each.depth >= iterations_.size(); });
    if (left == open_.end()) return;
    graph_.fail({DiagnosticKind::unwaited_request,
                 "no statement waits for this request before the end of its iteration: expected a later `waitall` in "
                 "the iteration"},
                left->statement->origin->span, &values_.here());
}

/// Reports a second open request on a channel. The engine permits one posted receive and one isend on a channel at a
/// time. A request is waited for in the loop iteration that begins it. So a request that is open here is open in every
/// iteration.
void MessageWriter::refuse_second(const ResidualStatement& each, const program::Channel& channel, bool sends) const {
    refuse_beside_any(each, channel.tag, sends);
    const auto same = [&](const Open& open) { return open.channel == channel && open.sends == sends && !open.any; };
    if (std::ranges::none_of(open_, same)) return;
    graph_.fail({sends ? DiagnosticKind::overlapping_sends : DiagnosticKind::overlapping_receives,
                 fmt::format("an earlier {} with tag {} {} the same rank is still {}: expected a wait for it before "
                             "this statement, or another tag",
                             sends ? "message" : "receive", channel.tag, sends ? "to" : "from",
                             sends ? "under way" : "posted")},
                each.origin->span, &values_.here());
}

void MessageWriter::collective(const ResidualStatement& each) {
    const std::int32_t tag = tag_of(*each.origin->collective);
    const std::vector<CollectiveStep>& steps = steps_.steps(steps_.number_of(each, values_));
    std::vector<const CollectiveStep*> begun;
    for (std::size_t at = 0; at < steps.size();) {
        std::size_t next = at + 1;
        while (next < steps.size() && steps[next] == steps[at]) ++next;
        const bool loops = next - at > 2 && !steps[at].begins && code_.depth() < program::kMaxLoopDepth;
        const std::size_t start = loops ? code_.open_loop(static_cast<std::int64_t>(next - at), each.site) : 0;
        for (std::size_t times = loops ? 1 : next - at; times > 0; --times) exchange(each.site, tag, steps[at], begun);
        if (loops) code_.close_loop(start);
        at = next;
    }
}

void MessageWriter::allreduce(const ResidualStatement& each) {
    const Bytes size{values_(each.amount)};
    steps_.note_allreduce(size);
    code_.push(program::Op::allreduce, each.site, 0, size.count);
}

/// Writes a trace. Its blocks take the recorded times, without noise or scaling.
void MessageWriter::trace(const ResidualStatement& each, const program::RankClass& operations) {
    using program::Op;
    using program::Operand;
    for (const program::Channel& channel : operations.send_endpoints) refuse_second(each, channel, true);
    for (const program::Channel& channel : operations.receive_endpoints) refuse_second(each, channel, false);
    std::map<std::uint32_t, std::uint32_t> choices;  // for each choice of the trace, the choice of the class
    for (const program::Instruction& step : operations.code) {
        const auto push = [&](Op op, std::uint32_t operand) { code_.push(op, each.site, operand, step.amount); };
        switch (program::operation(step.op).operand) {
            case Operand::send_endpoint: push(step.op, code_.sends_on(operations.send_endpoints[step.operand])); break;
            case Operand::receive_endpoint:
                push(step.op, code_.receives_on(operations.receive_endpoints[step.operand]));
                break;
            case Operand::choice: {
                const auto [known, fresh] = choices.try_emplace(step.operand, 0);
                if (fresh) known->second = choice_of(operations, step.operand);
                push(step.op, known->second);
                break;
            }
            case Operand::none:
                if (program::computes(step.op)) push(Op::delay, 0);
                if (step.op == Op::allreduce) push(step.op, 0);
                break;
            case Operand::reply:
            case Operand::instruction:
            case Operand::phase: break;  // not part of traces
        }
    }
}

std::uint32_t MessageWriter::choice_of(const program::RankClass& operations, std::uint32_t number) {
    program::Choice choice;
    for (const std::uint32_t place : operations.choices[number].receive_endpoints) {
        choice.receive_endpoints.push_back(code_.receives_on(operations.receive_endpoints[place]));
    }
    return code_.choice(std::move(choice));
}

void MessageWriter::exchange(std::uint16_t site, std::int32_t tag, const CollectiveStep& step,
                             std::vector<const CollectiveStep*>& begun) {
    const auto receives = [&](const CollectiveStep& of) { return code_.receives_on({*of.from, tag}); };
    const auto sends = [&](const CollectiveStep& of) { return code_.sends_on({*of.to, tag}); };
    if (step.waits()) {
        for (const CollectiveStep* each : begun) {
            if (each->to) code_.push(program::Op::wait_send, site, sends(*each), 0);
        }
        for (const CollectiveStep* each : begun) {
            if (each->from) code_.push(program::Op::wait_recv, site, receives(*each), 0);
        }
        return begun.clear();
    }
    const bool posts = step.from && (step.begins || step.to);
    if (posts) code_.push(program::Op::irecv, site, receives(step), 0);
    if (step.to) {
        code_.push(step.begins ? program::Op::isend : program::Op::send, site, sends(step), step.bytes.count);
    }
    if (step.begins) return begun.push_back(&step);
    if (step.from) code_.push(posts ? program::Op::wait_recv : program::Op::recv, site, receives(step), 0);
}

// Messages whose partner is known only during the run: receives from any rank, and replies to their sources.

void MessageWriter::receive_any(const ResidualStatement& each) {
    Tag tag;
    if (!each.origin->any_tag) tag = static_cast<std::int32_t>(values_(each.tag));
    for (const Open& open : open_) {
        if (!open.sends && !open.any && (!tag || *tag == open.channel.tag)) refuse_second(each, open.channel, false);
    }
    if (each.form == ResidualForm::irecv_any) return begin_any(each, tag);
    refuse_beside_any(each, tag, false);
    code_.push(program::Op::recv_any, each.site, code_.any_source(each.origin, tag, each.site), 0);
}

void MessageWriter::begin_any(const ResidualStatement& each, const Tag& tag) {
    const bool named = !each.origin->name.text.empty();
    refuse_beside_group(each, named);
    const auto same = [&](const Open& open) {
        return open.any && open.statement->origin == each.origin && open.any->tag == tag;
    };
    const auto number = static_cast<std::uint32_t>(std::ranges::count_if(open_, same));
    const std::uint32_t choice = code_.any_source(each.origin, tag, each.site, number);
    code_.push(program::Op::irecv_any, each.site, choice, 0);
    open_.push_back({{}, false, named, &each, iterations_.size(), false, AnyPartner{choice, tag}});
}

void MessageWriter::answer(const ResidualStatement& each) {
    const auto tag = static_cast<std::int32_t>(values_(each.tag));
    refuse_beside_any(each, tag, true);
    const auto same = [&](const Open& open) { return open.sends && !open.any && open.channel.tag == tag; };
    if (std::ranges::any_of(open_, same)) {
        graph_.fail({DiagnosticKind::overlapping_sends,
                     fmt::format("an earlier isend with tag {} is not complete, and its receiver may be the source of "
                                 "this receive: expected a wait for that isend before this statement, or another tag",
                                 tag)},
                    each.origin->span, &values_.here());
    }
    const std::uint32_t reply = code_.answer(each.origin->source, tag);
    const bool begins = each.form == ResidualForm::ireply;
    code_.push(begins ? program::Op::ireply : program::Op::reply, each.site, reply, values_(each.amount));
    if (!begins) return;
    open_.push_back(
        {{}, true, !each.origin->name.text.empty(), &each, iterations_.size(), false, AnyPartner{reply, tag}});
}

void MessageWriter::wait_for_any_partner(const ResidualStatement& each) {
    const auto found = std::find_if(open_.rbegin(), open_.rend(),
                                    [&](const Open& open) { return open.statement->origin == each.origin->source; });
    wait(each.site, Open(*found));
}

void MessageWriter::wait(std::uint16_t site, const Open& request) {
    if (!request.any) return wait(site, request.channel, request.sends);
    const auto same = [&](const Open& open) {
        return open.any && open.sends == request.sends && open.any->operand == request.any->operand;
    };
    code_.push(request.sends ? program::Op::wait_reply : program::Op::wait_recv_any, site, request.any->operand, 0);
    std::erase_if(open_, same);
}

/// Reports a message that an open receive from any rank could also take, or a send beside an open reply with the same
/// tag.
void MessageWriter::refuse_beside_any(const ResidualStatement& each, const Tag& tag, bool sends) const {
    const auto same = [&](const Open& open) { return open.any && open.sends == sends && open.any->may_have(tag); };
    if (std::ranges::none_of(open_, same)) return;
    const std::string_view open =
        sends ? "an earlier isend to the source of a receive is not complete, and this message may go to the same "
                "rank"
              : "an earlier receive from any rank is still posted, and may take the message of this receive";
    graph_.fail({sends ? DiagnosticKind::overlapping_sends : DiagnosticKind::overlapping_receives,
                 fmt::format("{}: expected a wait for the earlier one before this statement, or another tag", open)},
                each.origin->span, &values_.here());
}

void MessageWriter::refuse_any_in_group(const ResidualStatement& each) const {
    graph_.fail({DiagnosticKind::unknown_request,
                 "`waitany` cannot wait for a receive from any rank, and such a receive is open: expected a name for "
                 "that receive, and `wait` with the name"},
                each.origin->span, &values_.here());
}

}  // namespace warpfront::psl
