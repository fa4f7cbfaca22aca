// Runs the cases of a suite, and records for ctest (WARPFRONT_SUITE) which kinds of faults they triggered.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "simulator/input/diagnostic.hpp"

/// Suppresses a leak: the library of OTF2 leaks objects that it has begun to open if an archive lacks files.
extern "C" const char* __lsan_default_suppressions() { return "leak:libopen-trace-format2"; }

namespace {

using warpfront::input::DiagnosticKind;

constexpr std::array kKinds = {
#define DIAGNOSTIC_KIND(name) DiagnosticKind::name,
#include "simulator/input/diagnostic_kinds.def"
#undef DIAGNOSTIC_KIND
};

std::array<std::atomic<bool>, kKinds.size()> triggered;

/// Returns true for the test of faults itself, which makes them by hand; that triggers nothing.
bool makes_faults(const doctest::TestCaseData* test) {
    return std::string_view(test->m_file.c_str()).ends_with("tests/input/diagnostic_test.cpp");
}

void record(DiagnosticKind kind) {
    const auto* const test = doctest::getContextOptions()->currentTest;
    if (test != nullptr && !makes_faults(test)) triggered[static_cast<std::size_t>(kind)] = true;
}

void write_record(const std::filesystem::path& file) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream kinds(file);
    for (const DiagnosticKind kind : kKinds) {
        if (triggered[static_cast<std::size_t>(kind)]) kinds << warpfront::input::kind_name(kind) << '\n';
    }
}

}  // namespace

int main(int count, char** arguments) {
    warpfront::input::observe_diagnostics(record);
    doctest::Context context(count, arguments);
    const int status = context.run();
    const char* const suite = std::getenv("WARPFRONT_SUITE");
    if (suite != nullptr) write_record(std::filesystem::path(WARPFRONT_FAULT_KINDS) / suite);
    return status;
}
