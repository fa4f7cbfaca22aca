#include "tools/from_code/learning/steps.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace warpfront::learning {

namespace {

using trace::Call;
using trace::Completion;
using trace::Event;

/// Returns the end of a loop of calls from one place that wait for any of some requests, and their completions. The
/// call for the last request is a plain wait.
std::size_t end_of_loop(const std::vector<Event>& events, std::size_t first, std::vector<Completion>& all,
                        std::set<std::uint32_t>& left) {
    std::size_t end = first;
    for (; end < events.size() && events[end].site == events[first].site; ++end) {
        const Event& event = events[end];
        const bool is_last = event.call == Call::wait && end > first && !event.freed &&
                             std::ranges::all_of(event.completed, [&left](const Completion& each) {
                                 return left.contains(each.request);
                             });
        if (event.call != Call::wait_any && !is_last) break;
        left.insert(event.among.begin(), event.among.end());
        for (const Completion& each : event.completed) left.erase(each.request);
        all.insert(all.end(), event.completed.begin(), event.completed.end());
    }
    return end;
}

/// Returns the order in which requests complete, for loops that wait for any of several requests until none is left
/// (MPI_Waitany). The order is that in which the requests began, as if messages arrived in it. The key is the index of
/// the event.
std::map<std::size_t, std::vector<Completion>> completions_in_order(const std::vector<Event>& events) {
    std::map<std::size_t, std::vector<Completion>> by_event;
    for (std::size_t first = 0; first < events.size(); ++first) {
        if (events[first].call != Call::wait_any) continue;
        std::vector<Completion> all;
        std::set<std::uint32_t> left;
        const std::size_t end = end_of_loop(events, first, all, left);
        if (!left.empty()) continue;
        std::ranges::sort(all, {}, [](const Completion& each) { return std::pair(each.received, each.request); });
        auto next = all.begin();
        for (; first < end; ++first) {
            const auto here = next + static_cast<std::ptrdiff_t>(events[first].completed.size());
            by_event[first] = {next, here};
            next = here;
        }
        --first;
    }
    return by_event;
}

/// Moves successful tests (MPI_Test, MPI_Testall) to where the code waits for the same requests if the test fails:
///
///   begin, test, other messages, wait if the test has failed
///
/// So the operations do not depend on the time. A wait in place of the test would be before the other messages, which
/// the code does not delay. A loop of tests that ends with a successful one remains: it is a wait.
class SuccessfulTests {
public:
    explicit SuccessfulTests(const trace::RecordedRun& run) : run_(run) {
        for (const trace::RecordedRank& rank : run.ranks) {
            for (const Event& event : rank.events) any_ = any_ || is_test(event);
        }
        if (!any_) return;
        for (const trace::RecordedRank& rank : run.ranks) {
            const std::map<std::uint32_t, std::uint32_t> begun = sites_of_requests(rank.events);
            for (std::size_t at = 0; at + 1 < rank.events.size(); ++at) {
                const Event& event = rank.events[at];
                if (event.call != Call::wait || event.tested || event.freed || event.site == 0) continue;
                after_[event.site].insert(rank.events[at + 1].site);
                for (const std::uint32_t site : sites_of(event, begun)) waits_[site].insert(event.site);
            }
        }
    }

    /// Returns the events of a rank with its tests moved; nothing if the run has none.
    std::optional<std::vector<Event>> moved(Rank rank) const {
        if (!any_) return std::nullopt;
        std::vector<Event> events = run_.ranks[rank.index].events;
        const std::map<std::uint32_t, std::uint32_t> begun = sites_of_requests(events);
        for (std::size_t at = 0; at + 1 < events.size();) {
            const std::optional<Place> place = is_test(events[at]) ? place_of(events, at, begun) : std::nullopt;
            if (place) move(events, at, *place);
            if (!place || place->is_wait) ++at;
        }
        return events;
    }

private:
    /// The wait of a failed test, or the event before which it would be.
    struct Place {
        std::size_t at = 0;
        bool is_wait = false;
        std::uint32_t site = 0;  // the place of the wait in the code
    };

    static bool is_test(const Event& event) { return event.tested && event.call == Call::wait && event.site != 0; }

    static std::map<std::uint32_t, std::uint32_t> sites_of_requests(const std::vector<Event>& events) {
        std::map<std::uint32_t, std::uint32_t> sites;
        for (const Event& event : events) {
            if (event.request != 0) sites[event.request] = event.site;
        }
        return sites;
    }
    static std::set<std::uint32_t> sites_of(const Event& event, const std::map<std::uint32_t, std::uint32_t>& begun) {
        std::set<std::uint32_t> sites;
        for (const Completion& each : event.completed) {
            const auto site = begun.find(each.request);
            if (site != begun.end()) sites.insert(site->second);
        }
        return sites;
    }

    /// Returns the place of the last wait that the code calls for these requests before it begins the next ones.
    std::optional<Place> place_of(const std::vector<Event>& events, std::size_t test,
                                  const std::map<std::uint32_t, std::uint32_t>& begun) const {
        const std::set<std::uint32_t> sites = sites_of(events[test], begun);
        std::set<std::uint32_t> waits;
        for (const std::uint32_t site : sites) {
            if (const auto found = waits_.find(site); found != waits_.end())
                waits.insert(found->second.begin(), found->second.end());
        }
        std::optional<Place> last;
        for (const std::uint32_t wait : waits) {
            for (std::size_t at = test + 1; at < events.size(); ++at) {
                const Event& event = events[at];
                if (event.request != 0 && sites.contains(event.site)) break;
                const bool is_wait = event.site == wait && event.call == Call::wait && !event.tested;
                if (!is_wait && !after_.at(wait).contains(event.site)) continue;
                if (!last || at > last->at) last = Place{at, is_wait, wait};
                break;
            }
        }
        return last;
    }

    /// Adds the requests of a test to its wait, or makes the test this wait.
    static void move(std::vector<Event>& events, std::size_t test, const Place& place) {
        Event& event = events[test];
        if (place.is_wait) {
            std::vector<Completion>& all = events[place.at].completed;
            all.insert(all.end(), event.completed.begin(), event.completed.end());
            event.completed.clear();
            event.call = Call::compute;
            return;
        }
        events[test + 1].work += std::exchange(event.work, Time{});
        event.site = place.site;
        event.tested = false;
        const auto begin = events.begin() + static_cast<std::ptrdiff_t>(test);
        std::rotate(begin, begin + 1, events.begin() + static_cast<std::ptrdiff_t>(place.at));
    }

    const trace::RecordedRun& run_;
    bool any_ = false;
    std::map<std::uint32_t, std::set<std::uint32_t>> waits_;  // for each call that begins requests, its waits
    std::map<std::uint32_t, std::set<std::uint32_t>> after_;  // for each wait, the calls that follow it
};

class RankReader {
public:
    /// Prepares to read one rank. At the call sites in `exchanges`, other ranks send and receive in one call.
    RankReader(const trace::RecordedRun& run, const std::vector<Event>& events, Rank own,
               const std::set<std::uint32_t>& exchanges, std::map<std::string, std::uint64_t>& refused)
        : run_(run), events_(events), own_(own), exchanges_(exchanges), refused_(refused) {}

    RankSteps read() {
        for (const Event& event : events_) {
            work_ += event.work;
            add(event);
            ++event_;
        }
        for (const auto& [request, step] : open_) {
            const char* const what = is_send(result_.steps[step].kind) ? "send" : "receive";
            ++refused_[at_place(fmt::format("a nonblocking {} for which the code never waits", what),
                                result_.steps[step].site)];
        }
        result_.work_after = work_ + run_.ranks[own_.index].work_after;
        return std::move(result_);
    }

private:
    void add(const Event& event) {
        for (const Completion& each : event.completed) note_source(each);
        if (event.any_source) return receive_any(event);
        if (is_message(event.call) && event.call != Call::sendrecv && event.peer == own_) return;
        switch (event.call) {
            case Call::send: return put(StepKind::send, event);
            case Call::ssend: return put(StepKind::ssend, event);
            case Call::isend: return begin(StepKind::isend, event);
            case Call::issend: return begin(StepKind::issend, event);
            case Call::recv:
                return exchanges_.contains(event.site) ? receive(event, event.peer, event.tag, false)
                                                       : put(StepKind::recv, event);
            case Call::irecv: return begin(StepKind::irecv, event);
            case Call::sendrecv: return exchange(event);
            case Call::wait:
            case Call::wait_any:
                if (event.freed) return note_freed(event);
                if (const auto found = in_order_.find(event_); found != in_order_.end()) {
                    return wait(event, found->second);
                }
                if (event.call == Call::wait) return wait(event, event.completed);
                for (const Completion& each : event.completed) open_.erase(each.request);
                return leave("a wait that ends before all of its requests are complete", event.site);
            case Call::collective: return collective(event);
            case Call::begin_collective: return leave("a nonblocking collective", event.site);
            case Call::compute: return;  // belongs to the computing before the next call
        }
    }

    void receive_any(const Event& event) {
        if (event.call == Call::irecv) any_source_[event.request] = result_.unsaid.size();
        leave("a receive from any source", event.site);
        // only recordings contain the sender of each message that was received
        if (event.call == Call::recv && run_.format == "recording") result_.unsaid.back().from = event.peer;
    }
    void note_source(const Completion& ended) {
        const auto found = any_source_.find(ended.request);
        if (found != any_source_.end()) result_.unsaid[found->second].from = ended.source;
    }

    static bool is_message(Call call) { return call <= Call::sendrecv; }

    Step step_of(StepKind kind, const Event& event) {
        Step step;
        step.kind = kind;
        step.peer = event.peer;
        step.tag = event.tag;
        step.bytes = event.bytes;
        step.communicator = event.communicator;
        step.site = event.site;
        step.phase = event.phase;
        step.event = event_;
        step.work = std::exchange(work_, Time{});
        return step;
    }

    void put(StepKind kind, const Event& event) { result_.steps.push_back(step_of(kind, event)); }

    void begin(StepKind kind, const Event& event) {
        open_[event.request] = static_cast<std::uint32_t>(result_.steps.size());
        put(kind, event);
    }

    void exchange(const Event& event) {
        if (event.peer == own_ && event.from == own_) return;
        if (event.from == own_) return put(StepKind::send, event);
        receive(event, event.from, event.from_tag, event.peer != own_);
    }

    /// Adds a sendrecv. A rank at a side of the process grid may only receive.
    void receive(const Event& event, Rank from, std::int32_t tag, bool and_send) {
        Step posted = step_of(StepKind::irecv, event);
        posted.peer = from;
        posted.tag = tag;
        const auto begun = static_cast<std::uint32_t>(result_.steps.size());
        result_.steps.push_back(posted);
        if (and_send) put(StepKind::send, event);
        Step wait = step_of(StepKind::wait, event);
        wait.peer = from;
        wait.tag = tag;
        wait.begun = begun;
        result_.steps.push_back(wait);
    }

    void wait(const Event& event, const std::vector<Completion>& completed) {
        std::vector<std::uint32_t> begun;
        for (const Completion& each : completed) {
            const auto found = open_.find(each.request);
            // a request of a refused collective, or a persistent one that is inactive
            if (found == open_.end()) continue;
            begun.push_back(found->second);
            open_.erase(found);
        }
        std::sort(begun.begin(), begun.end(), [this](std::uint32_t a, std::uint32_t b) {
            const bool sends_a = is_send(result_.steps[a].kind);
            const bool sends_b = is_send(result_.steps[b].kind);
            return sends_a != sends_b ? sends_a : a < b;
        });
        for (const std::uint32_t index : begun) {
            Step step = step_of(StepKind::wait, event);
            step.peer = result_.steps[index].peer;
            step.tag = result_.steps[index].tag;
            step.communicator = result_.steps[index].communicator;
            step.begun = index;
            step.joined = event.call == Call::wait && index != begun.front();
            result_.steps.push_back(step);
        }
    }

    void note_freed(const Event& event) {
        for (const Completion& each : event.completed) {
            const auto found = open_.find(each.request);
            if (found == open_.end()) continue;
            result_.freed.push_back(found->second);
            open_.erase(found);
        }
    }

    void collective(const Event& event) {
        if (run_.communicators[event.communicator].size() == 1) return;
        Step step = step_of(StepKind::collective, event);
        step.collective = event.kind;
        if (!event.shares.empty()) take_shares(step, event.shares);
        result_.steps.push_back(step);
    }

    static void take_shares(Step& step, const std::vector<Bytes>& shares) {
        double sum = 0.0;
        double squares = 0.0;
        for (const Bytes share : shares) {
            const auto bytes = static_cast<double>(share.count);
            sum += bytes;
            squares += bytes * bytes;
        }
        const auto count = static_cast<double>(shares.size());
        const double mean = sum / count;
        step.bytes = Bytes{std::llround(mean)};
        const bool differ = std::ranges::any_of(shares, [&](Bytes share) { return share != shares.front(); });
        if (differ) step.deviation = std::sqrt(std::max(0.0, squares / count - mean * mean));
    }

    std::string at_place(const std::string& what, std::uint32_t site) const {
        const trace::RecordedSite& at = run_.sites[site];
        if (!at.file.empty()) return fmt::format("{} ({}:{})", what, at.file, at.line);
        return at.function.empty() ? what : fmt::format("{} ({})", what, at.function);
    }
    void leave(const std::string& what, std::uint32_t site) {
        result_.unsaid.push_back({event_, at_place(what, site)});
    }

    const trace::RecordedRun& run_;
    const std::vector<Event>& events_;
    const Rank own_;
    const std::set<std::uint32_t>& exchanges_;
    std::map<std::string, std::uint64_t>& refused_;
    std::map<std::uint32_t, std::uint32_t> open_;  // for each open request, the step that started it
    /// for each request of a receive from any source, its index in `unsaid`
    std::map<std::uint32_t, std::size_t> any_source_;
    const std::map<std::size_t, std::vector<Completion>> in_order_ = completions_in_order(events_);
    std::uint32_t event_ = 0;
    Time work_;
    RankSteps result_;
};

/// Numbers the steps of a rank with the same key.
template <class Key>
class Ordinals {
public:
    void add(const Key& key, std::uint32_t step) { steps_[key].push_back(step); }
    std::size_t of(const Key& key, std::uint32_t step) const {
        const std::vector<std::uint32_t>& all = steps_.at(key);
        return static_cast<std::size_t>(std::ranges::lower_bound(all, step) - all.begin());
    }
    std::optional<std::uint32_t> step(const Key& key, std::size_t ordinal) const {
        const auto found = steps_.find(key);
        if (found == steps_.end() || ordinal >= found->second.size()) return std::nullopt;
        return found->second[ordinal];
    }

private:
    std::map<Key, std::vector<std::uint32_t>> steps_;
};

/// Adds waits for those sends whose requests the code drops.
class FreedSends {
public:
    FreedSends(const trace::RecordedRun& run, std::vector<RankSteps>& ranks) : run_(run), ranks_(ranks) {
        for (const RankSteps& rank : ranks) {
            sends_.emplace_back();
            receives_.emplace_back();
            meetings_.emplace_back();
            for (std::uint32_t at = 0; at < rank.steps.size(); ++at) {
                const Step& step = rank.steps[at];
                if (is_send(step.kind)) sends_.back().add(channel(step), at);
                if (is_receive(step.kind)) receives_.back().add(channel(step), at);
                if (step.kind == StepKind::collective) meetings_.back().add(step.communicator, at);
            }
        }
    }

    void place() {
        for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
            std::map<std::uint32_t, std::vector<std::uint32_t>> waits;  // waits by the step that follows them
            for (const std::uint32_t send : ranks_[rank].freed) waits[place_of(rank, send)].push_back(send);
            if (!waits.empty()) insert(ranks_[rank], waits);
        }
    }

private:
    using Channel = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;  // partner, communicator and tag
    static Channel channel(const Step& step) { return {step.peer.index, step.communicator, step.tag}; }

    /// Returns the step before which a wait takes no time: the next collective that the receiver enters after the
    /// receive.
    std::uint32_t place_of(std::uint32_t rank, std::uint32_t send) const {
        const std::vector<Step>& steps = ranks_[rank].steps;
        const auto end = static_cast<std::uint32_t>(steps.size());
        const auto& [peer, communicator, tag] = channel(steps[send]);
        const std::size_t ordinal = sends_[rank].of(channel(steps[send]), send);
        const std::optional<std::uint32_t> receive = receives_[peer].step({rank, communicator, tag}, ordinal);
        if (!receive) return end;
        for (std::uint32_t at = send + 1; at < end; ++at) {
            if (steps[at].kind != StepKind::collective) continue;
            const std::uint32_t over = steps[at].communicator;
            if (std::ranges::find(run_.communicators[over], Rank{peer}) == run_.communicators[over].end()) continue;
            const std::optional<std::uint32_t> there = meetings_[peer].step(over, meetings_[rank].of(over, at));
            if (there && *there > *receive) return at;
        }
        return end;
    }

    static void insert(RankSteps& rank, const std::map<std::uint32_t, std::vector<std::uint32_t>>& waits) {
        std::vector<Step> steps;
        std::vector<std::uint32_t> moved;  // new index of each step
        for (std::uint32_t at = 0; at <= rank.steps.size(); ++at) {
            if (const auto here = waits.find(at); here != waits.end()) {
                for (const std::uint32_t send : here->second) {
                    Step wait = rank.steps[send];
                    wait.kind = StepKind::wait;
                    wait.bytes = {};
                    wait.begun = moved[send];
                    wait.joined = send != here->second.front();
                    wait.operations = 0;
                    // the computing before the next call moves before the wait
                    wait.work = at < rank.steps.size() ? std::exchange(rank.steps[at].work, Time{}) : Time{};
                    if (at < rank.steps.size()) wait.event = rank.steps[at].event;
                    steps.push_back(wait);
                }
            }
            if (at == rank.steps.size()) break;
            moved.push_back(static_cast<std::uint32_t>(steps.size()));
            steps.push_back(rank.steps[at]);
            if (steps.back().kind == StepKind::wait) steps.back().begun = moved[steps.back().begun];
        }
        rank.steps = std::move(steps);
        rank.freed.clear();
    }

    const trace::RecordedRun& run_;
    std::vector<RankSteps>& ranks_;
    std::vector<Ordinals<Channel>> sends_;  // for each rank, as in the next member
    std::vector<Ordinals<Channel>> receives_;
    std::vector<Ordinals<std::uint32_t>> meetings_;
};

/// Gives a collective that ranks call at different places in the code the place of its last rank.
void take_common_places(const trace::RecordedRun& run, std::vector<RankSteps>& ranks) {
    std::vector<std::map<std::uint32_t, std::vector<std::uint32_t>>> sites(ranks.size());  // by rank and communicator
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        for (const Step& step : ranks[rank].steps) {
            if (step.kind == StepKind::collective) sites[rank][step.communicator].push_back(step.site);
        }
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        std::map<std::uint32_t, std::size_t> next;
        for (Step& step : ranks[rank].steps) {
            if (step.kind != StepKind::collective) continue;
            const Rank last = run.communicators[step.communicator].back();
            const std::vector<std::uint32_t>& there = sites[last.index][step.communicator];
            const std::size_t ordinal = next[step.communicator]++;
            if (ordinal < there.size()) step.site = there[ordinal];
        }
    }
}

}  // namespace

std::string in_turn_text(StepKind kind) {
    return kind == StepKind::gather_in_turn ? "a message of each rank to rank 0" : "a message of rank 0 to each rank";
}

bool contains(const Calls& calls, const trace::RecordedSite& site) {
    return calls.contains({site.file, site.line, site.function});
}

Calls exchanges_of(const std::vector<const trace::RecordedRun*>& runs) {
    Calls exchanges;
    for (const trace::RecordedRun* run : runs) {
        std::set<std::uint32_t> sites;
        for (const trace::RecordedRank& rank : run->ranks) {
            for (const Event& event : rank.events) {
                if (event.call == Call::sendrecv && event.site != 0) sites.insert(event.site);
            }
        }
        for (const std::uint32_t site : sites) {
            const trace::RecordedSite& at = run->sites[site];
            exchanges.emplace(at.file, at.line, at.function);
        }
    }
    return exchanges;
}

std::vector<RankSteps> steps_of(const trace::RecordedRun& run, const Calls& calls, std::vector<Refusal>& refused) {
    std::map<std::string, std::uint64_t> counted;
    std::set<std::uint32_t> exchanges;
    for (std::uint32_t site = 1; site < run.sites.size(); ++site) {
        if (contains(calls, run.sites[site])) exchanges.insert(site);
    }
    const SuccessfulTests tests(run);
    std::vector<RankSteps> ranks;
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        const std::optional<std::vector<Event>> moved = tests.moved(Rank{rank});
        ranks.push_back(
            RankReader(run, moved ? *moved : run.ranks[rank].events, Rank{rank}, exchanges, counted).read());
    }
    for (const auto& [what, times] : counted) refused.push_back({what, times});
    FreedSends(run, ranks).place();
    take_common_places(run, ranks);
    return ranks;
}

namespace {

/// The operations of one call site that steps cannot represent.
struct UnsaidCall {
    std::uint64_t times = 0;
    Rank rank;  // the rank of the first operation, or of the first two that differ
    const Unsaid* first = nullptr;
    const Unsaid* other = nullptr;  // another receive on the same rank, which took a message of another rank
};

/// Returns the operations by the text of their call, which contains the call site.
std::map<std::string, UnsaidCall> calls_of(const std::vector<RankSteps>& ranks) {
    std::map<std::string, UnsaidCall> calls;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        std::map<std::string, const Unsaid*> last;  // the last operation of this rank, by call
        for (const Unsaid& each : ranks[rank].unsaid) {
            UnsaidCall& call = calls[each.what];
            ++call.times;
            const Unsaid* const before = std::exchange(last[each.what], &each);
            const bool differs = before != nullptr && before->from && each.from && *before->from != *each.from;
            if (call.first == nullptr || (differs && call.other == nullptr)) {
                call.rank = Rank{rank};
                call.first = differs ? before : &each;
                call.other = differs ? &each : nullptr;
            }
        }
    }
    return calls;
}

std::string text_of(const std::string& what, const UnsaidCall& call) {
    const Unsaid& first = *call.first;
    const std::string begin = fmt::format("rank {}, operation {}: {}", call.rank.index, first.event + 1, what);
    if (call.other != nullptr) {
        return fmt::format(
            "{} takes a message of rank {}, but operation {}, from the same place in the code, takes a message of rank "
            "{}; a learnt model has no receives in the order of arrival: write a code that gives work to any free rank "
            "as a list of tasks, or replay the recording in place of a model",
            begin, first.from->index, call.other->event + 1, call.other->from->index);
    }
    if (!first.from) {
        return begin +
               "; a learnt model has no such operation: record a version of the code with the blocking call, or replay "
               "the recording in place of a model";
    }
    return fmt::format(
        "{} takes a message of rank {}, as in every execution of this call on this rank; a learnt model needs the "
        "source: pass this rank in place of MPI_ANY_SOURCE and record the code again",
        begin, first.from->index);
}

}  // namespace

std::vector<Refusal> refusals_of(const trace::RecordedRun& run, const std::vector<RankSteps>& ranks) {
    std::vector<Refusal> refused;
    for (const auto& [what, call] : calls_of(ranks)) {
        refused.push_back({fmt::format("`{}`: {}", run.name, text_of(what, call)), call.times});
    }
    return refused;
}

bool tags_do_not_matter(const std::vector<RankSteps>& ranks) {
    using Label = std::pair<std::uint32_t, std::int32_t>;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::vector<Label>, std::vector<Label>>> pairs;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        for (const Step& step : ranks[rank].steps) {
            const Label label{step.communicator, step.tag};
            if (is_send(step.kind)) pairs[{rank, step.peer.index}].first.push_back(label);
            if (is_receive(step.kind)) pairs[{step.peer.index, rank}].second.push_back(label);
        }
    }
    return std::all_of(pairs.begin(), pairs.end(),
                       [](const auto& pair) { return pair.second.first == pair.second.second; });
}

void number_tags(std::vector<RankSteps>& ranks) {
    using Label = std::pair<std::uint32_t, std::int32_t>;
    struct Pair {
        std::vector<std::pair<Label, Step*>> sent;
        std::vector<std::pair<Label, Step*>> received;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Pair> pairs;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        for (Step& step : ranks[rank].steps) {
            const Label label{step.communicator, step.tag};
            if (is_send(step.kind)) pairs[{rank, step.peer.index}].sent.emplace_back(label, &step);
            if (is_receive(step.kind)) pairs[{step.peer.index, rank}].received.emplace_back(label, &step);
        }
    }
    for (auto& [ends, pair] : pairs) {
        // for each label, the positions of the messages sent, the last position first
        std::map<Label, std::vector<std::size_t>> sent;
        for (std::size_t at = pair.sent.size(); at-- > 0;) sent[pair.sent[at].first].push_back(at);
        for (std::size_t at = 0; at < pair.received.size(); ++at) {
            std::vector<std::size_t>& open = sent[pair.received[at].first];
            if (open.empty()) continue;
            const auto later = static_cast<std::int32_t>(at) - static_cast<std::int32_t>(open.back());
            const std::int32_t tag = later >= 0 ? 2 * later : -2 * later - 1;
            pair.received[at].second->tag = tag;
            pair.sent[open.back()].second->tag = tag;
            open.pop_back();
        }
    }
    for (RankSteps& rank : ranks) {
        for (Step& step : rank.steps) {
            if (step.kind == StepKind::wait) step.tag = rank.steps[step.begun].tag;
        }
    }
}

}  // namespace warpfront::learning
