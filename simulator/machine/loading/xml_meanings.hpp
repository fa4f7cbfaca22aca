// A table of the elements and attributes of SimGrid 3.32's DTD (src/surf/xml/simgrid.dtd) with their effect in this
// program. The notes on descriptions without effect, and some refusals, come from this table. A test checks the DTD and
// every row of the table.
//
// SimGrid checks and routes the file, so the effect of an attribute is that in SimGrid's source (surfxml_sax_cb and
// sg_platf).
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
    used,       // the effect is that of SimGrid
    unused,     // no effect; noted by `check`
    required,   // no effect here, but required by SimGrid: described in platforms/README.md, not noted
    different,  // no effect here, but one in SimGrid: noted by `check` and every run
    refused,    // an error of this program or of SimGrid 3.32
};

/// The platform file and the links that its routes or hosts name, for rows that depend on more than one element.
struct XmlContext;

struct XmlMeaning {
    std::string_view element;
    std::string_view attribute;  // empty: the element with all its attributes
    std::string_view when;       // the case of the row; empty: always
    XmlEffect effect = XmlEffect::used;
    std::string_view text;  // the meaning; without effect: the predicate of its note; refused: the expectation
    bool (*applies)(const XmlContext& context,
                    const XmlElement& element) = nullptr;  // test of the case, for a row with one
};

/// Returns every element and attribute of the DTD. A row with a case follows the row of its attribute.
std::span<const XmlMeaning> xml_meanings();

/// Returns the notes on descriptions of one effect, `unused` or `different`: one for each row, at its first place in
/// the file.
std::vector<std::string> notes_on(const PlatformXml& xml, XmlEffect effect);

/// Adds an error (bad_link) for each description that SimGrid accepts and this program refuses.
void refuse_meanings(const PlatformXml& xml, input::Diagnostics& faults);

/// A group of SimGrid's configuration keys (`<prop>` in `<config>`) that have no effect for one reason.
struct ConfigGroup {
    std::vector<std::string_view> keys;  // whole keys, or beginnings that end in `/`; empty: all other keys
    XmlEffect effect = XmlEffect::unused;
    std::string_view text;
};
/// Returns the groups; the first is the costs of messages.
std::span<const ConfigGroup> config_groups();

/// A `<prop>` of `<config>`.
struct ConfigValue {
    std::string_view key;
    std::string_view value;
};
/// Returns the keys that are set. Of a key that is set twice in one `<config>`, the first value counts, as in SimGrid.
std::vector<ConfigValue> config_of(const PlatformXml& xml);

/// Returns the notes on configuration keys of one effect, one for each group. The first group, the costs of messages,
/// has no note if these costs are in use (steps.hpp).
std::vector<std::string> config_notes(const PlatformXml& xml, XmlEffect effect, bool costs_in_use = false);

// Checks the numbers of a SimGrid XML that SimGrid silently misreads (a negative speed, 4.5 cores, a bandwidth without
// a unit) or rejects without a line (99999999999 cores). SimGrid checks everything else, syntax included.

/// Adds an error (bad_xml_number) for each meaningless number. Returns a note for each number without a unit: its
/// position and the unit that SimGrid assumes.
std::vector<std::string> check_numbers(const PlatformXml& xml, input::Diagnostics& faults);

}  // namespace warpfront::machine
