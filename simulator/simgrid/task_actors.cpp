#include "simulator/simgrid/task_actors.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/simgrid/kernel.hpp"
#include "simulator/variation/task_streams.hpp"

namespace warpfront::reference {

namespace {

namespace s4u = simgrid::s4u;
using Form = program::TaskStep::Form;

/// The number of turns within one instant that a chain of actors takes until it leads to a request: the end of a write,
/// of a task, of a list, and an actor that had waited for one of these ends.
constexpr int kTurnsBeforeService = 8;

}  // namespace

TaskRun::TaskRun(const program::Program& program, const machine::Machine& machine, const ExpandedTasks& tasks,
                 const variation::ComputeTime& compute_time)
    : program_(program),
      machine_(machine),
      tasks_(tasks),
      compute_time_(compute_time),
      disk_units_(std::uint64_t{1} << std::countl_zero(static_cast<std::uint64_t>(tasks.largest.count) | 1)),
      done_of_(program.tasks->tasks.size()) {
    for (std::size_t record = 0; record < tasks.items.size(); ++record) {
        there_.emplace_back(tasks.items[record], program.tasks->records[record].given);
    }
    result_.compute_of.resize(static_cast<std::size_t>(program.grid.ranks()));
}

// --- the platform ----------------------------------------------------------------------------------------------------

void TaskRun::create() {
    s4u::NetZone* zone = s4u::create_full_zone("machine");
    const machine::ClusterMemory& memory = machine_.cluster_memory;
    for (std::uint32_t node = 0; node < tasks_.cores_of.size(); ++node) {
        nodes_.push_back(attach(*zone, fmt::format("node-{}", node), memory.node));
        nodes_.back().host->set_core_count(static_cast<int>(tasks_.cores_of[node].size()));
    }
    for (std::uint32_t server = 0; server < memory.servers; ++server) {
        servers_.push_back(attach(*zone, fmt::format("server-{}", server), memory.server));
        if (!memory.node.read && !memory.node.write) add_disk(servers_.back());
    }
    for (Attachment& node : nodes_) {
        for (Attachment& server : servers_) {
            add_route(*zone, server, node, true);
            add_route(*zone, node, server, false);
        }
    }
    zone->seal();
    s4u::Actor::create("lists", nodes_[0].host, [this] { run_lists(); });
}

TaskRun::Attachment TaskRun::attach(s4u::NetZone& zone, const std::string& name, const machine::DataChannel& channels) {
    Attachment attachment;
    attachment.host = zone.create_host(name, kHostSpeed);
    const auto channel = [&](const std::optional<Bandwidth>& rate, const char* use) {
        if (!rate) return Channel{};
        return Channel{make_link(&zone, fmt::format("{}-{}", name, use), rate->bytes_per_second),
                       rate->bytes_per_second, 0.0};
    };
    attachment.read = channel(channels.read, "read");
    attachment.write = channel(channels.write_limit(), "write");
    attachment.both = channel(channels.limit_of_both(), "both");
    return attachment;
}

/// Adds a disk, in units of a fraction of a byte: SimGrid 3.32 rounds the progress of an Io to whole units at every
/// event of the run.
void TaskRun::add_disk(Attachment& server) const {
    const auto units_per_second = [this](const Channel& channel) {
        return (channel.link != nullptr ? channel.rate : kBoundless) * static_cast<double>(disk_units_);
    };
    server.disk = server.host->create_disk("disk", units_per_second(server.read), units_per_second(server.write));
    if (server.both.link == nullptr) server.disk->set_readwrite_bandwidth(units_per_second({}));  // else the faster one
}

void TaskRun::add_route(s4u::NetZone& zone, Attachment& from, Attachment& to, bool reads) {
    std::vector<s4u::LinkInRoute> links;
    for (Attachment* const end : {&from, &to}) {
        for (const Channel* each : end->channels(reads)) {
            if (each->link != nullptr) links.emplace_back(each->link);
        }
    }
    if (links.empty()) return;
    zone.add_route(from.host->get_netpoint(), to.host->get_netpoint(), nullptr, nullptr, links, false);
}

// --- lists -----------------------------------------------------------------------------------------------------------

void TaskRun::run_lists() {
    std::int64_t clock = 0;
    for (const std::uint32_t list : tasks_.order) go_through(list, {}, clock);
    result_.finish = clock;
    finished_ = true;
}

/// Runs a list until all tasks are done. `node` is that of the enclosing task.
void TaskRun::go_through(std::uint32_t number, std::optional<std::uint32_t> node, std::int64_t& clock) {
    const ExpandedList& expanded = tasks_.lists[number];
    const auto list = std::make_shared<ListUnderWay>();
    list->list = &expanded;
    for (const ExpandedTask& task : expanded.tasks) list->done.push_back(!task.exists);
    list->left = static_cast<std::size_t>(std::ranges::count(list->done, false));
    if (list->left == 0) return;
    list->ended = s4u::Semaphore::create(0);
    list->manager_free = clock;
    for (std::uint32_t each = 0; each < tasks_.cores_of.size(); ++each) {
        if (expanded.list->on_nodes) {
            add_worker(*list, each, tasks_.cores_of[each], clock);
        } else if (!node || node == each) {
            for (const Rank core : tasks_.cores_of[each]) add_worker(*list, each, {core}, clock);
        }
    }
    for (TaskWorker& worker : list->workers) {
        s4u::Host* const host = nodes_[worker.node].host;
        s4u::Actor::create("fetch", host, [this, list, &worker] { fetch(*list, worker); });
        s4u::Actor::create("compute", host, [this, list, &worker] { compute(list, worker); });
    }
    list->ended->acquire();
    clock = std::max(clock, clock_now());
    for (const TaskWorker& worker : list->workers) {
        spend(&record::CoreTime::no_task, worker, clock - worker.idle_since);
    }
}

void TaskRun::add_worker(ListUnderWay& list, std::uint32_t node, std::vector<Rank> cores, std::int64_t clock) const {
    TaskWorker worker;
    worker.number = static_cast<std::uint32_t>(list.workers.size());
    worker.node = node;
    worker.cores = std::move(cores);
    worker.idle_since = clock;
    worker.room = s4u::Semaphore::create(static_cast<unsigned>(list.list->list->ahead + 1));
    worker.ready = s4u::Semaphore::create(0);
    const auto& buffers = machine_.cluster_memory.buffers;
    if (list.list->list->on_nodes && buffers) worker.buffers = s4u::Semaphore::create(*buffers);
    list.workers.push_back(std::move(worker));
}

void TaskRun::complete(ListUnderWay& list, const TaskWorker& worker, std::int64_t place) {
    const ExpandedTask& task = list.list->tasks[static_cast<std::size_t>(place)];
    ++done_of_[task.number];
    for (const ExpandedStep& step : task.steps) {
        if (step.step->form != Form::write) continue;
        result_.use.updates += static_cast<std::int64_t>(step.transfers.size());
        for (const ItemTransfer& each : step.transfers) there_[step.step->operand][each.item] = true;
    }
    list.done[static_cast<std::size_t>(place)] = true;
    while (list.front < std::ssize(list.done) && list.done[static_cast<std::size_t>(list.front)]) ++list.front;
    if (const auto found = list.waiting.find(place); found != list.waiting.end()) {
        const std::vector<s4u::SemaphorePtr> woken = std::move(found->second);
        list.waiting.erase(found);
        for (const s4u::SemaphorePtr& each : woken) each->release();
    }
    if (worker.buffers) worker.buffers->release();
    if (--list.left == 0) list.ended->release();
}

// --- workers ---------------------------------------------------------------------------------------------------------

/// Takes the worker's tasks one after another, each once there is space for it and its conditions hold.
void TaskRun::fetch(ListUnderWay& list, TaskWorker& worker) {
    std::int64_t clock = worker.idle_since;
    const auto workers = static_cast<std::uint32_t>(list.workers.size());
    for (const Places& places : requests_of(*list.list, worker.number, workers)) {
        bool requests = true;
        for (std::int64_t place = places.first; place < places.end; ++place) {
            const ExpandedTask& task = list.list->tasks[static_cast<std::size_t>(place)];
            if (!task.exists) continue;
            worker.room->acquire();
            if (worker.buffers) worker.buffers->acquire();
            wait_for_conditions(list, task, place);
            clock = std::max(clock, clock_now());
            TakenTask taken{place, clock, 0, 0};
            if (std::exchange(requests, false)) request(list, worker, clock);
            taken.given = clock;
            move(task, Steps(task.steps).first(kind_of(task).prefetched), worker.node, clock);
            taken.there = clock;
            worker.taken.push_back(taken);
            worker.ready->release();
        }
    }
}

void TaskRun::wait_for_conditions(ListUnderWay& list, const ExpandedTask& task, std::int64_t place) {
    for (const Places& places : task.after) {
        for (std::int64_t each = std::max(places.first, list.front); each < places.end; ++each) {
            if (list.done[static_cast<std::size_t>(each)]) continue;
            const s4u::SemaphorePtr woken = s4u::Semaphore::create(0);
            list.waiting[each].push_back(woken);
            blocked_[{list.list, place}] = each;
            woken->acquire();
            blocked_.erase({list.list, place});
        }
    }
}

/// Requests a task. The manager serves requests of one instant by the numbers of their workers. SimGrid runs the actors
/// of an instant in turns, so a request is served only after several turns without a new one.
void TaskRun::request(ListUnderWay& list, const TaskWorker& worker, std::int64_t& clock) {
    const machine::TaskManager& manager = machine_.task_manager;
    if (manager.service.ps > 0) {
        const std::pair own(clock, worker.number);
        list.requests.insert(own);
        std::uint64_t seen = ++list.changes;
        for (int quiet = 0; quiet < kTurnsBeforeService || *list.requests.begin() != own;) {
            s4u::this_actor::yield();
            quiet = seen == list.changes ? quiet + 1 : 0;
            seen = list.changes;
        }
        list.requests.erase(own);
        ++list.changes;
        list.manager_free = std::max(list.manager_free, clock) + manager.service.ps;
        advance(clock, list.manager_free - clock);
    }
    advance(clock, manager.overhead.ps);
}

/// Computes the worker's tasks as their records arrive.
void TaskRun::compute(const List& list, TaskWorker& worker) {
    std::int64_t clock = worker.idle_since;
    const auto workers = static_cast<std::uint32_t>(list->workers.size());
    std::int64_t own = 0;
    for (const Places& places : requests_of(*list->list, worker.number, workers)) {
        const auto tasks = list->list->tasks.begin();
        own += std::count_if(tasks + places.first, tasks + places.end,
                             [](const ExpandedTask& task) { return task.exists; });
    }
    for (; own > 0; --own) {
        worker.ready->acquire();
        clock = std::max(clock, clock_now());
        const TakenTask taken = worker.taken.front();
        const ExpandedTask& task = list->list->tasks[static_cast<std::size_t>(taken.place)];
        account_idle(worker, taken, clock);
        if (taken.asked < worker.idle_since && kind_of(task).prefetched > 0) {  // while another was computed
            const Time margin{clock - taken.there};
            record::TaskUse& use = result_.use;
            use.least_margin = use.least_margin ? std::min(*use.least_margin, margin) : margin;
            use.margins += margin;
            ++use.prefetched;
        }
        execute(worker, task, clock);
        worker.idle_since = clock;
        worker.taken.pop_front();
        write_behind(list, worker, taken.place, clock);
        worker.room->release();
    }
}

/// Executes all steps except those fetched ahead or written behind.
void TaskRun::execute(const TaskWorker& worker, const ExpandedTask& task, std::int64_t& clock) {
    const program::Task& kind = kind_of(task);
    for (std::size_t at = kind.prefetched; at < task.steps.size() - kind.written_behind; ++at) {
        const ExpandedStep& step = task.steps[at];
        const std::int64_t begin = clock;
        switch (step.step->form) {
            case Form::compute: {
                const std::int64_t cost = cost_of(worker, task, at, clock);
                spend(&record::CoreTime::compute, worker, cost);
                for (const Rank core : worker.cores) result_.compute_of[core.index] += Time{cost};
                advance(clock, cost, true);
                break;
            }
            case Form::list: go_through(step.list, worker.node, clock); break;
            case Form::read:
            case Form::write:
                move(task, {&step, 1}, worker.node, clock);
                spend(&record::CoreTime::data, worker, clock - begin);
                break;
        }
    }
}

/// Returns the cost of a step. Records an overflow instead of throwing, since an exception would not leave the actor.
std::int64_t TaskRun::cost_of(const TaskWorker& worker, const ExpandedTask& task, std::size_t step,
                              std::int64_t clock) {
    try {
        const std::uint64_t wave = variation::wave_of_stream(task.stream);
        Time longest;
        for (const Rank core : worker.cores) {
            const Time nominal = task.steps[step].compute;
            longest = std::max(longest, compute_time_(core, wave, static_cast<std::uint32_t>(step), nominal, {clock}));
        }
        return longest.ps;
    } catch (const std::overflow_error& too_long) {
        result_.cost_overflow = too_long.what();
    }
    end_run();
}

void TaskRun::write_behind(const List& list, TaskWorker& worker, std::int64_t place, std::int64_t clock) {
    const ExpandedTask& task = list->list->tasks[static_cast<std::size_t>(place)];
    const Steps writes = Steps(task.steps).last(kind_of(task).written_behind);
    if (std::ranges::all_of(writes, [](const ExpandedStep& step) { return step.transfers.empty(); })) {
        return complete(*list, worker, place);
    }
    s4u::Actor::create("write", nodes_[worker.node].host, [this, list, &worker, &task, writes, place, clock] {
        std::int64_t own = clock;
        move(task, writes, worker.node, own);
        complete(*list, worker, place);
    });
}

// --- cluster memory --------------------------------------------------------------------------------------------------

/// Moves all items of the steps at once; ends with the last.
void TaskRun::move(const ExpandedTask& task, Steps steps, std::uint32_t node, std::int64_t& clock) {
    std::size_t items = 0;
    for (const ExpandedStep& step : steps) {
        const bool reads = step.step->form == Form::read;
        for (const ItemTransfer& each : step.transfers) {
            if (reads && !there_[step.step->operand][each.item]) refuse_unwritten(task, *step.step);
            (reads ? result_.use.read : result_.use.written).count += each.bytes.count;
        }
        items += step.transfers.size();
    }
    if (items == 0) return;
    advance(clock, machine_.cluster_memory.latency.ps);
    std::vector<s4u::ActivityPtr> transfers;
    for (const ExpandedStep& step : steps) {
        const bool reads = step.step->form == Form::read;
        for (const ItemTransfer& each : step.transfers) {
            Attachment& server = servers_[each.item % servers_.size()];
            bool is_limited = false;
            for (Attachment* const end : {&nodes_[node], &server}) {
                for (Channel* channel : end->channels(reads)) {
                    channel->moved += static_cast<double>(each.bytes.count);
                    is_limited = is_limited || channel->link != nullptr;
                }
            }
            if (!is_limited || each.bytes.count == 0) continue;
            transfers.push_back(start(nodes_[node], server, static_cast<std::uint64_t>(each.bytes.count), reads));
        }
    }
    for (const s4u::ActivityPtr& transfer : transfers) transfer->wait();
    synchronise_clock(clock);
}

s4u::ActivityPtr TaskRun::start(const Attachment& node, const Attachment& server, std::uint64_t bytes,
                                bool reads) const {
    if (server.disk == nullptr) {
        return s4u::Comm::sendto_async(reads ? server.host : node.host, reads ? node.host : server.host, bytes);
    }
    return reads ? server.disk->read_async(bytes * disk_units_) : server.disk->write_async(bytes * disk_units_);
}

// --- time ------------------------------------------------------------------------------------------------------------

/// Sleeps, or computes by an Exec on one core of its host.
void TaskRun::advance(std::int64_t& clock, std::int64_t by, bool computes) {
    clock += by;
    if (clock > kHorizon.ps) {
        result_.overflow = true;
        end_run();
    }
    const double ahead = static_cast<double>(clock) * 1e-12 - s4u::Engine::get_clock();
    if (computes && by > 0 && ahead > 0.0) s4u::this_actor::execute(ahead * kHostSpeed);
    synchronise_clock(clock);
}

void TaskRun::spend(WideTime record::CoreTime::*part, const TaskWorker& worker, std::int64_t time) {
    if (time > 0) result_.use.cores.*part += WideTime{Wide{time} * static_cast<Wide>(worker.cores.size())};
}

/// Accounts for the causes of the worker's wait until it began to compute the task.
void TaskRun::account_idle(const TaskWorker& worker, const TakenTask& taken, std::int64_t clock) {
    const std::int64_t since = worker.idle_since;
    spend(&record::CoreTime::conditions, worker, std::min(taken.asked, clock) - since);
    spend(&record::CoreTime::manager, worker, taken.given - std::max(taken.asked, since));
    spend(&record::CoreTime::data, worker, taken.there - std::max(taken.given, since));
}

// --- results ---------------------------------------------------------------------------------------------------------

void TaskRun::end_run() {
    s4u::Actor::kill_all();
    s4u::this_actor::exit();
}

void TaskRun::refuse_unwritten(const ExpandedTask& task, const program::TaskStep& step) {
    const program::Site& site = program_.sites[step.site];
    result_.stuck = fmt::format("{} reads `{}` before anything has written it ({}:{}: `{}`)", text_of(task),
                                program_.tasks->records[step.operand].name, site.file, site.line, site.text);
    end_run();
}

const program::Task& TaskRun::kind_of(const ExpandedTask& task) const { return program_.tasks->tasks[task.number]; }

std::string TaskRun::text_of(const ExpandedTask& task) const {
    const program::Task& kind = kind_of(task);
    std::string name = kind.name.empty() ? "a task" : fmt::format("task {}", kind.name);
    if (!task.indices.empty()) name += fmt::format("[{}]", fmt::join(task.indices, ", "));
    const program::Site& site = program_.sites[kind.site];
    return fmt::format("{} ({}:{})", name, site.file, site.line);
}

double TaskRun::load(const std::vector<Attachment>& all) const {
    double most = 0.0;
    for (const Attachment& each : all) {
        for (const Channel& channel : {each.read, each.write, each.both}) {
            if (channel.link == nullptr || result_.finish == 0) continue;
            most = std::max(most, channel.moved / channel.rate / (static_cast<double>(result_.finish) * 1e-12));
        }
    }
    return most;
}

SimulatedTasks TaskRun::result() {
    const bool ended_early = result_.overflow || !result_.cost_overflow.empty() || !result_.stuck.empty();
    if (!finished_ && !ended_early) {
        result_.stuck = "deadlock: no task that is left may begin";
        const ExpandedList* told = nullptr;
        for (const auto& [waiting, missing] : blocked_) {
            const auto& [list, place] = waiting;
            if (std::exchange(told, list) == list) continue;  // the first of a list stands for it
            result_.stuck += fmt::format("\n  {} waits for {}", text_of(list->tasks[static_cast<std::size_t>(place)]),
                                         text_of(list->tasks[static_cast<std::size_t>(missing)]));
        }
    }
    for (std::size_t task = 0; task < done_of_.size(); ++task) {
        result_.use.tasks.emplace_back(program_.tasks->tasks[task].name, done_of_[task]);
    }
    result_.use.server_load = load(servers_);
    result_.use.node_load = load(nodes_);
    return std::move(result_);
}

}  // namespace warpfront::reference

void warpfront_simgrid_simulate_tasks(const warpfront::program::Program& program,
                                      const warpfront::machine::Machine& machine,
                                      const warpfront::reference::ExpandedTasks& tasks,
                                      const warpfront::variation::ComputeTime& compute_time,
                                      warpfront::reference::SimulatedTasks& result) {
    warpfront::reference::TaskRun run(program, machine, tasks, compute_time);
    warpfront::reference::run_engine([&run] { run.create(); });
    result = run.result();
}
