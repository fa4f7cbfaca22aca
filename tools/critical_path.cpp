#include "tools/critical_path.hpp"

#include <string_view>

#include <fmt/format.h>

#include "simulator/engine/engine.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::tools {

void require_critical_path(const Experiment& prepared) {
    if (engine::has_critical_path(prepared.program, prepared.machine)) return;
    refuse_choices(prepared, "the critical path");
    throw input::BadInput(input::DiagnosticKind::no_critical_path, {},
                          "the critical path does not follow what waits for `eager_limit` of the platform",
                          "expected a machine without it (`--set platform.eager_limit=off`)");
}

}  // namespace warpfront::tools
