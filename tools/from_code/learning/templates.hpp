// Recognition of shipped templates in a learnt structure.
//
// A template is recognised by its lowered form. Called with marked sizes, times and loop counts for an interior rank of
// five by five, it gives a list of steps and loops. If the structure contains the same list, a call of the template
// replaces it, and the marks identify the argument that gives each number. Butterflies are loops of the structure
// (partners.hpp); they become templates if their stages match those of the template. Calls of `all_corners` are
// recognised before there is a structure (all_corners.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/from_code/learning/structure.hpp"

namespace warpfront::learning {

struct TemplateCall {
    std::string name;                       // of the template
    std::vector<std::string> arguments;     // a corner literally, others by the names below
    std::size_t parts = 0;                  // number of parts of the block that it replaces
    const Part* loop = nullptr;             // "tiles"; in a butterfly "least" and "beyond"
    std::map<std::string, const Part*> of;  // "work", "east_west", "north_south", "size": a part that has this number
    std::string file;                       // the file of the template
};

/// Returns the template call with which the block `parts` begins, if any.
std::optional<TemplateCall> template_call(std::span<const Part> parts, const Structure& structure);

/// Returns the text of a shipped file of templates.
std::string_view template_text(const std::string& file);

}  // namespace warpfront::learning
