// Task lists on SimGrid. Each worker of an active list is two actors: one requests tasks and reads their records, as
// far ahead as the list allows; the other computes them. The last writes of a task are done by an actor of their own.
// Semaphores represent waiting for space, for records and for the end of a list; conditions are waited for one
// unfinished place after another.
//
// Records move as flows between the hosts of nodes and servers, over a link per channel (machine/cluster_memory.hpp);
// if nodes have no limit, they are Ios of a disk per server (reference/README.md). Computing is an Exec on a core of
// its node; latency, service and overhead are sleeps. Clocks are whole picoseconds, as for ranks (actors.hpp).
//
// For use in the worker process (simulator/process/worker_process.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/reference/expanded_tasks.hpp"
#include "simulator/reference/simulate.hpp"
#include "simulator/simgrid/s4u.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::reference {

/// A task that a worker has taken, with its times.
struct TakenTask {
    std::int64_t place = 0;
    std::int64_t asked = 0;  // its conditions hold, and there is space for it
    std::int64_t given = 0;  // by the manager
    std::int64_t there = 0;  // its records have arrived
};

/// A node or a core while a list is active.
struct TaskWorker {
    std::uint32_t number = 0;  // in its list
    std::uint32_t node = 0;
    std::vector<Rank> cores;
    std::deque<TakenTask> taken;         // with records available; the first may be computed
    std::int64_t idle_since = 0;         // the end of the previous task
    simgrid::s4u::SemaphorePtr room;     // counts tasks that it may take
    simgrid::s4u::SemaphorePtr buffers;  // the same, for nodes with limited buffers
    simgrid::s4u::SemaphorePtr ready;    // counts `taken` that were not begun
};

/// A list that workers go through.
struct ListUnderWay {
    const ExpandedList* list = nullptr;
    std::deque<TaskWorker> workers;
    std::vector<bool> done;                                                             // by place
    std::int64_t front = 0;                                                             // all places before it are done
    std::size_t left = 0;                                                               // tasks that are not done
    std::unordered_map<std::int64_t, std::vector<simgrid::s4u::SemaphorePtr>> waiting;  // by the place that is missing
    simgrid::s4u::SemaphorePtr ended;
    std::int64_t manager_free = 0;
    std::set<std::pair<std::int64_t, std::uint32_t>> requests;  // of this instant: time, worker
    std::uint64_t changes = 0;                                  // requests made and served so far
};

class TaskRun {
public:
    TaskRun(const program::Program& program, const machine::Machine& machine, const ExpandedTasks& tasks,
            const variation::ComputeTime& compute_time);

    /// Creates the platform and the first actor; SimGrid's engine must exist.
    void create();
    /// Returns the result after SimGrid's run.
    SimulatedTasks result();

private:
    struct Channel {
        simgrid::s4u::Link* link = nullptr;  // none: no limit
        double rate = 0.0;
        double moved = 0.0;
    };
    struct Attachment {
        simgrid::s4u::Host* host = nullptr;
        Channel read, write, both;
        simgrid::s4u::Disk* disk = nullptr;  // of a server, instead of its links
        std::array<Channel*, 2> channels(bool reads) { return {reads ? &read : &write, &both}; }
    };
    using Steps = std::span<const ExpandedStep>;
    using List = std::shared_ptr<ListUnderWay>;

    static Attachment attach(simgrid::s4u::NetZone& zone, const std::string& name,
                             const machine::DataChannel& channels);
    void add_disk(Attachment& server) const;
    static void add_route(simgrid::s4u::NetZone& zone, Attachment& from, Attachment& to, bool reads);
    void run_lists();
    void go_through(std::uint32_t number, std::optional<std::uint32_t> node, std::int64_t& clock);
    void add_worker(ListUnderWay& list, std::uint32_t node, std::vector<Rank> cores, std::int64_t clock) const;
    void complete(ListUnderWay& list, const TaskWorker& worker, std::int64_t place);
    void fetch(ListUnderWay& list, TaskWorker& worker);
    void wait_for_conditions(ListUnderWay& list, const ExpandedTask& task, std::int64_t place);
    void request(ListUnderWay& list, const TaskWorker& worker, std::int64_t& clock);
    void compute(const List& list, TaskWorker& worker);
    void execute(const TaskWorker& worker, const ExpandedTask& task, std::int64_t& clock);
    std::int64_t cost_of(const TaskWorker& worker, const ExpandedTask& task, std::size_t step, std::int64_t clock);
    void write_behind(const List& list, TaskWorker& worker, std::int64_t place, std::int64_t clock);
    void move(const ExpandedTask& task, Steps steps, std::uint32_t node, std::int64_t& clock);
    simgrid::s4u::ActivityPtr start(const Attachment& node, const Attachment& server, std::uint64_t bytes,
                                    bool reads) const;
    void advance(std::int64_t& clock, std::int64_t by, bool computes = false);
    void spend(WideTime record::CoreTime::*part, const TaskWorker& worker, std::int64_t time);
    void account_idle(const TaskWorker& worker, const TakenTask& taken, std::int64_t clock);
    [[noreturn]] static void end_run();
    [[noreturn]] void refuse_unwritten(const ExpandedTask& task, const program::TaskStep& step);
    const program::Task& kind_of(const ExpandedTask& task) const;
    std::string text_of(const ExpandedTask& task) const;
    double load(const std::vector<Attachment>& all) const;

    const program::Program& program_;
    const machine::Machine& machine_;
    const ExpandedTasks& tasks_;
    const variation::ComputeTime& compute_time_;
    const std::uint64_t disk_units_;  // per byte
    std::vector<Attachment> nodes_, servers_;
    std::vector<std::vector<bool>> there_;                                          // by record, item
    std::vector<std::int64_t> done_of_;                                             // by task
    std::map<std::pair<const ExpandedList*, std::int64_t>, std::int64_t> blocked_;  // place, the one that it waits for
    SimulatedTasks result_;
    bool finished_ = false;
};

}  // namespace warpfront::reference
