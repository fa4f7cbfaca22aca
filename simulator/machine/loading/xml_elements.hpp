// A platform's XML as elements with attributes, each with its position in the text; and the range to which a fault
// belongs, as precise as SimGrid's messages permit. SimGrid checks the syntax.
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

/// The parts of a value between any of `marks`, without the blanks around them.
std::vector<std::string_view> parts_of(std::string_view value, std::string_view marks);

struct XmlElement {
    std::string_view name;
    std::vector<XmlAttribute> attributes;
    std::optional<std::size_t> parent;  // its number; none of the outermost one

    /// Empty without such an attribute.
    std::string_view value_of(std::string_view attribute) const;
};

class PlatformXml {
public:
    explicit PlatformXml(input::SourceFilePtr source);

    const input::SourceFilePtr& source() const { return source_; }
    /// In the order of the text; of a text that is no XML, the elements before the fault. Names and values are parts of
    /// the text.
    std::span<const XmlElement> elements() const { return elements_; }
    /// The element around this one; nullptr of the outermost one.
    const XmlElement* parent_of(const XmlElement& element) const;

    /// A part of the text; the start of the file for an attribute that is not there.
    input::SourceRange range_of(std::string_view part) const;
    /// The `<platform` tag, or the start of the file if there is none.
    input::SourceRange range_of_platform() const;
    /// In a line (past the end: in the last one), the first word of more than one character that `message` has in
    /// quotes or brackets; else the line without the blanks around it.
    input::SourceRange range_of_line(unsigned line, std::string_view message) const;
    /// An attribute value `name`. SimGrid derives names by appending to an id (c has a link c_link_0_UP), so the part
    /// from the last underscore on is dropped until a value matches; failing that, `range_of_platform`.
    input::SourceRange range_of_name(std::string_view name) const;
    /// The first word that `message` has in quotes or brackets and that is an attribute value; else
    /// `range_of_platform`.
    input::SourceRange range_of_message(std::string_view message) const;

private:
    /// Where a value is first; null if no attribute has it.
    const XmlAttribute* attribute_with(std::string_view value) const;

    input::SourceFilePtr source_;
    std::vector<XmlElement> elements_;
};

}  // namespace warpfront::machine
