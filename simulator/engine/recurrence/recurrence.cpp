#include "simulator/engine/recurrence/recurrence.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace warpfront::engine {

/// A rank inside a collective has its entry time taken off already: count the collective up to the cut.
Waits waits_of(const Observed& machine, std::uint32_t rank, std::int64_t cut) {
    const RankLine& line = machine.state.ranks[rank];
    const RankStatistics& statistics = machine.state.statistics[rank];
    const std::int64_t collective = statistics.collective + (line.collective_position > 0 ? cut : 0);
    const Waits skipped = machine.skipped.waits.empty() ? Waits{} : machine.skipped.waits[rank];
    return {skipped.compute + statistics.compute, skipped.bus + line.bus_wait, skipped.nic + line.nic_wait,
            skipped.link + statistics.link_wait, skipped.collective + collective};
}

Wide link_wait_of(const State& state, const Skipped& skipped, std::size_t number) {
    return Wide{state.link_waits[number]} + (skipped.link_waits.empty() ? 0 : skipped.link_waits[number]);
}

Recurrence::Recurrence(Level level, const Observed& machine)
    : level_(level),
      machine_(machine),
      depth_(
          loop_depths(machine.layout.code, level == Level::iterations ? LoopKind::of_iterations : LoopKind::of_tiles)),
      iterations_in_(iterations_per_trip(machine.layout.code)) {}

void Recurrence::observe(std::int64_t cut, bool keeps) {
    if (too_long_to_describe() || !all_in_loops()) return;
    ++observations_;
    if (level_ == Level::iterations) keeps = std::has_single_bit(observations_);
    if (describe(cut, keeps) && skip(cut)) {
        observations_ = 0;
        kept_.clear();
    } else if (keeps) {
        keep(cut);
    }
}

/// Queues as long as this hardly ever recur, and what describes them takes more memory than they do.
bool Recurrence::too_long_to_describe() const {
    constexpr std::uint64_t kMostQueued = std::uint64_t{1} << 17;
    std::uint64_t queued = 0;
    for (const auto& partition : machine_.partitions) queued += partition->context.backlog.count();
    return queued > kMostQueued + 8 * std::uint64_t{machine_.layout.ranks};
}

/// Where some rank is in no loop that recurs nothing will from here.
bool Recurrence::all_in_loops() const {
    return std::all_of(machine_.state.ranks.begin(), machine_.state.ranks.end(), [this](const RankLine& line) {
        return line.state != RankState::done && depth_[line.at] != kNoLoop;
    });
}

/// Describes the state and returns whether it is the kept one; only as far as it is, unless it is wanted `whole`.
bool Recurrence::describe(std::int64_t cut, bool whole) {
    now_.clear();
    const Layout& layout = machine_.layout;
    const StateSignature describer{layout, machine_.state, depth_};
    const std::uint64_t waves = waves_done();
    std::size_t compared = 0;
    bool same = !kept_.empty();
    const auto goes_on = [&] {
        same = same && now_.size() <= kept_.size() &&
               std::equal(now_.begin() + static_cast<std::ptrdiff_t>(compared), now_.end(),
                          kept_.begin() + static_cast<std::ptrdiff_t>(compared));
        compared = now_.size();
        return same || whole;
    };
    for (std::uint32_t node = 0; node < layout.nodes && goes_on(); ++node) {
        Backlog& backlog = machine_.partitions[machine_.partition_of[node]]->context.backlog;
        describer.add_node(node, backlog, cut, waves, now_);
    }
    if (!goes_on()) return false;
    describer.add_servers(layout.hot_state_of(layout.nodes), layout.server_count, cut, now_);
    describe_open_iterations(cut);
    return goes_on() && same && now_.size() == kept_.size();
}

/// What waves are counted from, so that they compare between periods.
std::uint64_t Recurrence::waves_done() const {
    return level_ == Level::iterations ? machine_.iterations.ended() << kWaveBits : machine_.state.ranks.front().wave;
}

/// Ranks may have run ahead of the cut and ended an iteration after it: the next is counted from there.
void Recurrence::describe_open_iterations(std::int64_t cut) {
    if (level_ == Level::iterations) now_.push_back(static_cast<std::uint64_t>(machine_.iterations.last_end() - cut));
    std::size_t open = 0;
    for (const auto& partition : machine_.partitions)
        open = std::max(open, partition->interpreter.iteration_tracker().size());
    for (std::size_t k = 0; k < open; ++k) {
        IterationTracker::Open sum;
        for (const auto& partition : machine_.partitions) {
            const IterationTracker::Open here = partition->interpreter.iteration_tracker().at(k);
            sum.latest = std::max(sum.latest, here.latest);
            sum.passed += here.passed;
        }
        now_.push_back(static_cast<std::uint64_t>(sum.latest - cut));
        now_.push_back(sum.passed);
    }
}

void Recurrence::keep(std::int64_t cut) {
    kept_.swap(now_);
    kept_time_ = machine_.skipped.time + WideTime{Wide{cut}};
    kept_messages_ = messages();
    kept_messages_of_collectives_ = messages_of_collectives();
    kept_waits_.clear();
    kept_trips_.clear();
    for (std::uint32_t rank = 0; rank < machine_.layout.ranks; ++rank) {
        kept_waits_.push_back(waits_of(machine_, rank, cut));
        kept_trips_.push_back(trips_left(machine_.state.ranks[rank]));
    }
    kept_link_waits_.clear();
    for (std::size_t link = 0; link < machine_.state.link_waits.size(); ++link) {
        kept_link_waits_.push_back(link_wait_of(machine_.state, machine_.skipped, link));
    }
}

/// What every rank has made since the state was kept; nothing if not all made the same.
Recurrence::Period Recurrence::period() const {
    const auto made = [this](std::uint32_t rank) {
        const RankLine& line = machine_.state.ranks[rank];
        const std::int64_t trips = std::int64_t{kept_trips_[rank]} - std::int64_t{line.trips_left[depth_[line.at]]};
        return std::pair(trips, trips * iterations_in_[line.at]);
    };
    const auto first = made(0);
    for (std::uint32_t rank = 1; rank < machine_.layout.ranks; ++rank) {
        if (made(rank).first != first.first) return {};
        if (level_ == Level::iterations && made(rank).second != first.second) return {};
    }
    return {first.first, first.second};
}

/// Stepped and skipped so far.
std::uint64_t Recurrence::messages() const {
    std::uint64_t sum = machine_.skipped.messages;
    for (const auto& partition : machine_.partitions) sum += partition->interpreter.messages();
    return sum;
}

std::uint64_t Recurrence::messages_of_collectives() const {
    std::uint64_t sum = machine_.skipped.messages_of_collectives;
    for (const auto& partition : machine_.partitions) sum += partition->interpreter.messages_of_collectives();
    return sum;
}

/// As many periods as leave every rank inside its loop; false if that is none.
bool Recurrence::skip(std::int64_t cut) {
    const auto [each, iterations] = period();
    if (each <= 0 || (level_ == Level::iterations && iterations > Iterations::kLongestPeriod)) return false;
    std::int64_t times = std::numeric_limits<std::int64_t>::max();
    for (RankLine& line : machine_.state.ranks) times = std::min(times, (std::int64_t{trips_left(line)} - 1) / each);
    if (times <= 0) return false;
    Skipped& skipped = machine_.skipped;
    skipped.waits.resize(machine_.layout.ranks);
    for (std::uint32_t rank = 0; rank < machine_.layout.ranks; ++rank) {
        const Waits now = waits_of(machine_, rank, cut);
        const Waits& then = kept_waits_[rank];
        Waits& sum = skipped.waits[rank];
        sum.compute += (now.compute - then.compute) * times;
        sum.bus += (now.bus - then.bus) * times;
        sum.nic += (now.nic - then.nic) * times;
        sum.link += (now.link - then.link) * times;
        sum.collective += (now.collective - then.collective) * times;
        RankLine& line = machine_.state.ranks[rank];
        trips_left(line) -= static_cast<std::uint32_t>(times * each);
        if (level_ == Level::tiles) add_waves(line, static_cast<std::uint64_t>(times * each));
    }
    skip_link_waits(times);
    const WideTime shift{(skipped.time + WideTime{Wide{cut}} - kept_time_).ps * times};
    skipped.time += shift;
    const std::uint64_t repeated = (messages() - kept_messages_) * static_cast<std::uint64_t>(times);
    skipped.messages += repeated;
    skipped.messages_of_collectives +=
        (messages_of_collectives() - kept_messages_of_collectives_) * static_cast<std::uint64_t>(times);
    if (level_ == Level::tiles) {
        skipped.tiles += times * each;
        skipped.messages_in_sweeps += repeated;
        machine_.iterations.lengthen(shift);
    } else {
        skipped.iterations += times * iterations;
        machine_.iterations.repeat(static_cast<std::size_t>(iterations), times);
    }
    return true;
}

void Recurrence::skip_link_waits(std::int64_t times) {
    Skipped& skipped = machine_.skipped;
    std::vector<Wide> sum;
    for (std::size_t link = 0; link < machine_.state.link_waits.size(); ++link) {
        const Wide now = link_wait_of(machine_.state, skipped, link);
        const Wide before = skipped.link_waits.empty() ? 0 : skipped.link_waits[link];
        sum.push_back(before + (now - kept_link_waits_[link]) * times);
    }
    skipped.link_waits = std::move(sum);
}

std::uint64_t Recurrence::bytes() const {
    return (now_.capacity() + kept_.capacity()) * sizeof(std::uint64_t) +
           kept_trips_.capacity() * sizeof(std::uint32_t) + kept_waits_.capacity() * sizeof(Waits) +
           kept_link_waits_.capacity() * sizeof(Wide);
}

}  // namespace warpfront::engine
