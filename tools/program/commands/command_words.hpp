// The command that reproduces a run or a study, as the results name it. It has all options that change the answer, but
// none that only change how it is computed or where it is written.
#pragma once

#include <string>

#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

/// Formats "warpfront run SCENARIO --set ...", with each word quoted for a shell if necessary.
std::string command_words(const RunOptions& options);
std::string command_words(const StudyOptions& options);
std::string command_words(const CostsOptions& options);

}  // namespace warpfront::tools
