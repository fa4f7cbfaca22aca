#include "tools/from_code/learning/report.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace warpfront::learning {

namespace {

/// Returns the paths of the kernel's files relative to the folder of the model.
std::vector<std::string> imports_of(const Kernel& kernel, const std::filesystem::path& model) {
    const std::filesystem::path folder = std::filesystem::absolute(model).parent_path();
    std::vector<std::string> names;
    for (const std::filesystem::path& file : kernel.files()) {
        names.push_back(std::filesystem::relative(std::filesystem::absolute(file), folder).string());
    }
    return names;
}

/// Puts the kernel in a model that was learnt without one of the runs. If the kernel does not fit that model, the laws
/// remain.
void try_to_put_in_place(Learnt& learnt, const CountedRequest& counted, const std::shared_ptr<const Kernel>& kernel) {
    try {
        put_in_place(learnt, counted.kernel, kernel, counted.rate);
    } catch (const input::BadInput&) {
        return;
    }
}

}  // namespace

Report report_on(const std::vector<const trace::RecordedRun*>& runs,
                 const std::vector<const trace::RecordedRun*>& checked, const std::optional<CountedRequest>& counted) {
    const std::shared_ptr<const Kernel> kernel = counted ? std::make_shared<const Kernel>(counted->kernel) : nullptr;
    Report report{learn(runs), {}, {}, {}};
    if (report.learnt.iteration) report.iterations = iterations_text(report.learnt, *report.learnt.iteration);
    if (!report.learnt.refused.empty()) return report;
    if (kernel) {
        put_in_place(report.learnt, counted->kernel, kernel, counted->rate);
        report.learnt.counted->imports = imports_of(*kernel, counted->model);
        report.learnt.agreement.clear();
        for (const trace::RecordedRun* run : runs) report.learnt.agreement.push_back(agreement(report.learnt, *run));
    }
    const std::filesystem::path model = counted ? counted->model : std::filesystem::path("the model");
    for (const trace::RecordedRun* run : checked) {
        for (const std::string& each : missing_parameters(report.learnt, *run)) {
            report.learnt.refused.push_back(
                {fmt::format("`{}` has no parameter `{}`, which the model uses", run->name, each), 1});
        }
        if (!report.learnt.refused.empty()) continue;
        report.checked.push_back(agreement(report.learnt, *run));
        report.checked.back().refused = refusal_on(report.learnt, *run, model);
    }
    if (report.learnt.refused.empty()) report.sizes = check_sizes(report.learnt, model);
    if (kernel && report.learnt.refused.empty()) report.counted = check_counted(report.learnt, checked);
    if (runs.size() < 3) return report;
    for (std::size_t out = 0; out < runs.size(); ++out) {
        std::vector<const trace::RecordedRun*> others = runs;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
        Learnt learnt = learn(others, report.learnt.cut);
        if (kernel && learnt.refused.empty()) try_to_put_in_place(learnt, *counted, kernel);
        Agreement one;
        one.run = runs[out]->name;
        report.left_out.push_back(learnt.refused.empty() ? agreement(learnt, *runs[out]) : one);
    }
    return report;
}

bool all_explained(const Report& report) {
    const auto is_explained = [](const Agreement& run) { return run.refused.empty() && run.ranks_explained > 0; };
    return std::ranges::all_of(report.checked, is_explained);
}

}  // namespace warpfront::learning
