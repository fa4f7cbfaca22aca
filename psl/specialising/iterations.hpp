// Folds many iterations of a loop together instead of one by one. The iterations are divided into turns of equal
// length. The loop variable is v = first + period * turn + part. There are `times` turns with `period` iterations each,
// and `part` is the number of an iteration within its turn. The body is folded with an unknown v. If the folding needs
// more information about v, its result is a `SplitRequest`. Its kind determines how the iterations are split:
//
//   part    iterations with a `part` from `at` on differ from those before (`v == 7`, or `v % 10 == 0` within a turn)
//   turn    the turns from `at` on differ from those before (`v > 70`, if turns are folded at once)
//   period  the body repeats after this many iterations (`v % 10`, if all iterations are one turn)
//   each    v itself is needed
//
// Equal neighbours are joined again. If a body does not use v, all iterations are folded at once. If it compares v or v
// % m with constants, it is folded a few times, whatever the number of iterations and m.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace warpfront::psl {

/// The iterations of the turns 0 to times - 1 whose `part` is `from` to `to`.
struct Iterations {
    std::int64_t first = 1;
    std::int64_t period = 1;
    std::int64_t times = 1;
    std::int64_t from = 0;
    std::int64_t to = 0;
    bool may_repeat = false;  // true if a SplitRequest may request a period

    bool single() const { return times == 1 && from == to; }
};

/// A request to split iterations. `level` is the nesting level of the loop whose variable is needed. The variable of an
/// application's `iteration` has level 1. The folding of an expression throws a SplitRequest, and the folding of the
/// innermost loop body returns it.
struct SplitRequest {
    enum class Kind : std::uint8_t { part, turn, period, each };
    Kind kind = Kind::each;
    unsigned level = 0;
    std::int64_t at = 0;
};

/// The result of folding, or a SplitRequest if the iterations must be split before.
template <class Result>
using Folded = std::variant<Result, SplitRequest>;

/// Consecutive iterations with equal bodies.
template <class Result>
struct Run {
    std::int64_t count = 1;
    Result body;
};

/// A sequence of runs, repeated `times` times.
template <class Result>
struct Stretch {
    std::int64_t times = 1;
    std::vector<Run<Result>> runs;
};

template <class Result, class Fold>
class IterationFolding {
public:
    IterationFolding(unsigned level, Fold fold) : level_(level), fold_(std::move(fold)) {}

    Folded<std::vector<Stretch<Result>>> run(std::int64_t first, std::int64_t count) {
        open_.push_back({first, count, 0});
        while (!open_.empty()) {
            Interval now = open_.back();
            open_.pop_back();
            if (now.pieces > 0 && now.count > now.pieces) {
                open_.push_back({now.first + now.pieces, now.count - now.pieces, now.pieces});
                now.count = now.pieces;
            }
            if (const auto outer = fold(now)) return *outer;
        }
        return std::move(stretches_);
    }

private:
    struct Interval {
        std::int64_t first;
        std::int64_t count;
        std::int64_t pieces;  // number of iterations after which the next interval is known to differ; 0 if unknown
    };

    /// Folds an interval, or its beginning if the rest must be folded differently. Returns a SplitRequest if the
    /// variable of another loop is needed.
    std::optional<SplitRequest> fold(const Interval& now) {
        Iterations iterations{now.first, now.count, 1, 0, 0, now.pieces == 0};
        for (;;) {
            Folded<Stretch<Result>> stretch = folded(iterations);
            if (auto* const done = std::get_if<Stretch<Result>>(&stretch)) {
                const std::int64_t count = iterations.period * iterations.times;
                if (count < now.count) open_.push_back({now.first + count, now.count - count, 0});
                add(std::move(*done));
                return std::nullopt;
            }
            const SplitRequest needed = std::get<SplitRequest>(stretch);
            if (needed.level != level_) return needed;
            if (needed.kind != SplitRequest::Kind::period) {
                split(iterations, now, needed);
                return std::nullopt;
            }
            repeat(iterations, now, needed.at);
        }
    }

    static void repeat(Iterations& iterations, const Interval& now, std::int64_t period) {
        iterations.may_repeat = now.count / period >= 2;
        iterations.period = iterations.may_repeat ? period : now.count;
        iterations.times = iterations.may_repeat ? now.count / period : 1;
    }

    void split(const Iterations& iterations, const Interval& now, const SplitRequest& needed) {
        if (needed.kind == SplitRequest::Kind::each) {
            return open_.push_back({now.first, now.count, iterations.times > 1 ? iterations.period : 1});
        }
        const std::int64_t before = iterations.period * needed.at;
        open_.push_back({now.first + before, now.count - before, 0});
        open_.push_back({now.first, before, 0});
    }

    Folded<Stretch<Result>> folded(Iterations iterations) {
        Stretch<Result> stretch;
        stretch.times = iterations.times;
        std::vector<std::pair<std::int64_t, std::int64_t>> parts{{0, iterations.period - 1}};
        while (!parts.empty()) {
            iterations.from = parts.back().first;
            iterations.to = parts.back().second;
            parts.pop_back();
            Folded<Result> body = fold_(iterations);
            if (const auto* const needed = std::get_if<SplitRequest>(&body)) {
                if (needed->level != level_ || needed->kind != SplitRequest::Kind::part) return *needed;
                parts.emplace_back(needed->at, iterations.to);
                parts.emplace_back(iterations.from, needed->at - 1);
            } else {
                add(stretch.runs, {iterations.to - iterations.from + 1, std::get<Result>(std::move(body))});
            }
        }
        return stretch;
    }

    void add(Stretch<Result> stretch) {
        if (stretch.runs.size() == 1) stretch.runs[0].count *= std::exchange(stretch.times, 1);
        if (stretch.times > 1 || stretches_.empty() || stretches_.back().times > 1) {
            stretches_.push_back(std::move(stretch));
            return;
        }
        for (Run<Result>& run : stretch.runs) add(stretches_.back().runs, std::move(run));
    }

    static void add(std::vector<Run<Result>>& runs, Run<Result> run) {
        if (!runs.empty() && runs.back().body == run.body) {
            runs.back().count += run.count;
        } else {
            runs.push_back(std::move(run));
        }
    }

    unsigned level_;
    Fold fold_;
    std::vector<Interval> open_;
    std::vector<Stretch<Result>> stretches_;
};

/// Folds the iterations from `first` to first + count - 1. `fold(Iterations)` returns a Folded<Result>. It is called on
/// smaller and smaller parts of them until it needs no further split. Returns the results in the order of the
/// iterations, or a SplitRequest of another level. Requires `count` >= 1.
template <class Result, class Fold>
Folded<std::vector<Stretch<Result>>> by_iterations(unsigned level, std::int64_t first, std::int64_t count, Fold fold) {
    return IterationFolding<Result, Fold>(level, std::move(fold)).run(first, count);
}

}  // namespace warpfront::psl
