#include "tools/from_code/learning/occasions.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace warpfront::learning {

namespace {

using Kind = Test::Kind;

constexpr std::int64_t kLargestConstant = 1'000;

bool holds(const Test& test, const Iteration& iteration) {
    const auto holds_at = [&] {
        switch (test.kind) {
            case Kind::first: return iteration.number == 1;
            case Kind::last: return iteration.number == iteration.of;
            case Kind::remainder: {
                const std::int64_t period = value_of(test.number, *iteration.at);
                return period > 0 && iteration.number % period == test.remainder % period;
            }
            case Kind::beyond: return iteration.number > value_of(test.number, *iteration.at);
            case Kind::compared: return (*iteration.at)[test.a] > (*iteration.at)[test.b];
        }
        return false;
    };
    return holds_at() != test.negated;
}

Test plain(Kind kind, bool negated) {
    Test test;
    test.kind = kind;
    test.negated = negated;
    return test;
}

Expression constant(std::int64_t value) { return {{}, value}; }
Expression one(const Atom& atom) { return {{{1, {atom}}}, 0}; }

bool differs(const std::vector<OccasionSample>& samples, std::uint32_t variable) {
    return std::ranges::any_of(samples, [&](const OccasionSample& each) {
        return (*each.iteration.at)[variable] != (*samples.front().iteration.at)[variable];
    });
}

/// Searches for the simplest occasion. All tests of one list are equally simple.
class OccasionSearch {
public:
    OccasionSearch(const std::vector<OccasionSample>& samples, const Variables& variables) : samples_(samples) {
        for (const OccasionSample& each : samples) most_ = std::max(most_, each.iteration.of);
        most_ = std::min(most_, kLargestConstant);
        for (const bool negated : {false, true}) {
            ends_.push_back(plain(Kind::first, negated));
            ends_.push_back(plain(Kind::last, negated));
        }
        add_numbers(variables);
        add_comparisons();
    }

    std::optional<FoundOccasion> find() const {
        if (is_constant_in_runs()) {
            if (auto found = single(comparisons_)) return found;
        }
        if (most_ == 1) return std::nullopt;  // the part is outside of loops, or in loops of one iteration
        if (auto found = single(ends_)) return found;
        for (const std::vector<Expression>& numbers : numbers_) {
            if (auto found = single(every(numbers))) return found;
        }
        for (const std::vector<Expression>& numbers : numbers_) {
            if (auto found = single(limits(numbers))) return found;
        }
        for (const std::vector<Expression>& numbers : numbers_) {
            if (auto found = pair(every(numbers), ends_)) return found;
        }
        return pair(ends_, ends_);
    }

private:
    /// Returns true if each run executes the part in all iterations or in none.
    bool is_constant_in_runs() const {
        std::map<const Values*, bool> of_run;
        return std::ranges::all_of(samples_, [&of_run](const OccasionSample& each) {
            return of_run.try_emplace(each.iteration.at, each.executed).first->second == each.executed;
        });
    }

    /// Adds the numbers that may be periods, the likeliest list first.
    void add_numbers(const Variables& variables) {
        const auto count = static_cast<std::uint32_t>(variables.names.size());
        std::vector<Expression> varied;
        std::vector<Expression> constants;
        std::vector<Expression> quotients;
        for (std::uint32_t v = Variables::kParameters; v < count; ++v) {
            if (differs(samples_, v)) varied.push_back(one({Atom::Rule::variable, v}));
        }
        for (std::int64_t value = 2; value <= most_; ++value) constants.push_back(constant(value));
        // A parameter with the same value in all runs is an alternative to that constant.
        for (std::uint32_t v = Variables::kParameters; v < count; ++v) {
            if (!differs(samples_, v)) constants.push_back(one({Atom::Rule::variable, v}));
            for (std::uint32_t other = Variables::kParameters; other < count; ++other) {
                if (other == v) continue;
                const Atom atom{Atom::Rule::whole_blocks, v, other};
                const bool sound = std::ranges::all_of(
                    samples_, [&](const OccasionSample& each) { return has_value(atom, *each.iteration.at); });
                if (sound) quotients.push_back(one(atom));
            }
        }
        numbers_ = {std::move(varied), std::move(constants), std::move(quotients)};
    }

    void add_comparisons() {
        constexpr std::uint32_t kSides = 3;
        for (std::uint32_t a = 0; a < kSides; ++a) {
            for (std::uint32_t b = 0; b < kSides; ++b) {
                if (a == b) continue;
                for (const bool negated : {false, true}) {
                    Test test = plain(Kind::compared, negated);
                    test.a = a;
                    test.b = b;
                    comparisons_.push_back(test);
                }
            }
        }
    }

    static std::vector<Test> every(const std::vector<Expression>& numbers) {
        std::vector<Test> tests;
        for (const std::int64_t remainder : {0, 1}) {
            for (const bool negated : {false, true}) {
                for (const Expression& number : numbers) {
                    Test test = plain(Kind::remainder, negated);
                    test.number = number;
                    test.remainder = remainder;
                    tests.push_back(std::move(test));
                }
            }
        }
        return tests;
    }

    static std::vector<Test> limits(const std::vector<Expression>& numbers) {
        std::vector<Test> tests;
        for (const bool negated : {false, true}) {
            for (const Expression& number : numbers) {
                Test test = plain(Kind::beyond, negated);
                test.number = number;
                tests.push_back(std::move(test));
            }
        }
        return tests;
    }

    bool agrees(const Occasion& occasion) const {
        return std::ranges::all_of(samples_, [&](const OccasionSample& each) {
            return learning::holds(occasion, each.iteration) == each.executed;
        });
    }

    std::optional<FoundOccasion> single(const std::vector<Test>& tests) const {
        std::vector<Occasion> found;
        for (const Test& test : tests) {
            Occasion occasion{{test}, false};
            if (agrees(occasion)) found.push_back(std::move(occasion));
        }
        return best(std::move(found));
    }

    std::optional<FoundOccasion> pair(const std::vector<Test>& firsts, const std::vector<Test>& seconds) const {
        std::vector<Occasion> found;
        for (const Test& first : firsts) {
            for (const Test& second : seconds) {
                for (const bool either : {true, false}) {
                    Occasion occasion{{first, second}, either};
                    if (agrees(occasion)) found.push_back(std::move(occasion));
                }
            }
        }
        return best(std::move(found));
    }

    static std::optional<FoundOccasion> best(std::vector<Occasion> found) {
        if (found.empty()) return std::nullopt;
        Occasion first = std::move(found.front());
        found.erase(found.begin());
        return FoundOccasion{std::move(first), std::move(found)};
    }

    const std::vector<OccasionSample>& samples_;
    std::int64_t most_ = 1;  // largest number of iterations of a loop
    std::vector<Test> ends_;
    std::vector<std::vector<Expression>> numbers_;
    std::vector<Test> comparisons_;
};

std::string number_text(const Expression& number, const Variables& variables) {
    if (number.terms.empty()) return fmt::format("{}", number.constant);
    return text_of(number.terms.front().atoms.front(), variables);
}

std::string text_of(const Test& test, const Variables& variables, const std::string& counter, const std::string& last) {
    const char* const equal = test.negated ? "!=" : "==";
    switch (test.kind) {
        case Kind::first: return fmt::format("{} {} 1", counter, equal);
        case Kind::last: return fmt::format("{} {} {}", counter, equal, last);
        case Kind::remainder:
            return fmt::format("{} % {} {} {}", counter, number_text(test.number, variables), equal, test.remainder);
        case Kind::beyond:
            return fmt::format("{} {} {}", counter, test.negated ? "<=" : ">", number_text(test.number, variables));
        case Kind::compared:
            return fmt::format("{} {} {}", variables.names[test.a], test.negated ? "<=" : ">", variables.names[test.b]);
    }
    return {};
}

}  // namespace

bool holds(const Occasion& occasion, const Iteration& iteration) {
    const auto test = [&](const Test& each) { return holds(each, iteration); };
    return occasion.either ? std::ranges::any_of(occasion.tests, test) : std::ranges::all_of(occasion.tests, test);
}

std::optional<FoundOccasion> occasion_of(const std::vector<OccasionSample>& samples, const Variables& variables) {
    if (samples.empty()) return std::nullopt;
    return OccasionSearch(samples, variables).find();
}

bool is_regular(const std::vector<bool>& executed) {
    const Values none(Variables::kParameters, 1);
    std::vector<OccasionSample> samples;
    for (std::size_t at = 0; at < executed.size(); ++at) {
        samples.push_back(
            {{&none, static_cast<std::int64_t>(at) + 1, static_cast<std::int64_t>(executed.size())}, executed[at]});
    }
    Variables variables;
    variables.names.resize(Variables::kParameters);
    return occasion_of(samples, variables).has_value();
}

std::size_t length_of(const Occasion& occasion) {
    constexpr std::size_t kTest = 2;
    constexpr std::size_t kPair = 8;
    return occasion.tests.size() == 1 ? kTest : kPair;
}

bool is_all_but_an_end(const Occasion& occasion) {
    const Test& test = occasion.tests.front();
    return occasion.tests.size() == 1 && test.negated && (test.kind == Kind::first || test.kind == Kind::last);
}

std::optional<std::int64_t> constant_period(const Occasion& occasion) {
    const Test& test = occasion.tests.front();
    const bool is_constant = test.kind == Kind::remainder && test.number.terms.empty();
    return occasion.tests.size() == 1 && is_constant && !test.negated && test.remainder == 0
               ? std::optional(test.number.constant)
               : std::nullopt;
}

bool counts_iterations(const Occasion& occasion) {
    return std::ranges::any_of(occasion.tests, [](const Test& each) { return each.kind != Kind::compared; });
}

void add_variables(const Occasion& occasion, std::set<std::uint32_t>& variables) {
    for (const Test& test : occasion.tests) {
        if (test.kind == Kind::compared) variables.insert({test.a, test.b});
        for (const Term& term : test.number.terms) {
            for (const Atom& atom : term.atoms) {
                variables.insert(atom.a);
                if (atom.rule != Atom::Rule::variable) variables.insert(atom.b);
            }
        }
    }
}

std::string text_of(const Occasion& occasion, const Variables& variables, const std::string& counter,
                    const std::string& last) {
    std::string text;
    for (const Test& test : occasion.tests) {
        text += (text.empty() ? "" : occasion.either ? " or " : " and ") + text_of(test, variables, counter, last);
    }
    return text;
}

}  // namespace warpfront::learning
