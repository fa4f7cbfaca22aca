#include "simulator/machine/loading/xml_elements.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include <pugixml.hpp>

#include "simulator/input/decimal.hpp"

namespace warpfront::machine {

namespace {

/// Visits every element at any nesting depth. The visitor also receives the depth, from 0.
class ElementWalker final : public pugi::xml_tree_walker {
public:
    explicit ElementWalker(std::function<void(pugi::xml_node, std::size_t)> visit) : visit_(std::move(visit)) {}

    bool for_each(pugi::xml_node& node) override {
        if (node.type() == pugi::node_element) visit_(node, static_cast<std::size_t>(depth()));
        return true;
    }

private:
    std::function<void(pugi::xml_node, std::size_t)> visit_;
};

/// Returns the texts in quotes or brackets, and the text after the last colon.
std::vector<std::string_view> set_off_words(std::string_view message) {
    constexpr std::string_view marks = "'\"`()";
    std::vector<std::string_view> words;
    std::size_t start = message.find_first_of(marks);
    while (start != std::string_view::npos) {
        const std::size_t end = message.find_first_of(marks, start + 1);
        if (end == std::string_view::npos) break;
        words.push_back(message.substr(start + 1, end - start - 1));
        start = end;
    }
    const std::size_t colon = message.rfind(": ");
    if (colon != std::string_view::npos) words.push_back(message.substr(colon + 2));
    return words;
}

}  // namespace

std::vector<std::string_view> parts_of(std::string_view value, std::string_view marks) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t mark = value.find_first_of(marks);
        parts.push_back(input::trimmed(value.substr(0, mark), " \t\r\n"));
        if (mark == std::string_view::npos) return parts;
        value.remove_prefix(mark + 1);
    }
}

std::string_view XmlElement::value_of(std::string_view attribute) const {
    const auto found = std::ranges::find(attributes, attribute, &XmlAttribute::name);
    return found == attributes.end() ? std::string_view() : found->value;
}

PlatformXml::PlatformXml(SourceFilePtr source) : source_(std::move(source)) {
    std::string text(source_->text());
    pugi::xml_document document;
    // Parsed in place and unchanged, so that names and values keep their offsets.
    const pugi::xml_parse_result parsed =
        document.load_buffer_inplace(text.data(), text.size(), pugi::parse_minimal, pugi::encoding_utf8);
    if (parsed.status == pugi::status_bad_attribute) {  // then the last element has an attribute without a value
        pugi::xml_node last = document.last_child();
        while (last.last_child()) last = last.last_child();
        last.parent().remove_child(last);
    }
    const auto part = [&](std::string_view parsed_part) {
        return source_->text().substr(static_cast<std::size_t>(parsed_part.data() - text.data()), parsed_part.size());
    };
    std::vector<std::size_t> around;  // indices of the elements that are open, by depth
    ElementWalker walker([&](pugi::xml_node node, std::size_t depth) {
        around.resize(depth);
        XmlElement& element = elements_.emplace_back();
        if (!around.empty()) element.parent = around.back();
        around.push_back(elements_.size() - 1);
        element.name = part(node.name());
        for (const pugi::xml_attribute attribute : node.attributes()) {
            element.attributes.push_back({part(attribute.name()), part(attribute.value())});
        }
    });
    document.traverse(walker);
}

const XmlElement* PlatformXml::parent_of(const XmlElement& element) const {
    return element.parent ? &elements_[*element.parent] : nullptr;
}

SourceRange PlatformXml::range_of(std::string_view part) const {
    if (part.data() == nullptr) return {source_, 0, 0};
    return {source_, static_cast<std::size_t>(part.data() - source_->text().data()), part.size()};
}

SourceRange PlatformXml::range_of_platform() const {
    const auto found = std::ranges::find(elements_, "platform", &XmlElement::name);
    if (found == elements_.end()) return {source_, 0, 0};
    const SourceRange name = range_of(found->name);
    return {source_, name.offset - 1, name.length + 1};
}

SourceRange PlatformXml::range_of_line(unsigned line, std::string_view message) const {
    const unsigned last = source_->position(source_->text().size()).line;
    const std::string_view text = source_->line_text(std::clamp(line, 1U, last));
    for (const std::string_view word : set_off_words(message)) {
        const std::size_t at = word.size() > 1 ? text.find(word) : std::string_view::npos;
        if (at != std::string_view::npos) return range_of(text.substr(at, word.size()));
    }
    return range_of(input::trimmed(text, " \t"));
}

const XmlAttribute* PlatformXml::attribute_with(std::string_view value) const {
    if (value.empty()) return nullptr;
    for (const XmlElement& element : elements_) {
        const auto found = std::ranges::find(element.attributes, value, &XmlAttribute::value);
        if (found != element.attributes.end()) return &*found;
    }
    return nullptr;
}

SourceRange PlatformXml::range_of_name(std::string_view name) const {
    while (true) {
        if (const XmlAttribute* found = attribute_with(name)) return range_of(found->value);
        const std::size_t underscore = name.rfind('_');
        if (underscore == std::string_view::npos) return range_of_platform();
        name = name.substr(0, underscore);
    }
}

SourceRange PlatformXml::range_of_message(std::string_view message) const {
    for (const std::string_view word : set_off_words(message)) {
        if (const XmlAttribute* found = attribute_with(word)) return range_of(found->value);
    }
    return range_of_platform();
}

}  // namespace warpfront::machine
