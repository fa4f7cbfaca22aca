// Specialises statements for bound parameters: inlines templates and subtasks, unrolls lists, and produces the skeleton
// of the program.
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

    /// Adds the cost of work to `all` from now on.
    void record(std::vector<CostEntry>& all) { folding_.recorded = &all; }
    const Folding& folding() const { return folding_; }

    /// Specialises the whole application; `values` are its bound parameters.
    Skeleton run(BoundValues values);
    /// Specialises an application of task lists; sets the lists, sites and notes of the program. Returns the places of
    /// conditions, by task.
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
    /// Specialises the iterations first .. first + count - 1 one after the other, since the body assigns a variable
    /// declared outside of it.
    void iteration_by_iteration(const Statement& each, std::int64_t first, std::int64_t count);
    void call(const Statement& each);
    void loop(const Statement& each, NodeId times, Span times_span);
    void residual_loop(const Statement& each, SlotId times);
    void counted_loop(const Statement& each, std::int64_t first, std::int64_t count);
    /// Returns the body of a loop, or of the application's `iteration`, specialised for these iterations. If it returns
    /// a Distinction, the state is unchanged.
    Folded<Block> body_for(const Statement& each, const Iterations& iterations);
    /// Returns the iterations of a loop, or of the application, as stretches with one body each. Throws a
    /// Distinction (iterations.hpp) if the folding needs the variable of an enclosing loop.
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
    std::unordered_map<std::uint32_t, const Statement*> parameters_;  // parameters by slot in the application's frame
    std::map<std::pair<std::filesystem::path, double>, std::uint32_t> traces_;  // numbers of traces, by list and rate
    /// Lowest tag of collectives and of the traces so far.
    std::int32_t lowest_tag_ = psl::tag_of(collectives::Kind::scan);
    Block* out_ = nullptr;
    std::size_t emitted_ = 0;  // number of statements so far, without those of abandoned foldings
    unsigned loops_ = 0;       // number of enclosing loops, without loops over a variable
    unsigned depth_ = 0;
    bool in_list_ = false;
};

/// Returns the fields of an analytic region. Throws rank_dependent if one differs between ranks.
program::WavefrontPhase phase_of(const Statement& region, Folding& folding, const Graph& graph);

/// Returns the `closed_form` block for every iteration; empty if the model has none.
std::vector<program::WavefrontPhase> closed_form(const CheckedModel& model, Folding& folding, const Graph& graph,
                                                 std::int64_t iterations);

}  // namespace warpfront::psl
