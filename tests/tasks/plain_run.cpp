#include "tests/tasks/plain_run.hpp"

#include <list>

namespace warpfront::test {

namespace {

using program::TaskStep;
using Form = TaskStep::Form;
using Rule = program::Take::Rule;
using Numbers = std::vector<std::int64_t>;
using Then = std::function<void()>;

std::int64_t up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// A task of a list, written out.
struct PlainTask {
    std::uint32_t number = 0;
    Numbers indices{};
    bool exists = true;
    std::vector<std::size_t> after{};  // places
    bool taken = false;
    bool done = false;
};

struct PlainHeld {
    std::size_t place = 0;
    std::int64_t taken = 0;
    std::optional<std::int64_t> there{};  // once its records have arrived
};

struct PlainList;

struct PlainWorker {
    PlainList* list = nullptr;
    std::int64_t number = 0;
    std::uint32_t node = 0;
    std::vector<Rank> cores{};
    std::vector<PlainHeld> held{};
    std::size_t next = 0, end = 0;  // the rest of its chunk
    bool requests = false;          // for this chunk
    bool blocked = false;           // the next task of its chunk was not ready
    bool computes = false;
    std::size_t step = 0;
    std::int64_t ended = 0;  // end of its latest task
    std::int64_t writing = 0;
    std::int64_t turn = 0;  // fixed shares: of the next one
};

struct PlainList {
    const program::TaskList* list = nullptr;
    PlainWorker* parent = nullptr;  // whose task it belongs to
    std::vector<PlainTask> tasks{};
    std::int64_t in_turn = 0;
    std::list<PlainWorker> workers{};
    std::int64_t manager_free = 0;
    std::int64_t turn = -1, chunks = 0, size = 0;  // of the latest chunk: its turn, its number there, its size
    bool finished() const {
        return std::ranges::all_of(tasks, [](const PlainTask& each) { return each.done; });
    }
};

/// A channel of a server or a node: reads, writes, or both.
using ChannelKey = std::tuple<bool, std::size_t, int>;

/// A transfer; `limits` are the channels that it crosses, with their rates.
struct PlainFlow {
    double left = 0.0;  // bytes
    double rate = 0.0;
    std::map<ChannelKey, double> limits{};
    Then then{};
};

class PlainSimulation {
public:
    PlainSimulation(const program::Program& program, const machine::Machine& machine)
        : lists_(*program.tasks),
          memory_(machine.cluster_memory),
          manager_(machine.task_manager),
          numbers_(lists_),
          cores_of_(machine.placement.nodes()) {
        for (std::uint32_t rank = 0; rank < program.grid.ranks(); ++rank) {
            cores_of_[machine.placement.node_of({rank}).index].push_back({rank});
        }
        result_.compute.resize(static_cast<std::size_t>(program.grid.ranks()));
        for (const program::Task& task : lists_.tasks) result_.use.tasks.emplace_back(task.name, 0);
    }

    PlainRun run() {
        for (const std::uint32_t list : lists_.order) {
            begin_list(list, {}, nullptr);
            while (grant(), !active_.empty()) advance();
        }
        result_.finish = now_;
        return std::move(result_);
    }

private:
    // --- lists written out -------------------------------------------------------------------------------------------

    /// Returns all values of the indices, the last one fastest, each behind those around.
    std::vector<Numbers> values(const std::vector<program::TaskIndex>& indices, const Numbers& around,
                                const Numbers& bounds_at) const {
        std::vector<Numbers> all{around};
        for (const program::TaskIndex& index : indices) {
            std::vector<Numbers> longer;
            for (const Numbers& each : all) {
                for (auto k = numbers_(index.first, bounds_at); k <= numbers_(index.last, bounds_at); ++k) {
                    longer.push_back(each);
                    longer.back().push_back(k);
                }
            }
            all = std::move(longer);
        }
        return all;
    }

    /// Returns true if the subscripts, with the indices of a task, name the values from the place `from` on.
    bool names(const std::vector<program::Subscript>& subscripts, const Numbers& indices, const Numbers& named,
               std::size_t from) const {
        for (std::size_t at = 0; at < subscripts.size(); ++at) {
            const std::int64_t value = named[from + at];
            const auto& numbers = subscripts[at].numbers;
            const auto equals = [&](const program::TaskNumber& each) { return numbers_(each, indices) == value; };
            if (subscripts[at].is_range ? value < numbers_(numbers[0], indices) || value > numbers_(numbers[1], indices)
                                        : std::ranges::none_of(numbers, equals))
                return false;
        }
        return true;
    }

    void begin_list(std::uint32_t number, const Numbers& around, PlainWorker* parent) {
        auto fresh = std::make_unique<PlainList>(PlainList{&lists_.lists[number], parent});
        for (const Numbers& turn : values(fresh->list->indices, around, around)) {
            for (const std::uint32_t task : fresh->list->tasks) {
                for (const Numbers& indices : values(lists_.tasks[task].indices, turn, around)) {
                    fresh->tasks.push_back({task, indices, numbers_(lists_.tasks[task].exists, indices) != 0});
                    fresh->tasks.back().done = !fresh->tasks.back().exists;
                }
            }
            if (fresh->in_turn == 0) fresh->in_turn = std::ssize(fresh->tasks);
        }
        for (PlainTask& task : fresh->tasks) {
            for (const program::TaskCondition& condition : lists_.tasks[task.number].after) {
                for (std::size_t other = 0; other < fresh->tasks.size(); ++other) {
                    const PlainTask& named = fresh->tasks[other];
                    if (named.number == condition.task &&
                        names(condition.subscripts, task.indices, named.indices, around.size()))
                        task.after.push_back(other);
                }
            }
        }
        for (std::uint32_t node = 0; node < cores_of_.size(); ++node) {
            if (parent != nullptr && parent->node != node) continue;
            if (fresh->list->on_nodes) add_worker(*fresh, node, cores_of_[node]);
            for (const Rank core : cores_of_[node]) {
                if (!fresh->list->on_nodes) add_worker(*fresh, node, {core});
            }
        }
        active_.push_back(std::move(fresh));
    }

    static void add_worker(PlainList& list, std::uint32_t node, const std::vector<Rank>& cores) {
        list.workers.push_back({&list, std::ssize(list.workers), node, cores});
    }

    // --- workers -----------------------------------------------------------------------------------------------------

    /// Lets workers take tasks until none can, in lists within tasks first; then ends lists.
    void grant() {
        for (bool again = true; again;) {
            again = false;
            for (const bool within : {true, false}) {
                for (std::size_t k = 0; k < active_.size() && !again; ++k) {
                    PlainList& list = *active_[k];
                    if ((list.parent != nullptr) != within) continue;
                    again = grant(list);
                    if (!list.finished()) continue;
                    again = true;
                    const std::unique_ptr<PlainList> ended = std::move(active_[k]);
                    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(k));
                    if (ended->parent != nullptr) go_on(*ended->parent, 1);
                }
            }
        }
    }

    bool grant(PlainList& list) {
        bool any = false;
        for (bool again = true; again;) {
            again = false;
            for (PlainWorker& worker : list.workers) worker.blocked = worker.blocked && !is_ready(list, worker.next);
            for (PlainWorker& worker : list.workers) {
                if (worker.blocked || !has_room(worker)) continue;
                if (worker.next == worker.end && !take_chunk(worker)) continue;
                take(worker);
                again = any = true;
            }
        }
        return any;
    }

    bool has_room(const PlainWorker& worker) const {
        if (std::ssize(worker.held) > worker.list->list->ahead) return false;
        if (!worker.held.empty() && !worker.held.back().there) return false;
        if (!worker.list->list->on_nodes || !memory_.buffers) return true;
        return std::ssize(worker.held) + worker.writing < *memory_.buffers;
    }

    static bool is_ready(const PlainList& list, std::size_t place) {
        return std::ranges::all_of(list.tasks[place].after, [&](std::size_t each) { return list.tasks[each].done; });
    }

    static bool take_chunk(PlainWorker& worker) {
        PlainList& list = *worker.list;
        const std::int64_t workers = std::ssize(list.workers);
        worker.requests = true;
        if (list.list->take.rule == Rule::fixed) {
            while (list.in_turn > 0 && worker.turn * list.in_turn < std::ssize(list.tasks)) {
                const std::int64_t origin = list.in_turn * worker.turn++;
                worker.next = static_cast<std::size_t>(origin + list.in_turn * worker.number / workers);
                worker.end = static_cast<std::size_t>(origin + list.in_turn * (worker.number + 1) / workers);
                if (worker.next < worker.end) return true;
            }
            return false;
        }
        std::int64_t window = list.list->window;
        for (std::size_t place = 0; place < list.tasks.size() && window > 0; ++place) {
            if (list.tasks[place].taken || !list.tasks[place].exists) continue;
            --window;
            if (!is_ready(list, place)) continue;
            worker.next = place;
            worker.end = place + static_cast<std::size_t>(chunk_size(list, static_cast<std::int64_t>(place)));
            for (std::size_t each = place; each < worker.end; ++each) list.tasks[each].taken = true;
            return true;
        }
        return false;
    }

    static std::int64_t chunk_size(PlainList& list, std::int64_t place) {
        const std::int64_t workers = std::ssize(list.workers);
        const std::int64_t left = list.in_turn - place % list.in_turn;
        if (std::exchange(list.turn, place / list.in_turn) != place / list.in_turn) list.chunks = 0;
        const std::int64_t number = list.chunks++;
        std::int64_t size = list.list->take.chunk;
        if (list.list->take.rule == Rule::guided) size = up(left, workers);
        if (list.list->take.rule == Rule::factoring) {
            if (number % workers == 0) list.size = up(left, 2 * workers);
            size = list.size;
        }
        if (list.list->take.rule == Rule::trapezoid) {
            const std::int64_t largest = up(list.in_turn, 2 * workers);
            const std::int64_t steps = up(2 * list.in_turn, largest + 1);
            size = steps > 1 ? largest - up(number * (largest - 1), steps - 1) : largest;
        }
        return std::clamp<std::int64_t>(size, 1, left);
    }

    /// Takes the next task of the worker's chunk, if it is ready.
    void take(PlainWorker& worker) {
        PlainList& list = *worker.list;
        const auto pass_missing = [&] {
            while (worker.next < worker.end && !list.tasks[worker.next].exists) ++worker.next;
        };
        pass_missing();
        if (worker.next == worker.end) return;
        worker.blocked = !is_ready(list, worker.next);
        if (worker.blocked) return;
        const std::size_t place = worker.next++;
        pass_missing();
        worker.held.push_back({place, now_});
        std::int64_t given = now_;
        if (std::exchange(worker.requests, false)) {
            list.manager_free = std::max(list.manager_free, now_) + manager_.service.ps;
            given = (manager_.service.ps > 0 ? list.manager_free : now_) + manager_.overhead.ps;
        }
        const auto fetch = [this, &worker, place] {
            const program::Task& kind = kind_of(worker, place);
            move(worker, place, 0, kind.prefetched, [this, &worker, place] {
                std::ranges::find(worker.held, place, &PlainHeld::place)->there = now_;
                if (!worker.computes) compute(worker);
            });
        };
        given > now_ ? at(given, fetch) : fetch();
    }

    const program::Task& kind_of(const PlainWorker& worker, std::size_t place) const {
        return lists_.tasks[worker.list->tasks[place].number];
    }

    /// Computes the first task whose records have arrived, if there is one.
    void compute(PlainWorker& worker) {
        const auto has_arrived = [](const PlainHeld& held) { return held.there.has_value(); };
        const auto first = std::ranges::find_if(worker.held, has_arrived);
        if (first == worker.held.end()) return;
        std::rotate(worker.held.begin(), first, first + 1);
        worker.computes = true;
        const PlainHeld& held = worker.held.front();
        worker.step = kind_of(worker, held.place).prefetched;
        if (held.taken < worker.ended && worker.step > 0) {
            const Time margin{now_ - *held.there};
            result_.use.least_margin = std::min(result_.use.least_margin.value_or(margin), margin);
            result_.use.margins += margin;
            ++result_.use.prefetched;
        }
        go_on(worker, 0);
    }

    /// Performs the steps of the worker's task behind those that have ended just now.
    void go_on(PlainWorker& worker, std::size_t ended) {
        worker.step += ended;
        const std::size_t place = worker.held.front().place;
        const PlainTask& task = worker.list->tasks[place];
        const program::Task& kind = lists_.tasks[task.number];
        const auto next = [this, &worker] { go_on(worker, 1); };
        if (worker.step < kind.steps.size() - kind.written_behind) {
            const TaskStep& step = kind.steps[worker.step];
            if (step.form == Form::list) return begin_list(step.operand, task.indices, &worker);
            if (step.form != Form::compute) return move(worker, place, worker.step, worker.step + 1, next);
            const std::int64_t cost = numbers_(step.amount, task.indices);
            if (cost == 0) return next();
            return at(now_ + cost, [this, &worker, cost, next] {
                for (const Rank core : worker.cores) result_.compute[core.index] += cost;
                next();
            });
        }
        worker.held.erase(worker.held.begin());
        worker.computes = false;
        worker.ended = now_;
        ++worker.writing;
        move(worker, place, worker.step, kind.steps.size(), [this, &worker, place] {
            --worker.writing;
            PlainTask& written = worker.list->tasks[place];
            written.done = true;
            ++result_.use.tasks[written.number].second;
            for (const TaskStep& step : lists_.tasks[written.number].steps) {
                if (step.form == Form::write) result_.use.updates += std::ssize(items(step, written.indices));
            }
        });
        compute(worker);
    }

    // --- cluster memory ----------------------------------------------------------------------------------------------

    /// Returns the numbers of the items that a step names, and their bytes.
    std::vector<std::pair<std::size_t, std::int64_t>> items(const TaskStep& step, const Numbers& indices) const {
        std::vector<std::pair<std::size_t, std::int64_t>> named;
        const program::TaskRecord& record = lists_.records[step.operand];
        std::size_t number = 0;
        for (const Numbers& item : values(record.indices, {}, {})) {
            if (names(step.subscripts, indices, item, 0)) named.emplace_back(number, numbers_(record.bytes, item));
            ++number;
        }
        return named;
    }

    /// Moves all items of the steps from `first` up to `end` at once.
    void move(PlainWorker& worker, std::size_t place, std::size_t first, std::size_t end, const Then& then) {
        const auto pending = std::make_shared<std::size_t>(0);
        const PlainTask& task = worker.list->tasks[place];
        for (std::size_t at_step = first; at_step < end; ++at_step) {
            const TaskStep& step = lists_.tasks[task.number].steps[at_step];
            const bool reads = step.form == Form::read;
            for (const auto& [item, bytes] : items(step, task.indices)) {
                PlainFlow flow{static_cast<double>(bytes)};
                add_limits(flow, false, worker.node, memory_.node, reads);
                add_limits(flow, true, item % memory_.servers, memory_.server, reads);
                flow.then = [this, pending, then, reads, bytes = bytes] {
                    (reads ? result_.use.read : result_.use.written).count += bytes;
                    if (--*pending == 0) then();
                };
                ++*pending;
                at(now_ + memory_.latency.ps, [this, flow] {
                    progress();
                    flows_.push_back(flow);
                    share_channels();
                });
            }
        }
        if (*pending == 0) then();
    }

    static void add_limits(PlainFlow& flow, bool server, std::size_t number, const machine::DataChannel& channel,
                           bool reads) {
        const auto limit = reads ? channel.read : channel.write_limit();
        if (limit) flow.limits[{server, number, reads ? 0 : 1}] = limit->bytes_per_second;
        if (const auto both = channel.limit_of_both()) flow.limits[{server, number, 2}] = both->bytes_per_second;
    }

    /// Shares the channels max-min fairly: again and again the channel with the least for each of its flows bounds
    /// them.
    void share_channels() {
        std::map<ChannelKey, double> left;
        std::vector<PlainFlow*> open;
        for (PlainFlow& flow : flows_) {
            flow.rate = std::numeric_limits<double>::infinity();
            if (!flow.limits.empty()) open.push_back(&flow);
            left.insert(flow.limits.begin(), flow.limits.end());
        }
        while (!open.empty()) {
            std::map<ChannelKey, int> users;
            for (const PlainFlow* flow : open) {
                for (const auto& [channel, rate] : flow->limits) ++users[channel];
            }
            const auto share = [&](const auto& each) { return left[each.first] / each.second; };
            const auto least = *std::ranges::min_element(users, {}, share);
            const double rate = share(least);
            std::erase_if(open, [&](PlainFlow* flow) {
                if (!flow->limits.contains(least.first)) return false;
                flow->rate = rate;
                for (const auto& [channel, limit] : flow->limits) left[channel] -= rate;
                return true;
            });
        }
    }

    /// Moves bytes up to the present.
    void progress() {
        for (PlainFlow& flow : flows_) {
            if (now_ > since_) flow.left -= flow.rate * static_cast<double>(now_ - since_) * 1e-12;
        }
        since_ = now_;
    }

    // --- time --------------------------------------------------------------------------------------------------------

    void at(std::int64_t time, const Then& then) { events_.emplace(time, then); }

    std::int64_t end_of(const PlainFlow& flow) const {
        return since_ + (flow.left <= 0.0 ? 0 : std::llround(flow.left / flow.rate * 1e12));
    }

    /// Advances to the next moment, and ends what ends then.
    void advance() {
        std::int64_t next = events_.empty() ? std::numeric_limits<std::int64_t>::max() : events_.begin()->first;
        for (const PlainFlow& flow : flows_) next = std::min(next, end_of(flow));
        now_ = next;
        while (!events_.empty() && events_.begin()->first == now_) events_.extract(events_.begin()).mapped()();
        std::vector<Then> ended;
        std::erase_if(flows_, [&](const PlainFlow& flow) {
            if (end_of(flow) <= now_) ended.push_back(flow.then);
            return end_of(flow) <= now_;
        });
        if (ended.empty()) return;
        progress();
        share_channels();
        for (const Then& each : ended) each();
    }

    const program::TaskLists& lists_;
    machine::ClusterMemory memory_;
    machine::TaskManager manager_;
    program::TaskNumbers numbers_;
    std::vector<std::vector<Rank>> cores_of_;  // by node
    std::vector<std::unique_ptr<PlainList>> active_;
    std::multimap<std::int64_t, Then> events_;
    std::vector<PlainFlow> flows_;
    std::int64_t now_ = 0;
    std::int64_t since_ = 0;  // flows have moved up to this time
    PlainRun result_;
};

}  // namespace

PlainRun plain_run(const program::Program& program, const machine::Machine& machine) {
    return PlainSimulation(program, machine).run();
}

}  // namespace warpfront::test
