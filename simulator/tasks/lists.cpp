// Lists of tasks that begin, grant their tasks to workers, and end (simulation.hpp).
#include <utility>

#include "simulator/tasks/simulation.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tasks {

void Simulation::start_next_list() {
    finished_ = next_list_ == lists_.order.size();
    if (!finished_) begin_list(lists_.order[next_list_++], {}, kNobody, 0);
}

void Simulation::begin_list(std::uint32_t list, std::vector<std::int64_t> around, WorkerId parent,
                            std::uint64_t stream) {
    WorkerId first = 0;
    std::uint32_t count = layout_.cores();
    if (lists_.lists[list].on_nodes) {
        first = layout_.worker_of_node(0);
        count = layout_.nodes();
    } else if (parent != kNobody) {
        first = layout_.first_core_of(parent);
        count = layout_.cores_of(parent);
    }
    if (free_.empty()) {
        free_.push_back(static_cast<SequenceId>(active_.size()));
        active_.emplace_back();
    }
    const SequenceId id = free_.back();
    free_.pop_back();
    auto& fresh = active_[id];
    fresh = std::make_unique<ActiveList>(lists_, numbers_, list, std::move(around), count, [this] { report(); });
    fresh->first = first;
    fresh->parent = parent;
    fresh->queued = parent != kNobody && workers_[parent].held.front().queued;
    fresh->stream = variation::list_stream(stream, list);
    fresh->manager_free = fresh->began = now_;
    if (paths_.wanted()) fresh->sequence.keep_releases();
    for (const WorkerId who : fresh->workers()) {
        Worker& worker = workers_[who];
        worker.sequence = id;
        worker.number = who - first;
        worker.asks = presence_.is_there(who);
        worker.asked = now_;
        worker.asking = paths_.now;
        times_.begin(who, now_, worker.asks ? Doing::nothing : Doing::absent, lists_.lists[list].site);
        if (worker.asks) fresh->asking.insert(fresh->asking.end(), who);
    }
    changed_.insert({parent == kNobody, id});
}

void Simulation::end_list(SequenceId id) {
    ActiveList& ended = *active_[id];
    const WorkerId parent = ended.parent;
    if (paths_.wanted()) paths_.now = paths_.of_end(id);
    ended.exhausted = true;  // lists of fixed shares are only exhausted at their end
    for (const WorkerId who : ended.workers()) {
        workers_[who].clear();  // a chunk may have places without a task
        account(who, Doing::nothing);
        workers_[who].sequence = kNobody;
    }
    if (parent == kNobody) places_done_ += ended.sequence.places();
    remove(id);
    if (parent == kNobody) return start_next_list();
    times_.resume(parent, now_);  // the time until now is accounted for by the cores of the node
    next_step(parent);
}

void Simulation::remove(SequenceId id) {
    changed_.erase({active_[id]->parent == kNobody, id});
    active_[id].reset();
    free_.push_back(id);
}

void Simulation::change(SequenceId id) {
    ActiveList& list = *active_[id];
    if (std::exchange(list.changed, true)) return;
    changed_.insert({list.parent == kNobody, id});
}

/// Lets the workers of changed lists take tasks that may begin: first in lists within tasks, so that all nodes whose
/// task ends in this moment request before one takes a task ahead.
void Simulation::grant() {
    while (!changed_.empty() && !finished_) {
        const SequenceId id = changed_.begin()->second;
        changed_.erase(changed_.begin());
        ActiveList& list = *active_[id];
        list.changed = false;
        grant(list);
        note_exhaustion(list);
        if (list.sequence.finished()) end_list(id);
    }
}

void Simulation::grant(ActiveList& list) {
    for (bool granted = true; granted;) {
        wake_blocked(list);
        granted = false;
        for (auto each = list.asking.begin(); each != list.asking.end();) {
            const WorkerId who = *each;
            if (workers_[who].chunk.empty() && availability_.by_turn && begins_turn(list)) {
                each = list.asking.begin();
                continue;
            }
            if (!may_take(list, who)) {
                ++each;
                continue;
            }
            list.asking.erase(each);
            take(list, who, paths_.wanted() && note_grant(list, who));
            granted = true;
            each = list.asking.upper_bound(who);
        }
    }
}

/// Lets blocked workers request again if their next place may have become ready.
void Simulation::wake_blocked(ActiveList& list) {
    for (const std::int64_t place : list.sequence.woken()) {
        const auto found = list.blocked.find(place);
        if (found == list.blocked.end()) continue;
        list.asking.insert(found->second);
        list.blocked.erase(found);
    }
}

/// Gives the worker a chunk unless it already has one. Returns false if there is no chunk for the worker.
bool Simulation::may_take(ActiveList& list, WorkerId who) {
    Worker& worker = workers_[who];
    if (!worker.chunk.empty()) return true;
    if (paths_.wanted()) paths_.note_window(worker.sequence, list.sequence);
    const auto chunk = list.sequence.take(worker.number);
    if (!chunk) return false;
    worker.chunk = *chunk;
    worker.requests = true;
    return true;
}

/// Records that the worker takes the next place of its chunk. Returns true if the task could have begun earlier if a
/// worker had been free.
bool Simulation::note_grant(ActiveList& list, WorkerId who) {
    Worker& worker = workers_[who];
    const Path* const asking = worker.asked < now_ ? nullptr : &worker.asking;
    const bool queued = paths_.grant(worker.sequence, list.sequence, worker.chunk.next, asking, list.began == now_);
    if (asking != nullptr) worker.asking = nullptr;
    if (!worker.has_begun()) worker.path = paths_.now;
    return queued || list.queued;
}

/// Updates the accounts of idle workers. An idle worker waits for conditions until the last task is taken, and then for
/// the end of the list. If a task is given back, it waits for conditions again.
void Simulation::note_exhaustion(ActiveList& list) {
    if (list.exhausted == list.sequence.exhausted()) return;
    for (const WorkerId who : list.workers()) {
        if (times_.doing(who) == Doing::nothing) account(who, Doing::nothing);
    }
    list.exhausted = !list.exhausted;
}

/// Begins a turn of a list for cores. From then on the list has all offered cores. Returns false if no turn begins.
bool Simulation::begins_turn(ActiveList& list) {
    if (list.sequence.list().on_nodes) return false;
    const auto turn = list.sequence.next_turn();
    if (!turn || *turn <= list.turn) return false;
    const std::uint32_t first = layout_.node_of(list.first);
    const std::uint32_t last = layout_.node_of(list.first + list.sequence.workers() - 1);
    std::uint32_t all = 0;
    for (std::uint32_t node = first; node <= last; ++node) {
        come_or_go(presence_.take_offer(node));
        all += presence_.cores_there(node);
    }
    if (all > 0) list.turn = *turn;
    return true;
}

}  // namespace warpfront::tasks
