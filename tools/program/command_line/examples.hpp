// Examples of every sub-command: the command and its purpose. Help texts and the man page show them, and a test runs
// all of them from the project's folder.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpfront::tools {

struct Example {
    std::string_view command;  // "run"
    std::string_view arguments;
    std::string_view answers;  // one line
};

std::span<const Example> examples();

/// Returns the end of a help text: the examples of one sub-command or, without a name, the first of each.
std::string examples_text(std::string_view command = {});

}  // namespace warpfront::tools
