// Telling iterations apart without looking at each. The body is folded for a whole interval of k at once, k being
// unknown. A comparison of k that is not the same throughout asks for a `Split` where its outcome changes; anything
// else that needs k itself asks for `OneByOne`. Neighbours that turn out equal are put together again. So a body that
// never looks at k costs nothing per iteration, one that compares k with constants a few foldings.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace warpfront::psl {

struct Interval {
    std::int64_t first = 1;
    std::int64_t last = 1;
    bool single() const { return first == last; }
};

/// Thrown while folding: the interval's part from `at` on differs from what stands before it.
struct Split {
    std::int64_t at;
};
/// Thrown while folding: k itself is needed.
struct OneByOne {};

/// Calls `fold(Interval)` on ever smaller intervals of 1..iterations until it no longer throws; the results with their
/// numbers of iterations, equal neighbours as one.
template <class Fold>
auto by_iteration(std::int64_t iterations, Fold fold) {
    using Result = decltype(fold(Interval{}));
    std::vector<std::pair<std::int64_t, Result>> runs;
    std::vector<Interval> open{{1, iterations}};
    while (!open.empty()) {
        const Interval now = open.back();
        open.pop_back();
        const auto split = [&](std::int64_t at) {
            open.push_back({at, now.last});
            open.push_back({now.first, at - 1});
        };
        try {
            Result result = fold(now);
            const std::int64_t count = now.last - now.first + 1;
            if (!runs.empty() && runs.back().second == result) {
                runs.back().first += count;
            } else {
                runs.emplace_back(count, std::move(result));
            }
        } catch (const Split& where) {
            split(where.at);
        } catch (const OneByOne&) {
            split(now.first + 1);
        }
    }
    return runs;
}

}  // namespace warpfront::psl
