// A property checked on random models and machines: fixed seeds, so that every run of the tests does the same; a
// failing case is shrunk before it is shown.
//
// RC_PARAMS, rapidcheck's own variable, replaces the fixed seeds and counts. To search further:
//   RC_PARAMS="seed=7 max_success=10000" build/tests/properties_test
#pragma once

#include <rapidcheck.h>

#include "simulator/engine/engine.hpp"
#include "tests/properties/sketches.hpp"

namespace warpfront::test {

/// The number of random cases for a property. The first are the smallest.
struct Cases {
    int count = 100;
    std::uint64_t seed = 1;
};

template <typename Property>
void holds(Cases cases, const Property& property) {
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    if (std::getenv("RC_PARAMS") == nullptr) {
        params.seed = cases.seed;
        params.maxSuccess = cases.count;
    }
    const rc::detail::TestResult result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
    std::ostringstream reported;
    rc::detail::printResultMessage(result, reported);
    INFO(reported.str());
    CHECK(result.template is<rc::detail::SuccessResult>());
}

/// All that must not depend on how a run is stepped (tests/comparison/differences.hpp); what differs is shown.
void assert_same(const record::Record& a, const record::Record& b);

/// Checks that the parts of the critical path add up to the time. Only those of a transfer may be negative, if they
/// hide copies that are not on the path, or precede the request of a receiver that is late.
void assert_adds_up(const record::Record& record);

/// Returns true if iterations were skipped, according to a note of the record.
bool skipped(const record::Record& record);

/// Returns `a` with every time multiplied by `factor`.
record::Record multiplied(record::Record a, std::int64_t factor);

/// Checks that no rank of `later` finishes before it does in `sooner`.
void assert_never_earlier(const record::Record& later, const record::Record& sooner);

}  // namespace warpfront::test
