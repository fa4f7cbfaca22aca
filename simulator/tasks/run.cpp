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

#include "simulator/tasks/sequence.hpp"
#include "simulator/tasks/transfers.hpp"
#include "simulator/units/wave.hpp"

namespace warpfront::tasks {

namespace {

using program::Task;
using program::TaskLists;
using program::TaskStep;
using Form = TaskStep::Form;
using SequenceId = std::uint32_t;
using WorkerId = std::uint32_t;  // cores by rank, then nodes

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

/// A task that a worker has taken.
struct Held {
    enum class State : std::uint8_t { requested, reading, ready };
    std::int64_t place = 0;
    std::int64_t there = 0;     // ready: since when
    std::uint32_t pending = 0;  // transfers
    State state = State::requested;
    bool fetched = false;  // its records were read ahead
};

/// What a worker does: nothing, or asks, or waits for records of the task that it will compute, or computes; or it is
/// not there.
enum class Doing : std::uint8_t { nothing, asking, waiting_for_data, computing, absent };

struct Worker {
    std::vector<Held> held;  // in the order in which it took them; the first may be computed
    Chunk chunk;             // taken with an earlier one
    SequenceId sequence = kNobody;
    std::uint32_t number = 0;   // within its sequence
    std::uint32_t step = 0;     // of the task that it computes
    std::uint32_t pending = 0;  // transfers of this step
    std::uint32_t writing = 0;  // tasks
    std::int64_t since = 0;     // when `doing` began
    std::uint32_t lost = 0;     // how often; events of before are void
    Doing doing = Doing::nothing;
    bool within_task = false;  // the first of `held`
    bool asks = false;         // for a task
    bool requests = false;     // `chunk`, of which it has begun no task
};

/// A list under way.
struct UnderWay {
    UnderWay(const TaskLists& lists, const program::TaskNumbers& numbers, std::uint32_t list,
             std::vector<std::int64_t> around, std::uint32_t workers)
        : sequence(lists, numbers, list, std::move(around), workers) {}

    Sequence sequence;
    WorkerId first = 0;         // of its workers, whose numbers follow one another
    WorkerId parent = kNobody;  // the node whose task it belongs to
    std::uint64_t stream = 0;   // distinguishes the draws of its tasks from those of others
    std::int64_t manager_free = 0;
    std::int64_t turn = -1;  // the latest that has begun, where cores come and go by turns
    std::set<WorkerId> asking;
    std::map<std::int64_t, WorkerId> blocked;  // in a chunk, by its next place
    bool changed = true;
    bool exhausted = false;  // its last task was taken
};

struct Event {
    enum class What : std::uint8_t { computed, asked, transfer, changed, drawn, lost, repaired };
    std::int64_t time;
    WorkerId worker;
    What what;
    std::int64_t number = 0;  // asked: place; transfer: of announced_; changed: cores; drawn: which
    std::uint32_t lost = 0;   // computed, asked: as of the worker
    friend auto operator<=>(const Event&, const Event&) = default;
};

/// What a transfer belongs to.
struct Purpose {
    enum class What : std::uint8_t { ahead, step, behind };
    What what = What::ahead;
    WorkerId worker = 0;
    SequenceId sequence = 0;
    std::int64_t place = 0;
};

/// A transfer that has not begun to move its bytes.
struct Announced {
    Bytes bytes;
    std::array<ChannelId, 2> channels;
    Purpose purpose;
};

/// Items of a record that are there; by record.
struct Items {
    std::vector<Extent> extents;
    std::vector<bool> there;  // empty: all are
};

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a * 0x9e3779b97f4a7c15ULL + b + 1;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

class Run {
public:
    Run(const program::Program& program, const machine::Machine& machine, const Options& options)
        : program_(program),
          lists_(*program.tasks),
          machine_(machine),
          numbers_(lists_),
          compute_time_(options.noise, options.seed, static_cast<std::uint32_t>(program.grid.ranks())),
          availability_(options.availability),
          seed_(options.seed),
          poll_(options.poll),
          window_(options.timeline) {
        if (window_) {
            for (std::uint32_t rank = window_->first.index; rank <= window_->last.index; ++rank) {
                timeline_.ranks.push_back({{rank}, {}, {}, {}});
            }
        }
        lay_out();
        announce_absence();
    }

    record::Record run() {
        handle_all_of_now();  // cores that are not there from the beginning
        start_next_list();
        while (!finished_) step();
        return record();
    }

private:
    // --- the machine -------------------------------------------------------------------------------------------------

    void lay_out() {
        const machine::Placement& placement = machine_.placement;
        const auto ranks = static_cast<std::uint32_t>(program_.grid.ranks());
        std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> cores;  // node, core, rank
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            cores.emplace_back(placement.node_of({rank}).index, placement.core_of({rank}), rank);
        }
        std::ranges::sort(cores);
        first_core_.assign(placement.nodes() + 1, 0);
        for (const auto& [node, core, rank] : cores) {
            ++first_core_[node + 1];
            rank_of_.push_back({rank});
        }
        for (std::size_t node = 0; node < placement.nodes(); ++node) first_core_[node + 1] += first_core_[node];
        workers_.resize(ranks + placement.nodes());
        const machine::ClusterMemory& memory = machine_.cluster_memory;
        for (std::uint32_t server = 0; server < memory.servers; ++server)
            servers_.push_back(channels_of(memory.server));
        for (std::uint32_t node = 0; node < placement.nodes(); ++node) nodes_.push_back(channels_of(memory.node));
        for (const program::TaskRecord& each : lists_.records) {
            Items items{numbers_.extents(each.indices, {}), {}};
            std::int64_t count = 1;
            for (const Extent& extent : items.extents) count *= extent.count;
            if (!each.given) items.there.resize(static_cast<std::size_t>(count));
            records_.push_back(std::move(items));
        }
    }

    void announce_absence() {
        using What = Event::What;
        const std::uint32_t nodes = machine_.placement.nodes();
        there_.resize(nodes);
        offered_.resize(nodes);
        for (std::uint32_t node = 0; node < nodes; ++node) {
            there_[node] = offered_[node] = first_core_[node + 1] - first_core_[node];
        }
        gone_.resize(nodes);
        for (const variation::CoresChange& each : availability_.changes) {
            events_.push({each.at.ps, cores() + each.node.index, What::changed, each.cores});
        }
        if (availability_.drawn) events_.push({0, cores(), What::drawn});
        for (const variation::LostNode& each : availability_.lost) {
            events_.push({each.at.ps, cores() + each.node.index, What::lost});
            if (!each.repaired) continue;
            events_.push({each.at.ps + each.repaired->ps, cores() + each.node.index, What::repaired});
        }
    }

    struct Channels {
        ChannelId read = kNoChannel, write = kNoChannel;
    };
    Channels channels_of(const machine::DataChannel& channel) {
        Channels channels;
        if (channel.read) channels.read = transfers_.add_channel(channel.read->bytes_per_second);
        channels.write = channel.shared  ? channels.read
                         : channel.write ? transfers_.add_channel(channel.write->bytes_per_second)
                                         : kNoChannel;
        return channels;
    }

    std::uint32_t cores() const { return static_cast<std::uint32_t>(rank_of_.size()); }
    bool is_node(WorkerId worker) const { return worker >= cores(); }
    std::uint32_t node_of(WorkerId worker) const {
        if (is_node(worker)) return worker - cores();
        return static_cast<std::uint32_t>(std::ranges::upper_bound(first_core_, worker) - first_core_.begin()) - 1;
    }
    std::uint32_t cores_of(WorkerId worker) const {
        if (!is_node(worker)) return 1;
        const std::uint32_t node = worker - cores();
        return first_core_[node + 1] - first_core_[node];
    }
    Rank rank_of(WorkerId worker) const { return rank_of_[is_node(worker) ? first_core_[worker - cores()] : worker]; }

    // --- where time goes ---------------------------------------------------------------------------------------------

    /// The worker has done what it does until now, and begins `next`. What it did nothing for, its end decides.
    void account(WorkerId id, Doing next, bool list_ended = false) {
        Worker& worker = workers_[id];
        const WideTime spent{Wide{now_ - worker.since} * cores_of(id)};
        switch (worker.doing) {
            case Doing::nothing: (list_ended ? use_.cores.no_task : use_.cores.conditions) += spent; break;
            case Doing::asking: use_.cores.manager += spent; break;
            case Doing::waiting_for_data: use_.cores.data += spent; break;
            case Doing::computing: use_.cores.compute += spent; break;
            case Doing::absent: use_.cores.absent += spent; break;
        }
        if (worker.doing == Doing::computing) computed_of(id, spent);
        if (window_) draw_spans(id, worker);
        worker.since = now_;
        worker.doing = next;
    }

    /// What the worker did since it began to, of each of its cores that the timeline has.
    void draw_spans(WorkerId id, const Worker& worker) {
        const Time begin = std::max(Time{worker.since}, window_->from);
        const Time end = window_->until ? std::min(Time{now_}, *window_->until) : Time{now_};
        if (begin >= end || timeline_.cut || worker.sequence == kNobody) return;
        record::Span span{begin, end, record::Activity::wait, 0};
        const Sequence& sequence = under_way_[worker.sequence]->sequence;
        span.site = sequence.list().site;
        if (worker.doing == Doing::computing) {
            span.activity = record::Activity::compute;
            span.site = lists_.tasks[sequence.task_number(worker.held.front().place)].site;
        }
        const WorkerId first = is_node(id) ? first_core_[node_of(id)] : id;
        for (WorkerId core = first; core < first + cores_of(id); ++core) {
            const Rank rank = rank_of_[core];
            if (rank < window_->first || rank > window_->last) continue;
            std::vector<record::Span>& spans = timeline_.ranks[rank.index - window_->first.index].spans;
            const bool goes_on = !spans.empty() && spans.back().activity == span.activity &&
                                 span.activity == record::Activity::wait && spans.back().site == span.site;
            if (goes_on) {
                spans.back().end = span.end;
            } else if (++spans_ <= window_->most_spans) {
                spans.push_back(span);
            } else {
                timeline_.cut = begin;
            }
        }
    }

    /// Where there were too many spans, those of all cores end with the first that was left out.
    record::Timeline timeline() {
        if (!timeline_.cut) return std::move(timeline_);
        for (record::RankTimeline& each : timeline_.ranks) {
            std::erase_if(each.spans, [&](const record::Span& span) { return span.begin >= *timeline_.cut; });
            if (!each.spans.empty()) each.spans.back().end = std::min(each.spans.back().end, *timeline_.cut);
        }
        return std::move(timeline_);
    }

    void computed_of(WorkerId id, WideTime spent) {
        if (!is_node(id)) {
            compute_of_[id] += spent;
            return;
        }
        const std::uint32_t node = id - cores();
        for (std::uint32_t core = first_core_[node]; core < first_core_[node + 1]; ++core) {
            compute_of_[core] += {spent.ps / cores_of(id)};
        }
    }

    /// What a worker does that computes nothing now.
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
        std::uint32_t count = cores();
        if (lists_.lists[list].on_nodes) {
            first = cores();
            count = machine_.placement.nodes();
        } else if (parent != kNobody) {
            first = first_core_[parent - cores()];
            count = cores_of(parent);
        }
        const SequenceId id = free_.empty() ? static_cast<SequenceId>(under_way_.size()) : free_.back();
        if (free_.empty()) {
            under_way_.emplace_back();
        } else {
            free_.pop_back();
        }
        auto& fresh = under_way_[id];
        fresh = std::make_unique<UnderWay>(lists_, numbers_, list, std::move(around), count);
        fresh->first = first;
        fresh->parent = parent;
        fresh->stream = mixed(stream, list + 1);
        fresh->manager_free = now_;
        for (std::uint32_t number = 0; number < count; ++number) {
            Worker& worker = workers_[first + number];
            worker.sequence = id;
            worker.number = number;
            worker.since = now_;
            worker.doing = is_there(first + number) ? Doing::nothing : Doing::absent;
            worker.asks = worker.doing == Doing::nothing;
            if (worker.asks) fresh->asking.insert(fresh->asking.end(), first + number);
        }
        changed_.insert(id);
        fresh->changed = true;
    }

    void end_list(SequenceId id) {
        UnderWay& ended = *under_way_[id];
        const WorkerId parent = ended.parent;
        for (std::uint32_t number = 0; number < ended.sequence.workers(); ++number) {
            Worker& worker = workers_[ended.first + number];
            account(ended.first + number, Doing::nothing, true);
            worker.chunk = {};  // places without a task
            worker.asks = false;
            worker.sequence = kNobody;
        }
        under_way_[id].reset();
        free_.push_back(id);
        if (parent == kNobody) return start_next_list();
        workers_[parent].since = now_;  // its cores have accounted for the list
        ++workers_[parent].step;
        go_on(parent);
    }

    void change(SequenceId id) {
        UnderWay& list = *under_way_[id];
        if (std::exchange(list.changed, true)) return;
        changed_.insert(id);
    }

    /// Lets the workers of changed lists take what may begin.
    void grant() {
        while (!changed_.empty() && !finished_) {
            const SequenceId id = *changed_.begin();
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
                    const auto chunk = list.sequence.take(workers_[worker].number);
                    if (!chunk) {
                        ++each;
                        continue;
                    }
                    workers_[worker].chunk = *chunk;
                    workers_[worker].requests = true;
                }
                list.asking.erase(each);
                take(list, worker);
                granted = true;
                each = list.asking.upper_bound(worker);
            }
            if (!granted) return;
        }
    }

    /// Whoever has waited for conditions until the last task was taken waits for the end of the list from now on.
    void note_exhaustion(UnderWay& list) {
        if (list.exhausted || !list.sequence.exhausted()) return;
        list.exhausted = true;
        for (std::uint32_t number = 0; number < list.sequence.workers(); ++number) {
            if (workers_[list.first + number].doing == Doing::nothing) account(list.first + number, Doing::nothing);
        }
    }

    // --- absence -----------------------------------------------------------------------------------------------------

    bool is_there(WorkerId id) const {
        const std::uint32_t node = node_of(id);
        return gone_[node] == 0 && (is_node(id) || id - first_core_[node] < there_[node]);
    }

    /// Where a turn of a list for cores begins, these are as many as are offered. Whether it is so.
    bool begins_turn(UnderWay& list) {
        if (list.sequence.list().on_nodes) return false;
        const auto turn = list.sequence.next_turn();
        if (!turn || *turn <= list.turn) return false;
        const std::uint32_t first = node_of(list.first);
        const std::uint32_t last = node_of(list.first + list.sequence.workers() - 1);
        std::uint32_t all = 0;
        for (std::uint32_t node = first; node <= last; ++node) {
            set_there(node, offered_[node]);
            all += there_[node];
        }
        if (all > 0) list.turn = *turn;
        return true;
    }

    void offer(std::uint32_t node, std::uint32_t count) {
        offered_[node] = std::min(count, first_core_[node + 1] - first_core_[node]);
        if (!availability_.by_turn || there_[node] == 0) set_there(node, offered_[node]);
    }

    void set_there(std::uint32_t node, std::uint32_t count) {
        const std::uint32_t before = std::exchange(there_[node], count);
        for (std::uint32_t core = std::min(before, count); core < std::max(before, count); ++core) {
            come_or_go(first_core_[node] + core);
        }
    }

    /// A worker that is there now asks for a task; one that is not ends those that it has taken.
    void come_or_go(WorkerId id) {
        Worker& worker = workers_[id];
        if (worker.sequence == kNobody) return;
        if (is_there(id)) {
            if (worker.doing == Doing::absent) account(id, Doing::nothing);
            return ask(id);
        }
        if (!worker.asks || !worker.chunk.empty()) return;  // once it asks again
        under_way_[worker.sequence]->asking.erase(id);
        worker.asks = false;
        if (worker.held.empty()) account(id, Doing::absent);
    }

    void draw(std::int64_t number) {
        const variation::DrawnCores& drawn = *availability_.drawn;
        for (std::uint32_t node = 0; node < machine_.placement.nodes(); ++node) {
            offer(node, drawn.number(seed_, Node{node}, static_cast<std::uint64_t>(number)));
        }
        later(drawn.every, {0, cores(), Event::What::drawn, number + 1});
    }

    /// What the node has taken goes back to where it came from.
    void lose(std::uint32_t node) {
        if (gone_[node]++ > 0) return;
        const WorkerId id = cores() + node;
        stop_transfers(id);
        for (SequenceId each = 0; each < under_way_.size(); ++each) {
            if (under_way_[each] && under_way_[each]->parent == id) drop_list(each);
        }
        give_up(id);
        for (WorkerId core = first_core_[node]; core < first_core_[node + 1]; ++core) give_up(core);
    }

    /// The list of a task that is lost: what its cores did is not done.
    void drop_list(SequenceId id) {
        const UnderWay& dropped = *under_way_[id];
        for (std::uint32_t number = 0; number < dropped.sequence.workers(); ++number) {
            Worker& worker = workers_[dropped.first + number];
            account(dropped.first + number, Doing::nothing);
            worker.held.clear();
            worker.chunk = {};
            worker.within_task = worker.asks = false;
            worker.sequence = kNobody;
            ++worker.lost;
        }
        workers_[dropped.parent].since = now_;  // its cores have accounted for the list
        changed_.erase(id);
        under_way_[id].reset();
        free_.push_back(id);
    }

    void give_up(WorkerId id) {
        Worker& worker = workers_[id];
        ++worker.lost;
        if (worker.sequence == kNobody) return;
        UnderWay& list = *under_way_[worker.sequence];
        account(id, Doing::absent);
        for (const Held& held : worker.held) list.sequence.give_back(held.place);
        for (; !worker.chunk.empty(); ++worker.chunk.next) list.sequence.give_back(worker.chunk.next);
        std::erase_if(list.blocked, [&](const auto& each) { return each.second == id; });
        worker.held.clear();
        worker.within_task = worker.asks = false;
        worker.pending = worker.writing = 0;
        list.asking.erase(id);
        change(worker.sequence);
    }

    /// Ends those of the node and its cores; tasks whose records were being written go back too.
    void stop_transfers(WorkerId id) {
        const std::uint32_t node = node_of(id);
        std::set<std::pair<SequenceId, std::int64_t>> unwritten;
        const auto is_lost = [&](const Purpose& purpose) {
            if (node_of(purpose.worker) != node) return false;
            if (purpose.what == Purpose::What::behind) unwritten.emplace(purpose.sequence, purpose.place);
            return true;
        };
        std::erase_if(announced_, [&](const auto& each) { return is_lost(each.second.purpose); });
        std::vector<TransferId> aborted;
        for (const auto& [transfer, purpose] : moving_) {
            if (is_lost(purpose)) aborted.push_back(transfer);
        }
        transfers_.abort(now_, aborted);
        for (const TransferId transfer : aborted) moving_.erase(transfer);
        for (const auto& each : unwritten) {
            writing_.erase(each);
            under_way_[each.first]->sequence.give_back(each.second);
            change(each.first);
        }
    }

    void repair(std::uint32_t node) {
        if (--gone_[node] > 0) return;
        come_or_go(cores() + node);
        for (WorkerId core = first_core_[node]; core < first_core_[node + 1]; ++core) {
            if (is_there(core)) come_or_go(core);
        }
    }

    // --- workers -----------------------------------------------------------------------------------------------------

    /// A worker that has room for another task asks for one.
    void ask(WorkerId id) {
        Worker& worker = workers_[id];
        UnderWay& list = *under_way_[worker.sequence];
        if (worker.asks) return;
        if (!is_there(id) && worker.chunk.empty()) {
            if (worker.held.empty()) account(id, Doing::absent);
            return;
        }
        if (!has_room(id, list)) return;
        worker.asks = true;
        list.asking.insert(id);
        change(worker.sequence);
    }

    bool has_room(WorkerId id, const UnderWay& list) const {
        const Worker& worker = workers_[id];
        const auto held = static_cast<std::int64_t>(worker.held.size());
        if (held > list.sequence.list().ahead) return false;
        if (held > 0 && worker.held.back().state != Held::State::ready) return false;  // one after another is fetched
        const auto& buffers = machine_.cluster_memory.buffers;
        return !is_node(id) || !buffers || held + worker.writing < *buffers;
    }

    /// The next place of the worker's chunk, which it has just been given, or asks for.
    void take(UnderWay& list, WorkerId who) {
        poll();  // tasks without work make no events
        Worker& worker = workers_[who];
        Sequence& sequence = list.sequence;
        while (!worker.chunk.empty() && !sequence.exists(worker.chunk.next)) {
            sequence.done(worker.chunk.next++);
            change(worker.sequence);
        }
        worker.asks = false;
        if (worker.chunk.empty()) return ask(who);
        if (!sequence.ready(worker.chunk.next)) {
            worker.asks = true;
            list.blocked.emplace(worker.chunk.next, who);
            return;
        }
        const std::int64_t place = worker.chunk.next++;
        const bool requests = std::exchange(worker.requests, false);
        worker.held.push_back({place, 0, 0, Held::State::requested, worker.within_task});
        std::int64_t given = now_;
        const machine::TaskManager& manager = machine_.task_manager;
        if (requests && manager.service.ps > 0) {
            list.manager_free = std::max(list.manager_free, now_) + manager.service.ps;
            given = list.manager_free;
        }
        if (requests) given += manager.overhead.ps;
        if (given > now_) {
            if (!worker.within_task) idle(who);
            events_.push({given, who, Event::What::asked, place, worker.lost});
        } else {
            fetch(who, place);
        }
    }

    /// The worker reads the records of a task that it has taken.
    void fetch(WorkerId who, std::int64_t place) {
        Worker& worker = workers_[who];
        const UnderWay& list = *under_way_[worker.sequence];
        const Task& task = list.sequence.task(place, indices_);
        Held& held = held_of(worker, place);
        held.state = Held::State::reading;
        for (std::uint32_t step = 0; step < task.prefetched; ++step) {
            held.pending += transfer(task.steps[step], {Purpose::What::ahead, who, worker.sequence, place});
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

    /// Computes the first task whose records are there, if there is one.
    void compute(WorkerId who) {
        Worker& worker = workers_[who];
        const auto first = std::ranges::find(worker.held, Held::State::ready, &Held::state);
        if (first == worker.held.end()) return idle(who);
        std::rotate(worker.held.begin(), first, first + 1);
        const Held& held = worker.held.front();
        account(who, Doing::computing);
        worker.within_task = true;
        const Task& task = lists_.tasks[under_way_[worker.sequence]->sequence.task_number(held.place)];
        worker.step = task.prefetched;
        if (held.fetched && task.prefetched > 0) {
            const Time margin{now_ - held.there};
            use_.least_margin = use_.least_margin ? std::min(*use_.least_margin, margin) : margin;
            use_.margins += margin;
            ++use_.prefetched;
        }
        go_on(who);
    }

    /// The next step of the task that the worker computes.
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
                return begin_list(step.operand, indices_, who, mixed(list.stream, static_cast<std::uint64_t>(place)));
            }
            if (step.form == Form::compute) {
                const Time cost = cost_of(who, list, place, step);
                if (cost.ps == 0) continue;
                later(cost, {0, who, Event::What::computed, 0, worker.lost});
                return;
            }
            worker.pending = transfer(step, {Purpose::What::step, who, worker.sequence, place});
            if (worker.pending > 0) return account(who, Doing::waiting_for_data);
        }
        finish(who, list, task, place);
    }

    Time cost_of(WorkerId who, const UnderWay& list, std::int64_t place, const TaskStep& step) {
        const Time nominal{numbers_(step.amount, indices_)};
        const std::uint64_t stream =
            mixed(list.stream, static_cast<std::uint64_t>(place)) & ((std::uint64_t{1} << kWaveBits) - 1);
        return compute_time_(rank_of(who), stream, workers_[who].step, nominal, Time{now_});
    }

    void later(Time delay, Event event) {
        event.time = now_ + delay.ps;
        if (event.time > kHorizon.ps) throw std::overflow_error("virtual time overflow: a task ends after 53 days");
        events_.push(event);
    }

    /// The task computes no more: what it writes leaves, and the worker goes on.
    void finish(WorkerId who, UnderWay& list, const Task& task, std::int64_t place) {
        Worker& worker = workers_[who];
        worker.held.erase(worker.held.begin());
        worker.within_task = false;
        std::uint32_t pending = 0;
        for (std::size_t step = task.steps.size() - task.written_behind; step < task.steps.size(); ++step) {
            pending += transfer(task.steps[step], {Purpose::What::behind, who, worker.sequence, place});
        }
        if (pending > 0) {
            ++worker.writing;
            writing_.emplace(std::pair(worker.sequence, place), pending);
        } else {
            complete(list, task, place);
        }
        change(worker.sequence);
        compute(who);
        ask(who);
    }

    void complete(UnderWay& list, const Task& task, std::int64_t place) {
        ++tasks_done_[list.sequence.task_number(place)];
        if (task.written_behind > 0 || writes_within(task)) {
            const Task& written = list.sequence.task(place, indices_);
            for (const TaskStep& step : written.steps) {
                if (step.form != Form::write) continue;
                visit_items(step, [&](std::size_t item) {
                    ++use_.updates;
                    if (!records_[step.operand].there.empty()) records_[step.operand].there[item] = true;
                });
            }
        }
        list.sequence.done(place);
    }

    static bool writes_within(const Task& task) {
        return std::ranges::any_of(task.steps, [](const TaskStep& step) { return step.form == Form::write; });
    }

    // --- cluster memory ----------------------------------------------------------------------------------------------

    /// Calls `visit` with the number of each item that the step reads or writes.
    template <class Visit>
    void visit_items(const TaskStep& step, const Visit& visit) {
        const Items& items = records_[step.operand];
        std::vector<std::vector<std::int64_t>> values;
        for (std::size_t at = 0; at < step.subscripts.size(); ++at) {
            values.emplace_back();
            const program::Subscript& subscript = step.subscripts[at];
            const Extent& extent = items.extents[at];
            const auto add = [&](std::int64_t value) {
                if (value >= extent.first && value < extent.first + extent.count) {
                    values.back().push_back(value - extent.first);
                }
            };
            if (subscript.is_range) {
                const std::int64_t first = std::max(numbers_(subscript.numbers[0], indices_), extent.first);
                const std::int64_t last =
                    std::min(numbers_(subscript.numbers[1], indices_), extent.first + extent.count - 1);
                for (std::int64_t value = first; value <= last; ++value) add(value);
            } else {
                for (const program::TaskNumber& number : subscript.numbers) add(numbers_(number, indices_));
            }
        }
        visit_product(values, 0, 0, items, visit);
    }

    template <class Visit>
    static void visit_product(const std::vector<std::vector<std::int64_t>>& values, std::size_t at, std::int64_t item,
                              const Items& items, const Visit& visit) {
        if (at == values.size()) return visit(static_cast<std::size_t>(item));
        for (const std::int64_t value : values[at]) {
            visit_product(values, at + 1, item * items.extents[at].count + value, items, visit);
        }
    }

    /// Announces a transfer for each item of the step; `indices_` are those of its task.
    std::uint32_t transfer(const TaskStep& step, const Purpose& purpose) {
        const bool reads = step.form == Form::read;
        const Items& items = records_[step.operand];
        const program::TaskRecord& record = lists_.records[step.operand];
        std::uint32_t count = 0;
        visit_items(step, [&](std::size_t item) {
            if (reads && !items.there.empty() && !items.there[item]) refuse_unwritten(record, purpose, step);
            const Bytes bytes{numbers_(record.bytes, item_indices(items, item))};
            (reads ? use_.read : use_.written).count += bytes.count;
            const Channels& server = servers_[item % servers_.size()];
            const Channels& node = nodes_[node_of(purpose.worker)];
            announced_.emplace(
                next_announced_,
                Announced{bytes, reads ? std::array{server.read, node.read} : std::array{server.write, node.write},
                          purpose});
            later(machine_.cluster_memory.latency, {0, purpose.worker, Event::What::transfer, next_announced_++});
            ++count;
        });
        return count;
    }

    std::vector<std::int64_t> item_indices(const Items& items, std::size_t item) const {
        std::vector<std::int64_t> indices(items.extents.size());
        auto rest = static_cast<std::int64_t>(item);
        for (std::size_t at = indices.size(); at-- > 0;) {
            indices[at] = items.extents[at].first + rest % items.extents[at].count;
            rest /= items.extents[at].count;
        }
        return indices;
    }

    void transferred(const Purpose& purpose) {
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
        UnderWay& list = *under_way_[purpose.sequence];
        complete(list, lists_.tasks[list.sequence.task_number(purpose.place)], purpose.place);
        change(purpose.sequence);
        ask(purpose.worker);
    }

    // --- time --------------------------------------------------------------------------------------------------------

    void step() {
        grant();
        if (finished_) return;
        const auto transfer = transfers_.next_end();
        if (transfer) only_drawn_ = 0;
        constexpr std::int64_t kMostDraws = 100'000;
        if ((events_.empty() && !transfer) || ++only_drawn_ > kMostDraws) refuse_stuck();
        const std::int64_t next =
            std::min(events_.empty() ? kHorizon.ps : events_.top().time, transfer.value_or(kHorizon.ps));
        if (next >= kHorizon.ps) throw std::overflow_error("virtual time overflow: a transfer ends after 53 days");
        now_ = next;
        handle_all_of_now();
        if (transfers_.next_end() != now_) return;
        for (const TransferId id : transfers_.end(now_)) {
            const auto found = moving_.find(id);
            const Purpose purpose = found->second;
            moving_.erase(found);
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
        if (!poll_ || ++polls_ % kBetweenPolls != 0) return;
        const auto outermost = std::ranges::find_if(
            under_way_, [](const auto& list) { return list != nullptr && list->parent == kNobody; });
        if (outermost == under_way_.end()) return;
        poll_({Time{now_}, (*outermost)->sequence.front(), (*outermost)->sequence.places()});
    }

    void handle(const Event& event) {
        poll();
        const bool is_void = event.lost != workers_[event.worker].lost;
        switch (event.what) {
            case Event::What::computed:
                if (is_void) return;
                ++workers_[event.worker].step;
                return go_on(event.worker);
            case Event::What::asked:
                if (is_void) return;
                return fetch(event.worker, event.number);
            case Event::What::transfer: return begin_transfer(event.number);
            case Event::What::changed: return offer(event.worker - cores(), static_cast<std::uint32_t>(event.number));
            case Event::What::drawn: return draw(event.number);
            case Event::What::lost: return lose(event.worker - cores());
            case Event::What::repaired: return repair(event.worker - cores());
        }
    }

    void begin_transfer(std::int64_t number) {
        const auto found = announced_.find(number);
        if (found == announced_.end()) return;  // of a node that was lost
        moving_.emplace(transfers_.begin(now_, found->second.bytes, found->second.channels), found->second.purpose);
        announced_.erase(found);
    }

    // --- what is said ------------------------------------------------------------------------------------------------

    std::string place_text(const Sequence& sequence, std::int64_t place) const {
        std::vector<std::int64_t> indices;
        const Task& task = sequence.task(place, indices);
        std::string name = task.name.empty() ? "a task" : fmt::format("task {}", task.name);
        if (!indices.empty()) name += fmt::format("[{}]", fmt::join(indices, ", "));
        const program::Site& site = program_.sites[task.site];
        return fmt::format("{} ({}:{})", name, site.file, site.line);
    }

    [[noreturn]] void refuse_stuck() const {
        std::string text = "deadlock: no task may begin, or nobody is there to take one";
        for (const auto& list : under_way_) {
            if (!list) continue;
            const auto blocked = list->sequence.blocked();
            if (!blocked) continue;
            text += fmt::format("\n  {} waits for {}", place_text(list->sequence, blocked->place),
                                place_text(list->sequence, blocked->missing));
            if (blocked->missing >= blocked->place) text += ", which comes no earlier in the list";
        }
        throw Stuck(text);
    }

    [[noreturn]] void refuse_unwritten(const program::TaskRecord& record, const Purpose& purpose,
                                       const TaskStep& step) const {
        const program::Site& site = program_.sites[step.site];
        throw Stuck(fmt::format("{} reads `{}` before anything has written it ({}:{}: `{}`)",
                                place_text(under_way_[purpose.sequence]->sequence, purpose.place), record.name,
                                site.file, site.line, site.text));
    }

    record::Record record() {
        record::Record record;
        record.engine = "event";
        record.finish = Time{now_};
        record.iterations = {{record.finish, 1}};
        for (std::size_t task = 0; task < lists_.tasks.size(); ++task) {
            use_.tasks.emplace_back(lists_.tasks[task].name, tasks_done_[task]);
        }
        for (const Channels& each : servers_) use_.server_load = std::max(use_.server_load, load(each));
        for (const Channels& each : nodes_) use_.node_load = std::max(use_.node_load, load(each));
        record.rank_finish.assign(cores(), record.finish);
        record.rank_breakdown.resize(cores());
        for (std::uint32_t core = 0; core < cores(); ++core) {
            record::Breakdown& breakdown = record.rank_breakdown[rank_of_[core].index];
            breakdown.compute = compute_of_[core];
            breakdown.wait = record.finish - compute_of_[core];
        }
        record.last = Rank{0};
        record.breakdown = record.rank_breakdown.front();
        record.tasks = use_;
        if (window_) record.timeline = timeline();
        record::Work work;
        work.events = stepped_;
        record.work = work;
        return record;
    }

    double load(const Channels& channels) const {
        double most = 0.0;
        for (const ChannelId each : {channels.read, channels.write}) {
            if (each == kNoChannel || now_ == 0) continue;
            most = std::max(most, transfers_.moved(each) / transfers_.rate(each) / (static_cast<double>(now_) * 1e-12));
        }
        return most;
    }

    const program::Program& program_;
    const TaskLists& lists_;
    const machine::Machine& machine_;
    program::TaskNumbers numbers_;
    variation::ComputeTime compute_time_;
    variation::Availability availability_;
    Seed seed_;
    std::function<void(const Progress&)> poll_;
    std::uint64_t polls_ = 0;
    std::optional<record::TimelineWindow> window_;
    record::Timeline timeline_;
    std::size_t spans_ = 0;
    std::vector<std::uint32_t> offered_;     // cores, by node
    std::vector<std::uint32_t> there_;       // likewise, unless the node is lost
    std::vector<std::uint32_t> gone_;        // by node: how often it is lost and not repaired
    std::int64_t only_drawn_ = 0;            // draws of cores between which nothing else happened
    std::vector<std::uint32_t> first_core_;  // by node, and one beyond
    std::vector<Rank> rank_of_;              // by core
    std::vector<Channels> servers_, nodes_;
    std::vector<Items> records_;
    Transfers transfers_;

    std::int64_t now_ = 0;
    bool finished_ = false;
    std::size_t next_list_ = 0;
    std::vector<Worker> workers_;
    std::vector<std::unique_ptr<UnderWay>> under_way_;
    std::vector<SequenceId> free_;
    std::set<SequenceId> changed_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::map<std::int64_t, Announced> announced_;
    std::int64_t next_announced_ = 0;
    std::map<TransferId, Purpose> moving_;
    std::map<std::pair<SequenceId, std::int64_t>, std::uint32_t> writing_;  // transfers that a task has to wait for
    std::vector<std::int64_t> indices_;                                     // of the task at hand

    std::uint64_t stepped_ = 0;
    record::TaskUse use_;
    std::vector<std::int64_t> tasks_done_ = std::vector<std::int64_t>(lists_.tasks.size());
    std::vector<WideTime> compute_of_ = std::vector<WideTime>(program_.grid.ranks());
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
