// The range in a platform's XML to which a fault belongs, as precise as SimGrid's messages permit.
#pragma once

#include <string_view>

#include "simulator/input/source.hpp"

namespace warpfront::machine {

/// The `<platform` tag, or the start of the file if there is none.
input::SourceRange range_of_platform(const input::SourceFilePtr& xml);
/// In a line (past the end: in the last one), the first word of more than one character that `message` has in quotes or
/// brackets; else the line without the blanks around it.
input::SourceRange range_of_line(const input::SourceFilePtr& xml, unsigned line, std::string_view message);
/// An attribute value `name`. SimGrid derives names by appending to an id (c has a link c_link_0_UP), so the part
/// from the last underscore on is dropped until a value matches; failing that, `range_of_platform`.
input::SourceRange range_of_name(const input::SourceFilePtr& xml, std::string_view name);
/// The first word that `message` has in quotes or brackets and that is an attribute value; else `range_of_platform`.
input::SourceRange range_of_message(const input::SourceFilePtr& xml, std::string_view message);

}  // namespace warpfront::machine
