#include "simulator/program/computing.hpp"

#include <cmath>
#include <stdexcept>

namespace warpfront::program {

void apply(const Computing& computing, Program& program) {
    if (computing == Computing{}) return;
    for (RankClass& rank_class : program.classes) {
        for (Instruction& step : rank_class.code) {
            if (step.op != Op::compute || step.amount == 0) continue;
            const double scaled = std::round(computing.factor * static_cast<double>(step.amount));
            if (!(scaled + static_cast<double>(computing.per_block.ps) <= static_cast<double>(kLongestCost.ps))) {
                throw std::overflow_error("a calibrated compute block takes longer than 6.7 days");
            }
            step.amount = static_cast<std::int64_t>(scaled) + computing.per_block.ps;
        }
    }
}

}  // namespace warpfront::program
