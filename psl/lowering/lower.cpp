// Lowers a model: binds parameters, specialises the model, makes classes of ranks, and checks that every message has a
// receive.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "psl/lowering/code_writer.hpp"
#include "psl/lowering/lower.hpp"
#include "psl/specialising/bound_values.hpp"
#include "psl/specialising/limits.hpp"
#include "psl/specialising/specialiser.hpp"
#include "psl/specialising/task_lists.hpp"
#include "simulator/input/words.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/list_places.hpp"
#include "simulator/program/mismatches.hpp"
#include "simulator/program/task_order.hpp"

namespace warpfront::psl {
namespace {

void check_extent(const Model& model, const Bindings& bindings) {
    Diagnostics faults;
    if (!model.checked().application) {
        faults.add(DiagnosticKind::no_application, {model.sources().front(), 0, 0}, "this file has no `application`",
                   "expected `application` and a name: templates and subtasks alone cannot run");
    }
    if (bindings.iterations < 1 || bindings.iterations > kMostLoopIterations) {
        faults.add(DiagnosticKind::out_of_range, bindings.range,
                   fmt::format("the number of iterations is {}", bindings.iterations),
                   fmt::format("expected 1 to {}", kMostLoopIterations));
    }
    const RankGrid grid = bindings.grid;
    if (grid.columns < 1 || grid.rows < 1 || grid.planes < 1 || grid.ranks() > kMostModelRanks) {
        faults.add(DiagnosticKind::out_of_range, bindings.range,
                   fmt::format("the process grid has {} ranks", as_text(grid)),
                   fmt::format("expected 1 to {} ranks", kMostModelRanks));
    }
    faults.raise();
}

class Matching {
public:
    Matching(const program::Program& program, const Skeleton& skeleton, const CheckedModel& model)
        : program_(program), skeleton_(skeleton), model_(model) {}

    void check() {
        check_collectives();
        for (const program::Mismatch& mismatch : program::mismatches(program_, 3)) add(mismatch);
        faults_.raise();
    }

private:
    SourceRange range_of(std::uint16_t site) const { return model_.range_of(skeleton_.site_statements[site]->span); }

    void add(const program::Mismatch& mismatch) {
        const std::int64_t peer = std::int64_t{mismatch.rank.index} + mismatch.channel.delta;
        if (mismatch.any) return add_any(mismatch);
        if (mismatch.channel.tag < 0) {
            faults_.add(
                DiagnosticKind::unmatched_collectives, range_of(mismatch.site),
                fmt::format("in collectives of this kind, rank {} {} {} message{} {} rank {}, which {} {}",
                            mismatch.rank.index, mismatch.is_send ? "sends" : "awaits", mismatch.count,
                            mismatch.count == 1 ? "" : "s", mismatch.is_send ? "to" : "from", peer,
                            mismatch.is_send ? "awaits" : "sends", mismatch.peer_count),
                "expected that all ranks, or all with the same value after `over`, call this collective equally often");
            return;
        }
        faults_.add(DiagnosticKind::unmatched_messages, range_of(mismatch.site),
                    fmt::format("rank {} {} {} with tag {} {} rank {}, which {} {} of them", mismatch.rank.index,
                                mismatch.is_send ? "sends" : "receives", input::counted(mismatch.count, "message"),
                                mismatch.channel.tag, mismatch.is_send ? "to" : "from", peer,
                                mismatch.is_send ? "receives" : "sends", mismatch.peer_count));
    }

    void add_any(const program::Mismatch& mismatch) {
        const std::string own = input::counted(mismatch.count, "message");
        const std::string others = fmt::format("{} {}", mismatch.peer_count, mismatch.peer_count == 1 ? "is" : "are");
        faults_.add(DiagnosticKind::unmatched_messages, range_of(mismatch.site),
                    mismatch.is_send ? fmt::format("rank {} sends {} to sources of its receives, but only {} received",
                                                   mismatch.rank.index, own, others)
                                     : fmt::format("rank {} receives {} from any rank, but {} sent to it",
                                                   mismatch.rank.index, own, others));
    }

    void check_collectives() {
        const auto found = program::collective_mismatch(program_);
        if (!found) return;
        if (found->count != found->count_of_first) {
            const auto& more = found->count > found->count_of_first ? found->here : found->at_first;
            faults_.add(
                DiagnosticKind::unmatched_collectives, range_of(more->site),
                fmt::format("rank 0 takes part in {}, but rank {} in {}",
                            input::counted(found->count_of_first, "allreduce"), found->rank.index, found->count),
                "expected the same number of calls on all ranks");
            return;
        }
        faults_.add(DiagnosticKind::unmatched_collectives, range_of(found->here->site),
                    fmt::format("allreduce {} of the run has {} on rank {}, but {} on rank 0 ({}:{})", found->number,
                                input::counted(static_cast<std::uint64_t>(found->here->size.count), "byte"),
                                found->rank.index, found->at_first->size.count,
                                program_.sites[found->at_first->site].file, program_.sites[found->at_first->site].line),
                    "expected the same size on all ranks");
    }

    const program::Program& program_;
    const Skeleton& skeleton_;
    const CheckedModel& model_;
    Diagnostics faults_;
};

/// The expressions of task lists. The program refers to them after the lowering.
struct TaskExpressions {
    TaskExpressions(const Model& of, RankGrid grid) : model(of), graph(model.checked(), grid), slots(graph) {}

    Model model;
    Graph graph;
    Slots slots;
};

std::string text_of(const program::TaskPlace& place, const program::TaskLists& lists) {
    const std::string& name = lists.tasks[place.task].name;
    return place.indices.empty() ? fmt::format("`{}`", name)
                                 : fmt::format("`{}[{}]`", name, fmt::join(place.indices, ", "));
}

/// Reports lists with tasks that can never begin. Cases that depend on the times of the run are reported during the
/// run.
void refuse_endless_wait(const program::TaskLists& lists, const std::vector<std::vector<Span>>& condition_spans,
                         const CheckedModel& model) {
    std::optional<program::EndlessWait> wait;
    try {
        wait = program::endless_wait(lists);
    } catch (const BadInput&) {
        return;  // the run reports errors of formulas
    }
    if (!wait) return;
    const std::vector<program::TaskPlace>& chain = wait->chain;
    std::string message = fmt::format("{} waits for ", text_of(chain[0], lists));
    std::string expected = "expected other tasks after `after`: none of these tasks can ever begin";
    if (wait->is_later) {
        message += fmt::format("{}, which comes later in the list", text_of(chain[1], lists));
        expected = "expected earlier tasks: the tasks of this list begin in order, unless it has `among N`";
    } else if (chain.size() == 2 && wait->beyond == 0) {
        message += "itself";
        expected = "expected another task after `after`: this task can never begin";
    } else {
        for (std::size_t k = 1; k < chain.size(); ++k) {
            message += fmt::format("{}{}", k == 1 ? "" : ", which waits for ", text_of(chain[k], lists));
        }
        if (wait->beyond > 0) {
            message += fmt::format(", which is never among the first {} tasks that are left", wait->beyond);
            expected = "expected earlier tasks, or a larger number after `among`: these tasks can never begin";
        }
    }
    throw BadInput(DiagnosticKind::task_order, model.range_of(condition_spans[chain[0].task][wait->condition]), message,
                   expected);
}

/// Evaluates the sizes of the first items of each record, since the arithmetic of a size may fail.
void check_record_sizes(const program::TaskLists& lists) {
    constexpr std::int64_t kMostItemsTried = 10'000;
    const program::TaskNumbers numbers(lists);
    for (const program::TaskRecord& record : lists.records) {
        if (!record.bytes.formula) continue;
        const std::vector<program::Extent> extents = numbers.extents(record.indices, {});
        std::vector<std::int64_t> indices(extents.size());
        for (std::int64_t item = 0; item < std::min(kMostItemsTried, program::count_of(extents)); ++item) {
            program::set_indices(extents, item, indices.data());
            numbers(record.bytes, indices);
        }
    }
}

/// Lowers an application of task lists. Its ranks are the cores that take tasks, and they have no instructions.
program::Program lower_tasks(const Model& model, const Bindings& bindings) {
    const auto expressions = std::make_shared<TaskExpressions>(model, bindings.grid);
    program::Program program;
    program.name = model.name();
    program.grid = bindings.grid;
    const auto condition_spans = Specialiser(model.checked(), bindings, expressions->graph, expressions->slots)
                                     .run_tasks(bound_values(model, bindings), program);
    program::TaskLists lists = *program.tasks;
    lists.formulas = [expressions] {
        return std::make_unique<TaskSlots>(expressions->slots, expressions->graph, expressions);
    };
    check_record_sizes(lists);
    refuse_endless_wait(lists, condition_spans, model.checked());
    program.tasks = std::make_shared<const program::TaskLists>(std::move(lists));
    program.class_of.assign(program.grid.ranks(), 0);
    program.classes.push_back({{{program::Op::iteration}, {program::Op::finish}}, {}, {}});
    return program;
}

}  // namespace

program::Program lower(const Model& model, const Bindings& bindings) {
    check_extent(model, bindings);
    if (model.has_tasks()) return lower_tasks(model, bindings);
    const CheckedModel& checked = model.checked();
    Graph graph(checked, bindings.grid);
    Slots slots(graph);
    const Skeleton skeleton = Specialiser(checked, bindings, graph, slots).run(bound_values(model, bindings));
    program::Program program;
    program.name = model.name();
    program.grid = bindings.grid;
    program.iterations = bindings.iterations;
    program.sites = skeleton.sites;
    program.phases = skeleton.phases;
    program.closed_form = skeleton.closed_form;
    program.notes = skeleton.notes;
    make_classes(skeleton, slots, graph, program);
    try {
        Matching(program, skeleton, checked).check();
        program::traffic(program);
    } catch (const std::overflow_error&) {
        throw BadInput(DiagnosticKind::bad_arithmetic, checked.range_of(checked.application->name.span),
                       "the number of messages, or of their bytes, in the whole run does not fit 64 bits");
    }
    return program;
}

}  // namespace warpfront::psl
