// Parts of the program that were not built, since their package was missing (WARPFRONT_WITH_... of CMakeLists.txt).
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::input {

/// Throws BadInput missing_module for a command or a file that needs a part which was not built without this Debian
/// package.
[[noreturn]] inline void refuse_without(std::string_view package, std::string_view what,
                                        const SourceRange& range = {}) {
    throw BadInput(DiagnosticKind::missing_module, range,
                   fmt::format("{} needs `{}`, without which this program was built", what, package),
                   "expected a program that is built after the installation of this package");
}

}  // namespace warpfront::input
