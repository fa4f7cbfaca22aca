// Specialises regions that are not stepped message by message: analytic ones, and those fed from traces.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "psl/specialising/specialiser.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using ResidualForm = ResidualStatement::Form;

void Specialiser::analytic(const Statement& each) {
    const Expression* given = each.body.empty() ? &each.expressions[0] : nullptr;
    const NodeId time = folding_.recording({&each, nullptr, 0, {}, {}}, given, [&](auto) {
        return given != nullptr ? folding_.value(*given, Kind::time) : time_by_closed_form(each);
    });
    const SlotId amount = slot(Use::cost, time, given != nullptr ? given->span : each.span);
    if (slots_[amount].known == 0) return;
    note("analytic regions stand under compute; neither noise nor calibration changes their times");
    emit(ResidualForm::delay, each).amount = amount;
}

NodeId Specialiser::time_by_closed_form(const Statement& each) {
    const program::WavefrontPhase phase = phase_of(each, folding_, graph_);
    WideTime time;
    try {
        if (bindings_.closed_form) time = bindings_.closed_form(phase);
    } catch (const input::BadInput& bad) {
        const input::Diagnostic& fault = bad.faults().all().front();
        fail(fault.kind, each.span, fault.message);
    }
    return graph_.literal({Kind::time, 0, static_cast<long double>(time.ps)}, each.span);
}

void Specialiser::trace(const Statement& each) {
    if (folding_.guards > 0) {
        throw input::BadInput(DiagnosticKind::rank_dependent, model_.range_of(each.span), "a trace on some ranks only",
                              "expected it where all ranks come, since every rank has one");
    }
    const std::filesystem::path folder = std::filesystem::path(model_.sources[each.span.file]->name()).parent_path();
    TraceRegion region{(folder / each.name.text).lexically_normal(), model_.range_of(each.name.span), {1e12}};
    if (!each.expressions.empty()) {
        const Value rate = folding_.constant(each.expressions[0], Kind::rate, "the rate of a trace");
        region.speed = {static_cast<double>(rate.amount)};
        if (!(rate.amount > 0.0L)) {
            fail(DiagnosticKind::out_of_range, each.expressions[0].span,
                 fmt::format("a processor of {} computes nothing", to_text(rate)));
        }
    }
    if (!bindings_.trace) return;
    const std::uint32_t number = trace_number(region);
    emit(ResidualForm::trace, each).trace = number;
}

/// Equal traces at an equal rate are read once, however often the statement is folded.
std::uint32_t Specialiser::trace_number(const TraceRegion& region) {
    const std::pair key(region.list, region.speed.per_second);
    if (const auto known = traces_.find(key); known != traces_.end()) return known->second;
    program::Program read = bindings_.trace(region);
    set_tags_apart(read);
    for (const std::string& text : read.notes) note(text);
    const auto number = static_cast<std::uint32_t>(skeleton_.traces.size());
    skeleton_.traces.push_back(std::move(read));
    traces_.emplace(key, number);
    return number;
}

void Specialiser::note(const std::string& text) {
    std::vector<std::string>& notes = folding_.notes;
    if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
}

/// Tags that no model can write would be those of collectives and of other traces too.
void Specialiser::set_tags_apart(program::Program& trace) {
    std::int32_t lowest = lowest_tag_;
    const auto set_apart = [&](std::vector<program::Channel>& channels) {
        for (program::Channel& channel : channels) {
            if (channel.tag >= 0) continue;
            channel.tag += lowest_tag_;
            lowest = std::min(lowest, channel.tag);
        }
    };
    for (program::RankClass& rank_class : trace.classes) {
        set_apart(rank_class.send_endpoints);
        set_apart(rank_class.receive_endpoints);
    }
    lowest_tag_ = lowest;
}

}  // namespace warpfront::psl
