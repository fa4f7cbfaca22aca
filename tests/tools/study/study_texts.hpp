// Studies as texts, and the faults of those that are refused.
#pragma once

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/study/plan.hpp"

namespace warpfront::test {

inline tools::StudyPlan study_of(const std::string& text, const tools::StudyArguments& arguments = {}) {
    const Scratch scratch;
    return tools::read_study(scratch.file("s.yaml", text), arguments);
}

inline input::Diagnostics study_faults(const std::string& text, const tools::StudyArguments& arguments = {}) {
    return faults_of([&] { study_of(text, arguments); });
}

inline input::Diagnostics axis_faults(const std::string& axes) {
    return study_faults("scenario: a.yaml\naxes: [" + axes + "]\n");
}

inline Kinds vary_faults(const std::string& argument) {
    return kinds_of(study_faults("model: m.psl\n", {.vary = {argument}}));
}

}  // namespace warpfront::test
