#include "simulator/engine/stepping/collective_intervals.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpfront::engine {

namespace {

using program::Instruction;
using program::Op;

Time added(Time sum, Time more) { return std::min(kHorizon, Time{sum.ps + std::min(kHorizon, more).ps}); }

Time times(Time each, std::int64_t count) {
    return {static_cast<std::int64_t>(std::min<Wide>(kHorizon.ps, Wide{each.ps} * count))};
}

/// The least time of the body of a loop, and whether the body contains a collective.
struct Body {
    Time least;
    bool has_collective = false;
};

/// The code of one class.
class ClassCode {
public:
    ClassCode(const Layout& layout, const variation::ComputeTime* takes, InstructionId begin, InstructionId end)
        : layout_(layout), takes_(takes), begin_(begin), size_(end.index - begin.index), bodies_(size_) {
        for (std::size_t at = size_; at-- > 0;) {
            if (step(at).op == Op::loop) bodies_[at] = body_of(at);
        }
    }

    /// Returns the least time from the instruction at this index to the next collective. At the end of a loop with a
    /// collective, both possibilities are considered: another iteration, or the end of the loop.
    Time until_collective(std::size_t at) const {
        Time sum;
        Time least = kHorizon;
        for (; at < size_; ++at) {
            switch (step(at).op) {
                case Op::allreduce: return std::min(least, sum);
                case Op::finish: return least;
                case Op::end_loop:
                    least = std::min(least, added(sum, until_collective(step(at).operand - begin_.index + 1)));
                    break;
                case Op::loop:
                    if (bodies_[at].has_collective) break;
                    sum = added(sum, times(bodies_[at].least, step(at).amount));
                    at = end_of(at);
                    break;
                default: sum = added(sum, least_of(step(at)));
            }
        }
        return least;
    }

private:
    const Instruction& step(std::size_t at) const { return layout_.code[begin_ + static_cast<std::uint32_t>(at)]; }

    Time least_of(const Instruction& step) const {
        if (step.op == Op::delay) return {step.amount};
        if (!program::computes(step.op)) return {};
        return takes_ == nullptr ? Time{step.amount} : takes_->least({step.amount});
    }

    /// Returns the index of the end of the loop that begins at index `loop`.
    std::size_t end_of(std::size_t loop) const { return step(loop).operand - begin_.index; }

    /// Returns the body of a loop. The bodies of all loops within it must have been added before.
    Body body_of(std::size_t loop) const {
        Body body;
        for (std::size_t at = loop + 1; at < end_of(loop); ++at) {
            body.has_collective = body.has_collective || step(at).op == Op::allreduce;
            if (step(at).op != Op::loop) {
                body.least = added(body.least, least_of(step(at)));
                continue;
            }
            body.has_collective = body.has_collective || bodies_[at].has_collective;
            body.least = added(body.least, times(bodies_[at].least, step(at).amount));
            at = end_of(at);
        }
        return body;
    }

    const Layout& layout_;
    const variation::ComputeTime* takes_;
    const InstructionId begin_;
    const std::size_t size_;
    std::vector<Body> bodies_;  // bodies of loops, by the first instruction of the loop
};

}  // namespace

CollectiveIntervals::CollectiveIntervals(const Layout& layout, const variation::ComputeTime* takes) {
    for (std::size_t k = 0; k < layout.entry.size(); ++k) {
        const InstructionId begin = layout.entry[k];
        const bool is_last = k + 1 == layout.entry.size();
        const InstructionId end{is_last ? static_cast<std::uint32_t>(layout.code.size()) : layout.entry[k + 1].index};
        const ClassCode code(layout, takes, begin, end);
        before_first_ = std::min(before_first_, code.until_collective(0));
        for (InstructionId at = begin; at < end; ++at) {
            if (layout.code[at].op != Op::allreduce) continue;
            after_.emplace_back(at, code.until_collective(at.index + 1 - begin.index));
        }
    }
}

Time CollectiveIntervals::after(InstructionId collective) const {
    const auto is_before = [](const auto& each, InstructionId at) { return each.first < at; };
    return std::lower_bound(after_.begin(), after_.end(), collective, is_before)->second;
}

}  // namespace warpfront::engine
