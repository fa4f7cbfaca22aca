#include "simulator/engine/state/layout_choices.hpp"

namespace warpfront::engine {

using program::Op;

void lay_out_choices(const program::RankClass& rank_class, Layout& layout) {
    const auto base = static_cast<std::uint32_t>(layout.choices.size());
    for (const program::Choice& each : rank_class.choices) layout.choices.push_back({each.receive_endpoints});
    for (const program::Reply& each : rank_class.replies) {
        layout.replies.push_back({each.send_endpoints, base + each.choice});
    }
}

namespace {

/// By place of a receive endpoint of the class.
std::vector<std::vector<PlaceOfChoice>> choices_of_places(const program::RankClass& rank_class, std::uint32_t first) {
    std::vector<std::vector<PlaceOfChoice>> all(rank_class.choices.empty() ? 0 : rank_class.receive_endpoints.size());
    for (std::uint32_t choice = 0; choice < rank_class.choices.size(); ++choice) {
        const std::vector<std::uint32_t>& places = rank_class.choices[choice].receive_endpoints;
        for (std::uint32_t index = 0; index < places.size(); ++index) {
            all[places[index]].push_back({first + choice, index});
        }
    }
    return all;
}

}  // namespace

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
        if (step.op == Op::wait_any) layout.choices[step.operand].posted_alone = true;
    }
    layout.from_any_source.assign(layout.first_collective_receive_endpoint, false);
    layout.in_choice.assign(layout.first_collective_receive_endpoint, false);
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        const auto& of_class = layout.choices_of_place[program.class_of[rank]];
        for (std::uint32_t place = 0; place < of_class.size(); ++place) {
            const std::uint32_t receive_endpoint = layout.receive_endpoint_numbers.at(rank, place);
            for (const PlaceOfChoice& each : of_class[place]) {
                layout.in_choice[receive_endpoint] = true;
                if (!layout.choices[each.choice].posted_alone) layout.from_any_source[receive_endpoint] = true;
            }
        }
    }
}

}  // namespace warpfront::engine
