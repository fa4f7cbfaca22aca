// Checks the numbers of a SimGrid XML that SimGrid silently misreads (a negative speed, 4.5 cores, a bandwidth without
// a unit) or rejects without a line (99999999999 cores). SimGrid checks everything else, syntax included.
#pragma once

#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/xml_elements.hpp"

namespace warpfront::machine {

/// Adds an error (bad_xml_number) for each meaningless number. Returns a note for each number without a unit: its
/// position and the unit that SimGrid assumes.
std::vector<std::string> check_numbers(const PlatformXml& xml, input::Diagnostics& faults);

}  // namespace warpfront::machine
