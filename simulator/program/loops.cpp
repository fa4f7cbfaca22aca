#include "simulator/program/loops.hpp"

#include <algorithm>

namespace warpfront::program {

namespace {

bool is(LoopKind kind, const std::vector<Instruction>& code, std::size_t first) {
    unsigned depth = 0;
    bool marked = false;
    bool plain = true;
    for (std::size_t at = first + 1; at < code[first].operand; ++at) {
        if (code[at].op == Op::loop) ++depth;
        if (code[at].op == Op::end_loop) --depth;
        marked = marked || (code[at].op == Op::iteration && depth == 0);
        plain = plain && code[at].op != Op::loop && code[at].op != Op::allreduce && code[at].op != Op::iteration &&
                code[at].op != Op::phase;
    }
    return kind == LoopKind::of_iterations ? marked && code[first].depth == 0 : plain;
}

}  // namespace

std::vector<std::uint8_t> loop_depths(const std::vector<Instruction>& code, LoopKind kind) {
    std::vector<std::uint8_t> depth(code.size(), kNoLoop);
    for (std::size_t first = 0; first < code.size(); ++first) {
        if (code[first].op != Op::loop || !is(kind, code, first)) continue;
        std::fill(depth.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  depth.begin() + static_cast<std::ptrdiff_t>(code[first].operand) + 1, code[first].depth);
    }
    return depth;
}

std::vector<std::int64_t> iterations_per_trip(const std::vector<Instruction>& code) {
    const std::vector<std::uint8_t> depths = loop_depths(code, LoopKind::of_iterations);
    std::vector<std::int64_t> counts(code.size(), 0);
    for (std::size_t first = 0; first < code.size(); ++first) {
        if (code[first].op != Op::loop || code[first].depth != 0 || depths[first + 1] == kNoLoop) continue;
        std::int64_t marks = 0;
        std::vector<std::int64_t> times{1};
        for (std::size_t at = first + 1; at < code[first].operand; ++at) {
            if (code[at].op == Op::loop) times.push_back(times.back() * code[at].amount);
            if (code[at].op == Op::end_loop) times.pop_back();
            if (code[at].op == Op::iteration) marks += times.back();
        }
        std::fill(counts.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  counts.begin() + static_cast<std::ptrdiff_t>(code[first].operand) + 1, marks);
    }
    return counts;
}

}  // namespace warpfront::program
