#include "simulator/trace/recorded_actions.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace warpfront::trace {

namespace {

class RankActions {
public:
    RankActions(const RecordedRun& run, Rank rank, const RecordedTags& tags, const Communicators& communicators)
        : run_(run), rank_(rank), tags_(tags), communicators_(communicators) {}

    std::vector<Action> all() {
        const RecordedRank& rank = run_.ranks[rank_.index];
        put(Verb::init, 0);
        for (const Event& event : rank.events) {
            compute(event.work, event.site);
            add(event);
        }
        compute(rank.work_after, 0);
        put(Verb::finalize, 0);
        return std::move(actions_);
    }

private:
    struct Begun {
        Event event;
        bool receives = false;
    };

    Action& put(Verb verb, std::uint32_t site) {
        actions_.emplace_back();
        actions_.back().verb = verb;
        actions_.back().line = site + 1;
        return actions_.back();
    }
    void compute(Time work, std::uint32_t site) {
        if (work.ps > 0) put(Verb::compute, site).time = work;
    }

    Action& message(Verb verb, const Event& event) {
        Action& action = put(verb, event.site);
        action.peer = event.peer.index;
        action.tag = event.any_tag ? 0 : tags_.at({event.communicator, event.tag});
        action.bytes = event.bytes;
        const bool receives = verb == Verb::recv || verb == Verb::irecv;
        action.any_source = receives && event.any_source;
        action.any_tag = receives && event.any_tag;
        return action;
    }

    void add(const Event& event) {
        switch (event.call) {
            case Call::send: message(Verb::send, event); return;
            case Call::ssend:
            case Call::issend: message(Verb::ssend, event); return;
            case Call::recv: message(Verb::recv, event); return;
            case Call::isend: begin(Verb::isend, event, false); return;
            case Call::irecv: begin(Verb::irecv, event, true); return;
            case Call::sendrecv: exchange(event); return;
            case Call::wait:
            case Call::wait_any: wait(event); return;
            case Call::collective: collective(event); return;
            case Call::begin_collective: return;  // refused before
        }
    }

    void begin(Verb verb, const Event& event, bool receives) {
        message(verb, event);
        open_[event.request] = {event, receives};
    }

    void wait_for(const Event& begun, bool receives) {
        Action& action = put(Verb::wait, begun.site);
        action.peer = receives ? rank_.index : begun.peer.index;
        action.from = receives ? begun.peer.index : rank_.index;
        action.tag = begun.any_tag ? 0 : tags_.at({begun.communicator, begun.tag});
        action.any_source = receives && begun.any_source;
        action.any_tag = receives && begun.any_tag;
    }

    void exchange(const Event& event) {
        Event receive = event;
        receive.peer = event.from;
        receive.tag = event.from_tag;
        message(Verb::irecv, receive);
        Event send = event;
        send.any_source = send.any_tag = false;
        message(Verb::send, send);
        wait_for(receive, true);
    }

    void wait(const Event& event) {
        for (const bool receives : {false, true}) {
            for (const Completion& each : event.completed) {
                const auto found = open_.find(each.request);
                if (found == open_.end() || found->second.receives != receives) continue;
                wait_for(found->second.event, receives);
                actions_.back().line = event.site + 1;
                open_.erase(found);
            }
        }
    }

    void collective(const Event& event) {
        const std::vector<Rank>& members = run_.communicators[event.communicator];
        const std::optional<Communicator> communicator = communicators_.of(event.communicator, rank_.index);
        if (members.size() == 1 || !communicator) return;
        Action& action =
            put(static_cast<Verb>(static_cast<std::size_t>(Verb::barrier) + static_cast<std::size_t>(event.kind)),
                event.site);
        const auto root = std::find(members.begin(), members.end(), event.peer);
        action.peer = root == members.end() ? 0 : static_cast<std::uint32_t>(root - members.begin());
        action.bytes = event.bytes;
        action.shares = event.shares;
        if (event.kind == collectives::Kind::reduce_scatter && action.shares.empty()) {
            action.shares.assign(members.size(), event.bytes);
        }
        action.communicator = *communicator;
        action.names_communicator = true;
    }

    const RecordedRun& run_;
    const Rank rank_;
    const RecordedTags& tags_;
    const Communicators& communicators_;
    std::map<std::uint32_t, Begun> open_;
    std::vector<Action> actions_;
};

}  // namespace

RecordedTags tags_of(const RecordedRun& run) {
    RecordedTags tags;
    std::int32_t most = 0;
    const auto add = [&](std::uint32_t communicator, std::int32_t tag) {
        tags.try_emplace({communicator, tag}, tag);
        if (communicator == 0) most = std::max(most, tag);
    };
    for (const RecordedRank& rank : run.ranks) {
        for (const Event& event : rank.events) {
            if (event.call == Call::wait || event.call == Call::wait_any || event.call == Call::collective) continue;
            add(event.communicator, event.tag);
            if (event.call == Call::sendrecv) add(event.communicator, event.from_tag);
        }
    }
    for (auto& [of, tag] : tags) {
        if (of.first != 0) tag = ++most;
    }
    return tags;
}

std::vector<Action> actions_of(const RecordedRun& run, Rank rank, const RecordedTags& tags,
                               const Communicators& communicators) {
    return RankActions(run, rank, tags, communicators).all();
}

}  // namespace warpfront::trace
