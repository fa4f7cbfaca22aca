// The decision tables of MPI libraries: the algorithm of each operation by size and number of ranks. The numbers are
// those of the libraries; an algorithm that is not offered here is replaced by the nearest, as noted in the source of
// each table.
//
//   smpi       SMPI 3.32, the selector `default` (smpi_default_selector in src/smpi/colls), as in
//              `smpirun -replay`
//   open_mpi   Open MPI 4.1, coll/tuned, `ompi_coll_tuned_*_intra_dec_fixed`
//              (ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, the same in 4.1.0 to 4.1.8), for operations that
//              commute; what coll/tuned leaves to coll/basic (ompi/mca/coll/basic) is taken from there
//   mpich      MPICH 4, the selection of `MPIR_CVAR_*_INTRA_ALGORITHM=auto` by its generic tuning
//              (maint/tuning/coll/mpir/generic.json, the same decisions in 4.0 to 4.3), for built-in operations that
//              commute, on communicators of one rank to a node: with several, MPICH composes most collectives of one
//              within nodes and one between them, which is not offered here
#pragma once

#include <string_view>
#include <vector>

#include "simulator/collectives/algorithms.hpp"

namespace warpfront::collectives {

/// Returns the name of the library with its version.
std::string_view name_of(Library library);
std::vector<Rule> rules_of(Library library, Kind kind);

std::vector<Rule> smpi_rules(Kind kind);
std::vector<Rule> open_mpi_rules(Kind kind);
std::vector<Rule> mpich_rules(Kind kind);

}  // namespace warpfront::collectives
