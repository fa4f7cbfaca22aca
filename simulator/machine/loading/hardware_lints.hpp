// Notes on parts of a hardware file that have no effect on any message in any scenario, and on NICs that send more than
// their cables carry; `warpfront check` prints them (tools/program/checking/README.md lists them). Keys that come from
// a base by `like` are not examined: a base serves several machines. Resources that no row uses are noted with every
// result, so they are noted when the file is read (hardware_file.hpp).
#pragma once

#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_overrides.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

/// Returns one line per note, `FILE:LINE:COLUMN: ...`, grouped by subject. Notes refer to keys of `source`, which is a
/// hardware file or a scenario that overrides it. `machine` is built from both and has no errors; the routes of an
/// irregular platform may be missing.
std::vector<std::string> lints(HardwareTree hardware, const HardwareOverrides& overrides, const Machine& machine,
                               const input::SourceFilePtr& source);

}  // namespace warpfront::machine
