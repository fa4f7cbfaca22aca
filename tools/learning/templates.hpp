// Shipped templates in a learnt structure.
//
// A template is recognised by what it lowers to: called with marked sizes, times and trips for an interior rank of five
// by five, it gives a list of steps and loops. Where the structure has the same list, it stands for it, and the marks
// tell which number is which argument. Butterflies are loops of the structure (partners.hpp), and templates where their
// stages are as these are. Calls of `all_corners` are recognised before there is a structure (all_corners.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/learning/structure.hpp"

namespace warpfront::learning {

struct TemplateCall {
    std::string name;                       // of the template
    std::vector<std::string> arguments;     // a corner as it is, others by the names below
    std::size_t parts = 0;                  // how many of the block it stands for
    const Part* loop = nullptr;             // "tiles"; in a butterfly "least" and "beyond"
    std::map<std::string, const Part*> of;  // "work", "east_west", "north_south", "size": a part that has this number
    std::string file;                       // that has the template
};

/// The call that the block `parts` begins with, if any.
std::optional<TemplateCall> template_call(std::span<const Part> parts, const Structure& structure);

/// A file of templates as it is shipped.
std::string_view template_text(const std::string& file);

}  // namespace warpfront::learning
