// Source files and ranges in them. A SourceFile is one text (a file or one `--set` argument); it lives as long as any
// range refers to it. A SourceRange is a range of its bytes. Lines and columns are counted from 1. A column is a UTF-8
// code point; a tab counts as one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::input {

class SourceFile {
public:
    /// Makes a source file; `name` appears in reports before the line number: a path as given by the user, or "--set".
    SourceFile(std::string name, std::string text);

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }

    struct Position {
        unsigned line = 1;
        unsigned column = 1;
    };
    Position position(std::size_t offset) const;      // an offset past the end means the end
    std::string_view line_text(unsigned line) const;  // without its line break
    std::size_t line_start(unsigned line) const;      // byte offset; past the last line: the end

private:
    std::string name_;
    std::string text_;
    std::vector<std::size_t> line_starts_;  // byte offset of each line: positions are computed often in large texts
};

using SourceFilePtr = std::shared_ptr<const SourceFile>;

/// A range of `length` bytes from `offset`; no source means no particular place (an error of the whole run).
struct SourceRange {
    SourceFilePtr source;
    std::size_t offset = 0;
    std::size_t length = 0;
};

/// Returns the range of a line, from 1, without its line break.
SourceRange range_of_line(const SourceFilePtr& source, unsigned line);

/// Returns `FILE:LINE:COLUMN` of a range that has a source.
std::string text_of(const SourceRange& range);

}  // namespace warpfront::input

namespace warpfront {

// All libraries use these types without a prefix. The same is true for the types of faults (diagnostic.hpp) and of YAML
// (yaml.hpp).
using input::SourceFilePtr;
using input::SourceRange;

}  // namespace warpfront
