// Cores that join and leave, and nodes that are lost, in a run of task lists (simulation.hpp).

#include "simulator/tasks/simulation.hpp"

namespace warpfront::tasks {

void Simulation::announce_absence() {
    using What = Event::What;
    for (const variation::CoresChange& each : availability_.changes) {
        events_.push({each.at.ps, layout_.worker_of_node(each.node.index), What::changed, each.cores});
    }
    if (availability_.drawn) events_.push({0, layout_.worker_of_node(0), What::drawn});
    for (const variation::LostNode& each : availability_.lost) {
        const WorkerId node = layout_.worker_of_node(each.node.index);
        events_.push({each.at.ps, node, What::lost});
        if (each.repaired) events_.push({each.at.ps + each.repaired->ps, node, What::repaired});
    }
}

void Simulation::come_or_go(Cores cores) {
    for (const WorkerId core : cores) come_or_go(core);
}

/// Lets an available worker request a task; an absent one completes the tasks that it has taken.
void Simulation::come_or_go(WorkerId id) {
    Worker& worker = workers_[id];
    if (worker.sequence == kNobody) return;
    if (presence_.is_there(id)) {
        if (times_.doing(id) == Doing::absent) account(id, Doing::nothing);
        if (!worker.asks) paths_.now = path_of_absence(worker);
        return ask(id);
    }
    if (!worker.asks || !worker.chunk.empty()) return;  // the worker leaves at its next request
    list_of(worker).asking.erase(id);
    worker.asks = false;
    if (worker.held.empty()) account(id, Doing::absent);
}

void Simulation::draw(std::int64_t number) {
    for (std::uint32_t node = 0; node < layout_.nodes(); ++node) come_or_go(presence_.offer_drawn(node, number));
    later(availability_.drawn->every, {0, layout_.worker_of_node(0), Event::What::drawn, number + 1});
}

/// Gives the tasks that the node has taken back to their lists.
void Simulation::lose(std::uint32_t node) {
    if (!presence_.lose(node)) return;
    const WorkerId id = layout_.worker_of_node(node);
    stop_transfers(node);
    for (SequenceId each = 0; each < active_.size(); ++each) {
        if (active_[each] && active_[each]->parent == id) drop_list(each);
    }
    give_up(id);
    for (const WorkerId core : cores_of(node)) give_up(core);
}

/// Drops the list of a lost task. The work of the list's cores is lost.
void Simulation::drop_list(SequenceId id) {
    const ActiveList& dropped = *active_[id];
    for (const WorkerId who : dropped.workers()) {
        Worker& worker = workers_[who];
        account(who, Doing::nothing);
        memory_.end(who, now_);
        worker.clear();
        worker.sequence = kNobody;
        ++worker.lost;
    }
    times_.resume(dropped.parent, now_);  // the time until now is accounted for by the cores of the node
    remove(id);
}

void Simulation::give_up(WorkerId id) {
    Worker& worker = workers_[id];
    ++worker.lost;
    memory_.end(id, now_);
    if (worker.sequence == kNobody) return;
    ActiveList& list = list_of(worker);
    account(id, Doing::absent);
    paths_.now = worker.asking = path_of_absence(worker);
    for (const TakenTask& task : worker.held) give_back(worker.sequence, task.place);
    for (; !worker.chunk.empty(); ++worker.chunk.next) give_back(worker.sequence, worker.chunk.next);
    std::erase_if(list.blocked, [&](const auto& each) { return each.second == id; });
    worker.clear();
    list.asking.erase(id);
    note_exhaustion(list);
    change(worker.sequence);
}

/// Ends the transfers of the node. Gives tasks whose records were being written back to their lists.
void Simulation::stop_transfers(std::uint32_t node) {
    for (const Purpose& each : records_.drop(now_, node, layout_)) {
        if (workers_[each.worker].task(each.place).state != TaskState::writing) continue;
        paths_.now = each.path;
        give_back(each.sequence, each.place);
        note_exhaustion(*active_[each.sequence]);
        change(each.sequence);
    }
}

/// Returns the path up to this moment through the worker's absence, or through the work that is lost with the worker.
Path Simulation::path_of_absence(const Worker& worker) const {
    Path path = worker.asking && !worker.has_begun() ? worker.asking : worker.path;
    extend(path, now_, PathStep::absent, true);
    return path;
}

void Simulation::give_back(SequenceId id, std::int64_t place) {
    if (paths_.wanted()) paths_.release(id, place);
    active_[id]->sequence.give_back(place);
}

void Simulation::repair(std::uint32_t node) {
    if (!presence_.repair(node)) return;
    come_or_go(layout_.worker_of_node(node));
    for (const WorkerId core : cores_of(node)) {
        if (presence_.is_there(core)) come_or_go(core);
    }
}

Cores Simulation::cores_of(std::uint32_t node) const {
    const WorkerId first = layout_.first_core_of_node(node);
    return {first, first + layout_.cores_of_node(node)};
}

}  // namespace warpfront::tasks
