// Evaluates the fields of closed forms. The block `closed_form` is evaluated for every iteration, and an analytic
// region where the model executes it.
#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "psl/checking/model.hpp"
#include "psl/specialising/limits.hpp"
#include "psl/specialising/specialiser.hpp"

namespace warpfront::psl {
namespace {

class ClosedForm {
public:
    ClosedForm(const Statement& block, Folding& folding, const Graph& graph)
        : block_(block), folding_(folding), graph_(graph) {}

    program::WavefrontPhase evaluate() {
        program::WavefrontPhase phase;
        phase.pre_work = {whole("pre_work", Use::cost, 0, 0)};
        phase.work = {whole("work", Use::cost, 0, 0)};
        phase.tiles = whole("tiles", Use::times, 1, 1);
        phase.east_west = {whole("east_west", Use::size, 0, 0)};
        phase.north_south = {whole("north_south", Use::size, 0, 0)};
        add_corners(phase);
        phase.allreduces = whole("allreduces", Use::times, 0, 0);
        phase.allreduce_bytes = {whole("allreduce_bytes", Use::size, 0, 0)};
        add_exchanges(phase);
        phase.other = {whole("other", Use::cost, 0, 0)};
        return phase;
    }

private:
    const Expression* field(std::string_view name) const {
        const auto found = std::ranges::find_if(block_.body, [&](const Statement& s) { return s.name.text == name; });
        return found == block_.body.end() ? nullptr : &found->expressions[0];
    }

    Value shared(NodeId node, std::string_view name, Span span) const {
        if (graph_[node].level > 0) folding_.split(node);
        if (!graph_[node].literal()) {
            graph_.fail({DiagnosticKind::rank_dependent, fmt::format("`{}` differs from rank to rank", name)}, span);
        }
        return graph_[node].value;
    }

    std::int64_t whole(std::string_view name, Use use, std::int64_t least, std::int64_t absent) {
        const Expression* expression = field(name);
        if (!expression) return absent;
        const Value value = shared(folding_.fold(*expression).node, name, expression->span);
        try {
            const std::int64_t result = finished(use, value, EvaluationContext{graph_.grid()});
            if (result < least)
                throw EvaluationError{DiagnosticKind::out_of_range,
                                      fmt::format("`{}` is {}, expected at least {}", name, result, least)};
            return result;
        } catch (const EvaluationError& error) {
            graph_.fail(error, expression->span);
        }
    }

    std::vector<Value> list(std::string_view name) {
        std::vector<Value> values;
        const Expression* expression = field(name);
        if (!expression) return values;
        for (const NodeId item : folding_.fold(*expression).items) {
            values.push_back(shared(item, name, expression->span));
        }
        return values;
    }

    void add_corners(program::WavefrontPhase& phase) {
        const std::vector<Value> corners = list("corners");
        const std::int64_t repeats = whole("repeats", Use::times, 1, 1);
        if (static_cast<std::size_t>(repeats) > kMostStatements / std::max<std::size_t>(1, corners.size())) {
            graph_.fail({DiagnosticKind::program_too_large,
                         fmt::format("the closed form has more than {} sweeps in an iteration", kMostStatements)},
                        field("repeats")->span);
        }
        for (std::int64_t turn = 0; turn < repeats; ++turn) {
            for (const Value& corner : corners) phase.corners.push_back(static_cast<program::Corner>(corner.whole));
        }
    }

    void add_exchanges(program::WavefrontPhase& phase) {
        for (const Value& size : list("exchanges")) {
            if (size.whole < 0) {
                graph_.fail({DiagnosticKind::out_of_range, fmt::format("an exchange of {} is negative", to_text(size))},
                            field("exchanges")->span);
            }
            if (phase.exchanges.empty() || phase.exchanges.back().bytes.count != size.whole) {
                phase.exchanges.push_back({0, Bytes{size.whole}});
            }
            ++phase.exchanges.back().count;
        }
    }

    const Statement& block_;
    Folding& folding_;
    const Graph& graph_;
};

/// Returns the closed forms of all iterations in the order of the iterations; equal consecutive ones are counted
/// together.
std::vector<program::WavefrontPhase> in_order(const std::vector<Stretch<program::WavefrontPhase>>& stretches,
                                              const Graph& graph, Span span) {
    std::vector<program::WavefrontPhase> phases;
    for (const auto& stretch : stretches) {
        for (std::int64_t turn = 0; turn < stretch.times; ++turn) {
            for (const auto& [count, phase] : stretch.runs) {
                if (phases.size() == kMostStatements) {
                    graph.fail({DiagnosticKind::program_too_large,
                                fmt::format("the closed form changes more than {} times", kMostStatements)},
                               span);
                }
                phases.push_back(phase);
                phases.back().iterations = count;
            }
        }
    }
    return phases;
}

}  // namespace

program::WavefrontPhase phase_of(const Statement& region, Folding& folding, const Graph& graph) {
    return ClosedForm(region, folding, graph).evaluate();
}

std::vector<program::WavefrontPhase> closed_form(const CheckedModel& model, Folding& folding, const Graph& graph,
                                                 std::int64_t iterations) {
    const auto& items = model.application->body;
    const auto first = [&](Statement::Form form) {
        return std::ranges::find_if(items, [&](const Statement& s) { return s.form == form; });
    };
    const auto block = first(Statement::Form::closed_form);
    if (block == items.end()) return {};
    const bool numbered = !first(Statement::Form::iteration)->name.text.empty();
    using Phase = program::WavefrontPhase;
    const auto phase_for = [&](const Iterations& interval) -> Folded<Phase> {
        folding.loops.assign(1, {1, interval});
        folding.guards = 0;
        try {
            if (numbered) folding.variable(block->slot) = {folding.loop_variable(block->span), {}};
            return ClosedForm(*block, folding, graph).evaluate();
        } catch (const SplitRequest& needed) {
            return needed;
        }
    };
    const auto stretches = std::get<std::vector<Stretch<Phase>>>(by_iterations<Phase>(1, 1, iterations, phase_for));
    return in_order(stretches, graph, block->span);
}

}  // namespace warpfront::psl
