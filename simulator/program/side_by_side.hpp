// Several programs as one, of which each has ranks of its own: the jobs of one machine.
#pragma once

#include <span>
#include <string>

#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::program {

struct JobProgram {
    std::string name;
    const Program* program = nullptr;  // without task lists and without jobs of its own
    Time start{};
};

/// Returns the program in which the ranks of each job follow those of the job before. It has no closed form and no
/// notes. Throws std::length_error if its statements or its ranks are more than a program can number.
Program side_by_side(std::span<const JobProgram> jobs);

}  // namespace warpfront::program
