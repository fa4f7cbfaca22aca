// Files of a test, stdout redirected into one of them, and the message of a fault.
//
// Not pinned here: the values themselves (tests/engine, tests/analytic); files of timelines (tests/timeline); the
// outputs and options of each command (tests/tools, tests/end_to_end).
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "simulator/input/diagnostic.hpp"
#include "tests/scratch.hpp"

namespace warpfront::test {

inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Calls `write` while stdout leads to `file`.
template <class Write>
void with_stdout_to(const std::filesystem::path& file, Write write) {
    std::fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int caught = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(caught, STDOUT_FILENO);
    write();
    std::fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(caught);
    close(kept);
}

/// Returns the output of `write` to stdout, redirected into a file.
template <class Write>
std::string on_stdout(const std::filesystem::path& file, Write write) {
    with_stdout_to(file, write);
    return text_of(file);
}

/// Returns the message of the fault that `act` throws.
template <class Act>
std::string refusal_of(const Act& act) {
    try {
        act();
    } catch (const input::BadInput& bad) {
        CHECK(bad.diagnostics().all()[0].kind == input::DiagnosticKind::unwritable_file);
        return bad.diagnostics().render();
    }
    return "it was written";
}

}  // namespace warpfront::test
