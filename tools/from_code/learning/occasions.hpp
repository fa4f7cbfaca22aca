// An occasion selects when a part of the code is executed: in certain iterations of a loop, or in certain runs.
//
//   if k % inorm == 0 or k == iterations { allreduce 40B }
//   if columns > rows { ... }
//
// An occasion is one test of the iteration or of the run, or a combination of two tests. The simplest occasion that
// agrees with all recorded iterations of all runs is chosen. The order is: first and last iterations; every n-th
// iteration; limits; pairs of tests. n is a parameter that differs between the runs, a constant, or a quotient of
// parameters. If some runs never execute a part and all others always do, only the shape of the process grid is tested.
// Comparisons and remainders of parameters are not tried outside of loops, since with few runs some of them agrees with
// any selection of runs.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/from_code/learning/expressions.hpp"

namespace warpfront::learning {

struct Test {
    enum class Kind : std::uint8_t {
        first,      // the first iteration
        last,       // the last iteration
        remainder,  // the remainder of the iteration divided by `number` has this value
        beyond,     // the iteration is greater than `number`
        compared    // side `a` of the process grid is longer than side `b`
    };
    Kind kind = Kind::first;
    bool negated = false;
    Expression number{};  // a constant, or one atom
    std::int64_t remainder = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    friend bool operator==(const Test&, const Test&) = default;
};

/// One test, or two tests combined by `and` or `or`.
struct Occasion {
    std::vector<Test> tests;
    bool either = false;
    friend bool operator==(const Occasion&, const Occasion&) = default;
};

/// An iteration of a loop in a run with these values. Iterations are counted from 1.
struct Iteration {
    const Values* at = nullptr;
    std::int64_t number = 1;
    std::int64_t of = 1;
};
bool holds(const Occasion& occasion, const Iteration& iteration);

struct OccasionSample {
    Iteration iteration;
    bool executed = false;
};
struct FoundOccasion {
    Occasion occasion;
    std::vector<Occasion> rivals;  // equally simple occasions that also agree with all samples
};
/// Finds the simplest occasion that agrees with all samples. Returns nothing if there is none.
std::optional<FoundOccasion> occasion_of(const std::vector<OccasionSample>& samples, const Variables& variables);

/// Returns true if an occasion with constants selects exactly these iterations of a loop.
bool is_regular(const std::vector<bool>& executed);

/// Returns how long the occasion is for a reader.
std::size_t length_of(const Occasion& occasion);
/// Returns true if the occasion is all iterations except the first, or all except the last. Such a part needs no
/// condition if the loop begins at another position.
bool is_all_but_an_end(const Occasion& occasion);
/// Returns n if the occasion is every n-th iteration with a constant n.
std::optional<std::int64_t> constant_period(const Occasion& occasion);
/// Returns true if the occasion depends on the iteration, and not only on the run.
bool counts_iterations(const Occasion& occasion);
/// Adds the variables on which the occasion depends.
void add_variables(const Occasion& occasion, std::set<std::uint32_t>& variables);
/// Formats the occasion in PSL. `counter` is the variable of the loop, and `last` its last value.
std::string text_of(const Occasion& occasion, const Variables& variables, const std::string& counter,
                    const std::string& last);

}  // namespace warpfront::learning
