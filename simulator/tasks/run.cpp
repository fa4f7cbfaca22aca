#include "simulator/tasks/run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/tasks/core_times.hpp"
#include "simulator/tasks/critical_path.hpp"
#include "simulator/tasks/layout.hpp"
#include "simulator/tasks/memory_sharing.hpp"
#include "simulator/tasks/presence.hpp"
#include "simulator/tasks/records.hpp"
#include "simulator/tasks/sequence.hpp"
#include "simulator/variation/task_streams.hpp"

namespace warpfront::tasks {

namespace {

using program::Task;
using program::TaskLists;
using program::TaskStep;
using Form = TaskStep::Form;
/// A task that a worker has taken.
struct Held {
    enum class State : std::uint8_t { requested, reading, ready };
    std::int64_t place = 0;
    std::int64_t taken = 0;     // time at which it was taken
    std::int64_t there = 0;     // ready: time at which its records had arrived
    std::uint32_t pending = 0;  // number of transfers
    State state = State::requested;
    bool queued = false;  // it could have been taken before
    Path path;            // requested: up to the request
};

struct Worker {
    std::vector<Held> held;  // in the order in which it took them; the first may be computed
    Chunk chunk;             // taken with an earlier one
    SequenceId sequence = kNobody;
    std::uint32_t number = 0;   // within its sequence
    std::uint32_t step = 0;     // of the task that it computes
    std::uint32_t pending = 0;  // transfers of this step
    std::uint32_t writing = 0;  // number of tasks
    std::uint32_t lost = 0;     // number of losses; earlier events are void
    std::int64_t alone = 0;     // the end of its block if no other core computes
    std::int64_t block = 0;     // announced ends of blocks that share memory; those before the latest are void
    bool within_task = false;   // the first of `held` runs a list within it
    bool asks = false;          // requests a task
    bool requests = false;      // requests for `chunk`, of which it has begun no task
    std::int64_t ended = 0;     // end of its latest task
    std::int64_t asked = 0;     // beginning of its request or absence; its path until then is `asking`
    Path asking;
    Path path;  // up to the step that it computes
};

/// An active list.
struct UnderWay {
    UnderWay(const TaskLists& lists, const program::TaskNumbers& numbers, std::uint32_t list,
             std::vector<std::int64_t> around, std::uint32_t workers, std::function<void()> poll)
        : sequence(lists, numbers, list, std::move(around), workers, std::move(poll)) {}

    Sequence sequence;
    WorkerId first = 0;         // of its workers, whose numbers follow one another
    WorkerId parent = kNobody;  // the node whose task it belongs to
    bool queued = false;        // the steps of its task are queued
    std::uint64_t stream = 0;   // separates the draws of its tasks from those of others
    std::int64_t manager_free = 0;
    Path manager_path;       // up to then
    std::int64_t turn = -1;  // the latest turn that has begun, if cores join and leave by turns
    std::set<WorkerId> asking;
    std::map<std::int64_t, WorkerId> blocked;  // in a chunk, by its next place
    bool changed = true;
    bool exhausted = false;  // no task is left to be taken
    std::int64_t began = 0;
};

struct Event {
    enum class What : std::uint8_t { computed, asked, transfer, changed, drawn, lost, repaired };
    std::int64_t time;
    WorkerId worker;
    What what;
    std::int64_t number = 0;  // computed: block; asked: place; transfer: of announced_; changed: cores; drawn: number
                              // of the draw
    std::uint32_t lost = 0;   // computed, asked: as of the worker
    friend auto operator<=>(const Event&, const Event&) = default;
};

class Run {
public:
    Run(const program::Program& program, const machine::Machine& machine, const Options& options)
        : program_(program),
          lists_(*program.tasks),
          machine_(machine),
          numbers_(lists_),
          compute_time_(options.noise, options.seed, static_cast<std::uint32_t>(program.grid.ranks())),
          availability_(options.availability),
          poll_(options.poll),
          has_timeline_(options.timeline.has_value()),
          paths_(options.path),
          layout_(machine.placement, static_cast<std::uint32_t>(program.grid.ranks())),
          times_(layout_, options.timeline),
          memory_(machine, layout_, [this](WorkerId who, std::int64_t end) { ends_at(who, end); }),
          presence_(layout_, options.availability, options.seed),
          records_(lists_, numbers_, machine),
          workers_(layout_.workers()) {
        for (const std::uint32_t list : lists_.order) {
            places_ += Sequence::count_places(lists_, numbers_, list, {});
        }
        announce_absence();
    }

    record::Record run() {
        handle_all_of_now();  // removes cores that are absent at the beginning
        start_next_list();
        while (!finished_) step();
        return record();
    }

private:
    // --- absence -----------------------------------------------------------------------------------------------------

    void announce_absence() {
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

    // --- use of time -------------------------------------------------------------------------------------------------

    /// Changes the worker's activity to `next`.
    void account(WorkerId id, Doing next) {
        const Worker& worker = workers_[id];
        const Sequence& sequence = under_way_[worker.sequence]->sequence;
        const std::uint16_t site = next == Doing::computing
                                       ? lists_.tasks[sequence.task_number(worker.held.front().place)].site
                                       : sequence.list().site;
        const bool takes_none = worker.held.empty() && worker.chunk.empty();
        times_.change(id, now_, next, site, takes_none && under_way_[worker.sequence]->exhausted);
    }

    /// Accounts for a worker that computes nothing now.
    void idle(WorkerId id) {
        Worker& worker = workers_[id];
        account(id, worker.held.empty()                                   ? Doing::nothing
                    : worker.held.front().state == Held::State::requested ? Doing::asking
                                                                          : Doing::waiting_for_data);
    }

    // --- lists -------------------------------------------------------------------------------------------------------

    void start_next_list() {
        if (next_list_ == lists_.order.size()) {
            finished_ = true;
            return;
        }
        begin_list(lists_.order[next_list_++], {}, kNobody, 0);
    }

    void begin_list(std::uint32_t list, std::vector<std::int64_t> around, WorkerId parent, std::uint64_t stream) {
        WorkerId first = 0;
        std::uint32_t count = layout_.cores();
        if (lists_.lists[list].on_nodes) {
            first = layout_.worker_of_node(0);
            count = layout_.nodes();
        } else if (parent != kNobody) {
            first = layout_.first_core_of(parent);
            count = layout_.cores_of(parent);
        }
        const SequenceId id = free_.empty() ? static_cast<SequenceId>(under_way_.size()) : free_.back();
        if (free_.empty()) {
            under_way_.emplace_back();
        } else {
            free_.pop_back();
        }
        auto& fresh = under_way_[id];
        fresh = std::make_unique<UnderWay>(lists_, numbers_, list, std::move(around), count, [this] { report(); });
        fresh->first = first;
        fresh->parent = parent;
        fresh->queued = parent != kNobody && workers_[parent].held.front().queued;
        fresh->stream = variation::list_stream(stream, list);
        fresh->manager_free = fresh->began = now_;
        if (paths_.wanted()) fresh->sequence.keep_releases();
        for (std::uint32_t number = 0; number < count; ++number) {
            Worker& worker = workers_[first + number];
            worker.sequence = id;
            worker.number = number;
            worker.asks = presence_.is_there(first + number);
            worker.asked = now_;
            worker.asking = paths_.now;
            times_.begin(first + number, now_, worker.asks ? Doing::nothing : Doing::absent, lists_.lists[list].site);
            if (worker.asks) fresh->asking.insert(fresh->asking.end(), first + number);
        }
        changed_.insert({parent == kNobody, id});
        fresh->changed = true;
    }

    void end_list(SequenceId id) {
        UnderWay& ended = *under_way_[id];
        const WorkerId parent = ended.parent;
        const std::int64_t places = ended.sequence.places();
        if (paths_.wanted()) paths_.now = paths_.of_end(id);
        ended.exhausted = true;  // of fixed shares too
        for (std::uint32_t number = 0; number < ended.sequence.workers(); ++number) {
            Worker& worker = workers_[ended.first + number];
            worker.chunk = {};  // places without a task
            account(ended.first + number, Doing::nothing);
            worker.asks = false;
            worker.sequence = kNobody;
        }
        changed_.erase({parent == kNobody, id});
        under_way_[id].reset();
        free_.push_back(id);
        if (parent == kNobody) {
            places_done_ += places;
            return start_next_list();
        }
        times_.resume(parent, now_);  // its cores have accounted for the list
        ++workers_[parent].step;
        go_on(parent);
    }

    void change(SequenceId id) {
        UnderWay& list = *under_way_[id];
        if (std::exchange(list.changed, true)) return;
        changed_.insert({list.parent == kNobody, id});
    }

    /// Lets the workers of changed lists take tasks that may begin: first in lists within tasks, so that all nodes
    /// whose task ends in this moment request before one takes a task ahead.
    void grant() {
        while (!changed_.empty() && !finished_) {
            const SequenceId id = changed_.begin()->second;
            changed_.erase(changed_.begin());
            UnderWay& list = *under_way_[id];
            list.changed = false;
            grant(list);
            note_exhaustion(list);
            if (under_way_[id] && list.sequence.finished()) end_list(id);
        }
    }

    void grant(UnderWay& list) {
        while (true) {
            for (const std::int64_t place : list.sequence.woken()) {
                const auto found = list.blocked.find(place);
                if (found == list.blocked.end()) continue;
                list.asking.insert(found->second);
                list.blocked.erase(found);
            }
            bool granted = false;
            for (auto each = list.asking.begin(); each != list.asking.end();) {
                const WorkerId worker = *each;
                if (workers_[worker].chunk.empty()) {
                    if (availability_.by_turn && begins_turn(list)) {
                        each = list.asking.begin();
                        continue;
                    }
                    if (paths_.wanted()) paths_.note_window(workers_[worker].sequence, list.sequence);
                    const auto chunk = list.sequence.take(workers_[worker].number);
                    if (!chunk) {
                        ++each;
                        continue;
                    }
                    workers_[worker].chunk = *chunk;
                    workers_[worker].requests = true;
                }
                list.asking.erase(each);
                const bool queued = paths_.wanted() && note_grant(list, worker);
                take(list, worker, queued);
                granted = true;
                each = list.asking.upper_bound(worker);
            }
            if (!granted) return;
        }
    }

    /// Records that the worker takes the next place of its chunk. Returns true if the task could have begun before, had
    /// a worker been free.
    bool note_grant(UnderWay& list, WorkerId who) {
        Worker& worker = workers_[who];
        const Path* const asking = worker.asked < now_ ? nullptr : &worker.asking;
        const bool queued = paths_.grant(worker.sequence, list.sequence, worker.chunk.next, asking, list.began == now_);
        if (asking != nullptr) worker.asking = nullptr;
        if (!worker.within_task) worker.path = paths_.now;
        return queued || list.queued;
    }

    /// Updates the accounts of idle workers. An idle worker waits for conditions until the last task is taken, then for
    /// the end of the list; for conditions again once a task is given back.
    void note_exhaustion(UnderWay& list) {
        if (list.exhausted == list.sequence.exhausted()) return;
        for (std::uint32_t number = 0; number < list.sequence.workers(); ++number) {
            if (times_.doing(list.first + number) == Doing::nothing) account(list.first + number, Doing::nothing);
        }
        list.exhausted = !list.exhausted;
    }

    // --- absence -----------------------------------------------------------------------------------------------------

    /// Begins a turn of a list for cores, which then has all offered cores. Returns false if no turn begins.
    bool begins_turn(UnderWay& list) {
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

    void come_or_go(Cores cores) {
        for (const WorkerId core : cores) come_or_go(core);
    }

    /// Lets an available worker request a task; an absent one completes the tasks that it has taken.
    void come_or_go(WorkerId id) {
        Worker& worker = workers_[id];
        if (worker.sequence == kNobody) return;
        if (presence_.is_there(id)) {
            if (times_.doing(id) == Doing::absent) account(id, Doing::nothing);
            if (!worker.asks) paths_.now = path_of_absence(worker);
            return ask(id);
        }
        if (!worker.asks || !worker.chunk.empty()) return;  // once it requests again
        under_way_[worker.sequence]->asking.erase(id);
        worker.asks = false;
        if (worker.held.empty()) account(id, Doing::absent);
    }

    void draw(std::int64_t number) {
        for (std::uint32_t node = 0; node < layout_.nodes(); ++node) come_or_go(presence_.offer_drawn(node, number));
        later(availability_.drawn->every, {0, layout_.worker_of_node(0), Event::What::drawn, number + 1});
    }

    /// Returns the tasks that the node has taken to their lists.
    void lose(std::uint32_t node) {
        if (!presence_.lose(node)) return;
        const WorkerId id = layout_.worker_of_node(node);
        stop_transfers(node);
        for (SequenceId each = 0; each < under_way_.size(); ++each) {
            if (under_way_[each] && under_way_[each]->parent == id) drop_list(each);
        }
        give_up(id);
        for (const WorkerId core : cores_of(node)) give_up(core);
    }

    /// Drops the list of a lost task: the work of its cores is lost.
    void drop_list(SequenceId id) {
        const UnderWay& dropped = *under_way_[id];
        for (std::uint32_t number = 0; number < dropped.sequence.workers(); ++number) {
            Worker& worker = workers_[dropped.first + number];
            account(dropped.first + number, Doing::nothing);
            memory_.end(dropped.first + number, now_);
            worker.held.clear();
            worker.chunk = {};
            worker.within_task = worker.asks = false;
            worker.sequence = kNobody;
            ++worker.lost;
        }
        times_.resume(dropped.parent, now_);  // its cores have accounted for the list
        changed_.erase({false, id});
        under_way_[id].reset();
        free_.push_back(id);
    }

    void give_up(WorkerId id) {
        Worker& worker = workers_[id];
        ++worker.lost;
        memory_.end(id, now_);
        if (worker.sequence == kNobody) return;
        UnderWay& list = *under_way_[worker.sequence];
        account(id, Doing::absent);
        paths_.now = worker.asking = path_of_absence(worker);
        for (const Held& held : worker.held) give_back(worker.sequence, held.place);
        for (; !worker.chunk.empty(); ++worker.chunk.next) give_back(worker.sequence, worker.chunk.next);
        std::erase_if(list.blocked, [&](const auto& each) { return each.second == id; });
        worker.held.clear();
        worker.within_task = worker.asks = false;
        worker.pending = worker.writing = 0;
        list.asking.erase(id);
        note_exhaustion(list);
        change(worker.sequence);
    }

    /// Ends the transfers of the node; tasks whose records were being written are returned too.
    void stop_transfers(std::uint32_t node) {
        for (const Purpose& each : records_.drop(now_, node, layout_)) {
            if (each.what != Purpose::What::behind || writing_.erase({each.sequence, each.place}) == 0) continue;
            paths_.now = each.path;
            give_back(each.sequence, each.place);
            note_exhaustion(*under_way_[each.sequence]);
            change(each.sequence);
        }
    }

    /// Returns the path through the worker's absence, or through the work that is lost with it, to this moment.
    Path path_of_absence(const Worker& worker) const {
        Path path = worker.asking && !worker.within_task ? worker.asking : worker.path;
        extend(path, now_, PathStep::absent, true);
        return path;
    }

    void give_back(SequenceId id, std::int64_t place) {
        if (paths_.wanted()) paths_.release(id, place);
        under_way_[id]->sequence.give_back(place);
    }

    void repair(std::uint32_t node) {
        if (!presence_.repair(node)) return;
        come_or_go(layout_.worker_of_node(node));
        for (const WorkerId core : cores_of(node)) {
            if (presence_.is_there(core)) come_or_go(core);
        }
    }

    Cores cores_of(std::uint32_t node) const {
        const WorkerId first = layout_.first_core_of_node(node);
        return {first, first + layout_.cores_of_node(node)};
    }

    // --- workers -----------------------------------------------------------------------------------------------------

    /// Requests a task for a worker that has space for another.
    void ask(WorkerId id) {
        Worker& worker = workers_[id];
        UnderWay& list = *under_way_[worker.sequence];
        if (worker.asks) return;
        if (!presence_.is_there(id) && worker.chunk.empty()) {
            if (!worker.held.empty()) return;
            worker.asking = paths_.now;
            return account(id, Doing::absent);
        }
        if (!has_room(id, list)) return;
        worker.asks = true;
        worker.asked = now_;
        worker.asking = paths_.now;
        list.asking.insert(id);
        change(worker.sequence);
    }

    bool has_room(WorkerId id, const UnderWay& list) const {
        const Worker& worker = workers_[id];
        const auto held = static_cast<std::int64_t>(worker.held.size());
        if (held > list.sequence.list().ahead) return false;
        if (held > 0 && worker.held.back().state != Held::State::ready)
            return false;  // records are fetched for one
                           // task after another
        const auto& buffers = machine_.cluster_memory.buffers;
        return !layout_.is_node(id) || !buffers || held + worker.writing < *buffers;
    }

    /// Takes the next place of the worker's chunk, which has just been assigned or is requested.
    void take(UnderWay& list, WorkerId who, bool queued) {
        poll();  // tasks without work make no events
        Worker& worker = workers_[who];
        Sequence& sequence = list.sequence;
        pass_places_without_task(worker, sequence);
        worker.asks = false;
        if (worker.chunk.empty()) return ask(who);
        if (!sequence.ready(worker.chunk.next)) {
            worker.asks = true;
            worker.asked = now_;
            worker.asking = paths_.now;
            list.blocked.emplace(worker.chunk.next, who);
            return;
        }
        const std::int64_t place = worker.chunk.next++;
        pass_places_without_task(worker, sequence);  // otherwise the next worker would request before this one
        worker.held.push_back({place, now_, 0, 0, Held::State::requested, queued, {}});
        const bool requests = std::exchange(worker.requests, false);
        const std::int64_t given = requests ? serve(list, worker.held.back()) : now_;
        if (given > now_) {
            if (!worker.within_task) idle(who);
            events_.push({given, who, Event::What::asked, place, worker.lost});
        } else {
            fetch(who, place);
        }
    }

    /// Marks the next places of the worker's chunk as done if they have no task.
    void pass_places_without_task(Worker& worker, Sequence& sequence) {
        while (!worker.chunk.empty() && !sequence.exists(worker.chunk.next)) {
            poll();
            if (paths_.wanted()) paths_.release(worker.sequence, worker.chunk.next);
            sequence.done(worker.chunk.next++);
            change(worker.sequence);
        }
    }

    /// Returns the time at which the manager has assigned a task to the worker that requests it now.
    std::int64_t serve(UnderWay& list, Held& held) {
        const machine::TaskManager& manager = machine_.task_manager;
        held.path = paths_.now;
        std::int64_t served = now_;
        if (manager.service.ps > 0) {
            if (list.manager_free > now_) {
                held.path = list.manager_path;
                held.queued = list.queued;  // an earlier request would not have been served earlier
            }
            served = list.manager_free = std::max(list.manager_free, now_) + manager.service.ps;
            extend(held.path, served, PathStep::manager, held.queued);
            list.manager_path = held.path;
        }
        return served + manager.overhead.ps;
    }

    void given(WorkerId who, std::int64_t place) {
        if (paths_.wanted()) {
            Held& held = held_of(workers_[who], place);
            paths_.now = std::move(held.path);
            extend(paths_.now, now_, PathStep::manager, held.queued);
        }
        fetch(who, place);
    }

    /// Reads the records of a task that the worker has taken.
    void fetch(WorkerId who, std::int64_t place) {
        Worker& worker = workers_[who];
        const UnderWay& list = *under_way_[worker.sequence];
        const Task& task = list.sequence.task(place, indices_);
        Held& held = held_of(worker, place);
        held.state = Held::State::reading;
        for (std::uint32_t step = 0; step < task.prefetched; ++step) {
            held.pending += transfer(task.steps[step],
                                     {Purpose::What::ahead, who, worker.sequence, place, held.queued, paths_.now});
        }
        if (held.pending == 0) return there(who, place);
        if (!worker.within_task) idle(who);
    }

    static Held& held_of(Worker& worker, std::int64_t place) {
        return *std::ranges::find(worker.held, place, &Held::place);
    }

    void there(WorkerId who, std::int64_t place) {
        Worker& worker = workers_[who];
        Held& held = held_of(worker, place);
        held.state = Held::State::ready;
        held.there = now_;
        if (!worker.within_task) compute(who);
        ask(who);
    }

    /// Computes the first task whose records have arrived, if there is one.
    void compute(WorkerId who) {
        Worker& worker = workers_[who];
        const auto first = std::ranges::find(worker.held, Held::State::ready, &Held::state);
        if (first == worker.held.end()) return idle(who);
        std::rotate(worker.held.begin(), first, first + 1);
        Held& held = worker.held.front();
        if (held.there < now_) held.queued = true;
        account(who, Doing::computing);
        worker.within_task = true;
        const Task& task = lists_.tasks[under_way_[worker.sequence]->sequence.task_number(held.place)];
        worker.step = task.prefetched;
        if (held.taken < worker.ended && task.prefetched > 0) {  // during the previous task
            const Time margin{now_ - held.there};
            use_.least_margin = use_.least_margin ? std::min(*use_.least_margin, margin) : margin;
            use_.margins += margin;
            ++use_.prefetched;
        }
        go_on(who);
    }

    void computed(WorkerId who) {
        memory_.end(who, now_);
        Worker& worker = workers_[who];
        if (paths_.wanted()) {
            const Sequence& sequence = under_way_[worker.sequence]->sequence;
            paths_.now = nullptr;
            const Held& held = worker.held.front();
            const std::int64_t began = worker.path->until;
            extend(worker.path, worker.alone, PathStep::compute, held.queued, sequence.task_number(held.place));
            extend(worker.path, now_, PathStep::memory, held.queued);
            if (now_ > worker.alone) worker.path->saturated += now_ - began;
            paths_.now = worker.path;
        }
        ++worker.step;
        go_on(who);
    }

    /// Performs the next step of the task that the worker computes.
    void go_on(WorkerId who) {
        Worker& worker = workers_[who];
        UnderWay& list = *under_way_[worker.sequence];
        const std::int64_t place = worker.held.front().place;
        const Task& task = list.sequence.task(place, indices_);
        const std::size_t end = task.steps.size() - task.written_behind;
        for (; worker.step < end; ++worker.step) {
            const TaskStep& step = task.steps[worker.step];
            if (step.form == Form::list) {
                account(who, Doing::computing);
                worker.path = paths_.now;
                return begin_list(step.operand, indices_, who, variation::task_stream(list.stream, place));
            }
            if (step.form == Form::compute) {
                const Time cost = cost_of(who, list, place, step);
                if (cost.ps == 0) continue;
                worker.path = paths_.now;
                return begin_block(who, cost);
            }
            worker.pending = transfer(
                step, {Purpose::What::step, who, worker.sequence, place, worker.held.front().queued, paths_.now});
            if (worker.pending > 0) return account(who, Doing::waiting_for_data);
        }
        finish(who, task, place);
    }

    void begin_block(WorkerId who, Time cost) {
        workers_[who].alone = now_ + cost.ps;
        if (memory_.shares_memory()) return memory_.begin(who, now_, cost.ps);
        later(cost, {0, who, Event::What::computed, 0, workers_[who].lost});
    }

    /// Announces the end of the block of a worker, which replaces earlier announcements.
    void ends_at(WorkerId who, std::int64_t end) {
        Worker& worker = workers_[who];
        later(Time{end - now_}, {0, who, Event::What::computed, ++worker.block, worker.lost});
    }

    /// Returns the duration of a block; that of a node is done once the slowest of its cores has done its part.
    Time cost_of(WorkerId who, const UnderWay& list, std::int64_t place, const TaskStep& step) {
        const Time nominal{numbers_(step.amount, indices_)};
        const std::uint64_t stream = variation::wave_of_stream(variation::task_stream(list.stream, place));
        Time longest;
        const WorkerId first = layout_.first_core_of(who);
        for (WorkerId core = first; core < first + layout_.cores_of(who); ++core) {
            longest = std::max(longest,
                               compute_time_(layout_.rank_of(core), stream, workers_[who].step, nominal, Time{now_}));
        }
        return longest;
    }

    void later(Time delay, Event event) {
        event.time = now_ + delay.ps;
        if (event.time > kHorizon.ps) refuse_overflow(event);
        events_.push(event);
    }

    /// Ends the computing of the task: its records are written, and the worker continues.
    void finish(WorkerId who, const Task& task, std::int64_t place) {
        Worker& worker = workers_[who];
        const bool queued = worker.held.front().queued;
        worker.held.erase(worker.held.begin());
        worker.within_task = false;
        worker.ended = now_;
        std::uint32_t pending = 0;
        for (std::size_t step = task.steps.size() - task.written_behind; step < task.steps.size(); ++step) {
            pending +=
                transfer(task.steps[step], {Purpose::What::behind, who, worker.sequence, place, queued, paths_.now});
        }
        if (pending > 0) {
            ++worker.writing;
            writing_.emplace(std::pair(worker.sequence, place), pending);
        } else {
            complete(worker.sequence, task, place);
        }
        change(worker.sequence);
        compute(who);
        ask(who);
    }

    void complete(SequenceId id, const Task& task, std::int64_t place) {
        Sequence& sequence = under_way_[id]->sequence;
        ++tasks_done_[sequence.task_number(place)];
        if (task.written_behind > 0 || writes_within(task)) {
            for (const TaskStep& step : sequence.task(place, indices_).steps) {
                if (step.form == Form::write) use_.updates += records_.commit(step, indices_);
            }
        }
        if (paths_.wanted()) paths_.release(id, place);
        sequence.done(place);
    }

    static bool writes_within(const Task& task) {
        return std::ranges::any_of(task.steps, [](const TaskStep& step) { return step.form == Form::write; });
    }

    // --- cluster memory ----------------------------------------------------------------------------------------------

    /// Announces a transfer for each item of the step; `indices_` are those of its task.
    std::uint32_t transfer(const TaskStep& step, const Purpose& purpose) {
        if (step.form == Form::read && !records_.there(step, indices_)) refuse_unwritten(purpose, step);
        const std::int64_t first = records_.next_number();
        const std::uint32_t count = records_.announce(step, indices_, layout_.node_of(purpose.worker), purpose);
        for (std::int64_t number = first; number < first + count; ++number) {
            later(machine_.cluster_memory.latency, {0, purpose.worker, Event::What::transfer, number});
        }
        return count;
    }

    void transferred(const Purpose& purpose) {
        paths_.now = purpose.path;
        Worker& worker = workers_[purpose.worker];
        switch (purpose.what) {
            case Purpose::What::ahead:
                if (--held_of(worker, purpose.place).pending == 0) there(purpose.worker, purpose.place);
                return;
            case Purpose::What::step:
                if (--worker.pending > 0) return;
                account(purpose.worker, Doing::computing);
                ++worker.step;
                return go_on(purpose.worker);
            case Purpose::What::behind: break;
        }
        const auto writing = writing_.find({purpose.sequence, purpose.place});
        if (--writing->second > 0) return;
        writing_.erase(writing);
        --worker.writing;
        const Sequence& sequence = under_way_[purpose.sequence]->sequence;
        complete(purpose.sequence, lists_.tasks[sequence.task_number(purpose.place)], purpose.place);
        change(purpose.sequence);
        ask(purpose.worker);
    }

    // --- time --------------------------------------------------------------------------------------------------------

    void step() {
        grant();
        if (finished_) return;
        const auto transfer = records_.next_end();
        if (transfer || events_.size() > 1) only_drawn_ = 0;  // beside the next draw
        constexpr std::int64_t kMostDraws = 100'000;
        if ((events_.empty() && !transfer) || ++only_drawn_ > kMostDraws) refuse_stuck();
        const std::int64_t next =
            std::min(events_.empty() ? kHorizon.ps : events_.top().time, transfer.value_or(kHorizon.ps));
        if (next >= kHorizon.ps) throw std::overflow_error("virtual time overflow: a transfer ends after 53 days");
        if (next > now_ && paths_.wanted()) paths_.forget();
        now_ = next;
        handle_all_of_now();
        if (records_.next_end() != now_) return;
        for (const Purpose& purpose : records_.end(now_)) {
            ++stepped_;
            transferred(purpose);
        }
    }

    void handle_all_of_now() {
        while (!events_.empty() && events_.top().time == now_) {
            const Event event = events_.top();
            events_.pop();
            ++stepped_;
            if (event.what != Event::What::drawn) only_drawn_ = 0;
            handle(event);
        }
    }

    void poll() {
        constexpr std::uint64_t kBetweenPolls = 4096;
        if (++polls_ % kBetweenPolls == 0) report();
    }

    void report() {
        if (!poll_) return;
        const auto outermost = std::ranges::find_if(
            under_way_, [](const auto& list) { return list != nullptr && list->parent == kNobody; });
        if (outermost == under_way_.end())
            return poll_({Time{now_}, places_done_, places_});  // the list is being
                                                                // created
        poll_({Time{now_}, places_done_ + (*outermost)->sequence.front(), places_});
    }

    void handle(const Event& event) {
        poll();
        const bool is_void = event.lost != workers_[event.worker].lost;
        switch (event.what) {
            case Event::What::computed:
                if (is_void || event.number != workers_[event.worker].block) return;
                return computed(event.worker);
            case Event::What::asked:
                if (is_void) return;
                return given(event.worker, event.number);
            case Event::What::transfer: return records_.begin(now_, event.number);
            case Event::What::changed:
                return come_or_go(
                    presence_.offer(layout_.node_of(event.worker), static_cast<std::uint32_t>(event.number)));
            case Event::What::drawn: return draw(event.number);
            case Event::What::lost: return lose(layout_.node_of(event.worker));
            case Event::What::repaired: return repair(layout_.node_of(event.worker));
        }
    }

    // --- messages ----------------------------------------------------------------------------------------------------

    std::string place_text(const Sequence& sequence, std::int64_t place) const {
        std::vector<std::int64_t> indices;
        const Task& task = sequence.task(place, indices);
        std::string name = task.name.empty() ? "a task" : fmt::format("task {}", task.name);
        if (!indices.empty()) name += fmt::format("[{}]", fmt::join(indices, ", "));
        const program::Site& site = program_.sites[task.site];
        return fmt::format("{} ({}:{})", name, site.file, site.line);
    }

    [[noreturn]] void refuse_overflow(const Event& event) const {
        std::string what = "a transfer, or a time between draws of cores,";
        if (event.what == Event::What::computed) {
            const Worker& worker = workers_[event.worker];
            what = place_text(under_way_[worker.sequence]->sequence, worker.held.front().place);
        }
        throw std::overflow_error(fmt::format("virtual time overflow: {} ends after 53 days", what));
    }

    [[noreturn]] void refuse_stuck() const {
        std::string waits;
        std::string left;
        for (const auto& list : under_way_) {
            if (!list) continue;
            const program::Site& site = program_.sites[list->sequence.list().site];
            left += fmt::format("\n  tasks are left in the list {}:{}", site.file, site.line);
            const auto blocked = list->sequence.blocked();
            if (!blocked) continue;
            waits += fmt::format("\n  {} waits for {}", place_text(list->sequence, blocked->place),
                                 place_text(list->sequence, blocked->missing));
            if (blocked->missing >= blocked->place) waits += ", which comes no earlier in the list";
        }
        if (!waits.empty()) throw Stuck("deadlock: no task that is left may begin" + waits);
        throw Stuck("deadlock: the cores and nodes that have to take tasks are there no more" + left +
                    "\n  expected a later row of `workers.schedule` with cores, or `repaired` of a lost node");
    }

    [[noreturn]] void refuse_unwritten(const Purpose& purpose, const TaskStep& step) const {
        const program::Site& site = program_.sites[step.site];
        throw Stuck(fmt::format("{} reads `{}` before anything has written it ({}:{}: `{}`)",
                                place_text(under_way_[purpose.sequence]->sequence, purpose.place),
                                lists_.records[step.operand].name, site.file, site.line, site.text));
    }

    record::Record record() {
        record::Record record;
        record.engine = "event";
        record.finish = Time{now_};
        record.iterations = {{record.finish, 1}};
        for (std::size_t task = 0; task < lists_.tasks.size(); ++task) {
            use_.tasks.emplace_back(lists_.tasks[task].name, tasks_done_[task]);
        }
        use_.cores = times_.sums();
        use_.over_time = times_.over_time();
        use_.moved = records_.moved_over_time();
        if (paths_.wanted()) use_.path = sums_of(paths_.now, lists_.tasks);
        use_.read = records_.read();
        use_.written = records_.written();
        use_.server_load = records_.server_load(now_);
        use_.node_load = records_.node_load(now_);
        record.rank_finish.assign(layout_.cores(), record.finish);
        record.rank_breakdown.resize(layout_.cores());
        for (WorkerId core = 0; core < layout_.cores(); ++core) {
            record::Breakdown& breakdown = record.rank_breakdown[layout_.rank_of(core).index];
            breakdown.compute = times_.compute_of(core);
            breakdown.wait = record.finish - breakdown.compute;
        }
        record.last = Rank{0};
        record.breakdown = record.rank_breakdown.front();
        record.tasks = use_;
        if (has_timeline_) record.timeline = times_.timeline();
        record::Work work;
        work.events = stepped_;
        record.work = work;
        return record;
    }

    const program::Program& program_;
    const TaskLists& lists_;
    const machine::Machine& machine_;
    program::TaskNumbers numbers_;
    variation::ComputeTime compute_time_;
    variation::Availability availability_;
    std::function<void(const Progress&)> poll_;
    std::uint64_t polls_ = 0;
    bool has_timeline_;
    MomentPaths paths_;
    Layout layout_;
    CoreTimes times_;
    MemorySharing memory_;
    Presence presence_;
    Records records_;
    std::int64_t only_drawn_ = 0;  // draws of cores between which nothing else happened

    std::int64_t now_ = 0;
    bool finished_ = false;
    std::size_t next_list_ = 0;
    std::int64_t places_ = 0;       // of the outermost lists
    std::int64_t places_done_ = 0;  // of those that have ended
    std::vector<Worker> workers_;
    std::vector<std::unique_ptr<UnderWay>> under_way_;
    std::vector<SequenceId> free_;
    std::set<std::pair<bool, SequenceId>> changed_;  // outermost or not: lists within tasks come first
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::map<std::pair<SequenceId, std::int64_t>, std::uint32_t> writing_;  // number of transfers that a task has to
                                                                            // wait for
    std::vector<std::int64_t> indices_;                                     // of the current task

    std::uint64_t stepped_ = 0;
    record::TaskUse use_;
    std::vector<std::int64_t> tasks_done_ = std::vector<std::int64_t>(lists_.tasks.size());
};

}  // namespace

record::Record run(const program::Program& program, const machine::Machine& machine, const Options& options) {
    const auto began = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    record::Record record = Run(program, machine, options).run();
    record.work->wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    record.work->cpu_s = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    return record;
}

}  // namespace warpfront::tasks
