// A worker requests a task, and the records of the task arrive (simulation.hpp).
#include <algorithm>
#include <utility>

#include "simulator/tasks/simulation.hpp"

namespace warpfront::tasks {

TakenTask& Worker::task(std::int64_t place) {
    const auto found = std::ranges::find(held, place, &TakenTask::place);
    return found != held.end() ? *found : *std::ranges::find(written, place, &TakenTask::place);
}

/// Requests a task for a worker that can take another one.
void Simulation::ask(WorkerId id) {
    Worker& worker = workers_[id];
    ActiveList& list = list_of(worker);
    if (worker.asks) return;
    if (!presence_.is_there(id) && worker.chunk.empty()) {
        if (!worker.held.empty()) return;
        worker.asking = paths_.now;
        return account(id, Doing::absent);
    }
    if (!has_room(id, list)) return;
    begin_to_ask(worker);
    list.asking.insert(id);
    change(worker.sequence);
}

void Simulation::begin_to_ask(Worker& worker) {
    worker.asks = true;
    worker.asked = now_;
    worker.asking = paths_.now;
}

/// Returns true if the worker may take another task. Records are fetched for one task after another.
bool Simulation::has_room(WorkerId id, const ActiveList& list) const {
    const Worker& worker = workers_[id];
    const std::int64_t held = std::ssize(worker.held);
    if (held > list.sequence.list().ahead || (held > 0 && worker.held.back().state < TaskState::ready)) return false;
    const auto& buffers = machine_.cluster_memory.buffers;
    return !layout_.is_node(id) || !buffers || held + std::ssize(worker.written) < *buffers;
}

/// Takes the next place of the worker's chunk, which has just been assigned or is requested.
void Simulation::take(ActiveList& list, WorkerId who, bool queued) {
    poll();  // tasks without work cause no events, so progress is reported here
    Worker& worker = workers_[who];
    Sequence& sequence = list.sequence;
    pass_places_without_task(worker, sequence);
    worker.asks = false;
    if (worker.chunk.empty()) return ask(who);
    if (!sequence.ready(worker.chunk.next)) {
        begin_to_ask(worker);
        list.blocked.emplace(worker.chunk.next, who);
        return;
    }
    const std::int64_t place = worker.chunk.next++;
    pass_places_without_task(worker, sequence);  // otherwise the next worker would request before this one
    worker.held.push_back({.place = place, .taken = now_, .queued = queued});
    const std::int64_t given = std::exchange(worker.requests, false) ? serve(list, worker.held.back()) : now_;
    if (given == now_) return fetch(who, place);
    if (!worker.has_begun()) account_idle(who);
    events_.push({given, who, Event::What::asked, place, worker.lost});
}

/// Marks the next places of the worker's chunk as done as long as they have no task.
void Simulation::pass_places_without_task(Worker& worker, Sequence& sequence) {
    while (!worker.chunk.empty() && !sequence.exists(worker.chunk.next)) {
        poll();
        if (paths_.wanted()) paths_.release(worker.sequence, worker.chunk.next);
        sequence.done(worker.chunk.next++);
        change(worker.sequence);
    }
}

/// Returns the time at which the manager has assigned the task to the worker that requests it now.
std::int64_t Simulation::serve(ActiveList& list, TakenTask& task) {
    const machine::TaskManager& manager = machine_.task_manager;
    task.path = paths_.now;
    std::int64_t served = now_;
    if (manager.service.ps > 0) {
        if (list.manager_free > now_) {
            task.path = list.manager_path;
            task.queued = list.queued;  // the manager is busy: an earlier request would not have been served earlier
        }
        served = list.manager_free = std::max(list.manager_free, now_) + manager.service.ps;
        extend(task.path, served, PathStep::manager, task.queued);
        list.manager_path = task.path;
    }
    return served + manager.overhead.ps;
}

void Simulation::given(WorkerId who, std::int64_t place) {
    if (paths_.wanted()) {
        TakenTask& task = workers_[who].task(place);
        paths_.now = std::move(task.path);
        extend(paths_.now, now_, PathStep::manager, task.queued);
    }
    fetch(who, place);
}

/// Reads the records of a task that the worker has taken.
void Simulation::fetch(WorkerId who, std::int64_t place) {
    Worker& worker = workers_[who];
    const program::Task& kind = list_of(worker).sequence.task(place, indices_);
    TakenTask& task = worker.task(place);
    task.state = TaskState::reading;
    for (std::uint32_t step = 0; step < kind.prefetched; ++step) {
        task.pending += transfer(kind.steps[step], {who, worker.sequence, place, task.queued, paths_.now});
    }
    if (task.pending == 0) return there(who, task);
    if (!worker.has_begun()) account_idle(who);
}

void Simulation::there(WorkerId who, TakenTask& task) {
    task.state = TaskState::ready;
    task.there = now_;
    if (!workers_[who].has_begun()) compute(who);
    ask(who);
}

}  // namespace warpfront::tasks
