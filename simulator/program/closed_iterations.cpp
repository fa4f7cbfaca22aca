#include <algorithm>
#include <cstddef>
#include <vector>

#include "simulator/program/program.hpp"

namespace warpfront::program {

namespace {

/// Outermost loops whose trips are an iteration each, which ends with an allreduce.
struct Loops {
    bool all = true;  // nothing but marks of phases, work and allreduces stands outside of them
    std::vector<std::size_t> begins;
};

bool is_iteration(const std::vector<Instruction>& code, std::size_t begin) {
    const std::size_t end = code[begin].operand;
    const auto first = code.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = code.begin() + static_cast<std::ptrdiff_t>(end);
    const auto is_mark = [](const Instruction& each) { return each.op == Op::iteration; };
    return end >= begin + 3 && code[end - 1].op == Op::iteration && code[end - 2].op == Op::allreduce &&
           std::count_if(first, last, is_mark) == 1;
}

Loops loops_of(const std::vector<Instruction>& code) {
    Loops loops;
    for (std::size_t at = 0; at < code.size(); ++at) {
        const Op op = code[at].op;
        if (op == Op::loop && is_iteration(code, at)) {
            loops.begins.push_back(at);
            at = code[at].operand;
        } else if (op != Op::compute && op != Op::allreduce && op != Op::phase && op != Op::finish) {
            loops.all = false;
        }
    }
    return loops;
}

/// Whether the channels of `program` still match with one trip more of every class's loop number `number`.
bool is_closed(Program program, const std::vector<Loops>& loops, std::size_t number) {
    for (std::size_t k = 0; k < loops.size(); ++k) ++program.classes[k].code[loops[k].begins[number]].amount;
    return mismatches(program, 1).empty();
}

bool equal_trips(const Program& program, const std::vector<Loops>& loops, std::size_t number) {
    const auto trips = [&](std::size_t k) { return program.classes[k].code[loops[k].begins[number]].amount; };
    for (std::size_t k = 1; k < loops.size(); ++k) {
        if (trips(k) != trips(0)) return false;
    }
    return true;
}

}  // namespace

bool has_closed_iterations(const Program& program) {
    if (has_isend(program) || has_choices(program)) return false;
    std::vector<Loops> loops;
    for (const RankClass& rank_class : program.classes) {
        loops.push_back(loops_of(rank_class.code));
        if (!loops.back().all || loops.back().begins.size() != loops.front().begins.size()) return false;
    }
    if (loops.empty() || !mismatches(program, 1).empty()) return false;
    for (std::size_t number = 0; number < loops.front().begins.size(); ++number) {
        if (!equal_trips(program, loops, number) || !is_closed(program, loops, number)) return false;
    }
    return true;
}

}  // namespace warpfront::program
