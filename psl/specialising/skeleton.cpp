#include "psl/specialising/skeleton.hpp"

#include <algorithm>

namespace warpfront::psl {

using ResidualForm = ResidualStatement::Form;

std::size_t statements_in(const Block& block) {
    std::size_t count = 0;
    for (const ResidualStatement& each : block) count += 1 + statements_in(each.body) + statements_in(each.otherwise);
    return count;
}

bool only_work(const Block& block) {
    return std::ranges::all_of(block, [](const ResidualStatement& each) {
        const bool nests = each.form == ResidualForm::loop || each.form == ResidualForm::branch;
        if (nests) return only_work(each.body) && only_work(each.otherwise);
        return each.form == ResidualForm::compute || each.form == ResidualForm::delay ||
               each.form == ResidualForm::require;
    });
}

unsigned loops_in(const Block& block) {
    unsigned most = 0;
    for (const ResidualStatement& each : block) {
        const unsigned own = each.form == ResidualForm::loop && !only_work(each.body) ? 1 : 0;
        most = std::max({most, own + loops_in(each.body), loops_in(each.otherwise)});
    }
    return most;
}

}  // namespace warpfront::psl
