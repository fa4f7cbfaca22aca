#include "tools/program/commands/commands.hpp"

#include <spdlog/spdlog.h>
#include <nlohmann/json.hpp>

#include "simulator/results/json.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/study/calibration/plan.hpp"
#include "tools/study/calibration/report.hpp"

namespace warpfront::tools {

ExitStatus calibrate(const CalibrateOptions& options) {
    const results::Answer answer(options.json, options.csv);
    CalibrationPlan plan = read_calibration_plan(options.plan);
    if (options.out) plan.writes = *options.out;
    // The machine may be read with its earlier calibration.
    const results::Output file(plan.writes.string(), results::Output::AsInput::allowed);
    const std::vector<MeasuredRow> measured = read_measured_rows(plan);
    check_terms(plan, measured);
    const RowPredictor predictor{plan.seeds, options.threads, progress_mode()};
    const CalibrationReport report = fit_calibration(plan, measured, predictor);
    const bool predicts =
        report.left_out_error() <= scenario::kLargestError && report.left_out_factor() <= 1.0 + scenario::kLargestError;
    guard_signals([&] {
        answer.write(answer.has_data() ? to_json(report) : nlohmann::ordered_json(), summary(report), [&] {
            if (predicts) file.write(calibration_text(report));
        });
    });
    if (predicts) return ExitStatus::done;
    spdlog::error("error: `{}` is not written, since predictions of left-out rows are wrong by a factor of {:.2g}",
                  plan.writes.string(), report.left_out_factor());
    return ExitStatus::run_failed;
}

}  // namespace warpfront::tools
