#include "simulator/engine/recording/timeline_recorder.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace warpfront::engine {

namespace {

/// The largest number of occupancies in a list for each span, since a message may occupy many links.
constexpr std::size_t kHoldsOfSpans = 8;

}  // namespace

TimelineRecorder::TimelineRecorder(const Layout& layout, const record::TimelineWindow& window)
    : layout_(layout),
      window_(window),
      from_(window.from.ps),
      until_(window.until ? window.until->ps : kHorizon.ps),
      ranks_(window.last.index - window.first.index + 1) {
    most_of_rank_ = std::max<std::size_t>(1, window.most_spans / ranks_.size());
    for (std::size_t k = 0; k < ranks_.size(); ++k) {
        ranks_[k].timeline.rank = {window.first.index + static_cast<std::uint32_t>(k)};
    }
}

namespace {

std::int64_t begin_of(const record::Span& span) { return span.begin.ps; }
std::int64_t begin_of(const record::Hold& hold) { return hold.begin.ps; }
template <typename End>
std::int64_t begin_of(const End& end) {
    return end.time;
}

}  // namespace

/// Keeps the `most` entries that begin first. Their order is not kept.
template <typename Entry>
void TimelineRecorder::keep_first(OfRank& of, std::vector<Entry>& list, std::size_t most) {
    if (list.size() <= most) return;
    const auto beyond = list.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(list.begin(), beyond, list.end(),
                     [](const Entry& a, const Entry& b) { return begin_of(a) < begin_of(b); });
    of.full_at = std::min(of.full_at, begin_of(*beyond));
    std::erase_if(list, [&](const Entry& entry) { return begin_of(entry) >= of.full_at; });
}

template <typename Entry>
void TimelineRecorder::add(OfRank& of, std::vector<Entry>& list, const Entry& entry, std::int64_t begin,
                           std::size_t most) {
    if (begin >= of.ends || begin_of(entry) >= of.full_at) return;
    list.push_back(entry);
    if (list.size() > 2 * most) keep_first(of, list, most);
}

record::Span TimelineRecorder::clipped(record::Span span) const {
    span.begin.ps = std::max(span.begin.ps, from_);
    span.end.ps = std::min(span.end.ps, until_);
    return span;
}

void TimelineRecorder::advance(Rank rank, record::Activity activity, std::int64_t clock, std::uint16_t site) {
    OfRank* const of = recorded(rank);
    if (of == nullptr || clock <= of->until_now) return;
    const std::int64_t begin = std::exchange(of->until_now, clock);
    if (wanted(begin, clock))
        add(*of, of->timeline.spans, clipped({{begin}, {clock}, activity, site}), begin, most_of_rank_);
}

void TimelineRecorder::begin_collective(Rank rank, std::int64_t clock) {
    if (OfRank* const of = recorded(rank)) of->collective_began = clock;
}

void TimelineRecorder::end_collective(Rank rank, std::int64_t clock, std::uint16_t site) {
    OfRank* const of = recorded(rank);
    if (of == nullptr) return;
    const std::int64_t began = std::exchange(of->collective_began, kHorizon.ps);
    if (wanted(began, clock)) {
        add(*of, of->timeline.collectives, clipped({{began}, {clock}, {}, site}), began, most_of_rank_);
    }
}

/// Ends an iteration of the rank. Some occupancies of this iteration become known later, and some of the next iteration
/// are already known.
void TimelineRecorder::end_iteration(Rank rank, std::int64_t clock) {
    OfRank* const of = recorded(rank);
    if (of != nullptr && !window_.until) of->ends = std::min(of->ends, clock);
}

void TimelineRecorder::hold(Rank rank, record::Resource resource, std::int64_t granted, std::int64_t lasts) {
    OfRank* const of = recorded(rank);
    if (of == nullptr || lasts == 0 || !wanted(granted, granted + lasts)) return;
    add(*of, of->timeline.holds, {{std::max(granted, from_)}, {std::min(granted + lasts, until_)}, resource}, granted,
        kHoldsOfSpans * most_of_rank_);
}

void TimelineRecorder::leave(Rank sender, ReceiveEndpointId receive_endpoint, CostId cost, std::int64_t clock) {
    OfRank* const of = recorded(sender);
    if (of == nullptr || recorded(layout_.rank_of(receive_endpoint)) == nullptr) return;
    const std::uint32_t number = of->leaves_of[receive_endpoint]++;
    if (within(clock)) add(*of, of->left, {receive_endpoint, number, cost, clock}, clock - 1, most_of_rank_);
}

void TimelineRecorder::receive(Rank rank, ReceiveEndpointId receive_endpoint, std::int64_t clock) {
    OfRank* const of = recorded(rank);
    if (of == nullptr) return;
    receive(rank, receive_endpoint, of->receipts_of[receive_endpoint], clock);
}

void TimelineRecorder::receive(Rank rank, ReceiveEndpointId receive_endpoint, std::uint32_t number,
                               std::int64_t clock) {
    OfRank* const of = recorded(rank);
    if (of == nullptr) return;
    ++of->receipts_of[receive_endpoint];
    if (within(clock)) add(*of, of->received, {receive_endpoint, number, {}, clock}, clock, most_of_rank_);
}

std::optional<std::int32_t> TimelineRecorder::tag_of(const program::Program& program,
                                                     ReceiveEndpointId receive_endpoint) const {
    if (layout_.is_of_collective(receive_endpoint)) return std::nullopt;
    const program::RankClass& receiver = program.of(layout_.rank_of(receive_endpoint));
    return receiver.receive_endpoints[layout_.receive_endpoint_numbers.place_of(receive_endpoint)].tag;
}

/// Returns the messages whose two ends are both recorded before `cut`.
std::vector<record::TimedMessage> TimelineRecorder::messages(const program::Program& program, std::int64_t cut) const {
    std::map<std::pair<ReceiveEndpointId, std::uint32_t>, std::int64_t> received;
    for (const OfRank& of : ranks_) {
        for (const End& end : of.received) {
            if (end.time < of.ends) received[{end.receive_endpoint, end.number}] = end.time;
        }
    }
    std::vector<record::TimedMessage> all;
    for (const OfRank& of : ranks_) {
        for (const End& end : of.left) {
            const auto found = received.find({end.receive_endpoint, end.number});
            if (found == received.end() || found->second >= cut || end.time > of.ends) continue;
            all.push_back({of.timeline.rank,
                           layout_.rank_of(end.receive_endpoint),
                           layout_.sizes[layout_.size_of(end.cost)],
                           {end.time},
                           {found->second},
                           tag_of(program, end.receive_endpoint)});
        }
    }
    std::sort(all.begin(), all.end(), [](const record::TimedMessage& a, const record::TimedMessage& b) {
        return std::tie(a.left, a.from, a.to, a.received) < std::tie(b.left, b.from, b.to, b.received);
    });
    return all;
}

/// The service of a bus or NIC may begin before the event that grants it, so holds of the window may become known after
/// its end.
bool TimelineRecorder::over_at(std::int64_t time) const {
    return std::all_of(ranks_.begin(), ranks_.end(), [&](const OfRank& of) {
        const std::int64_t end = std::min(of.ends, until_);
        return end + layout_.longest_early.ps <= time && end <= of.until_now && of.collective_began >= end;
    });
}

record::Timeline TimelineRecorder::take(const program::Program& program) {
    std::int64_t cut = kHorizon.ps;
    for (OfRank& of : ranks_) {
        keep_first(of, of.timeline.spans, most_of_rank_);
        keep_first(of, of.timeline.collectives, most_of_rank_);
        keep_first(of, of.timeline.holds, kHoldsOfSpans * most_of_rank_);
        keep_first(of, of.left, most_of_rank_);
        keep_first(of, of.received, most_of_rank_);
    }
    for (const OfRank& of : ranks_) cut = std::min(cut, of.full_at);
    record::Timeline timeline;
    if (cut < kHorizon.ps) timeline.cut = Time{cut};
    timeline.messages = messages(program, cut);
    const auto cut_off = [&](const OfRank& of, auto& list) {
        const std::int64_t last = std::min(cut, of.ends);
        std::erase_if(list, [&](const auto& each) { return each.begin.ps >= last; });
        for (auto& each : list) each.end.ps = std::min(each.end.ps, cut);
    };
    for (OfRank& of : ranks_) {
        cut_off(of, of.timeline.spans);
        cut_off(of, of.timeline.collectives);
        cut_off(of, of.timeline.holds);
        std::sort(of.timeline.holds.begin(), of.timeline.holds.end(), [](const record::Hold& a, const record::Hold& b) {
            return std::tie(a.begin, a.end, a.resource) < std::tie(b.begin, b.end, b.resource);
        });
        timeline.ranks.push_back(std::move(of.timeline));
    }
    return timeline;
}

}  // namespace warpfront::engine
