#include "simulator/reference/expanded_tasks.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/program/task_lists.hpp"
#include "simulator/variation/task_streams.hpp"

namespace warpfront::reference {

namespace {

using program::Extent;
using program::Subscript;
using Form = program::TaskStep::Form;
using Rule = program::Take::Rule;

std::int64_t up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Values of an index, from the first up to the end.
using Stretch = Places;

class TaskExpansion {
public:
    TaskExpansion(const program::Program& program, const machine::Machine& machine, const input::SourceRange& range)
        : program_(program), lists_(*program.tasks), machine_(machine), range_(range), numbers_(lists_) {}

    ExpandedTasks run() {
        lay_out();
        for (const program::TaskRecord& record : lists_.records) {
            extents_.push_back(numbers_.extents(record.indices, {}));
            all_.items.push_back(static_cast<std::size_t>(counted(extents_.back())));
        }
        for (const std::uint32_t list : lists_.order) all_.order.push_back(expand(list, {}, all_cores(), 0));
        return std::move(all_);
    }

private:
    /// The bounds of a list and its tasks.
    struct Box {
        std::vector<Extent> turns;
        std::vector<std::vector<Extent>> kinds;
        std::vector<std::int64_t> offsets;  // of the first place of each kind in a turn
        std::int64_t in_turn = 0;           // places
    };

    void lay_out() {
        const machine::Placement& placement = machine_.placement;
        all_.cores_of.resize(placement.nodes());
        for (std::uint32_t rank = 0; rank < program_.grid.ranks(); ++rank) {
            all_.cores_of[placement.node_of({rank}).index].push_back({rank});
        }
        for (std::vector<Rank>& each : all_.cores_of) {
            std::ranges::sort(each, {}, [&](Rank rank) { return std::pair(placement.core_of(rank), rank.index); });
        }
    }

    std::size_t all_cores() const { return static_cast<std::size_t>(program_.grid.ranks()); }
    std::size_t most_cores_of_a_node() const {
        std::size_t most = 0;
        for (const std::vector<Rank>& each : all_.cores_of) most = std::max(most, each.size());
        return most;
    }

    /// Returns the number of items or places; refuses more than a run may have.
    std::int64_t counted(const std::vector<Extent>& extents) const {
        std::int64_t count = 1;
        for (const Extent& extent : extents) {
            if (extent.count == 0) return 0;
            if (count > static_cast<std::int64_t>(kMostReferenceTasks) / extent.count) refuse_too_many();
            count *= extent.count;
        }
        return count;
    }

    [[noreturn]] void refuse_too_many() const {
        throw input::BadInput(input::DiagnosticKind::reference_limits, range_,
                              "simgrid steps tasks and records one by one, and these are too many",
                              fmt::format("expected at most {} of each", kMostReferenceTasks));
    }

    void refuse_shared(const program::TaskList& list, std::size_t workers) const {
        const bool strict = list.window == 1;
        if (list.take.rule == Rule::fixed || (workers == 1 && strict)) return;
        const program::Site& site = program_.sites[list.site];
        const std::string name = list.name.empty() ? "a list" : fmt::format("the list `{}`", list.name);
        throw input::BadInput(
            input::DiagnosticKind::tasks_unknown, range_,
            fmt::format("simgrid runs tasks whose workers are fixed; {} ({}:{}) {}", name, site.file, site.line,
                        strict ? fmt::format("is taken by {} workers as they are free", workers)
                               : fmt::format("lets workers choose among {} tasks", list.window)),
            "expected `take fixed` in the list, a single worker without `among`, or `--engine event`");
    }

    /// Calls `visit` with each combination of values in order, the last index fastest.
    template <class Visit>
    static void each_of(std::span<const Extent> extents, std::vector<std::int64_t>& indices, const Visit& visit) {
        if (extents.empty()) return visit();
        for (std::int64_t at = 0; at < extents[0].count; ++at) {
            indices.push_back(extents[0].first + at);
            each_of(extents.subspan(1), indices, visit);
            indices.pop_back();
        }
    }

    /// Expands a list; `stream` is that of the enclosing task, or 0.
    std::uint32_t expand(std::uint32_t number, const std::vector<std::int64_t>& around, std::size_t cores,
                         std::uint64_t stream) {
        const program::TaskList& list = lists_.lists[number];
        const auto id = static_cast<std::uint32_t>(all_.lists.size());
        all_.lists.emplace_back().list = &list;
        Box box{numbers_.extents(list.indices, around), {}, {}, 0};
        for (const std::uint32_t task : list.tasks) {
            box.kinds.push_back(numbers_.extents(lists_.tasks[task].indices, around));
            box.offsets.push_back(box.in_turn);
            box.in_turn += counted(box.kinds.back());
        }
        all_.lists[id].in_turn = box.in_turn;
        const std::int64_t turns = counted(box.turns);
        if (turns == 0 || box.in_turn == 0) return id;
        refuse_shared(list, list.on_nodes ? all_.cores_of.size() : cores);
        places_ += static_cast<std::uint64_t>(turns) * static_cast<std::uint64_t>(box.in_turn);
        if (places_ > kMostReferenceTasks) refuse_too_many();
        stream = variation::list_stream(stream, number);
        std::vector<ExpandedTask> tasks;
        std::vector<std::int64_t> indices = around;
        each_of(box.turns, indices, [&] {
            for (std::size_t kind = 0; kind < box.kinds.size(); ++kind) {
                each_of(box.kinds[kind], indices, [&] {
                    const std::uint64_t own = variation::task_stream(stream, std::ssize(tasks));
                    tasks.push_back(expand_task(list, list.tasks[kind], indices, box, own));
                });
            }
        });
        all_.lists[id].tasks = std::move(tasks);
        return id;
    }

    ExpandedTask expand_task(const program::TaskList& list, std::uint32_t number,
                             const std::vector<std::int64_t>& indices, const Box& box, std::uint64_t stream) {
        const program::Task& task = lists_.tasks[number];
        ExpandedTask expanded{number, numbers_(task.exists, indices) != 0, {}, stream, {}, {}};
        if (!expanded.exists) return expanded;
        expanded.indices = indices;
        for (const program::TaskCondition& condition : task.after) {
            const auto found = std::ranges::find(list.tasks, condition.task);
            const auto kind = static_cast<std::size_t>(found - list.tasks.begin());
            std::vector<Extent> extents = box.turns;
            extents.insert(extents.end(), box.kinds[kind].begin(), box.kinds[kind].end());
            std::vector<std::int64_t> strides(extents.size());
            std::int64_t stride = 1;
            for (std::size_t at = extents.size(); at-- > 0;) {
                if (at + 1 == box.turns.size()) stride = box.in_turn;
                strides[at] = stride;
                stride *= extents[at].count;
            }
            add_places(condition.subscripts, extents, strides, indices, box.offsets[kind], expanded.after);
        }
        for (const program::TaskStep& step : task.steps) {
            ExpandedStep& added = expanded.steps.emplace_back();
            added.step = &step;
            if (step.form == Form::compute) added.compute = Time{numbers_(step.amount, indices)};
            if (step.form == Form::list) added.list = expand(step.operand, indices, most_cores_of_a_node(), stream);
            if (step.form == Form::read || step.form == Form::write) added.transfers = transfers_of(step, indices);
        }
        return expanded;
    }

    /// Returns the values of one index that a subscript names, within its bounds.
    std::vector<Stretch> values(const Subscript& subscript, const Extent& extent,
                                std::span<const std::int64_t> indices) const {
        std::vector<Stretch> all;
        const auto add = [&](std::int64_t first, std::int64_t last) {
            first = std::max(first, extent.first);
            last = std::min(last, extent.first + extent.count - 1);
            if (first <= last) all.push_back({first - extent.first, last - extent.first + 1});
        };
        if (subscript.is_range) {
            add(numbers_(subscript.numbers[0], indices), numbers_(subscript.numbers[1], indices));
        } else {
            for (const program::TaskNumber& number : subscript.numbers) {
                const std::int64_t value = numbers_(number, indices);
                add(value, value);
            }
        }
        return all;
    }

    /// Adds the places that a condition names: those of its task in the box of the subscripts; indices that are left
    /// out take all values.
    void add_places(std::span<const Subscript> subscripts, std::span<const Extent> extents,
                    std::span<const std::int64_t> strides, std::span<const std::int64_t> indices, std::int64_t origin,
                    std::vector<Places>& places) const {
        if (extents.empty()) return add_stretch({origin, origin + 1}, places);
        const std::vector<Stretch> named = subscripts.empty() ? std::vector<Stretch>{{0, extents[0].count}}
                                                              : values(subscripts[0], extents[0], indices);
        for (const Stretch& stretch : named) {
            if (extents.size() == 1 && strides[0] == 1) {
                add_stretch({origin + stretch.first, origin + stretch.end}, places);
                continue;
            }
            for (std::int64_t at = stretch.first; at < stretch.end; ++at) {
                add_places(subscripts.empty() ? subscripts : subscripts.subspan(1), extents.subspan(1),
                           strides.subspan(1), indices, origin + at * strides[0], places);
            }
        }
    }

    static void add_stretch(const Places& added, std::vector<Places>& places) {
        if (!places.empty() && places.back().end == added.first) {
            places.back().end = added.end;
        } else if (added.first < added.end) {
            places.push_back(added);
        }
    }

    std::vector<ItemTransfer> transfers_of(const program::TaskStep& step, std::vector<std::int64_t> indices) {
        const std::vector<Extent>& extents = extents_[step.operand];
        std::vector<std::vector<std::int64_t>> chosen(1);  // values of the indices so far
        for (std::size_t at = 0; at < extents.size(); ++at) {
            std::vector<std::vector<std::int64_t>> longer;
            for (const std::vector<std::int64_t>& before : chosen) {
                for (const Stretch& stretch : values(step.subscripts[at], extents[at], indices)) {
                    for (std::int64_t value = stretch.first; value < stretch.end; ++value) {
                        longer.push_back(before);
                        longer.back().push_back(extents[at].first + value);
                    }
                }
            }
            chosen = std::move(longer);
        }
        std::vector<ItemTransfer> transfers;
        for (const std::vector<std::int64_t>& each : chosen) {
            std::size_t item = 0;
            for (std::size_t at = 0; at < extents.size(); ++at) {
                item = item * static_cast<std::size_t>(extents[at].count) +
                       static_cast<std::size_t>(each[at] - extents[at].first);
            }
            transfers.push_back({item, Bytes{numbers_(lists_.records[step.operand].bytes, each)}});
            all_.largest = std::max(all_.largest, transfers.back().bytes);
        }
        return transfers;
    }

    const program::Program& program_;
    const program::TaskLists& lists_;
    const machine::Machine& machine_;
    const input::SourceRange& range_;
    program::TaskNumbers numbers_;
    std::vector<std::vector<Extent>> extents_;  // by record
    ExpandedTasks all_;
    std::uint64_t places_ = 0;
};

/// Returns the number of places that a single worker takes of a turn with `left` of its `all` places, at its request
/// number `k` of the turn.
std::int64_t taken_alone(const program::Take& take, std::int64_t left, std::int64_t all, std::int64_t k) {
    switch (take.rule) {
        case Rule::chunk: return take.chunk;
        case Rule::guided: return left;
        case Rule::factoring: return up(left, 2);
        case Rule::trapezoid: {
            const std::int64_t largest = up(all, 2);
            const std::int64_t requests = up(2 * all, largest + 1);
            return requests > 1 ? largest - up(k * (largest - 1), requests - 1) : largest;
        }
        case Rule::fixed: break;
    }
    return left;
}

}  // namespace

std::vector<Places> requests_of(const ExpandedList& list, std::uint32_t worker, std::uint32_t workers) {
    std::vector<Places> all;
    const auto places = static_cast<std::int64_t>(list.tasks.size());
    for (std::int64_t turn = 0; turn < places; turn += list.in_turn) {
        const std::int64_t end = turn + list.in_turn;
        if (list.list->take.rule == Rule::fixed) {
            all.push_back({turn + list.in_turn * worker / workers, turn + list.in_turn * (worker + 1) / workers});
            continue;
        }
        std::int64_t next = turn;
        for (std::int64_t k = 0; next < end; ++k) {
            while (next < end && !list.tasks[static_cast<std::size_t>(next)].exists) ++next;
            if (next == end) break;
            const std::int64_t size = taken_alone(list.list->take, end - next, list.in_turn, k);
            const std::int64_t behind = next + std::clamp(size, std::int64_t{1}, end - next);
            all.push_back({next, behind});
            next = behind;
        }
    }
    return all;
}

ExpandedTasks expand(const program::Program& program, const machine::Machine& machine,
                     const input::SourceRange& range) {
    return TaskExpansion(program, machine, range).run();
}

}  // namespace warpfront::reference
