// What went wrong, as tests look at it.
#pragma once

#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::test {

inline std::vector<input::DiagnosticKind> kinds_of(const input::Diagnostics& faults) {
    std::vector<input::DiagnosticKind> kinds;
    for (const input::Diagnostic& fault : faults.all()) kinds.push_back(fault.kind);
    return kinds;
}

/// The faults that `act` throws; none where it does not throw.
template <typename Act>
input::Diagnostics faults_of(const Act& act) {
    try {
        act();
    } catch (const input::BadInput& bad) {
        return bad.faults();
    }
    return {};
}

using Kinds = std::vector<input::DiagnosticKind>;

}  // namespace warpfront::test
