// Messages whose partner the run decides: from any rank, and in answer to these.
#include "psl/lowering/message_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace warpfront::psl {

using input::DiagnosticKind;
using ResidualForm = ResidualStatement::Form;

/// Sources are found once all classes are written. A message must not be that of a receive that is posted as well.
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
    const auto number = static_cast<std::uint32_t>(std::count_if(open_.begin(), open_.end(), same));
    const std::uint32_t choice = code_.any_source(each.origin, tag, each.site, number);
    code_.push(program::Op::irecv_any, each.site, choice, 0);
    open_.push_back({{}, false, named, &each, trips_.size(), false, AnyPartner{choice, tag}});
}

/// To the source of a receive, which may be the partner of any message with this tag.
void MessageWriter::answer(const ResidualStatement& each) {
    const auto tag = static_cast<std::int32_t>(values_(each.tag));
    refuse_beside_any(each, tag, true);
    const auto same = [&](const Open& open) { return open.sends && !open.any && open.channel.tag == tag; };
    if (std::any_of(open_.begin(), open_.end(), same)) {
        graph_.fail(
            {DiagnosticKind::overlapping_sends,
             fmt::format("a message with tag {} is still under way, and may be to this source: expected it to be "
                         "waited for first, or another tag",
                         tag)},
            each.origin->span, &values_.here());
    }
    const std::uint32_t reply = code_.answer(each.origin->source, tag);
    const bool begins = each.form == ResidualForm::ireply;
    code_.push(begins ? program::Op::ireply : program::Op::reply, each.site, reply, values_(each.amount));
    if (!begins) return;
    open_.push_back({{}, true, !each.origin->name.text.empty(), &each, trips_.size(), false, AnyPartner{reply, tag}});
}

/// For the latest request of the statement that the `wait` names.
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

/// A message with this tag, or with any.
void MessageWriter::refuse_beside_any(const ResidualStatement& each, const Tag& tag, bool sends) const {
    const auto same = [&](const Open& open) { return open.any && open.sends == sends && open.any->may_have(tag); };
    if (std::none_of(open_.begin(), open_.end(), same)) return;
    const std::string_view open =
        sends ? "an answer to the source of a receive is still under way, which may be this rank"
              : "a receive from any rank is still posted, which may take this message";
    graph_.fail({sends ? DiagnosticKind::overlapping_sends : DiagnosticKind::overlapping_receives,
                 fmt::format("{}: expected it to be waited for first, or another tag", open)},
                each.origin->span, &values_.here());
}

void MessageWriter::refuse_any_in_group(const ResidualStatement& each) const {
    graph_.fail({DiagnosticKind::unknown_request,
                 "a receive from any rank is open, which `waitany` cannot take: expected a name for it, and `wait` for "
                 "this name"},
                each.origin->span, &values_.here());
}

}  // namespace warpfront::psl
