#include "simulator/trace/wildcard_receives.hpp"

#include <algorithm>
#include <vector>

namespace warpfront::trace {

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

}  // namespace warpfront::trace
