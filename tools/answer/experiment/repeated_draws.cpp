#include "tools/answer/experiment/repeated_draws.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "simulator/program/execution.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

namespace {

using program::Instruction;
using program::Op;

/// The content of an iteration of one rank.
struct Content {
    double blocks = 0.0;     // number of blocks of computing that take time
    double computing = 0.0;  // seconds of computing
    double messages = 0.0;   // number of messages sent

    void add(const Instruction& step, double times) {
        if (program::computes(step.op) && step.amount > 0) blocks += times;
        if (program::computes(step.op)) computing += seconds(Time{step.amount}) * times;
        if (program::sends(step.op)) messages += times;
    }
    friend bool operator==(const Content&, const Content&) = default;
};

/// Counts the first iterations of the ranks of a class.
class FirstIterations {
public:
    FirstIterations(const program::RankClass& rank_class, std::size_t most) : code_(rank_class.code), most_(most) {
        pass(0, code_.size());
    }

    const std::vector<Content>& contents() const { return ended_; }

private:
    /// Counts the instructions from `first` up to `end`. Stops when enough iterations have ended.
    void pass(std::size_t first, std::size_t end) {
        for (std::size_t at = first; at < end && ended_.size() < most_; ++at) {
            const Instruction& step = code_[at];
            if (step.op == Op::iteration) {
                ended_.push_back(std::exchange(open_, {}));
            } else if (step.op == Op::loop) {
                loop(at + 1, step.operand, step.amount);
                at = step.operand;
            } else {
                open_.add(step, 1.0);
            }
        }
    }

    /// Counts a loop: at once if no iteration ends in it, otherwise iteration by iteration.
    void loop(std::size_t first, std::size_t end, std::int64_t times) {
        const std::span<const Instruction> body = std::span(code_).subspan(first, end - first);
        if (std::ranges::find(body, Op::iteration, &Instruction::op) == body.end()) {
            program::for_each_counted(body, [&](const Instruction& step, std::uint64_t within) {
                open_.add(step, static_cast<double>(times) * static_cast<double>(within));
            });
            return;
        }
        for (std::int64_t left = times; left > 0 && ended_.size() < most_; --left) {
            const bool fresh = open_ == Content{};
            const std::size_t ended = ended_.size();
            pass(first, end);
            const bool one_whole = fresh && open_ == Content{} && ended_.size() == ended + 1;
            if (!one_whole) continue;
            ended_.resize(std::min(most_, ended + static_cast<std::size_t>(left)), Content{ended_.back()});
            return;
        }
    }

    const std::vector<Instruction>& code_;
    const std::size_t most_;
    std::vector<Content> ended_;
    Content open_;
};

/// The number of ranks of a class, and the number of those that can be interrupted.
struct Members {
    double all = 0.0;
    double interrupted = 0.0;
};

std::vector<Members> members_of_classes(const program::Program& program, const variation::Noise& noise) {
    std::vector<Members> members(program.classes.size());
    const bool absorbs = noise.interruptions && noise.interruptions->absorbed_by_idle_core;
    for (std::size_t rank = 0; rank < program.class_of.size(); ++rank) {
        Members& of_class = members[program.class_of[rank]];
        of_class.all += 1.0;
        const bool absorbed = absorbs && !noise.has_idle_core.empty() && noise.has_idle_core[rank];
        if (noise.interruptions && !absorbed) of_class.interrupted += 1.0;
    }
    return members;
}

}  // namespace

std::vector<IterationDraws> draws_of_first(const program::Program& program, const variation::Noise& noise,
                                           std::size_t most) {
    const std::vector<Members> members = members_of_classes(program, noise);
    const double per_second = noise.interruptions ? noise.interruptions->per_second : 0.0;
    std::vector<IterationDraws> sums;
    for (std::size_t number = 0; number < members.size(); ++number) {
        const FirstIterations first(program.classes[number], most);
        sums.resize(std::max(sums.size(), first.contents().size()));
        for (std::size_t k = 0; k < first.contents().size(); ++k) {
            const Content& content = first.contents()[k];
            sums[k].blocks += content.blocks * members[number].all;
            sums[k].interruptions += per_second * content.computing * members[number].interrupted;
            sums[k].messages += content.messages * members[number].all;
        }
    }
    return sums;
}

std::int64_t iterations_until_repeat(const program::Program& program, const variation::Noise& noise) {
    IterationDraws drawn;
    std::int64_t iterations = 0;
    const bool interrupted = noise.interrupted();
    for (const IterationDraws& each : draws_of_first(program, noise, kMostIterations)) {
        if (iterations > 0 && drawn.messages + each.messages > kMostMessages) break;
        ++iterations;
        drawn.blocks += each.blocks;
        drawn.interruptions += each.interruptions;
        drawn.messages += each.messages;
        const bool enough_blocks = !noise.varies() || drawn.blocks >= kFewestBlocks;
        if (enough_blocks && (!interrupted || drawn.interruptions >= kFewestInterruptions)) break;
    }
    return std::max(iterations, std::int64_t{1});
}

}  // namespace warpfront::tools
