// Judgement of the columns of a published table, all rows together (tools/study/cases/statements.hpp):
//
//   pred           the closed form `analytic`, within 1 %
//   exec           the event engine, within the largest error of the source's own predictions in the table
//   warpp, pace    the event engine, as for exec
//
// `within` of the list has priority. Rows beyond the bound are named.
#pragma once

#include <vector>

#include "tools/study/cases/statements.hpp"
#include "tools/study/cases/tables.hpp"
#include "tools/study/comparison/comparison.hpp"

namespace warpfront::tools {

/// Returns one statement for each column that a row of the entry's table has.
std::vector<Statement> judge(const ComparisonEntry& entry, const Comparison& comparison);

}  // namespace warpfront::tools
