// A checked model: the files it was read from, their syntax trees, and the application in the first of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "psl/syntax/tree.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

struct CheckedModel {
    std::vector<input::SourceFilePtr> sources;  // by file index; the model file is the first
    std::vector<File> files;
    const Object* application = nullptr;  // nullptr for a file of templates and subtasks only
    std::string name;                     // of the application, else empty

    input::SourceRange range_of(Span span) const { return {sources[span.file], span.offset, span.length}; }
    std::string_view text(Span span) const { return sources[span.file]->text().substr(span.offset, span.length); }
    /// Returns the text on one line, with runs of blanks and line breaks as one blank.
    std::string line(Span span) const;
};

}  // namespace warpfront::psl
