// The parts of a layout that follow from the program: code, phases, choices, numbers of channels.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "simulator/engine/state/layout_parts.hpp"

namespace warpfront::engine {

namespace {

using program::Op;

/// Adds the choices and replies of a class, whose code has been laid out.
void lay_out_choices(const program::RankClass& rank_class, Layout& layout) {
    const auto first = static_cast<std::uint32_t>(layout.choices.size());
    for (const program::Choice& each : rank_class.choices) layout.choices.push_back({each.receive_endpoints});
    for (const program::Reply& each : rank_class.replies) {
        layout.replies.push_back({each.send_endpoints, {first + each.choice}});
    }
}

/// By place of a receive endpoint of the class.
std::vector<std::vector<PlaceOfChoice>> choices_of_places(const program::RankClass& rank_class, std::uint32_t first) {
    std::vector<std::vector<PlaceOfChoice>> all(rank_class.choices.empty() ? 0 : rank_class.receive_endpoints.size());
    for (std::uint32_t choice = 0; choice < rank_class.choices.size(); ++choice) {
        const std::vector<std::uint32_t>& places = rank_class.choices[choice].receive_endpoints;
        for (std::uint32_t index = 0; index < places.size(); ++index) {
            all[places[index]].push_back({{first + choice}, index});
        }
    }
    return all;
}

}  // namespace

void lay_out_code(const program::Program& program, Layout& layout) {
    std::map<std::pair<std::int64_t, bool>, std::int64_t> numbers;
    const auto size_index = [&](std::int64_t bytes, bool synchronous) {
        const auto [known, is_new] = numbers.try_emplace({bytes, synchronous}, std::ssize(layout.sizes));
        if (is_new) layout.sizes.push_back({bytes});
        if (is_new) layout.synchronous.push_back(synchronous);
        return known->second;
    };
    for (const std::uint32_t first : program::first_instructions(program)) layout.entry.push_back({first});
    for (const program::RankClass& rank_class : program.classes) {
        const auto base = static_cast<std::uint32_t>(layout.code.size());
        const auto first_choice = static_cast<std::uint32_t>(layout.choices.size());
        const auto first_reply = static_cast<std::uint32_t>(layout.replies.size());
        for (program::Instruction step : rank_class.code) {
            const bool sized = program::sends(step.op) || step.op == Op::allreduce;
            if (step.op == Op::loop || step.op == Op::end_loop) step.operand += base;
            if (program::chooses(step.op)) step.operand += first_choice;
            if (program::sends(step.op, program::Operand::reply) || step.op == Op::wait_reply)
                step.operand += first_reply;
            if (sized) step.amount = size_index(step.amount, step.op == Op::ssend);
            layout.code.push_back(step);
        }
        lay_out_choices(rank_class, layout);
    }
}

/// An instruction has the phase of the mark before it, since loops end in the phase in which they begin.
void lay_out_phases(const program::Program& program, Layout& layout) {
    if (program.phases.empty()) return;
    layout.phases = static_cast<std::uint32_t>(program.phases.size() + 1);
    std::uint32_t phase = 0;
    for (const program::Instruction& step : layout.code) {
        layout.phase_at.push_back(static_cast<std::uint16_t>(phase));
        if (step.op == Op::phase) phase = step.operand;
    }
}

void number_channels(const program::Program& program, Layout& layout) {
    layout.receive_endpoint_numbers = receive_endpoint_numbers(program);
    layout.send_endpoint_numbers = send_endpoint_numbers(program);
    if (program::has_allreduce(program)) {
        layout.doubling = collectives::RecursiveDoubling(layout.ranks);
        layout.collective_steps = layout.doubling.steps();
    }
    layout.first_collective_receive_endpoint = {layout.receive_endpoint_numbers.size()};
    layout.first_collective_send_endpoint = {layout.send_endpoint_numbers.size()};
    const std::uint64_t most = std::max(layout.receive_endpoint_numbers.size(), layout.send_endpoint_numbers.size());
    if (most + std::uint64_t{layout.collective_steps} * layout.ranks >= kNone.index) {
        throw std::length_error("the ranks have more channels than the engine can number (2^32)");
    }
}

void find_choices(const program::Program& program, Layout& layout) {
    layout.has_choices = program::has_choices(program);
    if (!layout.has_choices) return;
    layout.shares = true;  // so messages are taken in an order, as resources are
    std::uint32_t first = 0;
    for (const program::RankClass& rank_class : program.classes) {
        layout.choices_of_place.push_back(choices_of_places(rank_class, first));
        first += static_cast<std::uint32_t>(rank_class.choices.size());
    }
    for (const program::Instruction& step : layout.code) {
        if (step.op == Op::wait_any) layout.choices[ChoiceId{step.operand}].posted_alone = true;
    }
    layout.from_any_source.assign(layout.receive_endpoint_numbers.size(), false);
    layout.in_choice.assign(layout.receive_endpoint_numbers.size(), false);
    for (const Rank rank : layout.all_ranks()) {
        const auto& of_class = layout.choices_of_place[program.class_of[rank.index]];
        for (std::uint32_t place = 0; place < of_class.size(); ++place) {
            const ReceiveEndpointId receive_endpoint = layout.receive_endpoint_numbers.at(rank, place);
            for (const PlaceOfChoice& each : of_class[place]) {
                layout.in_choice[receive_endpoint] = true;
                if (!layout.choices[each.choice].posted_alone) layout.from_any_source[receive_endpoint] = true;
            }
        }
    }
}

}  // namespace warpfront::engine
