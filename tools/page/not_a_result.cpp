#include "tools/page/not_a_result.hpp"

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::tools {

void refuse_result(const input::SourceFilePtr& file, std::size_t offset, std::string_view observation) {
    throw input::BadInput(input::DiagnosticKind::not_a_result, {file, offset, 1},
                          fmt::format("`{}` {}", file->name(), observation),
                          "expected what `--json` of `run`, `compare` or `study` has written, or a timeline of `run "
                          "--timeline FILE.json`");
}

}  // namespace warpfront::tools
