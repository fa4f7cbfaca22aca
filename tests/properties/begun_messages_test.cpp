// Messages that leave while their ranks compute: the result depends on the inputs alone, as that of blocking ones.
#include "tests/properties/property.hpp"

#include <algorithm>
#include <utility>
#include <vector>

using namespace warpfront;
using namespace warpfront::test;

namespace {

using program::Instruction;
using program::Op;

/// The same messages, each begun before the work that stands before it and waited for where its stretch of code ends: at
/// a loop, a mark, a collective, or the next message on its channel.
class Begun {
public:
    std::vector<Instruction> of(const std::vector<Instruction>& code) {
        std::vector<std::uint32_t> now_at;
        for (const Instruction& step : code) {
            const bool plain = step.op == Op::compute || step.op == Op::recv || step.op == Op::send;
            if (!plain) end_stretch();
            if (step.op == Op::send) {
                now_at.push_back(0);  // no loop leads to a send
                begin(step);
                continue;
            }
            now_at.push_back(static_cast<std::uint32_t>(code_.size()));
            code_.push_back(step);
        }
        for (Instruction& step : code_) {
            if (step.op == Op::loop || step.op == Op::end_loop) step.operand = now_at[step.operand];
        }
        return std::move(code_);
    }

private:
    void begin(Instruction step) {
        const auto same = [&](const Instruction& other) { return other.operand == step.operand; };
        if (std::any_of(open_.begin(), open_.end(), same)) end_stretch();
        step.op = Op::isend;
        auto at = code_.end();
        while (at != code_.begin() && ((at - 1)->op == Op::compute || (at - 1)->op == Op::isend)) --at;
        while (at != code_.end() && at->op == Op::isend) ++at;  // messages of a stretch keep their order
        code_.insert(at, step);
        open_.push_back(step);
    }
    void end_stretch() {
        for (Instruction wait : open_) {
            wait.op = Op::wait_send;
            wait.amount = 0;
            code_.push_back(wait);
        }
        open_.clear();
    }

    std::vector<Instruction> code_;
    std::vector<Instruction> open_;
};

program::Program with_sends_begun(program::Program program) {
    for (program::RankClass& rank_class : program.classes) rank_class.code = Begun().of(rank_class.code);
    return program;
}

}  // namespace

TEST_CASE("begun messages make valid programs") {
    holds({200, 61}, [] { RC_ASSERT(program::validate(with_sends_begun(program_of(*any_case()))).empty()); });
}

TEST_CASE("skipping ahead beside begun messages changes nothing, on one thread or three") {
    holds({600, 62}, [] {
        Case each = *any_case();
        for (Phase& phase : each.code.phases) phase.iterations += 10;
        const program::Program program = with_sends_begun(program_of(each));
        const machine::Machine machine = machine_of(each);
        const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
        const record::Record skipping = engine::run(program, machine, {.replay = engine::Replay::auto_, .threads = 3});
        RC_CLASSIFY(skipping.work->messages_replayed < full.work->messages_replayed, "something was skipped");
        assert_same(skipping, full);
    });
}

TEST_CASE("windows give what one request at a time gives, messages begun included") {
    holds({1000, 63}, [] {
        const Case each = with_time_between(*any_case());
        const program::Program program = with_sends_begun(program_of(each));
        const machine::Machine machine = machine_of(each);
        assert_same(engine::run(program, machine, {.replay = engine::Replay::full, .in_order = true}),
                    engine::run(program, machine, {.replay = engine::Replay::full}));
    });
}

TEST_CASE("the critical path through begun messages adds up to the time") {
    holds({400, 64}, [] {
        const Case each = *any_case();
        if (!engine::has_critical_path(machine_of(each))) return;
        const record::Record record = engine::run(with_sends_begun(program_of(each)), machine_of(each), {.path = true});
        RC_ASSERT(record.path->total().ps == record.finish.ps);
        for (const record::PathPart& part : record::kPathParts) RC_ASSERT((*record.path.*part.time).ps >= 0);
    });
}
