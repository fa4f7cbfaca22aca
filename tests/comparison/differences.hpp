// The properties that two runs of one experiment must share, however they were simulated: everything in a record except
// the work.
//
// Not pinned here: this is a library of other suites; tests/campaign tests that it finds differences.
#pragma once

#include "simulator/record/record.hpp"
#include "tests/preamble.hpp"

namespace warpfront::test {

/// Returns one line for each value that differs, with both values in picoseconds and the second minus the first; empty
/// if the results are the same. For ranks, iterations and links the first that differ are named.
std::vector<std::string> differences(const record::Record& a, const record::Record& b);

/// Returns the differences of two deadlocks: the blocked ranks, and the place, the cause and the time of each.
std::vector<std::string> differences(const std::vector<record::Blocked>& a, const std::vector<record::Blocked>& b);

/// Returns the contradictions of one record: a negative part, or parts or iterations that do not add up to the total.
std::vector<std::string> contradictions(const record::Record& record);

}  // namespace warpfront::test
