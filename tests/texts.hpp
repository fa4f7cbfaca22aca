// Texts of tests: parts that they hold, and the frame of a SimGrid platform.
#pragma once

#include "tests/preamble.hpp"

namespace warpfront::test {

/// Returns true if `text` contains `part`.
inline bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Returns the first of `parts` that `text` does not contain; empty if it contains all.
inline std::string lacking(std::string_view text, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
        if (!holds(text, part)) return std::string(part);
    }
    return "";
}

/// Returns the XML of a platform; `body` begins on line 3.
inline std::string platform_xml(const std::string& body, const std::string& version = "4.1") {
    return "<?xml version=\"1.0\"?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
           "version=\"" +
           version + "\">\n" + body + "\n</platform>\n";
}

}  // namespace warpfront::test
