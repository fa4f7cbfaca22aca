#include "psl/checking/lints.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "psl/checking/lint_rules.hpp"

namespace warpfront::psl {

std::vector<std::string> lints(const Model& model) {
    std::vector<Lint> found;
    find_unused(model.checked(), found);
    find_dead_statements(model.checked(), found);
    std::stable_sort(found.begin(), found.end(),
                     [](const Lint& a, const Lint& b) { return a.span.offset < b.span.offset; });
    std::vector<std::string> notes;
    for (const Lint& lint : found) {
        notes.push_back(fmt::format("{}: {}", input::text_of(model.checked().range_of(lint.span)), lint.text));
    }
    return notes;
}

}  // namespace warpfront::psl
