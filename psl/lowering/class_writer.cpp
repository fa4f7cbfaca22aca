#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "psl/lowering/code_writer.hpp"
#include "psl/lowering/message_writer.hpp"
#include "psl/specialising/limits.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

namespace {

using ResidualForm = ResidualStatement::Form;

/// Writes the program of the current rank's class.
class ClassWriter {
public:
    ClassWriter(const Skeleton& skeleton, const Graph& graph, RankValues& values, CollectiveSteps& steps)
        : skeleton_(skeleton),
          graph_(graph),
          values_(values),
          code_(skeleton, graph, values),
          messages_(code_, graph, values, steps) {}

    WrittenClass write() {
        for (const Stretch<Block>& stretch : skeleton_.iterations) iterations(stretch);
        code_.push(program::Op::finish, skeleton_.iteration_site, 0, 0);
        return code_.take();
    }

private:
    void iterations(const Stretch<Block>& stretch) {
        const bool has_room = std::all_of(stretch.runs.begin(), stretch.runs.end(), [](const Run<Block>& run) {
            return 1 + loops_in(run.body) <= program::kMaxLoopDepth;
        });
        const bool turns = stretch.times > 1 && has_room;
        const std::size_t start = turns ? code_.open_loop(stretch.times, skeleton_.iteration_site) : 0;
        for (std::int64_t turn = 0; turn < (turns ? 1 : stretch.times); ++turn) {
            for (const Run<Block>& run : stretch.runs) iterations(run, turns && &run == &stretch.runs.back());
        }
        if (turns) code_.close_loop(start);
    }

    /// Writes iterations with one body. If `ends_turn`, the last iteration is written after their loop. So the body of
    /// the enclosing loop, a turn, ends with the mark of an iteration. A loop with a mark at the end of its body is not
    /// counted as a wave.
    void iterations(const Run<Block>& run, bool ends_turn) {
        const std::int64_t alone = ends_turn ? 1 : 0;
        const bool loops = run.count - alone > 1 && code_.depth() + 1 + loops_in(run.body) <= program::kMaxLoopDepth;
        if (loops) {
            const std::size_t start = code_.open_loop(run.count - alone, skeleton_.iteration_site);
            iteration(run.body);
            code_.close_loop(start);
        }
        for (std::int64_t left = loops ? alone : run.count; left > 0; --left) iteration(run.body);
    }

    void iteration(const Block& body) {
        block(body);
        messages_.refuse_open();
        code_.push(program::Op::iteration, skeleton_.iteration_site, 0, 0);
    }

    void block(const Block& statements) {
        for (const ResidualStatement& each : statements) statement(each);
    }

    void statement(const ResidualStatement& each) {
        switch (each.form) {
            case ResidualForm::compute: return pass_time(program::Op::compute, each);
            case ResidualForm::delay: return pass_time(program::Op::delay, each);
            case ResidualForm::trace: return messages_.trace(each, skeleton_.traces[each.trace].of(rank()));
            case ResidualForm::waitall: return messages_.wait_for_all(each);
            case ResidualForm::waitany: return messages_.wait_for_any(each);
            case ResidualForm::collective: return messages_.collective(each);
            case ResidualForm::allreduce: return messages_.allreduce(each);
            case ResidualForm::loop: return loop(each);
            case ResidualForm::branch: return block(values_(each.amount) != 0 ? each.body : each.otherwise);
            case ResidualForm::phase: return phase(each);
            case ResidualForm::require: return require(each);
            case ResidualForm::send: return messages_.send(each, program::Op::send);
            case ResidualForm::ssend: return messages_.send(each, program::Op::ssend);
            case ResidualForm::isend: return messages_.send(each, program::Op::isend);
            case ResidualForm::recv: return messages_.receive(each, program::Op::recv);
            case ResidualForm::irecv: return messages_.receive(each, program::Op::irecv);
            case ResidualForm::recv_any:
            case ResidualForm::irecv_any: return messages_.receive_any(each);
            case ResidualForm::reply:
            case ResidualForm::ireply: return messages_.answer(each);
            case ResidualForm::wait: return messages_.wait_for(each, false);
            case ResidualForm::wait_send: return messages_.wait_for(each, true);
            case ResidualForm::wait_source:
            case ResidualForm::wait_reply: return messages_.wait_for_any_partner(each);
        }
    }

    Rank rank() const { return {static_cast<std::uint32_t>(values_.here().rank())}; }

    void pass_time(program::Op op, const ResidualStatement& each) {
        if (const std::int64_t amount = values_(each.amount); amount > 0) code_.push(op, each.site, 0, amount);
    }

    void loop(const ResidualStatement& each) {
        const std::int64_t times = values_(each.amount);
        if (times == 0) return;
        if (only_work(each.body)) return work(each, times);
        if (times > kMostLoopIterations) {
            graph_.fail({DiagnosticKind::program_too_large,
                         fmt::format("the loop has {} iterations; the limit is {}", times, kMostLoopIterations)},
                        each.origin->span, &values_.here());
        }
        const std::size_t start = code_.open_loop(times, each.site);
        const MessageWriter::Iterations iterations(messages_, times);
        block(each.body);
        messages_.refuse_open();
        code_.close_loop(start);
    }

    /// Writes consecutive iterations that only compute as a single block of work.
    void work(const ResidualStatement& each, std::int64_t times) {
        const std::size_t start = code_.size();
        block(each.body);
        for (std::size_t at = start; at < code_.size(); ++at) {
            const Wide all = Wide{code_.at(at).amount} * times;
            if (all > kLongestCost.ps) {
                graph_.fail({DiagnosticKind::out_of_range,
                             fmt::format("work of {:.6g} s in {} iterations is too long; the longest cost is {:.6g} s",
                                         static_cast<double>(all) * 1e-12, times, seconds(kLongestCost))},
                            each.origin->span, &values_.here());
            }
            code_.at(at).amount = static_cast<std::int64_t>(all);
        }
    }

    /// Writes a phase, then a mark of the enclosing phase.
    void phase(const ResidualStatement& each) {
        const std::uint32_t around = std::exchange(phase_, each.phase);
        code_.mark_phase(each.site, phase_);
        block(each.body);
        phase_ = around;
        code_.mark_phase(each.site, phase_);
    }

    void require(const ResidualStatement& each) {
        if (values_(each.amount) != 0) return;
        graph_.fail({DiagnosticKind::requirement_failed, each.origin->message}, each.origin->expressions[0].span,
                    &values_.here());
    }

    const Skeleton& skeleton_;
    const Graph& graph_;
    RankValues& values_;
    CodeWriter code_;
    MessageWriter messages_;
    std::uint32_t phase_ = 0;
};

}  // namespace

WrittenClass write_class(const Skeleton& skeleton, const Graph& graph, RankValues& values, CollectiveSteps& steps) {
    return ClassWriter(skeleton, graph, values, steps).write();
}

}  // namespace warpfront::psl
