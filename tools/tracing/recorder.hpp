// An MPI code run with the tracer in it: `warpfront record`.
//
// The tracer is compiled with the MPI compiler of the code's own library, at the first use, and kept in the user's
// cache folder under a name made of its sources and of that library's mpi.h. Each rank runs as
//
//   LAUNCHER -n RANKS env LD_PRELOAD=TRACER WARPFRONT_RECORDING=FOLDER CODE ARGUMENTS
//
// so that any launcher will do. Programs for SMPI are linked with the tracer as an object instead, since SMPI loads
// them in a way that passes by what is preloaded.
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
    std::vector<std::string> code;  // and its arguments
    std::uint32_t ranks = 1;
    std::filesystem::path out;
    std::map<std::string, std::string> parameters;
    Bytes buffer{std::int64_t{64} << 20};  // of each rank
    std::string compiler;                  // of MPI; empty: that of the library that the code is linked to
    std::vector<std::string> launcher;     // empty: the mpirun beside the compiler
};

/// Whether this compiler is SimGrid's.
bool is_smpi(const std::string& compiler);

/// The compiler of the MPI library that a program is linked to: `mpicc.openmpi`, `mpicc.mpich`, or `mpicc` where
/// neither is known. Throws BadInput (bad_option) if the code is no dynamic program of MPI.
std::string compiler_of(const std::filesystem::path& code);

/// The tracer for this compiler, compiled if it is not in the cache; an object for SMPI. Throws BadInput: bad_option
/// with what the compiler says, or the packages to install.
std::filesystem::path tracer_for(const std::string& compiler);

/// Runs the code, writes recording.yaml and sites.txt into the folder; the exit status of the launcher. Throws
/// BadInput. Module and address of calls, with file, line and function where debug information has them: the lines of
/// sites.txt.
std::string sites_text(const std::vector<std::pair<std::string, std::uint64_t>>& sites);

int record(const RecordRequest& request);

}  // namespace warpfront::tracing
