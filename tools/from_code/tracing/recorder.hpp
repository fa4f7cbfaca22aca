// Execution of an MPI code with the tracer: `warpfront record`.
//
// At the first use, the tracer is compiled with the MPI compiler of the code's own library. It is kept in the user's
// cache folder under a name derived from its sources and from that library's mpi.h. Each rank runs as
//
//   LAUNCHER -n RANKS env LD_PRELOAD=TRACER WARPFRONT_RECORDING=FOLDER CODE ARGUMENTS
//
// so that any launcher works. Programs for SMPI are linked with the tracer as an object instead, since SMPI loads
// programs in a way that bypasses preloaded libraries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/units/bytes.hpp"

namespace warpfront::tracing {

struct RecordRequest {
    std::vector<std::string> code;  // the code and its arguments
    std::uint32_t ranks = 1;
    std::filesystem::path out;
    std::map<std::string, std::string> parameters;
    Bytes buffer{std::int64_t{64} << 20};  // size of the buffer of each rank
    std::string compiler;                  // the MPI compiler; empty: that of the library to which the code is linked
    std::vector<std::string> launcher;     // the launcher and its options; empty: the mpirun beside the compiler
};

/// Returns true if this compiler is SimGrid's.
bool is_smpi(const std::string& compiler);

/// Returns the compiler of the MPI library to which a program is linked: `mpicc.openmpi`, `mpicc.mpich`, or `mpicc` if
/// the library is neither. Throws BadInput (bad_option) if the code is not a dynamically linked MPI program.
std::string compiler_of(const std::filesystem::path& code);

/// Returns the path of the tracer for this compiler, an object file for SMPI. Compiles it if it is not in the cache.
/// Throws BadInput (bad_option) with the output of the compiler, or the packages to install.
std::filesystem::path tracer_for(const std::string& compiler);

/// Formats the lines of sites.txt: module and address of each call, with file, line and function if the debug
/// information contains them.
std::string sites_text(const std::vector<std::pair<std::string, std::uint64_t>>& sites);

/// Runs the code and writes the recording into the folder; returns the exit status of the launcher. Throws BadInput.
int record(const RecordRequest& request);

}  // namespace warpfront::tracing
