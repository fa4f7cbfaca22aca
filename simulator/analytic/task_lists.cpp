#include "simulator/analytic/task_lists.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "simulator/analytic/patch.hpp"
#include "simulator/program/list_places.hpp"

namespace warpfront::analytic {

namespace {

using program::Extent;
using program::Task;
using program::TaskCondition;
using program::TaskList;
using program::TaskStep;
using Form = TaskStep::Form;
using Indices = std::vector<std::int64_t>;
using Rule = program::Take::Rule;

constexpr double kMostSummed = 100'000;
constexpr int kSamples = 1'000;

/// Returns a / b, rounded up. Rounding errors in a sum of weights are ignored.
double quotient_up(double a, double b) { return std::ceil(a / b * (1 - 1e-12)); }

/// The number of tasks of a list, their total and longest time. Times are in picoseconds.
struct Sum {
    double tasks = 0.0;
    double work = 0.0;
    double longest = 0.0;
    double read = 0.0;  // bytes read
    double written = 0.0;
};

double count_of(const std::vector<Extent>& extents) { return static_cast<double>(program::count_of(extents)); }

/// Calls `visit` after appending to `indices` the values of the extents at `position`. Removes them afterwards.
void visit_at(const std::vector<Extent>& extents, std::int64_t position, Indices& indices,
              const std::function<void()>& visit) {
    const std::size_t before = indices.size();
    indices.resize(before + extents.size());
    program::set_indices(extents, position, indices.data() + before);
    visit();
    indices.resize(before);
}

/// Calls `visit` for all values of the extents, appended to `indices`.
void visit_all(const std::vector<Extent>& extents, Indices& indices, const std::function<void()>& visit) {
    const std::int64_t count = program::count_of(extents);
    for (std::int64_t position = 0; position < count; ++position) visit_at(extents, position, indices, visit);
}

/// Calls `visit` for kSamples of these values. Multiples of the golden section spread them evenly.
void visit_some(const std::vector<Extent>& extents, Indices& indices, const std::function<void()>& visit) {
    const double count = count_of(extents);
    for (int sample = 0; sample < kSamples; ++sample) {
        const double turns = sample * 0.6180339887498949;
        visit_at(extents, static_cast<std::int64_t>((turns - std::floor(turns)) * count), indices, visit);
    }
}

/// The start and end of a task with an unlimited number of workers, in picoseconds from the beginning of its list.
struct TaskSpan {
    double begin = 0.0;
    double end = 0.0;
};

/// A function that returns the time of a task with these indices.
using TaskTime = std::function<double(const Task&, Indices&)>;

/// Ranges of places, each from the first number up to the second, which is excluded.
using Stretches = std::vector<std::pair<std::int64_t, std::int64_t>>;

class EarliestSpans {
public:
    EarliestSpans(const program::TaskLists& lists, const program::TaskNumbers& numbers, const program::TaskList& list,
                  const std::vector<std::int64_t>& around, const TaskTime& time_of)
        : numbers_(numbers),
          places_(lists, numbers, list, around),
          time_of_(time_of),
          all_(static_cast<std::size_t>(places_.count())) {}

    /// Returns the spans of all tasks. If workers choose among tasks (`among`), a task may wait for a later one, so
    /// several passes may be needed.
    std::vector<TaskSpan> spans() {
        constexpr int kMostPasses = 100;  // reached only if tasks wait for each other
        for (int pass = 0; pass < kMostPasses && (pass == 0 || (waits_for_later_ && changed_)); ++pass) {
            changed_ = false;
            known_.clear();
            for (place_ = 0; place_ < places_.count(); ++place_) update();
        }
        return std::move(all_);
    }

private:
    /// Computes the span of the current place.
    void update() {
        const program::Task& task = places_.task(place_, indices_);
        if (numbers_(task.exists, indices_) == 0) return;
        double begin = 0.0;
        for (const TaskCondition& condition : task.after) begin = std::max(begin, end_of(condition));
        const double end = begin + time_of_(task, indices_);
        TaskSpan& span = all_[static_cast<std::size_t>(place_)];
        changed_ = changed_ || span.end != end;
        span = {begin, end};
    }

    /// Returns the time at which the named tasks are done. If they are those of the previous call, they are not visited
    /// again.
    double end_of(const TaskCondition& condition) {
        Stretches named;
        const auto add = [&](std::int64_t first, std::int64_t end) {
            named.emplace_back(first, end);
            return false;
        };
        places_.any_stretch(condition, indices_, std::ref(add));
        const auto known = known_.find(&condition);
        if (known != known_.end() && known->second.first == named) return known->second.second;
        double latest = 0.0;
        bool waits_for_later = false;
        for (const auto& [first, end] : named) {
            waits_for_later = waits_for_later || end > place_;
            for (auto place = first; place < end; ++place) {
                latest = std::max(latest, all_[static_cast<std::size_t>(place)].end);
            }
        }
        if (!waits_for_later) known_[&condition] = {std::move(named), latest};
        waits_for_later_ = waits_for_later_ || waits_for_later;
        return latest;
    }

    const program::TaskNumbers& numbers_;
    const program::ListPlaces places_;
    const TaskTime& time_of_;
    std::vector<TaskSpan> all_;
    std::int64_t place_ = 0;             // the current place
    std::vector<std::int64_t> indices_;  // indices of its task
    bool waits_for_later_ = false;
    bool changed_ = false;
    std::map<const TaskCondition*, std::pair<Stretches, double>> known_;  // the latest tasks of each condition
};

/// Returns the integral of ceil(p(t) / P) over time: P workers run the p(t) tasks of every moment in rounds.
double time_in_rounds(const std::vector<TaskSpan>& spans, double workers) {
    std::vector<std::pair<double, int>> changes;  // times and changes of the number of tasks
    for (const TaskSpan& span : spans) {
        if (span.begin == span.end) continue;
        changes.emplace_back(span.begin, 1);
        changes.emplace_back(span.end, -1);
    }
    std::ranges::sort(changes);
    double time = 0.0;
    double now = 0.0;
    int running = 0;
    for (const auto& [at, change] : changes) {
        time += (at - now) * std::ceil(running / workers);
        now = at;
        running += change;
    }
    return time;
}

class TaskListForm {
public:
    TaskListForm(const program::TaskLists& lists, const machine::Machine& machine)
        : lists_(lists),
          machine_(machine),
          numbers_(lists),
          nodes_(machine.placement.nodes()),
          slowing_(slowing_of(machine)) {
        const machine::Placement& placement = machine.placement;
        cores_ = static_cast<double>(placement.grid.ranks());
        of_node_ = static_cast<double>(std::min<std::uint64_t>(placement.patch.count(), placement.grid.ranks()));
    }

    TaskListTime time() {
        double total = 0.0;
        double compute = 0.0;
        for (const std::uint32_t number : lists_.order) {
            const TaskList& list = lists_.lists[number];
            Indices none;
            const auto [all, computed] = list.on_nodes ? on_nodes(list, none) : alike(on_cores(list, none, cores_));
            total += all;
            compute += computed;
        }
        if (!(total < static_cast<double>(kHorizon.ps))) {
            throw std::overflow_error("virtual time overflow: by the closed form the last task ends after 53 days");
        }
        return {WideTime(static_cast<Wide>(std::llround(total))), WideTime(static_cast<Wide>(std::llround(compute))),
                without_conditions_};
    }

private:
    struct Pair {
        double all = 0.0;
        double compute = 0.0;
    };
    static Pair alike(double time) { return {time, time}; }

    /// Returns true if the task exists and takes the same time for all indices.
    static bool is_constant(const Task& task) {
        return !task.exists.formula && std::ranges::all_of(task.steps, [](const TaskStep& step) {
            return step.form == Form::compute && !step.amount.formula;
        });
    }

    /// Returns the sum over the tasks of these turns. If a kind of task has more than `most` places, the sum is
    /// estimated from a sample.
    Sum sum_of(const TaskList& list, Indices& around, const std::vector<Extent>& turns, double most, double cores) {
        Sum sum;
        for (const std::uint32_t number : list.tasks) {
            const Task& task = lists_.tasks[number];
            std::vector<Extent> extents = turns;
            const std::vector<Extent> own = numbers_.extents(task.indices, around);
            extents.insert(extents.end(), own.begin(), own.end());
            const double count = count_of(extents);
            if (count == 0.0) continue;
            if (is_constant(task)) {
                add(task, around, count, cores, sum);
            } else if (count <= most) {
                visit_all(extents, around, [&] { add(task, around, 1.0, cores, sum); });
            } else {
                visit_some(extents, around, [&] { add(task, around, count / kSamples, cores, sum); });
            }
        }
        return sum;
    }

    void add(const Task& task, Indices& indices, double weight, double cores, Sum& sum) {
        if (numbers_(task.exists, indices) == 0) return;
        for (const TaskStep& step : task.steps) {
            if (step.form == Form::read) sum.read += weight * bytes_of(step, indices);
            if (step.form == Form::write) sum.written += weight * bytes_of(step, indices);
        }
        const double time = computing(task, indices, cores);
        sum.tasks += weight;
        sum.work += weight * time;
        sum.longest = std::max(sum.longest, time);
    }

    /// Returns the computing time of the task.
    double computing(const Task& task, Indices& indices, double cores) {
        double time = 0.0;
        for (const TaskStep& step : task.steps) {
            if (step.form == Form::compute) time += slowing_ * static_cast<double>(numbers_(step.amount, indices));
            if (step.form == Form::list) time += on_cores(lists_.lists[step.operand], indices, cores);
        }
        return time;
    }

    /// Returns the mean record size times the number of items that the step names within the bounds.
    double bytes_of(const TaskStep& step, const Indices& indices) {
        const program::TaskRecord& record = lists_.records[step.operand];
        const std::vector<Extent> extents = numbers_.extents(record.indices, {});
        std::int64_t items = 0;
        Indices any(extents.size());
        const auto add = [&](std::int64_t first, std::int64_t end) {
            if (items == 0) program::set_indices(extents, first, any.data());
            items += end - first;
            return false;
        };
        program::any_stretch(step.subscripts, extents, numbers_, indices, std::ref(add));
        return items == 0 ? 0.0 : static_cast<double>(items) * static_cast<double>(numbers_(record.bytes, any));
    }

    /// Returns the number of requests of P workers for N tasks.
    static double requests(const program::Take& take, double tasks, double workers) {
        if (take.rule == Rule::chunk) return quotient_up(tasks, static_cast<double>(take.chunk));
        if (take.rule == Rule::fixed) return std::min(tasks, workers);
        const double largest = std::max(1.0, quotient_up(tasks, 2 * workers));
        if (take.rule == Rule::trapezoid) return quotient_up(2 * tasks, largest + 1);
        double count = 0.0;
        while (tasks > 0.0) {
            const bool guided = take.rule == Rule::guided;
            const double chunk = std::max(1.0, quotient_up(tasks, guided ? workers : 2 * workers));
            const double chunks = guided ? 1.0 : std::min(workers, quotient_up(tasks, chunk));
            tasks -= chunk * chunks;
            count += chunks;
        }
        return count;
    }

    enum class Waiting : std::uint8_t { none, whole_turns, tasks };

    /// Returns the kind of conditions for which tasks of the list wait. A list has barriers between its turns if it has
    /// only one kind of task and all conditions name whole turns. In a list with several kinds of tasks, a task may
    /// wait for others of the same turn.
    Waiting waiting_of(const TaskList& list) const {
        Waiting waiting = Waiting::none;
        for (const std::uint32_t number : list.tasks) {
            for (const program::TaskCondition& condition : lists_.tasks[number].after) {
                if (list.tasks.size() > 1 || condition.subscripts.size() > list.indices.size()) return Waiting::tasks;
                waiting = Waiting::whole_turns;
            }
        }
        return waiting;
    }

    /// Returns the time of P workers by the parallelism profile of the list, with task times from `time_of`. Returns
    /// nothing if the list has too many places.
    std::optional<double> profiled(const TaskList& list, const Indices& around, double workers,
                                   const TaskTime& time_of) {
        if (static_cast<double>(program::ListPlaces(lists_, numbers_, list, around).count()) > kMostSummed) {
            without_conditions_ = true;
            return std::nullopt;
        }
        return time_in_rounds(EarliestSpans(lists_, numbers_, list, around, time_of).spans(), workers);
    }

    /// Returns the time of tasks that do not wait for each other.
    double of_free_tasks(const program::Take& take, const Sum& sum, double workers) const {
        if (sum.tasks == 0.0) return 0.0;
        const double each = sum.work / sum.tasks;
        const double asked = requests(take, sum.tasks, workers);
        const double overhead = quotient_up(asked, workers) * request_cost();
        double time = quotient_up(sum.tasks, workers) * each;
        if (take.rule == Rule::chunk) {
            const double chunk = static_cast<double>(take.chunk);
            const double rounds = std::floor(sum.tasks / (chunk * workers) * (1 + 1e-12));
            time = (rounds * chunk + std::clamp(sum.tasks - rounds * chunk * workers, 0.0, chunk)) * each;
        }
        if (sum.longest > each * (1 + 1e-12)) time = sum.work / workers + (1 - 1 / workers) * sum.longest;
        return std::max(time + overhead, asked * static_cast<double>(machine_.task_manager.service.ps));
    }

    double on_cores(const TaskList& list, Indices& around, double workers) {
        const std::vector<Extent> turns = numbers_.extents(list.indices, around);
        const double turns_in_all = count_of(turns);
        if (turns_in_all == 0.0) return 0.0;
        const Waiting waiting = waiting_of(list);
        if (waiting == Waiting::tasks) {
            const Sum sum = sum_of(list, around, turns, kMostSummed, workers);
            const double asked = requests(list.take, sum.tasks, workers);
            const double overhead = sum.tasks > 0.0 ? asked / sum.tasks * request_cost() : 0.0;
            const auto time_of = [&](const Task& task, Indices& indices) {
                return computing(task, indices, workers) + overhead;
            };
            if (const auto time = profiled(list, around, std::min(workers, asked), time_of)) {
                return std::max(*time, asked * static_cast<double>(machine_.task_manager.service.ps));
            }
        }
        if (waiting == Waiting::none) {
            return of_free_tasks(list.take, sum_of(list, around, turns, kMostSummed, workers), workers);
        }
        double time = 0.0;
        const double visited = turns_in_all <= kSamples ? turns_in_all : kSamples;
        const auto visit = [&] {
            const Sum sum = sum_of(list, around, {}, kMostSummed / visited, workers);
            time += turns_in_all / visited * of_free_tasks(list.take, sum, workers);
        };
        if (turns_in_all <= kSamples) {
            visit_all(turns, around, visit);
        } else {
            visit_some(turns, around, visit);
        }
        return time;
    }

    /// Returns the cost of a request for its worker.
    double request_cost() const {
        return static_cast<double>(machine_.task_manager.overhead.ps + machine_.task_manager.service.ps);
    }

    /// Returns the picoseconds for moving this number of bytes for each of `nodes` nodes at the same time.
    double transfer(double bytes, const std::optional<Bandwidth>& node, const std::optional<Bandwidth>& server,
                    double nodes) const {
        double seconds = 0.0;
        if (node) seconds = bytes / node->bytes_per_second;
        const double servers = machine_.cluster_memory.servers;
        if (server) seconds = std::max(seconds, bytes * std::max(1.0, nodes / servers) / server->bytes_per_second);
        return seconds * 1e12;
    }

    Pair on_nodes(const TaskList& list, Indices& around) {
        const Sum sum = sum_of(list, around, numbers_.extents(list.indices, around), kMostSummed, of_node_);
        if (sum.tasks == 0.0) return {};
        const machine::ClusterMemory& memory = machine_.cluster_memory;
        const double nodes = std::min(static_cast<double>(nodes_), sum.tasks);
        // With memory in the nodes, all items except those of the node itself are moved, and the channels of a node
        // also carry the items of other nodes.
        const double moved = memory.in_nodes ? 1.0 - 1.0 / nodes_ : 1.0;
        const double read = moved * sum.read / sum.tasks;
        const double written = moved * sum.written / sum.tasks;
        const double latency = static_cast<double>(memory.latency.ps);
        const std::optional<Bandwidth> node_write = memory.node.write_limit();
        const std::optional<Bandwidth> server_write = memory.server.write_limit();
        const double r = read > 0 ? latency + transfer(read, memory.node.read, memory.server.read, nodes) : 0.0;
        const double w = written > 0 ? latency + transfer(written, node_write, server_write, nodes) : 0.0;
        const double overhead = request_cost();
        const double c = sum.work / sum.tasks;
        double rounds = quotient_up(sum.tasks, static_cast<double>(nodes_));
        if (waiting_of(list) != Waiting::none) {
            const auto one_period = [](const Task&, Indices&) { return 1.0; };
            rounds = std::max(rounds, profiled(list, around, nodes_, one_period).value_or(0.0));
        }
        if (list.ahead == 0) return {rounds * std::max(overhead + r + c, w) + w, rounds * (overhead + c)};
        double period = std::max({c, overhead + r, w});
        const double by_others = memory.in_nodes ? read + written : 0.0;
        if (memory.in_nodes) period = std::max(period, transfer(read + written, memory.node.read, {}, nodes));
        if (memory.in_nodes) period = std::max(period, transfer(read + written, node_write, {}, nodes));
        period = std::max(period, transfer(read + written + by_others, memory.node.limit_of_both(), {}, nodes));
        period = std::max(period, transfer(read + written, {}, memory.server.limit_of_both(), nodes));
        return {overhead + r + rounds * period + w, rounds * c};
    }

    const program::TaskLists& lists_;
    const machine::Machine& machine_;
    program::TaskNumbers numbers_;
    std::uint32_t nodes_;
    double cores_ = 1.0;
    double of_node_ = 1.0;
    double slowing_;
    bool without_conditions_ = false;
};

}  // namespace

TaskListTime task_list_time(const program::Program& program, const machine::Machine& machine) {
    return TaskListForm(*program.tasks, machine).time();
}

}  // namespace warpfront::analytic
