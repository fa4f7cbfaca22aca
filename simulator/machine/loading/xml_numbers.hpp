// Numbers of a SimGrid XML that SimGrid misreads in silence (a negative speed, 4.5 cores, a bandwidth without a unit),
// or refuses without a place (99999999999 cores). All else, syntax too, is left to SimGrid.
#pragma once

#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"

namespace warpfront::machine {

/// Adds a fault (bad_xml_number) for each such number that means nothing. The notes returned say what SimGrid takes
/// those for that have no unit, with their places.
std::vector<std::string> check_numbers(const input::SourceFilePtr& xml, input::Diagnostics& faults);

}  // namespace warpfront::machine
