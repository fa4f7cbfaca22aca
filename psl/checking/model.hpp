// A checked model: its files, their syntax trees, and the application in the first file.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "psl/syntax/tree.hpp"
#include "psl/syntax/types.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

struct CheckedModel {
    std::vector<SourceFilePtr> sources;  // text of each file, by file index; the first is the model file
    std::vector<File> files;
    const Object* application = nullptr;  // nullptr if the file contains only templates and subtasks
    std::string name;                     // name of the application; empty if there is none

    SourceRange range_of(Span span) const { return {sources[span.file], span.offset, span.length}; }
    std::string_view text(Span span) const { return sources[span.file]->text().substr(span.offset, span.length); }
    /// Returns the text on one line. Each sequence of blanks and line breaks becomes one blank.
    std::string line(Span span) const;
};

// The fields of a `closed_form` block. They become the members of program::WavefrontPhase.

struct Field {
    std::string_view name;
    Type type;
    bool required;  // true if the block must contain the field; otherwise a missing field is zero or empty
};

inline constexpr std::array kFields{
    Field{"pre_work", {Kind::time, false}, false},
    Field{"work", {Kind::time, false}, true},
    Field{"tiles", {Kind::integer, false}, true},
    Field{"east_west", {Kind::bytes, false}, true},
    Field{"north_south", {Kind::bytes, false}, true},
    Field{"corners", {Kind::corner, true}, true},
    Field{"repeats", {Kind::integer, false}, false},  // number of repetitions of `corners`; 1 if missing
    Field{"allreduces", {Kind::integer, false}, false},
    Field{"allreduce_bytes", {Kind::bytes, false}, false},
    /// one item for each message; equal consecutive sizes are counted together
    Field{"exchanges", {Kind::bytes, true}, false},
    Field{"other", {Kind::time, false}, false},
};

}  // namespace warpfront::psl
