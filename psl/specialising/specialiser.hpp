// Specialises statements for given parameters. Inlines templates and subtasks, unrolls lists, and makes the skeleton of
// the program.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "psl/checking/load.hpp"
#include "psl/specialising/bindings.hpp"
#include "psl/specialising/bound_values.hpp"
#include "psl/specialising/folding.hpp"
#include "psl/specialising/skeleton.hpp"

namespace warpfront::psl {

class Specialiser {
public:
    Specialiser(const CheckedModel& model, const Bindings& bindings, Graph& graph, Slots& slots);

    /// Adds the costs that are folded from now on to `all`.
    void record(std::vector<CostEntry>& all) { folding_.recorded = &all; }
    const Folding& folding() const { return folding_; }

    /// Specialises the whole application with these values of its parameters.
    Skeleton run(BoundValues values);
    /// Specialises an application of task lists. Sets the lists, sites and notes of the program. Returns the ranges of
    /// the conditions of each task.
    std::vector<std::vector<Span>> run_tasks(BoundValues values, program::Program& program);

private:
    class Scope;

    Block bind(BoundValues values);
    void items(const std::map<std::string, BoundValue>& values);
    void parameter(const Statement& each, const std::map<std::string, BoundValue>& values);

    void block(const std::vector<Statement>& statements);
    void statement(const Statement& each);
    void require(const Statement& each);
    void note(const Statement& each);
    void compute(const Statement& each);
    NodeId list_time(const Statement& each);
    NodeId failing_time(NodeId node, Span origin);
    void analytic(const Statement& each);
    NodeId time_by_closed_form(const Statement& each);
    void trace(const Statement& each);
    std::uint32_t trace_number(const TraceRegion& region);
    void set_tags_apart(program::Program& trace);
    void note(const std::string& text);
    void message(const Statement& each);
    void receive_any(const Statement& each);
    void reply(const Statement& each);
    void sendrecv(const Statement& each);
    void wait(const Statement& each);
    SlotId tag_of(const Statement& each, std::size_t index);
    SlotId partner(const Expression& expression);
    SlotId size(const Expression& expression);
    void let(const Statement& each);
    void assign(const Statement& each);
    void allreduce(const Statement& each);
    void collective(const Statement& each);
    void branch(const Statement& each);
    void repeat(const Statement& each);
    void for_range(const Statement& each);
    void for_each(const Statement& each);
    void while_loop(const Statement& each);
    void phase(const Statement& each);
    /// Specialises the iterations from `first` to first + count - 1 one by one. This is necessary if the body assigns a
    /// variable that is declared outside the loop.
    void iteration_by_iteration(const Statement& each, std::int64_t first, std::int64_t count);
    void call(const Statement& each);
    void loop(const Statement& each, NodeId times, Span times_span);
    void residual_loop(const Statement& each, SlotId times);
    void counted_loop(const Statement& each, std::int64_t first, std::int64_t count);
    /// Returns the body of a loop, or of the application's `iteration`, for these iterations. If the result is a
    /// SplitRequest, the state is unchanged.
    Folded<Block> body_for(const Statement& each, const Iterations& iterations);
    /// Returns the iterations of a loop, or of the application, in groups with equal bodies. Throws a SplitRequest
    /// (iterations.hpp) if the variable of an enclosing loop is needed.
    std::vector<Stretch<Block>> stretches_of(const Statement& each, std::int64_t first, std::int64_t count);
    void repeated(const Statement& each, std::int64_t count, Block body);

    SlotId slot(Use use, NodeId node, Span origin);
    void spend(std::size_t statements, const Statement& each);
    ResidualStatement& emit(ResidualStatement::Form form, const Statement& each);
    Block folded_apart(const std::vector<Statement>& statements, bool guarded);
    void requirement_failed(const Statement& each);
    std::uint16_t site(const Statement& each);
    [[noreturn]] void fail(DiagnosticKind kind, Span span, std::string message) const;

    const CheckedModel& model_;
    const Bindings& bindings_;
    Graph& graph_;
    Slots& slots_;
    Folding folding_;
    Skeleton skeleton_;
    Diagnostics requirements_;
    std::unordered_map<const Statement*, std::uint16_t> sites_;
    /// parameters by their slots in the application's frame
    std::unordered_map<std::uint32_t, const Statement*> parameters_;
    /// numbers of traces, by folder or list, and rate
    std::map<std::pair<std::filesystem::path, double>, std::uint32_t> traces_;
    /// The lowest tag that collectives and traces use so far.
    std::int32_t lowest_tag_ = psl::tag_of(collectives::Kind::scan);
    Block* out_ = nullptr;
    std::size_t emitted_ = 0;  // number of emitted statements, without those of foldings that were repeated
    unsigned loops_ = 0;       // number of enclosing loops, without those whose variable is used
    unsigned depth_ = 0;
    bool in_list_ = false;
};

/// Returns the fields of an analytic region. Throws BadInput rank_dependent if a field differs between ranks.
program::WavefrontPhase phase_of(const Statement& region, Folding& folding, const Graph& graph);

/// Returns the closed form of every iteration. Empty if the model has no `closed_form`.
std::vector<program::WavefrontPhase> closed_form(const CheckedModel& model, Folding& folding, const Graph& graph,
                                                 std::int64_t iterations);

}  // namespace warpfront::psl
