// Source files of the tracer, embedded in the program, so that recording works wherever the program is installed.
#pragma once

#include <string_view>

namespace warpfront::tracing {

std::string_view tracer_source();     // tracer.c
std::string_view tracer_header();     // tracer.h
std::string_view recording_format();  // simulator/trace/recording_format.h
std::string_view phases_header();     // warpfront_phases.h

}  // namespace warpfront::tracing
