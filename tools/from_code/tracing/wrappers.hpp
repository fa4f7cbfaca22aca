// The tracer's wrappers, generated from the declarations of an MPI library's own mpi.h.
//
// Every function of mpi.h that communicates has a wrapper in C, in Fortran 77 (mpi_send_) and in Fortran 2008
// (mpi_send_f08_). The record of a function is defined by one row of a table: the roles of its parameters, in order. A
// function that communicates and has no row records its name, so that nothing is lost silently.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfront::tracing {

struct Parameter {
    std::string type;  // declared type without the name; an array ends with []
    std::string declaration;
};
struct Prototype {
    std::string name;  // name such as MPI_Send
    std::vector<Parameter> parameters;
};

/// Returns the declarations `int MPI_...(...)` in preprocessed C, each once, in order.
std::vector<Prototype> prototypes(std::string_view preprocessed);

/// Generates the wrappers as a C file that includes tracer.h.
std::string wrappers(const std::vector<Prototype>& prototypes);

// Source files of the tracer, embedded in the program, so that recording works wherever the program is installed.

std::string_view tracer_source();     // tracer.c
std::string_view tracer_header();     // tracer.h
std::string_view recording_format();  // simulator/trace/recording_format.h
std::string_view phases_header();     // warpfront_phases.h

}  // namespace warpfront::tracing
