#include "simulator/reference/worker.hpp"

#include <sys/resource.h>

#include <chrono>
#include <stdexcept>
#include <string_view>

#include "simulator/process/byte_stream.hpp"
#include "simulator/process/worker_process.hpp"

namespace warpfront::reference {

namespace {

constexpr process::Limits kLimits{std::uint64_t{4} << 30, std::chrono::hours(24)};

/// Returns the answer with its cost in time and memory.
std::string with_cost(std::string_view answer) {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    process::ByteWriter bytes;
    bytes.put(seconds(usage.ru_utime) + seconds(usage.ru_stime));
    bytes.put(static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
    bytes.put_text(answer);
    return bytes.bytes();
}

}  // namespace

WorkerAnswer run_in_simgrid_worker(const input::SourceRange& range, const std::function<std::string()>& work) {
    const process::Completion completion =
        process::run_in_worker(kLimits, [&](process::Activity&) { return with_cost(work()); });
    switch (completion.end) {
        case process::Completion::End::finished: break;
        case process::Completion::End::out_of_memory:
            throw input::BadInput(input::DiagnosticKind::reference_limits, range,
                                  fmt::format("simgrid needs more than {} MiB for this run", kLimits.bytes >> 20),
                                  "expected fewer ranks or iterations");
        case process::Completion::End::out_of_time:
            throw input::BadInput(input::DiagnosticKind::reference_limits, range, "simgrid has not ended within a day");
        case process::Completion::End::crashed:
            throw std::runtime_error(fmt::format("simgrid crashed (signal {}): {}", completion.signal,
                                                 completion.log.substr(completion.log.rfind("CRITICAL") + 1)));
    }
    process::ByteReader bytes(completion.answer);
    WorkerAnswer answer;
    answer.cpu_s = bytes.get<double>();
    answer.peak_rss_bytes = bytes.get<std::uint64_t>();
    answer.bytes = bytes.text();
    return answer;
}

}  // namespace warpfront::reference
