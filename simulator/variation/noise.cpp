#include "simulator/variation/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "simulator/units/wave.hpp"
#include "simulator/variation/normal.hpp"

namespace warpfront::variation {

namespace {

constexpr std::uint64_t kLastWaveOfAll = (std::uint64_t{1} << kWaveBits) - 1;

[[noreturn]] void too_long(Seed seed) {
    throw std::overflow_error("a compute block takes longer than 6.7 days with noise and the speed of its rank (seed " +
                              std::to_string(seed.value) + ")");
}

std::size_t tiles_in(const std::vector<CostFactor>& map) {
    const auto is_of_tile = [](const CostFactor& each) { return each.wave.has_value(); };
    return static_cast<std::size_t>(std::count_if(map.begin(), map.end(), is_of_tile));
}

/// The largest mean for which the distribution is summed term by term. e^-64 is still a normal double, and a sum has
/// about 130 terms.
constexpr double kLargestSummedMean = 64.0;

double mean_interruptions(const Interruptions& interruptions, Time work) {
    return interruptions.per_second * (1e-12 * static_cast<double>(work.ps));
}

/// Returns the number below which 64 uniform bits lie with this probability. The probability must be below 1.
std::uint64_t as_bits(double probability) { return static_cast<std::uint64_t>(std::ldexp(probability, 64)); }

/// Returns a threshold for 64 uniform bits. A block with this mean number of interruptions has none if its bits are
/// below the threshold. Returns 0 if the mean is so large that the distribution is approximated (kLargestSummedMean).
std::uint64_t uninterrupted_below(double mean) {
    if (mean == 0.0) return ~std::uint64_t{0};
    const double none = mean <= kLargestSummedMean ? exponential(-mean) : 0.0;
    return none < 1.0 ? as_bits(none) : ~std::uint64_t{0};
}

/// Draws a Poisson number with this mean from 64 uniform bits. The bits are not below `uninterrupted_below`.
double poisson(double mean, std::uint64_t bits) {
    if (mean > kLargestSummedMean) {
        return std::max(0.0, std::floor(mean + std::sqrt(mean) * standard_normal(bits) + 0.5));
    }
    const double uniform = std::ldexp(static_cast<double>(bits >> 11U), -53);
    double term = exponential(-mean);
    double number = 0.0;
    for (double below = term; uniform >= below && term > 0.0; below += term) term *= mean / ++number;
    return number;
}

}  // namespace

bool Noise::interrupted() const {
    if (!interruptions || interruptions->per_second == 0.0 || interruptions->length.ps == 0) return false;
    if (!interruptions->absorbed_by_idle_core || has_idle_core.empty()) return true;
    return std::find(has_idle_core.begin(), has_idle_core.end(), false) != has_idle_core.end();
}

ComputeTime::Block::Block(Time nominal, double variance, std::uint64_t uninterrupted)
    : nominal_(nominal), variance_(variance), deviation_(std::sqrt(variance)), uninterrupted_(uninterrupted) {}

ComputeTime::ComputeTime(const Noise& noise, Seed seed, std::uint32_t ranks)
    : seed_(seed),
      varies_(noise.varies()),
      repeats_after_(noise.repeats_after == kWhenEnough ? 1 : static_cast<std::uint64_t>(noise.repeats_after)),
      cv_(noise.cv),
      jitter_(noise.jitter),
      periodic_(noise.periodic) {
    if (noise.interrupted()) interruptions_ = noise.interruptions;
    if (interruptions_ && interruptions_->absorbed_by_idle_core) absorbs_ = noise.has_idle_core;
    if (!noise.classes.empty()) draw_speeds(noise.classes, ranks);
    if (!noise.map.empty()) read_map(noise.map, ranks);
    scales_ = varies_ || !rank_factors_.empty();
    least_factor_ = least_factor();
    if (!periodic_ || periodic_->aligned) return;
    phases_.reserve(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const std::uint64_t phase =
            Random(seed, Purpose::periodic_phase, rank, 0).below(static_cast<std::uint64_t>(periodic_->period.ps));
        phases_.push_back(static_cast<std::int64_t>(phase));
    }
}

ComputeTime::ComputeTime(const std::vector<OfJob>& jobs) {
    for (const OfJob& each : jobs) {
        jobs_.push_back(
            {ComputeTime(each.noise.noise, each.noise.seed, each.ranks), each.first_rank, each.ranks, each.start});
    }
}

/// Returns the duration of a block of a job. Each job has its own noise, so the properties of the block are computed
/// again.
Time ComputeTime::of_job(Rank rank, std::uint64_t wave, std::uint64_t number, Time nominal, Time start) const {
    const Job& job = job_of(rank);
    return job.times({rank.index - job.first_rank}, wave, number, nominal, start - job.start);
}

const ComputeTime::Job& ComputeTime::job_of(Rank rank) const {
    return *std::find_if(jobs_.begin(), jobs_.end(),
                         [&](const Job& each) { return rank.index - each.first_rank < each.ranks; });
}

Time ComputeTime::noise_in(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block, Time start) const {
    if (!jobs_.empty()) {
        const Job& job = job_of(rank);
        return job.times.noise_in({rank.index - job.first_rank}, wave, number, job.times.block(block.nominal()),
                                  start - job.start);
    }
    const Time work = scales_ ? work_of(rank, wave, number, block) : block.nominal_;
    const Time interruptions = (*this)(rank, wave, number, block, start) - work;
    const double of_jitter = share_of_jitter(rank, wave, number, block) * static_cast<double>(work.ps);
    return interruptions + Time{std::llround(of_jitter)};
}

/// Returns d ln work / d ln jitter, with the same random number.
double ComputeTime::share_of_jitter(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block) const {
    if (jitter_.ps == 0 || block.nominal_.ps == 0) return 0.0;
    const double of_jitter = squared_jitter(block.nominal_);
    const double squared = cv_ * cv_ + of_jitter;
    if (squared > kLargestCv * kLargestCv) return 0.0;  // the variation is at its limit, whatever the jitter
    Random random = stream(Purpose::compute_noise, rank, wave, number);
    return of_jitter * (standard_normal(random.bits()) / block.deviation_ - 1.0) / (1.0 + squared);
}

double ComputeTime::squared_jitter(Time nominal) const {
    const double relative = static_cast<double>(jitter_.ps) / static_cast<double>(nominal.ps);
    return relative * relative;
}

void ComputeTime::draw_speeds(const std::vector<SpeedClass>& classes, std::uint32_t ranks) {
    std::vector<double> up_to;  // upper limits of all classes except the last, which includes the rounding error
    double sum = 0.0;
    for (std::size_t index = 0; index + 1 < classes.size(); ++index) up_to.push_back(sum += classes[index].share);
    rank_factors_.reserve(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const double drawn = Random(seed_, Purpose::speed_class, rank, 0).unit();
        const auto drawn_class = std::upper_bound(up_to.begin(), up_to.end(), drawn) - up_to.begin();
        rank_factors_.push_back(1.0 / classes[static_cast<std::size_t>(drawn_class)].speed);
    }
}

void ComputeTime::read_map(std::vector<CostFactor> map, std::uint32_t ranks) {
    const auto order = [](const CostFactor& each) { return std::tuple(each.rank, each.wave); };
    std::sort(map.begin(), map.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
    rank_factors_.resize(ranks, 1.0);
    first_tile_.assign(std::size_t{ranks} + 1, 0);
    tiles_.reserve(tiles_in(map));
    for (const CostFactor& each : map) {
        if (each.wave) {
            tiles_.push_back({*each.wave, each.factor});
            ++first_tile_[each.rank.index + 1];
        } else {
            rank_factors_[each.rank.index] *= each.factor;
        }
    }
    for (std::size_t rank = 1; rank < first_tile_.size(); ++rank) first_tile_[rank] += first_tile_[rank - 1];
}

double ComputeTime::tile_factor(Rank rank, std::uint64_t wave) const {
    const auto first = tiles_.begin() + static_cast<std::ptrdiff_t>(first_tile_[rank.index]);
    const auto last = tiles_.begin() + static_cast<std::ptrdiff_t>(first_tile_[rank.index + 1]);
    const auto is_before = [](const TileFactor& a, std::uint64_t b) { return a.wave < b; };
    const auto tile = std::lower_bound(first, last, wave, is_before);
    return tile != last && tile->wave == wave ? tile->factor : 1.0;
}

ComputeTime::Block ComputeTime::block(Time nominal) const {
    const std::uint64_t uninterrupted =
        interruptions_ ? uninterrupted_below(mean_interruptions(*interruptions_, nominal)) : 0;
    if (!varies_ || nominal.ps == 0) return {nominal, 0.0, uninterrupted};
    const double squared = std::min(cv_ * cv_ + squared_jitter(nominal), kLargestCv * kLargestCv);
    return {nominal, logarithm_of_1_and(squared), uninterrupted};
}

/// Returns a lower bound of the factors of blocks. A rank and its tiles have separate factors.
double ComputeTime::least_factor() const {
    double of_rank = 1.0;
    for (const double each : rank_factors_) of_rank = std::min(of_rank, each);
    double of_tile = 1.0;
    for (const TileFactor& each : tiles_) of_tile = std::min(of_tile, each.factor);
    return of_rank * of_tile;
}

Time ComputeTime::least(Time nominal) const {
    if (!jobs_.empty()) {
        const auto of_job = [&](const Job& job) { return job.times.least(nominal); };
        return of_job(*std::min_element(jobs_.begin(), jobs_.end(),
                                        [&](const Job& a, const Job& b) { return of_job(a) < of_job(b); }));
    }
    double factor = least_factor_;
    const Block of_all = block(nominal);
    if (of_all.variance_ > 0.0) factor *= exponential(-kMostDeviations * of_all.deviation_ - 0.5 * of_all.variance_);
    if (factor == 1.0) return nominal;
    constexpr double kRounding = 1.0 - 1e-12;  // rounding errors of some ten operations
    return {static_cast<std::int64_t>(static_cast<double>(nominal.ps) * factor * kRounding)};
}

/// Returns the random numbers of one block of computing.
Random ComputeTime::stream(Purpose purpose, Rank rank, std::uint64_t wave, std::uint64_t number) const {
    std::uint64_t iteration = repeats_after_ == 1 ? 0 : wave >> kWaveBits;
    if (repeats_after_ > 1) iteration %= repeats_after_;
    return {seed_, purpose, rank.index, (iteration << kWaveBits) + number};
}

double ComputeTime::variation(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block) const {
    Random random = stream(Purpose::compute_noise, rank, wave, number);
    return exponential(block.deviation_ * standard_normal(random.bits()) - 0.5 * block.variance_);
}

Time ComputeTime::work_of(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block) const {
    const Time nominal = block.nominal_;
    double factor = rank_factors_.empty() ? 1.0 : rank_factors_[rank.index];
    if (!tiles_.empty()) factor *= tile_factor(rank, wave & kLastWaveOfAll);
    if (block.variance_ > 0.0) factor *= variation(rank, wave, number, block);
    if (factor == 1.0 || nominal.ps == 0) return nominal;  // exact even for times that a double cannot represent
    const double picoseconds = static_cast<double>(nominal.ps) * factor;
    if (!(picoseconds <= static_cast<double>(kLongestCost.ps))) too_long(seed_);
    const auto whole = static_cast<std::int64_t>(picoseconds);
    return {picoseconds - static_cast<double>(whole) < 0.5 ? whole : whole + 1};
}

/// Adds interruptions to a block. Most blocks need only one draw and one comparison.
Time ComputeTime::with_interruptions(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block,
                                     Time work) const {
    if (!absorbs_.empty() && absorbs_[rank.index]) return work;
    const std::uint64_t bits = stream(Purpose::interruptions, rank, wave, number).bits();
    if (work == block.nominal_ && bits < block.uninterrupted_) [[likely]]
        return work;
    const double mean = mean_interruptions(*interruptions_, work);
    if (bits < uninterrupted_below(mean)) return work;
    const double away = poisson(mean, bits) * static_cast<double>(interruptions_->length.ps);
    if (away > static_cast<double>(kLongestCost.ps - work.ps)) too_long(seed_);
    return {work.ps + static_cast<std::int64_t>(away)};
}

/// Adds periodic noise to a block. Each period begins with `there` of processor time, which the interruption follows.
Time ComputeTime::with_periodic_noise(Rank rank, Time work, Time start) const {
    const std::int64_t period = periodic_->period.ps;
    const std::int64_t there = period - periodic_->length.ps;
    const std::int64_t now = start.ps + (phases_.empty() ? 0 : phases_[rank.index]);
    const std::int64_t done = now / period * there + std::min(now % period, there) + work.ps;
    const std::int64_t periods =
        (done - 1) / there;  // whole periods before the end; a block may end exactly when an interruption begins
    const Wide end = Wide{periods} * period + (done - periods * there);
    const Wide duration = end - now;
    if (duration > kLongestCost.ps) too_long(seed_);
    return {static_cast<std::int64_t>(duration)};
}

std::uint64_t ComputeTime::bytes() const {
    return phases_.capacity() * sizeof(std::int64_t) + rank_factors_.capacity() * sizeof(double) +
           first_tile_.capacity() * sizeof(std::size_t) + tiles_.capacity() * sizeof(TileFactor) + absorbs_.size() / 8 +
           std::accumulate(jobs_.begin(), jobs_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Job& job) { return sum + job.times.bytes(); });
}

std::uint64_t ComputeTime::bytes(const Noise& noise, std::uint32_t ranks) {
    std::uint64_t bytes = 0;
    if (noise.periodic && !noise.periodic->aligned) bytes += sizeof(std::int64_t) * std::uint64_t{ranks};
    if (noise.interrupted() && noise.interruptions->absorbed_by_idle_core) bytes += noise.has_idle_core.size() / 8;
    if (!noise.classes.empty() || !noise.map.empty()) bytes += sizeof(double) * std::uint64_t{ranks};
    if (noise.map.empty()) return bytes;
    return bytes + sizeof(std::size_t) * (std::uint64_t{ranks} + 1) + sizeof(TileFactor) * tiles_in(noise.map);
}

}  // namespace warpfront::variation
