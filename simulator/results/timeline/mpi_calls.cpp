#include "simulator/results/timeline/mpi_calls.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace warpfront::results {

namespace {

using program::Effect;
using program::Op;
using record::Activity;

/// The number of earlier isends among which that of a leaving message is searched.
constexpr std::size_t kMostBegun = 64;

std::optional<MpiFunction> function_of(Op op) {
    switch (program::operation(op).effect) {
        case Effect::send: return op == Op::ssend ? MpiFunction::ssend : MpiFunction::send;
        case Effect::begin_send: return MpiFunction::isend;
        case Effect::receive: return MpiFunction::recv;
        case Effect::post: return MpiFunction::irecv;
        case Effect::end_send: return MpiFunction::wait;
        case Effect::end_receive: return op == Op::wait_any ? MpiFunction::waitany : MpiFunction::wait;
        case Effect::collective: return MpiFunction::allreduce;
        case Effect::work:
        case Effect::loop:
        case Effect::mark:
        case Effect::finish: break;
    }
    return std::nullopt;
}

/// The operations of one statement on ranks of one class.
struct Statement {
    std::set<MpiFunction> functions;
    std::set<program::Channel> sends;  // channels on which the call sends

    MpiFunction function() const {
        if (functions.size() == 1) return *functions.begin();
        const auto has = [this](auto... any) { return (functions.contains(any) || ...); };
        const bool sending = has(MpiFunction::send, MpiFunction::ssend, MpiFunction::isend);
        const bool receiving = has(MpiFunction::recv, MpiFunction::irecv);
        if (sending && receiving) return MpiFunction::sendrecv;
        return sending ? MpiFunction::send : receiving ? MpiFunction::recv : MpiFunction::wait;
    }
};
using Statements = std::map<std::uint16_t, Statement>;

Statements statements_of(const program::RankClass& rank_class) {
    Statements all;
    for (const program::Instruction& step : rank_class.code) {
        const std::optional<MpiFunction> function = function_of(step.op);
        if (!function) continue;
        Statement& statement = all[step.site];
        statement.functions.insert(*function);
        if (!program::sends(step.op)) continue;
        for (const std::uint32_t endpoint : program::endpoints_of(step, rank_class)) {
            statement.sends.insert(rank_class.send_endpoints[endpoint]);
        }
    }
    return all;
}

/// One rank's calls, and the beginnings and ends of its messages.
class RankCalls {
public:
    RankCalls(const record::RankTimeline& rank, const Statements& statements) : rank_(rank), statements_(statements) {
        for (std::size_t k = 0; k < rank.spans.size(); ++k) add(k);
    }

    /// Returns the call of a message on `channel` that leaves at `left`.
    MpiEnd send(program::Channel channel, Time left) const {
        const auto begun =
            std::ranges::lower_bound(sends_, left, {}, [this](std::size_t span) { return begin_of(span); });
        const auto number = static_cast<std::size_t>(begun - sends_.begin());
        for (std::size_t k = number; k > number - std::min(number, kMostBegun); --k) {
            const auto statement = statements_.find(rank_.spans[sends_[k - 1]].site);
            if (statement->second.sends.contains(channel)) return {0, begin_of(sends_[k - 1]), left};
        }
        return {0, left, left, true};
    }

    /// Returns the call of a message that its receiver begins to take at `received`.
    MpiEnd receive(Time received) const {
        const auto after = std::ranges::upper_bound(calls_, received, {}, &MpiCall::begin);
        if (after == calls_.begin()) return {0, received, received, true};
        const MpiCall& call = *std::prev(after);
        for (std::size_t k = call.first_span; k < call.first_span + call.spans; ++k) {
            const record::Span& span = rank_.spans[k];
            const bool takes = span.begin <= received && received < span.end && span.activity == Activity::recv;
            if (takes) return {0, call.begin, span.end};
        }
        return {0, call.end == received ? call.begin : received, received, call.end != received};
    }

    std::vector<MpiCall> take() { return std::move(calls_); }

private:
    Time begin_of(std::size_t span) const { return rank_.spans[span].begin; }

    void add(std::size_t number) {
        const record::Span& span = rank_.spans[number];
        const auto statement = statements_.find(span.site);
        if (span.activity == Activity::compute || statement == statements_.end()) return;
        const bool goes_on = !calls_.empty() && calls_.back().site == span.site && calls_.back().end == span.begin;
        if (!goes_on) calls_.push_back({statement->second.function(), span.site, span.begin, span.begin, number, 0});
        calls_.back().end = span.end;
        ++calls_.back().spans;
        if (span.activity == Activity::send) sends_.push_back(number);
    }

    const record::RankTimeline& rank_;
    const Statements& statements_;
    std::vector<MpiCall> calls_;
    std::vector<std::size_t> sends_;  // indices of the spans of sending, by time
};

}  // namespace

std::string_view name_of(MpiFunction function) {
    static constexpr std::array<std::string_view, 9> kNames{"MPI_Send",    "MPI_Ssend",    "MPI_Isend",
                                                            "MPI_Recv",    "MPI_Irecv",    "MPI_Wait",
                                                            "MPI_Waitany", "MPI_Sendrecv", "MPI_Allreduce"};
    return kNames[static_cast<std::size_t>(function)];
}

MpiTimeline mpi_timeline_of(const record::Timeline& timeline, const program::Program& program) {
    std::vector<Statements> by_class;
    for (const program::RankClass& each : program.classes) by_class.push_back(statements_of(each));
    std::vector<RankCalls> ranks;
    for (const record::RankTimeline& rank : timeline.ranks) {
        ranks.emplace_back(rank, by_class[program.class_of[rank.rank.index]]);
    }
    MpiTimeline all;
    for (std::size_t number = 0; number < timeline.messages.size(); ++number) {
        const record::TimedMessage& message = timeline.messages[number];
        if (!message.tag) continue;
        const std::uint32_t first = timeline.ranks.front().rank.index;
        const std::size_t from = message.from.index - first;
        const std::size_t to = message.to.index - first;
        const auto delta = static_cast<std::int32_t>(std::int64_t{message.to.index} - std::int64_t{message.from.index});
        MpiMessage& found = all.messages.emplace_back();
        found.number = number;
        found.send = ranks[from].send({delta, *message.tag}, message.left);
        found.recv = ranks[to].receive(message.received);
        found.send.rank = from;
        found.recv.rank = to;
    }
    for (RankCalls& rank : ranks) all.calls.push_back(rank.take());
    return all;
}

Bytes allreduced_bytes(const program::Program& program, Rank rank, std::uint16_t site) {
    const std::vector<program::Instruction>& code = program.of(rank).code;
    const auto found = std::ranges::find_if(
        code, [&](const program::Instruction& step) { return step.op == Op::allreduce && step.site == site; });
    return {found == code.end() ? 0 : found->amount};
}

}  // namespace warpfront::results
