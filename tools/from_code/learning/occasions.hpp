// Occasions: the iterations of a loop, or the runs, in which a part of the code is executed.
//
//   if k % inorm == 0 or k == iterations { allreduce 40B }
//   if columns > rows { ... }
//
// An occasion is one test of the iteration or of the run, or two of them. The simplest one that agrees with all
// recorded iterations of all runs is chosen: first and last iterations, then every n-th one, where n is a parameter
// that differs between the runs, a constant, or a quotient of parameters, then limits, then pairs. A part that some
// runs never execute and others always depends on the shape of the process grid. With a few runs, some comparison or
// remainder of parameters agrees with any choice of runs, so outside of loops neither is tried.
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
        remainder,  // the iteration divided by `number` leaves this remainder
        beyond,     // the iteration is greater than `number`
        compared    // side `a` of the process grid is longer than side `b`
    };
    Kind kind = Kind::first;
    bool negated = false;
    Expression number{};  // a constant or one atom
    std::int64_t remainder = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    friend bool operator==(const Test&, const Test&) = default;
};

/// One test, or two of which both or either must hold.
struct Occasion {
    std::vector<Test> tests;
    bool either = false;
    friend bool operator==(const Occasion&, const Occasion&) = default;
};

/// An iteration of a loop, counted from 1, in a run with these values.
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
    std::vector<Occasion> rivals;  // equally simple occasions that agree with all samples too
};
/// Finds the simplest occasion that agrees with all samples; returns nothing if there is none.
std::optional<FoundOccasion> occasion_of(const std::vector<OccasionSample>& samples, const Variables& variables);

/// Returns whether an occasion with constants describes the iterations of one loop that are true.
bool is_regular(const std::vector<bool>& executed);

/// Returns the length of the occasion for a reader.
std::size_t length_of(const Occasion& occasion);
/// Returns whether the occasion is all iterations except the first, or except the last. It may as well be written
/// without a condition, in a loop that begins at another place.
bool is_all_but_an_end(const Occasion& occasion);
/// Returns n if the occasion is every n-th iteration for a constant n.
std::optional<std::int64_t> constant_period(const Occasion& occasion);
/// Returns whether the occasion depends on the iteration, not only on the run.
bool counts_iterations(const Occasion& occasion);
/// Adds the variables on which the occasion depends.
void add_variables(const Occasion& occasion, std::set<std::uint32_t>& variables);
/// Formats the occasion in PSL; `counter` is the variable of the loop and `last` its last value.
std::string text_of(const Occasion& occasion, const Variables& variables, const std::string& counter,
                    const std::string& last);

}  // namespace warpfront::learning
