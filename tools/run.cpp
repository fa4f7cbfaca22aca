#include "tools/commands.hpp"

#include <fmt/format.h>

#include "simulator/results/json.hpp"
#include "simulator/results/output.hpp"
#include "simulator/results/summary.hpp"
#include "tools/case.hpp"
#include "tools/scenario.hpp"

namespace warpfront::tools {

namespace {

/// The closed form's total, to stand beside a stepped prediction where the model declares what it needs.
std::optional<WideTime> closed_form_beside(const RunOptions& options, const Case& prepared) {
    if (options.engine == Engine::analytic || prepared.program.closed_form.empty()) return std::nullopt;
    return predict(Engine::analytic, prepared).record.finish;
}

}  // namespace

ExitStatus run(const RunOptions& options) {
    const Case prepared = build_case(read_scenario(read_document(options.scenario, options.sets)));
    const engine::Record record = predict(options.engine, prepared, {options.replay}).record;
    const results::Context context = context_of(prepared);
    if (options.json) results::write_output(*options.json, results::json_text(results::to_json(record, context)));
    if (!options.quiet && options.json != "-") {
        results::write_output("-", results::summary(record, context, closed_form_beside(options, prepared)));
    }
    return ExitStatus::done;
}

}  // namespace warpfront::tools
