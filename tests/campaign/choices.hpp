// The named choices that make a random trial. Each is drawn from its own stream, named by the seed, the trial's number
// and the choice's name, so that fixing one does not change the others. A trial is shrunk by fixing choices to simpler
// values: every choice is a whole number, and its smallest value is the simplest.
#pragma once

#include "simulator/units/random.hpp"
#include "tests/preamble.hpp"

namespace warpfront::campaign {

struct Choice {
    std::string name;
    std::int64_t simplest = 0;
    std::int64_t value = 0;
};

using Fixed = std::map<std::string, std::int64_t>;

class Choices {
public:
    /// Creates choices that are all drawn.
    Choices(Seed seed, std::uint32_t trial);
    /// Creates fixed choices. A choice in `fixed` has that value, or the nearest valid one; any other is the simplest.
    explicit Choices(Fixed fixed);

    /// Draws a whole number from `least` to `most`, uniformly in its logarithm.
    std::int64_t size(const std::string& name, std::int64_t least, std::int64_t most);
    /// Draws from 0 to `count` - 1, uniformly.
    std::int64_t below(const std::string& name, std::int64_t count);
    /// Draws from 0 to the number of weights - 1, with probabilities by weight.
    std::int64_t weighted(const std::string& name, std::initializer_list<double> weights);
    bool chance(const std::string& name, double probability);
    template <typename Value>
    const Value& of(const std::string& name, std::span<const Value> values) {
        return values[static_cast<std::size_t>(below(name, static_cast<std::int64_t>(values.size())))];
    }

    /// Returns the choices in the order in which they were made.
    const std::vector<Choice>& made() const { return made_; }

private:
    template <typename Draw>
    std::int64_t make(const std::string& name, std::int64_t least, std::int64_t most, const Draw& draw);

    bool drawn_ = true;
    Seed seed_;
    std::uint32_t trial_ = 0;
    Fixed fixed_;
    std::vector<Choice> made_;
};

Fixed fixed_of(std::span<const Choice> made);

/// A function that runs the trial of these choices. It returns the choices that the trial made if it still fails, else
/// nothing.
using StillFails = std::function<std::optional<std::vector<Choice>>(const Fixed&)>;

/// Shrinks a failing trial, choice by choice towards the simplest value, until no choice can be made simpler. Returns
/// the choices of the simplest trial found. `go_on` is called before each run; the search ends when it returns false.
std::vector<Choice> shrink(std::vector<Choice> made, const StillFails& still_fails, const std::function<bool()>& go_on);

}  // namespace warpfront::campaign
