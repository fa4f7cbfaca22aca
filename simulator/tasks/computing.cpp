// A worker performs the steps of a task (simulation.hpp).
#include <algorithm>
#include <utility>

#include "simulator/tasks/simulation.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tasks {

using Form = program::TaskStep::Form;

/// Begins the first task whose records have arrived, if there is one.
void Simulation::compute(WorkerId who) {
    Worker& worker = workers_[who];
    const auto first = std::ranges::find(worker.held, TaskState::ready, &TakenTask::state);
    if (first == worker.held.end()) return account_idle(who);
    std::rotate(worker.held.begin(), first, first + 1);
    TakenTask& task = worker.held.front();
    if (task.there < now_) task.queued = true;
    account(who, Doing::computing);
    task.state = TaskState::begun;
    task.step = lists_.tasks[list_of(worker).sequence.task_number(task.place)].prefetched;
    if (task.taken < worker.ended && task.step > 0) {  // the task was taken during the previous one
        const Time margin{now_ - task.there};
        use_.least_margin = std::min(use_.least_margin.value_or(margin), margin);
        use_.margins += margin;
        ++use_.prefetched;
    }
    resume(who);
}

void Simulation::computed(WorkerId who) {
    memory_.end(who, now_);
    Worker& worker = workers_[who];
    if (paths_.wanted()) {
        paths_.now = nullptr;
        const TakenTask& task = worker.held.front();
        const std::int64_t began = worker.path->until;
        const std::uint32_t number = list_of(worker).sequence.task_number(task.place);
        extend(worker.path, worker.alone, PathStep::compute, task.queued, number);
        extend(worker.path, now_, PathStep::memory, task.queued);
        if (now_ > worker.alone) worker.path->saturated += now_ - began;
        paths_.now = worker.path;
    }
    next_step(who);
}

/// Continues the worker's task with the step after the current one.
void Simulation::next_step(WorkerId who) {
    ++workers_[who].held.front().step;
    resume(who);
}

/// Performs the current step of the worker's task and the following steps, until a step takes time.
void Simulation::resume(WorkerId who) {
    Worker& worker = workers_[who];
    ActiveList& list = list_of(worker);
    TakenTask& task = worker.held.front();
    const program::Task& kind = list.sequence.task(task.place, indices_);
    for (; task.step < kind.steps.size() - kind.written_behind; ++task.step) {
        const program::TaskStep& step = kind.steps[task.step];
        if (step.form == Form::list) {
            account(who, Doing::computing);
            worker.path = paths_.now;
            return begin_list(step.operand, indices_, who, variation::task_stream(list.stream, task.place));
        }
        if (step.form == Form::compute) {
            const Time cost = cost_of(who, list, task.place, step);
            if (cost.ps == 0) continue;
            worker.path = paths_.now;
            return begin_block(who, cost);
        }
        task.pending = transfer(step, {who, worker.sequence, task.place, task.queued, paths_.now});
        if (task.pending > 0) return account(who, Doing::waiting_for_data);
    }
    finish(who, kind);
}

void Simulation::begin_block(WorkerId who, Time cost) {
    workers_[who].alone = now_ + cost.ps;
    if (memory_.shares_memory()) return memory_.begin(who, now_, cost.ps);
    later(cost, {0, who, Event::What::computed, 0, workers_[who].lost});
}

/// Adds an event at the end of the block of a worker. It replaces earlier events of this block.
void Simulation::ends_at(WorkerId who, std::int64_t end) {
    Worker& worker = workers_[who];
    later(Time{end - now_}, {0, who, Event::What::computed, ++worker.block, worker.lost});
}

/// Returns the duration of a block. The block of a node ends when the slowest of its cores has done its part.
Time Simulation::cost_of(WorkerId who, const ActiveList& list, std::int64_t place, const program::TaskStep& step) {
    const Time nominal{numbers_(step.amount, indices_)};
    const std::uint64_t task = variation::task_stream(list.stream, place);
    const std::uint64_t number = variation::stream_within(task, workers_[who].held.front().step);
    Time longest;
    const WorkerId first = layout_.first_core_of(who);
    for (WorkerId core = first; core < first + layout_.cores_of(who); ++core) {
        longest = std::max(longest, compute_time_(layout_.rank_of(core), 0, number, nominal, Time{now_}));
    }
    return longest;
}

/// Ends the computing of the worker's task: its records are written, and the worker continues.
void Simulation::finish(WorkerId who, const program::Task& kind) {
    Worker& worker = workers_[who];
    TakenTask task = std::move(worker.held.front());
    worker.held.erase(worker.held.begin());
    worker.ended = now_;
    for (; task.step < kind.steps.size(); ++task.step) {
        const Purpose purpose{who, worker.sequence, task.place, task.queued, paths_.now};
        task.pending += transfer(kind.steps[task.step], purpose);
    }
    if (task.pending > 0) {
        task.state = TaskState::writing;
        worker.written.push_back(std::move(task));
    } else {
        complete(worker.sequence, task.place);
    }
    change(worker.sequence);
    compute(who);
    ask(who);
}

/// Marks a task as done: the records that it has written are available from now on.
void Simulation::complete(SequenceId id, std::int64_t place) {
    Sequence& sequence = active_[id]->sequence;
    const std::uint32_t number = sequence.task_number(place);
    ++tasks_done_[number];
    const std::vector<program::TaskStep>& steps = lists_.tasks[number].steps;
    if (std::ranges::find(steps, Form::write, &program::TaskStep::form) != steps.end()) {
        sequence.task(place, indices_);
        for (const program::TaskStep& step : steps) {
            if (step.form == Form::write) use_.updates += records_.commit(step, indices_);
        }
    }
    if (paths_.wanted()) paths_.release(id, place);
    sequence.done(place);
}

/// Announces a transfer for each item of the step; `indices_` are those of its task.
std::uint32_t Simulation::transfer(const program::TaskStep& step, const Purpose& purpose) {
    if (step.form == Form::read && !records_.there(step, indices_)) refuse_unwritten(purpose, step);
    const std::int64_t first = records_.next_number();
    const std::uint32_t count = records_.announce(step, indices_, layout_.node_of(purpose.worker), purpose);
    for (std::int64_t number = first; number < first + count; ++number) {
        later(machine_.cluster_memory.latency, {0, purpose.worker, Event::What::transfer, number});
    }
    return count;
}

void Simulation::transferred(const Purpose& purpose) {
    paths_.now = purpose.path;
    const WorkerId who = purpose.worker;
    Worker& worker = workers_[who];
    TakenTask& task = worker.task(purpose.place);
    if (--task.pending > 0) return;
    if (task.state == TaskState::reading) return there(who, task);
    if (task.state == TaskState::begun) {
        account(who, Doing::computing);
        return next_step(who);
    }
    std::erase_if(worker.written, [&](const TakenTask& each) { return each.place == purpose.place; });
    complete(worker.sequence, purpose.place);
    change(worker.sequence);
    ask(who);
}

}  // namespace warpfront::tasks
