// One run of task lists: its state, and the events that change it. run.hpp states the rules.
//
//   simulation.cpp time: events in their order, the end of the run and its record
//   lists.cpp      lists that begin, grant their tasks to workers, and end
//   taking.cpp     a worker requests a task, and its records arrive
//   computing.cpp  a worker performs the steps of a task
//   absence.cpp    cores that join and leave, nodes that are lost
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/tasks/core_times.hpp"
#include "simulator/tasks/critical_path.hpp"
#include "simulator/tasks/layout.hpp"
#include "simulator/tasks/memory_sharing.hpp"
#include "simulator/tasks/presence.hpp"
#include "simulator/tasks/records.hpp"
#include "simulator/tasks/run.hpp"
#include "simulator/tasks/sequence.hpp"

namespace warpfront::tasks {

/// The states of a task, in their order, from its taking until it is done.
enum class TaskState : std::uint8_t {
    requested,  // its worker has requested it from the manager
    reading,    // its records are being read
    ready,      // its worker has not begun it
    begun,      // its worker performs its steps
    writing     // its records are written, while its worker continues
};

/// A task that a worker has taken.
struct TakenTask {
    TaskState state = TaskState::requested;
    std::int64_t place = 0;
    std::int64_t taken = 0;     // time at which it was taken
    std::int64_t there = 0;     // time at which its records had arrived
    std::uint32_t step = 0;     // the current step, if the task has begun
    std::uint32_t pending = 0;  // number of transfers for which it waits
    bool queued = false;        // true if it could have been taken earlier
    Path path{};                // path up to the request, if paths are requested
};

struct Worker {
    std::vector<TakenTask> held;     // tasks in the order in which it took them; the first may have begun
    std::vector<TakenTask> written;  // tasks whose records are being written
    Chunk chunk;                     // places taken together with an earlier one
    SequenceId sequence = kNobody;
    std::uint32_t number = 0;  // within its sequence
    std::uint32_t lost = 0;    // number of times that it was lost; events from before the latest loss are ignored
    std::int64_t alone = 0;    // the end of its block if no other core computes
    std::int64_t block = 0;    // number of its latest event `computed`; earlier events of this kind are ignored
    bool asks = false;         // true if it requests a task
    bool requests = false;     // true until it has requested `chunk` from the manager
    std::int64_t ended = 0;    // end of its latest task
    std::int64_t asked = 0;    // beginning of its request or absence
    Path asking;               // path up to `asked`
    Path path;                 // path up to the current step

    bool has_begun() const { return !held.empty() && held.front().state == TaskState::begun; }
    TakenTask& task(std::int64_t place);
    /// Gives up all tasks.
    void clear() {
        held.clear();
        written.clear();
        chunk = {};
        asks = false;
    }
};

struct ActiveList {
    ActiveList(const program::TaskLists& lists, const program::TaskNumbers& numbers, std::uint32_t list,
               std::vector<std::int64_t> around, std::uint32_t workers, std::function<void()> poll)
        : sequence(lists, numbers, list, std::move(around), workers, std::move(poll)) {}

    Sequence sequence;
    WorkerId first = 0;             // the first of its workers, whose numbers are consecutive
    WorkerId parent = kNobody;      // the node to whose task it belongs
    bool queued = false;            // true if the steps of that task are queued
    std::uint64_t stream = 0;       // separates the random draws of its tasks from those of others
    std::int64_t manager_free = 0;  // time from which the manager is free
    Path manager_path;              // path up to `manager_free`
    std::int64_t turn = -1;         // the latest turn that has begun, if cores join and leave by turns
    std::set<WorkerId> asking;
    std::map<std::int64_t, WorkerId> blocked;  // workers whose next place is not ready, by the number of the place
    bool changed = true;
    bool exhausted = false;  // true if no task is left to be taken
    std::int64_t began = 0;

    auto workers() const { return std::views::iota(first, first + sequence.workers()); }
};

struct Event {
    enum class What : std::uint8_t { computed, asked, transfer, changed, drawn, lost, repaired };
    std::int64_t time;
    WorkerId worker;
    What what;
    std::int64_t number = 0;  // computed: block; asked: place; transfer: its number; changed: cores; drawn: number of
                              // the draw
    std::uint32_t lost = 0;   // computed, asked: Worker::lost when the event was announced
    friend auto operator<=>(const Event&, const Event&) = default;
};

class Simulation {
public:
    Simulation(const program::Program& program, const machine::Machine& machine, const Options& options);

    record::Record run();

private:
    // The order of events.
    void step();
    void handle_all_of_now();
    void handle(const Event& event);
    void later(Time delay, Event event);
    void poll();
    void report();
    void account(WorkerId id, Doing next);
    void account_idle(WorkerId id);
    record::Record record();
    std::string place_text(const Sequence& sequence, std::int64_t place) const;
    [[noreturn]] void refuse_overflow(const Event& event) const;
    [[noreturn]] void refuse_stuck() const;
    [[noreturn]] void refuse_unwritten(const Purpose& purpose, const program::TaskStep& step) const;

    // Lists of tasks, from their beginning to their end.
    void start_next_list();
    void begin_list(std::uint32_t list, std::vector<std::int64_t> around, WorkerId parent, std::uint64_t stream);
    void end_list(SequenceId id);
    void remove(SequenceId id);
    void change(SequenceId id);
    void grant();
    void grant(ActiveList& list);
    void wake_blocked(ActiveList& list);
    bool may_take(ActiveList& list, WorkerId who);
    bool note_grant(ActiveList& list, WorkerId who);
    void note_exhaustion(ActiveList& list);
    bool begins_turn(ActiveList& list);
    ActiveList& list_of(const Worker& worker) { return *active_[worker.sequence]; }

    // The cores that take tasks.
    void ask(WorkerId id);
    void begin_to_ask(Worker& worker);
    bool has_room(WorkerId id, const ActiveList& list) const;
    void take(ActiveList& list, WorkerId who, bool queued);
    void pass_places_without_task(Worker& worker, Sequence& sequence);
    std::int64_t serve(ActiveList& list, TakenTask& task);
    void given(WorkerId who, std::int64_t place);
    void fetch(WorkerId who, std::int64_t place);
    void there(WorkerId who, TakenTask& task);

    // Tasks that are being computed.
    void compute(WorkerId who);
    void computed(WorkerId who);
    void next_step(WorkerId who);
    void resume(WorkerId who);
    void begin_block(WorkerId who, Time cost);
    void ends_at(WorkerId who, std::int64_t end);
    Time cost_of(WorkerId who, const ActiveList& list, std::int64_t place, const program::TaskStep& step);
    void finish(WorkerId who, const program::Task& task);
    void complete(SequenceId id, std::int64_t place);
    std::uint32_t transfer(const program::TaskStep& step, const Purpose& purpose);
    void transferred(const Purpose& purpose);

    // The absence of cores and nodes.
    void announce_absence();
    void come_or_go(Cores cores);
    void come_or_go(WorkerId id);
    void draw(std::int64_t number);
    void lose(std::uint32_t node);
    void drop_list(SequenceId id);
    void give_up(WorkerId id);
    void stop_transfers(std::uint32_t node);
    Path path_of_absence(const Worker& worker) const;
    void give_back(SequenceId id, std::int64_t place);
    void repair(std::uint32_t node);
    Cores cores_of(std::uint32_t node) const;

    const program::Program& program_;
    const program::TaskLists& lists_;
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
    std::int64_t places_ = 0;       // number of places of the outermost lists
    std::int64_t places_done_ = 0;  // number of places of the outermost lists that have ended
    std::vector<Worker> workers_;
    std::vector<std::unique_ptr<ActiveList>> active_;
    std::vector<SequenceId> free_;
    std::set<std::pair<bool, SequenceId>> changed_;  // true for outermost lists, so that lists within tasks come first
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::vector<std::int64_t> indices_;  // indices of the current task

    std::uint64_t stepped_ = 0;
    record::TaskUse use_;
    std::vector<std::int64_t> tasks_done_;
};

}  // namespace warpfront::tasks
