// Recognises shipped templates in a learnt structure.
//
// A template is recognised by its lowered code. It is called for an interior rank of a 5 x 5 grid, with sizes, times
// and loop counts that identify the arguments (marks). This gives a list of steps and loops. If the structure contains
// the same list, a call of the template replaces it. The marks show which argument has which number. Butterflies are
// loops of the structure (partners.hpp). They become templates if their stages match those of the template. Calls of
// `all_corners` are recognised before the structure is found (all_corners.hpp).
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
    std::string name;                    // name of the template
    std::vector<std::string> arguments;  // a corner as text, and for other arguments one of the names below
    std::size_t parts = 0;               // number of parts that the call replaces
    const Part* loop = nullptr;          // the loop that determines "tiles", or in a butterfly "least" and "beyond"
    /// for "work", "east_west", "north_south" and "size", a part that has this number
    std::map<std::string, const Part*> of;
    std::string file;  // name of the template's file
};

/// Returns the template call that replaces the first parts of `parts`; nothing if no template matches.
std::optional<TemplateCall> template_call(std::span<const Part> parts, const Structure& structure);

/// Returns the text of a shipped file of templates.
std::string_view template_text(const std::string& file);

}  // namespace warpfront::learning
