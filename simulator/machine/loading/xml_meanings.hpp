// A table of elements and attributes of SimGrid 3.32's DTD (src/surf/xml/simgrid.dtd). It contains those that have
// another effect here than in SimGrid. The table provides the notes on elements without effect, and some errors.
//
// SimGrid checks and routes the file. So any other attribute has the effect that it has in SimGrid's source
// (surfxml_sax_cb and sg_platf). A test checks the effect of every element and attribute of the DTD.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/xml_elements.hpp"

namespace warpfront::machine {

enum class XmlEffect : std::uint8_t {
    unused,     // the attribute has no effect; `check` adds a note
    different,  // the attribute has an effect in SimGrid, but none here: `check` and every run add a note
    refused,    // SimGrid accepts the attribute, but here it is an error
};

/// The platform file, and the links that its routes or hosts name. Some rows depend on several elements.
struct XmlContext;

struct XmlMeaning {
    std::string_view element;
    /// name of the attribute; empty if the row describes the element with all its attributes
    std::string_view attribute;
    std::string_view when;  // condition of the row in words; empty if the row always applies
    XmlEffect effect = XmlEffect::unused;
    std::string_view text;  // for a note, its predicate; for an error, the expectation
    /// Tests the condition `when`; null if the row always applies.
    bool (*applies)(const XmlContext& context, const XmlElement& element) = nullptr;
};

/// Returns the table. Elements and attributes without a row have the effect that they have in SimGrid. The speed of a
/// host has no effect, but SimGrid requires it, so it has no note.
std::span<const XmlMeaning> xml_meanings();

/// Returns the notes on elements and attributes with the effect `unused` or `different`. Each row of the table adds at
/// most one note, at its first occurrence in the file.
std::vector<std::string> notes_on(const PlatformXml& xml, XmlEffect effect);

/// Adds an error (bad_link) for each element and attribute that SimGrid accepts but this program does not.
void refuse_meanings(const PlatformXml& xml, Diagnostics& faults);

/// SimGrid's configuration keys (`<prop>` in `<config>`) that have no effect for the same reason.
struct ConfigGroup {
    std::vector<std::string_view> keys;  // keys, or prefixes that end in `/`; empty for all keys of no other group
    XmlEffect effect = XmlEffect::unused;
    std::string_view text;
};
/// Returns the groups. The first group contains the keys for the costs of messages.
std::span<const ConfigGroup> config_groups();

/// A `<prop>` of `<config>`.
struct ConfigValue {
    std::string_view key;
    std::string_view value;
};
/// Returns the keys that are set. If a key is set twice in one `<config>`, its first value is used, as in SimGrid.
std::vector<ConfigValue> config_of(const PlatformXml& xml);

/// Returns one note for each group of configuration keys with this effect. The first group, the costs of messages, has
/// no note if these costs are in use (steps.hpp).
std::vector<std::string> config_notes(const PlatformXml& xml, XmlEffect effect, bool costs_in_use = false);

// Checks the numbers of a SimGrid XML that SimGrid silently misreads (a negative speed, 4.5 cores, a bandwidth without
// a unit) or rejects without a line (99999999999 cores). SimGrid checks everything else, including syntax.

/// Adds an error (bad_xml_number) for each number without a valid meaning. Returns a note for each number without a
/// unit, with its position and the unit that SimGrid assumes.
std::vector<std::string> check_numbers(const PlatformXml& xml, Diagnostics& faults);

}  // namespace warpfront::machine
