// Faults in the form that tests compare.
#pragma once

#include "simulator/input/diagnostic.hpp"
#include "tests/preamble.hpp"

namespace warpfront::test {

using enum DiagnosticKind;
using Kinds = std::vector<DiagnosticKind>;

inline Kinds kinds_of(const Diagnostics& faults) {
    Kinds kinds;
    for (const Diagnostic& fault : faults.all()) kinds.push_back(fault.kind);
    return kinds;
}

/// Returns the faults that `act` throws; none if it does not throw.
template <typename Act>
Diagnostics faults_of(const Act& act) {
    try {
        act();
    } catch (const BadInput& bad) {
        return bad.diagnostics();
    }
    return {};
}

/// Formats a fault as "FILE:LINE:COLUMN KIND [MARKED] MESSAGE | EXPECTED", with the name of FILE without its folders.
/// The layout of a fault is pinned in tests/input/diagnostic_test.cpp.
inline std::string summary_of(const Diagnostic& fault) {
    std::string text;
    std::string marked;
    if (fault.range.source) {
        const input::SourceFile& source = *fault.range.source;
        const auto [line, column] = source.position(fault.range.offset);
        const std::string_view rest = source.line_text(line).substr(fault.range.offset - source.line_start(line));
        text = fmt::format("{}:{}:{} ", std::filesystem::path(source.name()).filename().string(), line, column);
        marked = fmt::format(" [{}]", rest.substr(0, fault.range.length));
    }
    text += fmt::format("{}{} {}", input::kind_name(fault.kind), marked, fault.message);
    return fault.expected.empty() ? text : text + " | " + fault.expected;
}

/// Formats faults, one per line.
inline std::string summary_of(const Diagnostics& faults) {
    std::string text;
    for (const Diagnostic& fault : faults.all()) text += (text.empty() ? "" : "\n") + summary_of(fault);
    return text;
}

}  // namespace warpfront::test
