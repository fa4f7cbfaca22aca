#include "tools/critical_path.hpp"

#include <string_view>

#include <fmt/format.h>

#include "simulator/engine/engine.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::tools {

void require_critical_path(const Experiment& prepared) {
    if (engine::has_critical_path(prepared.program, prepared.machine)) return;
    refuse_choices(prepared, "the critical path");
    const std::string_view what = prepared.machine.eager_limit ? "eager_limit" : "links.circuit";
    throw input::BadInput(input::DiagnosticKind::no_critical_path, {},
                          fmt::format("the critical path does not follow what waits for `{}` of the platform", what),
                          fmt::format("expected a machine without it (`--set platform.{}=off`)", what));
}

}  // namespace warpfront::tools
