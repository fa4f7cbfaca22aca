// The sub-commands' options as CLI11 knows them: names, help, and how each value is read.
#pragma once

#include <CLI/CLI.hpp>

#include "simulator/input/diagnostic.hpp"
#include "tools/commands/commands.hpp"

namespace warpfront::tools {

struct AllOptions {
    RunOptions run;
    ExplainOptions explain;
    EstimateOptions estimate;
    CompareOptions compare;
    StudyOptions study;
    ReportOptions report;
    ServeOptions serve;
    CalibrateOptions calibrate;
    TraceOptions trace;
    CheckOptions check;
};

/// Makes `app` the whole program: its name, its help, its sub-commands. When it parses, values go to `options` and what
/// is wrong with them to `faults`; both must outlive it.
void describe_program(CLI::App& app, AllOptions& options, input::Diagnostics& faults);

}  // namespace warpfront::tools
