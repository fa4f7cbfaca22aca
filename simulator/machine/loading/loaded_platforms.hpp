// Platforms that this process has loaded, so that a study of many points has SimGrid read each of them once.
//
// Kept are regular platforms without changed links: a few numbers and the rule of their routes. The key is the name and
// the whole text of the XML. An irregular platform needs its own loader for routes, and one with faults is loaded
// again. For several threads at a time; they load one after the other.
#pragma once

#include <optional>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/platform_loader.hpp"

namespace warpfront::machine {

/// What `loader.load(faults)` yields, `loader` being that of `xml` with `link_overrides`.
std::optional<Platform> load_once(PlatformLoader& loader, const input::SourceFilePtr& xml,
                                  const std::vector<LinkOverride>& link_overrides, input::Diagnostics& faults);

}  // namespace warpfront::machine
