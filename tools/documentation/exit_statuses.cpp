#include "tools/documentation/exit_statuses.hpp"

#include <array>

#include "tools/commands/commands.hpp"

namespace warpfront::documentation {

namespace {

using tools::ExitStatus;

static_assert(ExitStatus::done == ExitStatus{0} && ExitStatus::run_failed == ExitStatus{1} &&
              ExitStatus::bad_input == ExitStatus{2} && ExitStatus::internal_fault == ExitStatus{3} &&
              ExitStatus::interrupted == ExitStatus{130} && ExitStatus::terminated == ExitStatus{143} &&
              ExitStatus::hung_up == ExitStatus{129});

constexpr std::array kTexts{
    ExitStatusText{"0", "done"},
    ExitStatusText{"1",
                   "the run failed: a deadlock, virtual time overflow, a disagreement beyond `--tolerance`, "
                   "a fit that predicts nothing"},
    ExitStatusText{"2", "bad input: a file, an option; or an output that cannot be written"},
    ExitStatusText{"3", "an internal fault: please report it"},
    ExitStatusText{"130, 143, 129", "it was interrupted: by Ctrl-C, by SIGTERM, by SIGHUP (the terminal was closed)"},
};

}  // namespace

std::span<const ExitStatusText> exit_statuses() { return kTexts; }

}  // namespace warpfront::documentation
