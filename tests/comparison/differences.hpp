// What two runs of one experiment must have in common, however they were stepped: everything a record says but the
// work it took.
//
// Not pinned here: this is a library of other suites; tests/campaign tests that it finds differences.
#pragma once

#include <string>
#include <vector>

#include "simulator/record/record.hpp"

namespace warpfront::test {

/// One line for each figure that differs, with both values in picoseconds and the second less the first; empty where
/// the results are the same. Of ranks, iterations and links the first that differ are named.
std::vector<std::string> differences(const record::Record& a, const record::Record& b);

/// The differences of two deadlocks: the ranks that are blocked, where, for what and since when.
std::vector<std::string> differences(const std::vector<record::Blocked>& a, const std::vector<record::Blocked>& b);

/// What the record alone shows to be wrong: a negative part, parts or iterations that do not add up to the total.
std::vector<std::string> contradictions(const record::Record& record);

}  // namespace warpfront::test
