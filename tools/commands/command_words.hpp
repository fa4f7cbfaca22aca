// The command that a user would type for a run or a study, as the results name it: what changes the answer, and nothing
// of how it is computed or where it goes.
#pragma once

#include <string>

#include "tools/commands/commands.hpp"

namespace warpfront::tools {

/// "warpfront run SCENARIO --set ...", each word quoted for a shell where it needs it.
std::string command_words(const RunOptions& options);
std::string command_words(const StudyOptions& options);
std::string command_words(const CostsOptions& options);

}  // namespace warpfront::tools
