// SimGrid's side of loading a platform; to be called in a process that may crash, once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/xml_cluster.hpp"

namespace warpfront::machine {

/// What SimGrid is to read for an XML.
struct Handed {
    std::filesystem::path file;           // the XML itself, or a small copy of it
    std::optional<LoneCluster> original;  // of which it is a small copy
};

/// By change of links that names nothing here, which it is and what it may have meant.
using UnknownChanges = std::vector<std::pair<std::size_t, std::string>>;

struct Survey {
    Platform platform;
    UnknownChanges unknown;
};

/// Loads `xml` into this process' SimGrid. What it finds wrong is added to `faults`. While routing, `doing` says
/// between which hosts, as the fault that a crash means; while loading it says nothing. Of a small copy nothing is
/// routed but what tells its links.
Survey survey(const input::SourcePtr& xml, const Handed& handed, const std::vector<LinkChange>& changes,
              const PairsWanted& wanted, process::Doing& doing, input::Faults& faults);

}  // namespace warpfront::machine
