// What the program's exit statuses mean, in words.
#pragma once

#include <span>
#include <string_view>

namespace warpfront::documentation {

struct ExitStatusText {
    std::string_view numbers;
    std::string_view means;
};

std::span<const ExitStatusText> exit_statuses();

}  // namespace warpfront::documentation
