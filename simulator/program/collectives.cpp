// Whether two classes take part in the same allreduces, in the same order. No sequence is written out: prefixes are
// compared by their polynomial hash modulo 2^61 - 1. The hash of a loop is a power, so a loop costs the logarithm of
// its trips. Equal sequences have equal hashes; different sequences have equal hashes with a probability of about
// 10^-17.
#include <algorithm>

#include "simulator/program/counting.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::program {
namespace {

constexpr std::uint64_t kModulus = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 1'442'695'040'888'963'407 % kModulus;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(Wide{static_cast<std::int64_t>(a)} * static_cast<std::int64_t>(b) % kModulus);
}

struct Digest {
    std::uint64_t hash = 0;
    std::uint64_t power = 1;  // kBase to the number of allreduces
};

Digest joined(const Digest& a, const Digest& b) {
    return {(product(a.hash, b.power) + b.hash) % kModulus, product(a.power, b.power)};
}

Digest repeated(Digest each, std::uint64_t times) {
    Digest all;
    for (; times > 0; times /= 2, each = joined(each, each)) {
        if (times % 2 == 1) all = joined(all, each);
    }
    return all;
}

struct Allreduce {
    std::int64_t bytes = 0;
    std::uint16_t site = 0;
};

/// One allreduce, or a loop of them.
struct Step {
    Allreduce allreduce;
    std::vector<Step> body;  // of a loop
    std::uint64_t times = 1;
    std::uint64_t count = 1;  // of allreduces in one trip
    Digest digest;            // of one trip
};

class Sequence {
public:
    explicit Sequence(const RankClass& rank_class) {
        std::size_t at = 0;
        steps_ = block(rank_class.code, at);
        for (const Step& step : steps_) count_ = checked_sum(count_, checked_product(step.times, step.count));
    }

    std::uint64_t count() const { return count_; }
    Digest prefix(std::uint64_t length) const { return prefix(steps_, length); }

    const Allreduce& at(std::uint64_t index) const {
        const std::vector<Step>* steps = &steps_;
        for (std::size_t i = 0;;) {
            const Step& step = (*steps)[i];
            if (index >= step.times * step.count) {
                index -= step.times * step.count;
                ++i;
            } else if (step.body.empty()) {
                return step.allreduce;
            } else {
                index %= step.count;
                steps = &step.body;
                i = 0;
            }
        }
    }

private:
    static std::vector<Step> block(const std::vector<Instruction>& code, std::size_t& at) {
        std::vector<Step> steps;
        for (; at < code.size() && code[at].op != Op::end_loop; ++at) {
            const Instruction& now = code[at];
            Step step;
            if (now.op == Op::loop) {
                step.times = static_cast<std::uint64_t>(now.amount);
                step.body = block(code, ++at);
                if (step.body.empty()) continue;
                step.count = 0;
                for (const Step& each : step.body) {
                    step.count = checked_sum(step.count, checked_product(each.times, each.count));
                }
                step.digest = prefix(step.body, step.count);
            } else if (now.op == Op::allreduce) {
                step.allreduce = {now.amount, now.site};
                step.digest = {(static_cast<std::uint64_t>(now.amount) + 1) % kModulus, kBase};
            } else {
                continue;
            }
            steps.push_back(std::move(step));
        }
        return steps;
    }

    static Digest prefix(const std::vector<Step>& steps, std::uint64_t length) {
        Digest all;
        for (const Step& step : steps) {
            const std::uint64_t trips = std::min(step.times, length / step.count);
            all = joined(all, repeated(step.digest, trips));
            length -= trips * step.count;
            if (trips == step.times) continue;
            return length > 0 ? joined(all, prefix(step.body, length)) : all;
        }
        return all;
    }

    std::vector<Step> steps_;
    std::uint64_t count_ = 0;
};

/// The number of allreduces in the common prefix.
std::uint64_t common(const Sequence& a, const Sequence& b) {
    std::uint64_t same = 0;
    std::uint64_t beyond = std::min(a.count(), b.count()) + 1;
    while (beyond - same > 1) {
        const std::uint64_t middle = same + (beyond - same) / 2;
        (a.prefix(middle).hash == b.prefix(middle).hash ? same : beyond) = middle;
    }
    return same;
}

}  // namespace

std::optional<CollectiveMismatch> collective_mismatch(const Program& program) {
    const Sequence first(program.of(Rank{0}));
    std::vector<bool> seen(program.classes.size(), false);
    seen[program.class_of[0]] = true;
    for (std::uint32_t rank = 1; rank < program.class_of.size(); ++rank) {
        if (seen[program.class_of[rank]]) continue;
        seen[program.class_of[rank]] = true;
        const Sequence here(program.of(Rank{rank}));
        const std::uint64_t same = common(first, here);
        if (same == first.count() && same == here.count()) continue;
        CollectiveMismatch found;
        found.rank = Rank{rank};
        found.count_of_first = first.count();
        found.count = here.count();
        found.number = same + 1;
        if (same < first.count()) found.at_first = {first.at(same).site, Bytes{first.at(same).bytes}};
        if (same < here.count()) found.here = {here.at(same).site, Bytes{here.at(same).bytes}};
        return found;
    }
    return std::nullopt;
}

}  // namespace warpfront::program
