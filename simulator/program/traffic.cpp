#include <limits>
#include <stdexcept>

#include "simulator/program/program.hpp"

namespace warpfront::program {

namespace {

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) throw std::overflow_error("more messages than 64 bits can count");
    return product;
}

void add(std::uint64_t& sum, std::uint64_t value) {
    if (__builtin_add_overflow(sum, value, &sum)) throw std::overflow_error("more messages than 64 bits can count");
}

}  // namespace

std::vector<Traffic> traffic_by_outlet(const RankClass& rank_class) {
    std::vector<Traffic> traffic(rank_class.outlets.size());
    std::vector<std::uint64_t> trips{1};
    for (const Instruction& step : rank_class.code) {
        const auto amount = static_cast<std::uint64_t>(step.amount);
        if (step.op == Op::loop) trips.push_back(times(trips.back(), amount));
        if (step.op == Op::end_loop) trips.pop_back();
        if (step.op != Op::send) continue;
        add(traffic[step.place].messages, trips.back());
        add(traffic[step.place].bytes, times(amount, trips.back()));
    }
    return traffic;
}

Traffic traffic(const Program& program) {
    std::vector<std::uint64_t> ranks_of(program.classes.size(), 0);
    for (const std::uint32_t index : program.class_of) ++ranks_of[index];
    Traffic sum;
    for (std::size_t index = 0; index < program.classes.size(); ++index) {
        for (const Traffic& outlet : traffic_by_outlet(program.classes[index])) {
            add(sum.messages, times(outlet.messages, ranks_of[index]));
            add(sum.bytes, times(outlet.bytes, ranks_of[index]));
        }
    }
    return sum;
}

}  // namespace warpfront::program
