// The man page warpfront(1), in the macros of man(7).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/program/documentation/program_text.hpp"

namespace warpfront::documentation {

std::string man_page(const ProgramText& program);

/// The meaning of an exit status, in words.
struct ExitStatusText {
    std::string_view numbers;
    std::string_view means;
};

std::span<const ExitStatusText> exit_statuses();

}  // namespace warpfront::documentation
