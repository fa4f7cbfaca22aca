// Actual durations of computing: varying blocks, OS noise on processors, heterogeneous ranks.
//
// A compute block of length `nominal` that rank r begins at `start` in wave w of its iteration is done at `end`:
//   work = nominal * f(r) * f(r, w) * X / speed(r)             rounded once, to the nearest picosecond
//   end  = the earliest time at which r's processor has worked for `work` since `start`          exact integers
// speed(r)   of the speed class of rank r, which is drawn once per rank with the shares as probabilities
// f          factors of a cost map: of a rank, of one of its tiles; 1 if the map has none
// X          lognormal of mean 1 and coefficient of variation c: X = exp(s g - s^2/2), s^2 = ln(1 + c^2). g is standard
//            normal, |g| < 9.2, from 64 uniform bits (normal.hpp). So X is positive and bounded
// c          c^2 = cv^2 + (jitter / nominal)^2, at most kLargestCv. cv is relative to the work, jitter is not. A change
//            of the nominal time changes c too: with r = jitter / nominal,
//              d ln X / d ln jitter = r^2 (g / s - 1) / (1 + c^2)  = - d ln X / d ln nominal
// periodic   (Beckman, Iskra, Yoshii & Coghlan 2006, "The influence of operating systems on the performance of
//            collective operations at extreme scale"). With t' = t + phase(r), the processor works during the first
//            period - length of every period of t', and is interrupted for the rest. The phase is 0 on all ranks if the
//            noise is aligned, and drawn for each rank otherwise
// interruptions  a Poisson number N of mean m = per_second * work, each of `length`:  end = start + work + N * length.
//            There are none on a node with an idle core that absorbs them (Petrini, Kerbyson & Pakin 2003, "The case of
//            the missing supercomputer performance"). One uniform number U determines N, the least n with U < F(n).
//            F is the cumulative distribution, summed from e^-m. If m exceeds 64, N = round(m + sqrt(m) g), at least 0
//
// Periodic noise has periods of absolute time, so iterations do not recur. Interruptions depend only on the block.
//
// A random number depends only on its key (seed, purpose, rank, iteration, k). k is the number of the block in the
// iteration of its rank, from 0; blocks without work are not counted. If draws repeat after R iterations, iteration i
// uses the draws of i modulo R. So a draw is independent of the order of calls, of messages and labels, and of the
// number of iterations. All executors of a program (the event engine, SimGrid's actors, the writer of traces) obtain
// the same durations on every host.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"
#include "simulator/units/wave.hpp"

namespace warpfront::variation {

/// The last wave of an iteration that a cost map can name. Waves count from 0.
inline constexpr std::uint32_t kLastWave = (std::uint32_t{1} << 20) - 1;
/// The largest coefficient of variation: at 10, half of all blocks take less than a tenth of their nominal time.
inline constexpr double kLargestCv = 10.0;

/// The largest number of interruptions in a second of computing.
inline constexpr double kMostInterruptions = 1e9;

/// Interruptions of every processor by the operating system at regular intervals.
struct PeriodicNoise {
    Time period;  // longer than length
    Time length;
    bool aligned = false;  // all ranks are interrupted at the same times
};

/// Rare activities of the operating system. They have the same length and occur at independent times.
struct Interruptions {
    double per_second = 0.0;  // mean number per second of computing, at least 0
    Time length;
    bool absorbed_by_idle_core = true;  // true if ranks of a node with an idle core are not interrupted
    friend bool operator==(const Interruptions&, const Interruptions&) = default;
};

struct SpeedClass {
    double share = 1.0;  // share of the ranks, in (0, 1]; the shares of all classes add up to 1
    double speed = 1.0;  // speed relative to that of the nominal times, above 0
};

/// One line of a cost map: the factor of one tile of a rank, or of all its tiles. Each (rank, wave) occurs once, and
/// factors are >= 0.
struct CostFactor {
    Rank rank;
    std::optional<std::uint32_t> wave{};
    double factor = 1.0;
};

/// A value of `repeats_after`: the number of iterations with enough draws, which tools/answer/experiment computes. An
/// engine that is called with this value repeats a single iteration.
inline constexpr std::int64_t kWhenEnough = -1;

/// The variation of a run. By default there is none.
struct Noise {
    double cv = 0.0;  // coefficient of variation, 0 .. kLargestCv
    Time jitter{};    // standard deviation of every block, in addition to cv
    /// number of iterations after which the draws of blocks repeat, or kWhenEnough; 0 if they never repeat
    std::int64_t repeats_after = 0;
    std::optional<PeriodicNoise> periodic{};
    std::optional<Interruptions> interruptions{};
    std::vector<bool> has_idle_core{};  // true for ranks of nodes with a core that has no rank; empty if there are none
    std::vector<SpeedClass> classes{};
    std::vector<CostFactor> map{};

    /// Returns true if every block takes its nominal time.
    bool off() const { return !draws() && !called_away() && classes.empty() && map.empty(); }
    /// Returns true if the durations of blocks repeat after some iterations and do not depend on start times.
    bool recurs() const { return !(draws() && repeats_after == 0) && !called_away(); }
    /// Returns true if another seed can change the result.
    bool random() const { return draws() || (called_away() && !periodic->aligned) || classes.size() > 1; }

    /// Returns true if each block needs a random number.
    bool draws() const { return varies() || interrupted(); }
    /// Returns true if blocks are multiplied by a random factor.
    bool varies() const { return cv > 0.0 || jitter.ps > 0; }
    /// Returns true if blocks of any rank can be interrupted at random.
    bool interrupted() const;
    /// Returns true if the duration of a block depends on its start time.
    bool called_away() const { return periodic && periodic->length.ps > 0; }
};

/// The noise of one of several jobs on one machine.
struct JobNoise {
    Noise noise;
    Seed seed;
};

/// The durations of the blocks of a run, by the equations above.
class ComputeTime {
public:
    ComputeTime(const Noise& noise, Seed seed, std::uint32_t ranks);

    /// One of several jobs in a run. Its blocks take the same times as if this job ran alone from `start` on, since
    /// draws use the number of the rank within its job.
    struct OfJob {
        JobNoise noise;
        std::uint32_t first_rank = 0;
        std::uint32_t ranks = 0;
        Time start{};
    };
    /// Creates the times of several jobs, whose ranks follow each other in this order.
    explicit ComputeTime(const std::vector<OfJob>& jobs);

    /// The properties that all blocks of one length share.
    class Block {
    public:
        Block() = default;
        Time nominal() const { return nominal_; }

    private:
        friend class ComputeTime;
        Block(Time nominal, double variance, std::uint64_t uninterrupted);

        Time nominal_;
        double variance_ = 0.0;  // variance of ln X
        double deviation_ = 0.0;
        /// a block without a factor has no interruption if U * 2^64 is below this number
        std::uint64_t uninterrupted_ = 0;
    };
    Block block(Time nominal) const;

    /// Returns the duration of a block. `wave` is that of units/wave.hpp. `number` counts the earlier blocks with work
    /// in the iteration of the rank; it is below 2^34. Throws std::overflow_error if the duration exceeds kLongestCost.
    Time operator()(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block, Time start) const;
    Time operator()(Rank rank, std::uint64_t wave, std::uint64_t number, Time nominal, Time start) const {
        return (*this)(rank, wave, number, block(nominal), start);
    }

    /// Returns the part of a block's duration that is proportional to the jitter and the lengths of interruptions, with
    /// the same random numbers. The rest is proportional to the nominal time. Jitter may shorten a block; this part is
    /// then negative. Periodic noise counts as the time for which it interrupts the block.
    Time noise_in(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block, Time start) const;

    /// Returns a lower bound of the durations of blocks with this nominal time.
    Time least(Time nominal) const;

    std::uint64_t bytes() const;
    /// Returns in advance the memory that `bytes` will report.
    static std::uint64_t bytes(const Noise& noise, std::uint32_t ranks);

private:
    struct TileFactor {
        std::uint32_t wave = 0;
        double factor = 1.0;
    };

    struct Job;

    const Job& job_of(Rank rank) const;
    Time of_job(Rank rank, std::uint64_t wave, std::uint64_t number, Time nominal, Time start) const;
    void draw_speeds(const std::vector<SpeedClass>& classes, std::uint32_t ranks);
    void read_map(std::vector<CostFactor> map, std::uint32_t ranks);
    Time work_of(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block) const;
    Time with_interruptions(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block, Time work) const;
    Time with_periodic_noise(Rank rank, Time work, Time start) const;
    Random stream(Purpose purpose, Rank rank, std::uint64_t wave, std::uint64_t number) const;
    double variation(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block) const;
    double share_of_jitter(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block) const;
    double squared_jitter(Time nominal) const;
    double tile_factor(Rank rank, std::uint64_t wave) const;
    double least_factor() const;

    Seed seed_;
    bool varies_ = false;
    bool scales_ = false;        // true if the time of any block is multiplied by a factor
    double least_factor_ = 1.0;  // lower bound of all factors: the least of all ranks times the least of all tiles
    std::uint64_t repeats_after_ = 0;
    double cv_ = 0.0;
    Time jitter_;
    std::optional<Interruptions> interruptions_;
    std::vector<bool> absorbs_;  // true for ranks whose interruptions an idle core absorbs; empty if there are none
    std::optional<PeriodicNoise> periodic_;
    std::vector<std::int64_t> phases_;  // phase of each rank; empty if all are 0
    std::vector<double> rank_factors_;  // f(r) / speed(r); empty if all are 1
    std::vector<std::size_t>
        /// index in tiles_ of the first tile of each rank, with one more at the end; empty if no tile has a factor
        first_tile_;
    std::vector<TileFactor> tiles_;  // by rank, then wave
    std::vector<Job> jobs_;          // jobs in the order of their ranks; empty if the run has no jobs
};

struct ComputeTime::Job {
    ComputeTime times;
    std::uint32_t first_rank = 0;
    std::uint32_t ranks = 0;
    Time start{};
};

inline Time ComputeTime::operator()(Rank rank, std::uint64_t wave, std::uint64_t number, const Block& block,
                                    Time start) const {
    if (!jobs_.empty()) [[unlikely]]
        return of_job(rank, wave, number, block.nominal(), start);
    Time work = scales_ ? work_of(rank, wave, number, block) : block.nominal_;
    if (interruptions_ && work.ps > 0) work = with_interruptions(rank, wave, number, block, work);
    return periodic_ && work.ps > 0 ? with_periodic_noise(rank, work, start) : work;
}

// Streams of tasks. A run of task lists has no iterations. A block of a task draws from a stream within the task's
// stream, which the step of the task selects. The stream of a task depends on the list and the position of the task,
// and on those of the enclosing tasks. It depends neither on time nor on the worker.

/// Returns the stream with this number within another stream (the finaliser of SplitMix64, Steele, Lea & Flood 2014).
constexpr std::uint64_t stream_within(std::uint64_t stream, std::uint64_t number) {
    std::uint64_t x = stream * 0x9e3779b97f4a7c15ULL + number + 1;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

/// Returns the stream of a list. `around` is the stream of the enclosing task, or 0.
constexpr std::uint64_t list_stream(std::uint64_t around, std::uint32_t list) {
    return stream_within(around, std::uint64_t{list} + 1);
}

constexpr std::uint64_t task_stream(std::uint64_t list, std::int64_t place) {
    return stream_within(list, static_cast<std::uint64_t>(place));
}

}  // namespace warpfront::variation
