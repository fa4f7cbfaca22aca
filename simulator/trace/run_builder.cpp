#include "simulator/trace/run_builder.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/trace/expanded_trace.hpp"

namespace warpfront::trace {

namespace {

constexpr std::uint64_t kMostListed = 100'000'000;  // requests and shares that the events of one rank list

}  // namespace

RunBuilder::RunBuilder(const std::filesystem::path& path, std::string format, const SourceRange& mentioned_at,
                       const TakeRank& take)
    : mentioned_at_(mentioned_at), take_(take) {
    run.name = path.string();
    run.format = std::move(format);
    run.place = (path / "*").string();
    run.sites.emplace_back();
    run.phases.emplace_back();
}

void RunBuilder::set_ranks(std::uint32_t ranks) {
    std::vector<Rank> world;
    for (std::uint32_t each = 0; each < ranks; ++each) world.push_back({each});
    numbers_[{world, 0}] = 0;
    run.communicators.push_back(std::move(world));
    run.communicator_names.emplace_back("world");
}

std::optional<std::uint32_t> RunBuilder::communicator(const std::vector<Rank>& members, std::uint32_t earlier,
                                                      std::string name) {
    const auto number = static_cast<std::uint32_t>(run.communicators.size());
    const auto [known, is_new] = numbers_.try_emplace({members, earlier}, number);
    if (!is_new) return known->second;
    const std::set<Rank> different(members.begin(), members.end());
    if (members.empty() || different.size() < members.size() || different.rbegin()->index >= ranks()) {
        numbers_.erase(known);
        return std::nullopt;
    }
    run.communicators.push_back(members);
    run.communicator_names.push_back(name.empty() ? fmt::format("communicator {}", number) : std::move(name));
    return number;
}

std::optional<Rank> RunBuilder::member(std::uint32_t communicator, std::int64_t number) const {
    const std::vector<Rank>& members = run.communicators[communicator];
    if (number < 0 || static_cast<std::uint64_t>(number) >= members.size()) return std::nullopt;
    return members[static_cast<std::size_t>(number)];
}

void RunBuilder::unread(std::string call, std::string why, bool refused, std::uint32_t at, std::uint64_t times) {
    const Unread first{call, 0, why, refused, rank_, rank.events.size(), at};
    unread_.try_emplace({std::move(call), std::move(why), refused}, first).first->second.times += times;
}

void RunBuilder::pass(Time begin, Time end, std::optional<Time> busy) {
    const Time gap = std::max(begin - own_.end, Time{});
    own_.work += std::min(gap, busy.value_or(gap));
    own_.begin = begin;
    own_.end = std::max(own_.end, end);
}

void RunBuilder::start() {
    own_.work = {};
    own_.start = own_.end;
}

void RunBuilder::stop() {
    if (std::exchange(own_.stopped, true)) return;
    for (const auto& [handle, each] : own_.requests) {
        const bool sends = each.event.call == Call::isend || each.event.call == Call::issend;
        if (each.current == 0 || !each.exists || !sends) continue;
        left_out("MPI_Isend without a wait", "the send is waited for at the end of the run");
        own_.freed.push_back({each.current, false, {}, 0, {}});
    }
    if (!own_.freed.empty()) {
        Event wait = event(Call::wait);
        wait.freed = true;
        wait.completed = std::move(own_.freed);
        put(std::move(wait));
    }
    rank.work_after = std::exchange(own_.work, Time{});
}

Event RunBuilder::event(Call call) const {
    Event event;
    event.call = call;
    event.site = site;
    event.phase = phase;
    event.begin = std::max(own_.begin - own_.start, Time{});
    event.end = std::max(own_.end - own_.start, Time{});
    return event;
}

void RunBuilder::put(Event event) {
    event.work = std::exchange(own_.work, Time{});
    own_.listed += event.completed.size() + event.among.size() + event.shares.size();
    if (++events_ > kMostOperations || own_.listed > kMostListed) {
        throw BadInput(DiagnosticKind::trace_too_large, mentioned_at_,
                       fmt::format("`{}` contains too many calls", run.name),
                       fmt::format("expected at most {} on all ranks together", kMostOperations));
    }
    rank.events.push_back(std::move(event));
    if (line != 0) rank.lines.push_back(line);
}

void RunBuilder::finish_rank() {
    leave_out_cancelled();
    RecordedRank done = std::exchange(rank, {});
    drop_rank();
    if (take_) return take_(run, std::move(done));
    run.ranks.push_back(std::move(done));
}

void RunBuilder::drop_rank() {
    rank = {};
    own_ = {};
    site = phase = line = 0;
    ++rank_;
}

RecordedRun RunBuilder::finish() {
    for (const auto& [what, unread] : unread_) run.unread.push_back(unread);
    return std::move(run);
}

RunBuilder::Request* RunBuilder::request(Handle handle) {
    const auto found = own_.requests.find(handle);
    return found == own_.requests.end() ? nullptr : &found->second;
}

void RunBuilder::begin(Handle handle, Event event, bool persistent, bool exists) {
    if (const Request* const earlier = request(handle); earlier != nullptr && earlier->current != 0) {
        if (!earlier->receives() && earlier->exists) {
            left_out(
                "the end of some MPI_Isend",
                "the trace does not record when the send ends; the send is waited for when its request is used again");
            complete(handle, std::nullopt);
            wait();
        }
    }
    Request& begun = own_.requests[handle] = {std::move(event), persistent, exists};
    if (!persistent) start(begun);
}

void RunBuilder::start(Request& begun) {
    begun.current = ++own_.begun;
    begun.at = rank.events.size();
    if (!begun.exists) return;
    Event now = event(begun.event.call);
    Event event = begun.event;
    event.site = now.site;
    event.phase = now.phase;
    event.begin = now.begin;
    event.end = now.end;
    event.request = begun.current;
    put(std::move(event));
}

void RunBuilder::complete(Handle handle, const std::optional<Completion>& taken) {
    Request* const begun = request(handle);
    if (begun == nullptr || begun->current == 0) return;
    Completion completion = taken.value_or(Completion{});
    completion.request = own_.ended[handle] = std::exchange(begun->current, 0);
    completion.received = begun->receives();
    if (own_.cancelled.erase(completion.request) != 0) {
        left_out("MPI_Cancel", taken ? "the receive had already taken its message" : "the receive took no message");
        if (!taken) own_.without_message.insert(completion.request);
    }
    if (begun->exists && !own_.without_message.contains(completion.request)) own_.done.push_back(completion);
    if (!begun->exists) own_.ended.erase(handle);
    if (!begun->persistent) own_.requests.erase(handle);
}

void RunBuilder::wait(const std::vector<Handle>& among, bool any, bool tested) {
    Event event = this->event(any ? Call::wait_any : Call::wait);
    event.completed = std::exchange(own_.done, {});
    event.tested = tested;
    for (const Handle each : among) {
        if (!any) break;
        const Request* const open = request(each);
        const auto ended = own_.ended.find(each);
        if (ended != own_.ended.end()) {
            event.among.push_back(ended->second);
        } else if (open != nullptr && open->exists && open->current != 0) {
            event.among.push_back(open->current);
        }
    }
    own_.ended.clear();
    if (event.completed.empty()) return;
    if (any && event.among.size() == event.completed.size()) {
        event.call = Call::wait;
        event.among.clear();
    }
    put(std::move(event));
}

void RunBuilder::cancel(Handle handle) {
    const Request* const begun = request(handle);
    if (begun == nullptr || begun->current == 0 || !begun->exists) return;
    if (begun->receives()) {
        own_.cancelled.insert(begun->current);
    } else {
        left_out("MPI_Cancel", "the send is treated as if it were not cancelled");
    }
}

bool RunBuilder::free(Handle handle) {
    const Request* const begun = request(handle);
    if (begun == nullptr || begun->current == 0 || !begun->exists) return true;
    if (own_.cancelled.erase(begun->current) != 0) {
        left_out("MPI_Cancel", "the receive took no message");
        own_.without_message.insert(begun->current);
    } else if (begun->receives()) {
        return false;
    } else {
        left_out("MPI_Request_free", "the send is waited for at the end of the run");
        own_.freed.push_back({begun->current, false, {}, 0, {}});
    }
    own_.requests.erase(handle);
    return true;
}

void RunBuilder::leave_out_cancelled() {
    if (own_.without_message.empty()) return;
    Time work;
    std::erase_if(rank.events, [&](Event& event) {
        event.work += std::exchange(work, Time{});
        const bool cancelled = event.request != 0 && own_.without_message.contains(event.request);
        if (cancelled) work = event.work;
        return cancelled;
    });
    rank.work_after += work;
}

}  // namespace warpfront::trace
