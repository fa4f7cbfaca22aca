// Runs SimGrid in a worker process (simulator/process/worker_process.hpp), since SimGrid aborts on some inputs and
// allows one run per process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/process/module.hpp"

namespace warpfront::reference {

/// The answer of the worker, and its cost.
struct WorkerAnswer {
    std::string bytes;  // process/byte_stream.hpp
    double cpu_s = 0.0;
    std::uint64_t peak_rss_bytes = 0;
};

/// Runs `work` in a worker and returns its answer. Throws BadInput at `range` if the work takes too much memory or time
/// (reference_limits), std::runtime_error if SimGrid fails.
WorkerAnswer run_in_simgrid_worker(const input::SourceRange& range, const std::function<std::string()>& work);

/// Returns a function of the module `warpfront_simgrid`; throws BadInput missing_module if the module cannot be loaded.
template <class Function>
Function* function_of_simgrid(const char* name, const input::SourceRange& range) {
    try {
        return process::Module("warpfront_simgrid").function<Function>(name);
    } catch (const process::MissingModule& missing) {
        throw input::BadInput(input::DiagnosticKind::missing_module, range,
                              fmt::format("simgrid cannot be loaded: {}", missing.what()), missing.remedy());
    }
}

}  // namespace warpfront::reference
