// The byte stream between this process and the worker process that runs SimGrid: requests, platforms, routes, faults.
#pragma once

#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/routes/table.hpp"
#include "simulator/process/byte_stream.hpp"

namespace warpfront::machine {

/// Without the notes, which this process adds.
void put(const Platform& platform, process::ByteWriter& bytes);
Platform take_platform(process::ByteReader& bytes);

void put(const std::vector<HostPair>& pairs, process::ByteWriter& bytes);
std::vector<HostPair> take_pairs(process::ByteReader& bytes);

/// Routes between `pairs`.
void put(const TableRoutes& routes, const std::vector<HostPair>& pairs, process::ByteWriter& bytes);
TableRoutes take_routes(const std::vector<HostPair>& pairs, process::ByteReader& bytes);

/// All ranges are in the XML.
void put(const input::Diagnostics& faults, process::ByteWriter& bytes);
void take_faults(process::ByteReader& bytes, const input::SourceFilePtr& xml, input::Diagnostics& faults);

}  // namespace warpfront::machine
