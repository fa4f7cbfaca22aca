#include "simulator/input/suggestion.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace warpfront::input {

namespace {

constexpr std::size_t kLongestName = 100;  // a longer name is not a typing error
constexpr std::size_t kMostNamed = 40;     // a longer list is not helpful

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_back(b.size() + 1);
    std::vector<std::size_t> back(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_back.swap(back);
        back.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({back[j] + 1, row[j - 1] + 1, back[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], two_back[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates) {
    if (name.size() > kLongestName) return {};
    std::string_view best;
    std::size_t least = kLongestName;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > kLongestName) continue;
        const std::size_t longer = std::max(name.size(), candidate.size());
        const std::size_t edits = edit_distance(name, candidate);
        if (edits < least && edits < longer && edits <= std::max<std::size_t>(1, longer / 3)) {
            least = edits;
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
    if (candidates.empty()) return {};
    const std::string_view near = nearest_name(name, candidates);
    if (!near.empty()) return fmt::format("did you mean `{}`?", near);
    if (candidates.size() == 1) return fmt::format("expected `{}`", candidates[0]);
    std::string text = "expected one of ";
    for (std::size_t at = 0; at < std::min(kMostNamed, candidates.size()); ++at) {
        text += fmt::format("{}`{}`", at == 0 ? "" : ", ", candidates[at]);
    }
    if (candidates.size() > kMostNamed) text += fmt::format(" and {} others", candidates.size() - kMostNamed);
    return text;
}

}  // namespace warpfront::input
