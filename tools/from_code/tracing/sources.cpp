#include "tools/from_code/tracing/wrappers.hpp"

asm(R"(
    .section .rodata, "a", @progbits
warpfront_tracer_source:
    .incbin ")" WARPFRONT_SOURCE_DIR R"(/tools/from_code/tracing/tracer.c"
warpfront_tracer_source_end:
warpfront_tracer_header:
    .incbin ")" WARPFRONT_SOURCE_DIR R"(/tools/from_code/tracing/tracer.h"
warpfront_tracer_header_end:
warpfront_recording_format:
    .incbin ")" WARPFRONT_SOURCE_DIR R"(/simulator/trace/recording_format.h"
warpfront_recording_format_end:
warpfront_phases_header:
    .incbin ")" WARPFRONT_SOURCE_DIR R"(/tools/from_code/tracing/warpfront_phases.h"
warpfront_phases_header_end:
    .global warpfront_tracer_source, warpfront_tracer_source_end, warpfront_tracer_header, warpfront_tracer_header_end
    .global warpfront_recording_format, warpfront_recording_format_end
    .global warpfront_phases_header, warpfront_phases_header_end
    .text
)");

extern "C" const char warpfront_tracer_source[], warpfront_tracer_source_end[];
extern "C" const char warpfront_tracer_header[], warpfront_tracer_header_end[];
extern "C" const char warpfront_recording_format[], warpfront_recording_format_end[];
extern "C" const char warpfront_phases_header[], warpfront_phases_header_end[];

namespace warpfront::tracing {

std::string_view tracer_source() { return {warpfront_tracer_source, warpfront_tracer_source_end}; }
std::string_view tracer_header() { return {warpfront_tracer_header, warpfront_tracer_header_end}; }
std::string_view recording_format() { return {warpfront_recording_format, warpfront_recording_format_end}; }
std::string_view phases_header() { return {warpfront_phases_header, warpfront_phases_header_end}; }

}  // namespace warpfront::tracing
