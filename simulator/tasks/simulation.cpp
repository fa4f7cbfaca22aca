#include "simulator/tasks/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpfront::tasks {

Simulation::Simulation(const program::Program& program, const machine::Machine& machine, const Options& options)
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
      workers_(layout_.workers()),
      tasks_done_(lists_.tasks.size()) {
    for (const std::uint32_t list : lists_.order) {
        places_ += checked_count({lists_, numbers_, lists_.lists[list], {}});
    }
    announce_absence();
}

record::Record Simulation::run() {
    handle_all_of_now();  // removes cores that are absent at the beginning
    start_next_list();
    while (!finished_) step();
    return record();
}

// --- time ------------------------------------------------------------------------------------------------------------

void Simulation::step() {
    grant();
    if (finished_) return;
    const auto transfer = records_.next_end();
    if (transfer || events_.size() > 1) only_drawn_ = 0;  // the next draw is not the only event
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

void Simulation::handle_all_of_now() {
    while (!events_.empty() && events_.top().time == now_) {
        const Event event = events_.top();
        events_.pop();
        ++stepped_;
        if (event.what != Event::What::drawn) only_drawn_ = 0;
        handle(event);
    }
}

void Simulation::handle(const Event& event) {
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
            return come_or_go(presence_.offer(layout_.node_of(event.worker), static_cast<std::uint32_t>(event.number)));
        case Event::What::drawn: return draw(event.number);
        case Event::What::lost: return lose(layout_.node_of(event.worker));
        case Event::What::repaired: return repair(layout_.node_of(event.worker));
    }
}

void Simulation::later(Time delay, Event event) {
    event.time = now_ + delay.ps;
    if (event.time > kHorizon.ps) refuse_overflow(event);
    events_.push(event);
}

void Simulation::poll() {
    constexpr std::uint64_t kBetweenPolls = 4096;
    if (++polls_ % kBetweenPolls == 0) report();
}

void Simulation::report() {
    if (!poll_) return;
    const auto outermost =
        std::ranges::find_if(active_, [](const auto& list) { return list != nullptr && list->parent == kNobody; });
    const bool exists = outermost != active_.end();  // otherwise the list is being made
    poll_({Time{now_}, places_done_ + (exists ? (*outermost)->sequence.front() : 0), places_});
}

// --- use of time -----------------------------------------------------------------------------------------------------

/// Changes the worker's activity to `next`.
void Simulation::account(WorkerId id, Doing next) {
    const Worker& worker = workers_[id];
    const ActiveList& list = list_of(worker);
    const std::uint16_t site = next == Doing::computing
                                   ? lists_.tasks[list.sequence.task_number(worker.held.front().place)].site
                                   : list.sequence.list().site;
    times_.change(id, now_, next, site, worker.held.empty() && worker.chunk.empty() && list.exhausted);
}

/// Changes the worker's activity to idle, requesting, or waiting for data.
void Simulation::account_idle(WorkerId id) {
    const std::vector<TakenTask>& held = workers_[id].held;
    account(id, held.empty()                                 ? Doing::nothing
                : held.front().state == TaskState::requested ? Doing::asking
                                                             : Doing::waiting_for_data);
}

record::Record Simulation::record() {
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
    record.work.emplace().events = stepped_;
    return record;
}

// --- messages --------------------------------------------------------------------------------------------------------

std::string Simulation::place_text(const Sequence& sequence, std::int64_t place) const {
    std::vector<std::int64_t> indices;
    const program::Task& task = sequence.task(place, indices);
    std::string name = task.name.empty() ? "a task" : fmt::format("task {}", task.name);
    if (!indices.empty()) name += fmt::format("[{}]", fmt::join(indices, ", "));
    const program::Site& site = program_.sites[task.site];
    return fmt::format("{} ({}:{})", name, site.file, site.line);
}

void Simulation::refuse_overflow(const Event& event) const {
    std::string what = "a transfer, or a time between draws of cores,";
    if (event.what == Event::What::computed) {
        const Worker& worker = workers_[event.worker];
        what = place_text(active_[worker.sequence]->sequence, worker.held.front().place);
    }
    throw std::overflow_error(fmt::format("virtual time overflow: {} ends after 53 days", what));
}

void Simulation::refuse_stuck() const {
    std::string waits;
    std::string left;
    for (const auto& list : active_) {
        if (!list) continue;
        const program::Site& site = program_.sites[list->sequence.list().site];
        left += fmt::format("\n  tasks are left in the list {}:{}", site.file, site.line);
        const auto blocked = list->sequence.blocked();
        if (!blocked) continue;
        waits += fmt::format("\n  {} waits for {}", place_text(list->sequence, blocked->place),
                             place_text(list->sequence, blocked->missing));
        if (blocked->missing >= blocked->place) waits += ", which comes no earlier in the list";
    }
    if (!waits.empty()) throw Stuck("deadlock: none of the remaining tasks may begin" + waits);
    throw Stuck("deadlock: no core or node is left that may take the remaining tasks" + left +
                "\n  expected a later row of `workers.schedule` with cores, or a time `repaired` of a lost node");
}

void Simulation::refuse_unwritten(const Purpose& purpose, const program::TaskStep& step) const {
    const program::Site& site = program_.sites[step.site];
    throw Stuck(fmt::format("{} reads `{}` before any task has written it ({}:{}: `{}`)",
                            place_text(active_[purpose.sequence]->sequence, purpose.place),
                            lists_.records[step.operand].name, site.file, site.line, site.text));
}

record::Record run(const program::Program& program, const machine::Machine& machine, const Options& options) {
    const auto began = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    record::Record record = Simulation(program, machine, options).run();
    record.work->wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    record.work->cpu_s = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    return record;
}

}  // namespace warpfront::tasks
