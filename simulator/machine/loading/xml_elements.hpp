// The XML of a platform as elements with attributes. Each has its position in the text, so an error gets a range as
// precise as SimGrid's message permits. SimGrid checks the syntax.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "simulator/input/source.hpp"

namespace warpfront::machine {

/// An attribute as written, without its quotes.
struct XmlAttribute {
    std::string_view name;
    std::string_view value;
};

/// Splits a value at any character of `marks`. Returns the parts without surrounding blanks.
std::vector<std::string_view> parts_of(std::string_view value, std::string_view marks);

struct XmlElement {
    std::string_view name;
    std::vector<XmlAttribute> attributes;
    std::optional<std::size_t> parent;  // index of the enclosing element; empty for the outermost one

    /// Returns the value of the attribute; empty if the element does not have it.
    std::string_view value_of(std::string_view attribute) const;
};

class PlatformXml {
public:
    explicit PlatformXml(SourceFilePtr source);

    const SourceFilePtr& source() const { return source_; }
    /// Returns the elements in the order of the text. If the text is not valid XML, returns the elements before the
    /// error. Names and values are parts of the text.
    std::span<const XmlElement> elements() const { return elements_; }
    /// Returns the enclosing element; nullptr for the outermost one.
    const XmlElement* parent_of(const XmlElement& element) const;

    /// Returns the range of a part of the text. For an absent attribute this is the start of the file.
    SourceRange range_of(std::string_view part) const;
    /// Returns the range of the `<platform` tag, or the start of the file if there is none.
    SourceRange range_of_platform() const;
    /// Returns the range of an error in a line: the first word of more than one character that `message` has in quotes
    /// or brackets. If the line does not contain such a word, returns the range of the line without surrounding blanks.
    /// A line number beyond the end means the last line.
    SourceRange range_of_line(unsigned line, std::string_view message) const;
    /// Returns the range of an attribute value `name`. SimGrid makes names by appending to an id (c has a link
    /// c_link_0_UP). So if no value matches, the part from the last underscore on is removed, repeatedly. If no value
    /// matches at all, returns `range_of_platform`.
    SourceRange range_of_name(std::string_view name) const;
    /// Returns the range of the first attribute value that `message` has in quotes or brackets. If there is none,
    /// returns `range_of_platform`.
    SourceRange range_of_message(std::string_view message) const;

private:
    /// Returns the first attribute with this value; null if there is none.
    const XmlAttribute* attribute_with(std::string_view value) const;

    SourceFilePtr source_;
    std::vector<XmlElement> elements_;
};

}  // namespace warpfront::machine
