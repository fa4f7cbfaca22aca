// Files of the installation that the program belongs to: below the folder above its own,
//
//   bin/warpfront
//   lib/warpfront/warpfront_simgrid.so (simulator/process/module.hpp)
//   share/warpfront/models, share/warpfront/platforms
#pragma once

#include <filesystem>
#include <string>

namespace warpfront::tools {

/// An input file of the command line. A relative one that is not there is looked for in the installation, below
/// share/warpfront and share/warpfront/models; a note on stderr says where it was found.
std::filesystem::path input_file(const std::string& named);

}  // namespace warpfront::tools
