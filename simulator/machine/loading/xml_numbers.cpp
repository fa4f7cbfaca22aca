#include "simulator/machine/loading/xml_meanings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"

namespace warpfront::machine {

namespace {

constexpr std::size_t kMostNotes = 5;
constexpr std::string_view kBlanks = " \t\r\n";

/// An attribute with a number, and the unit and function with which SimGrid reads it.
struct Quantity {
    std::string_view attribute;
    std::string_view unit;  // unit that SimGrid assumes
    /// True if the sign is checked elsewhere: by SimGrid for links, and on use for disks.
    bool may_be_negative = false;
};
constexpr std::array kQuantities{
    Quantity{"bw", "bytes per second", true},
    Quantity{"bb_bw", "bytes per second", true},
    Quantity{"loopback_bw", "bytes per second", true},
    Quantity{"bandwidth", "bytes per second", true},
    Quantity{"bw_in", "bytes per second", true},
    Quantity{"bw_out", "bytes per second", true},
    Quantity{"limiter_link", "bytes per second"},
    Quantity{"read_bw", "bytes per second", true},
    Quantity{"write_bw", "bytes per second", true},
    Quantity{"lat", "seconds", true},
    Quantity{"bb_lat", "seconds", true},
    Quantity{"loopback_lat", "seconds", true},
    Quantity{"latency", "seconds", true},
    Quantity{"speed", "flop per second"},
};

class Checker {
public:
    Checker(const PlatformXml& xml, Diagnostics& faults) : xml_(xml), faults_(faults) {}

    void check(const XmlElement& element) {
        const std::string_view topology = element.value_of("topology");
        const bool counted = topology == "TORUS" || topology == "FAT_TREE" || topology == "DRAGONFLY";
        for (const XmlAttribute& attribute : element.attributes) {
            const auto known =
                std::ranges::find_if(kQuantities, [&](const Quantity& it) { return it.attribute == attribute.name; });
            if (known != kQuantities.end()) check_quantities(attribute, *known);
            if (attribute.name == "core") check_count(attribute, attribute.value, 1);
            if (attribute.name == "radical") check_counts(attribute, ",-", 0);
            if (attribute.name == "topo_parameters" && counted) check_counts(attribute, ",;", 1);
        }
    }

    std::vector<std::string> notes() && {
        if (without_unit_ > notes_.size()) {
            notes_.push_back(
                fmt::format("{} more numbers of the platform have no unit", without_unit_ - notes_.size()));
        }
        return std::move(notes_);
    }

private:
    /// Checks the numbers of an attribute. A host with several states, or a wireless link, has several numbers in one
    /// attribute.
    void check_quantities(const XmlAttribute& attribute, const Quantity& quantity) {
        for (const std::string_view part : parts_of(attribute.value, ",")) {
            const std::string_view digits = part.starts_with('+') ? part.substr(1) : part;
            const auto number = input::leading_number<double>(digits);
            if (number.length == 0) {
                fault(attribute, part, "is not a number", "expected a number and a unit");
            } else if (number.value < 0.0 && !quantity.may_be_negative) {
                fault(attribute, part, "is negative", "expected 0 or more");
            } else if (number.value != 0.0 && number.length == digits.size()) {
                note_missing_unit(attribute, part, quantity);
            }
        }
    }

    void note_missing_unit(const XmlAttribute& attribute, std::string_view part, const Quantity& quantity) {
        ++without_unit_;
        if (notes_.size() == kMostNotes) return;
        notes_.push_back(fmt::format("{}: `{}` has no unit in `{}`: SimGrid reads it as {}",
                                     input::text_of(xml_.range_of(part)), part, attribute.name, quantity.unit));
    }

    void check_counts(const XmlAttribute& attribute, std::string_view marks, std::int32_t least) {
        for (const std::string_view part : parts_of(attribute.value, marks)) check_count(attribute, part, least);
    }

    void check_count(const XmlAttribute& attribute, std::string_view part, std::int32_t least) {
        part = input::trimmed(part, kBlanks);
        const auto count = input::leading_number<std::int32_t>(part);
        const bool whole = count.length > 0 && count.length == part.size();
        if (whole && count.fits && count.value >= least) return;
        fault(attribute, part, whole ? "is out of range" : "is not a whole number",
              fmt::format("expected whole numbers from {} to 2147483647", least));
    }

    void fault(const XmlAttribute& attribute, std::string_view part, std::string_view what, std::string expected) {
        const bool nothing = part.empty();  // an empty part is reported with the range of the whole value
        faults_.add(DiagnosticKind::bad_xml_number, xml_.range_of(nothing ? attribute.value : part),
                    fmt::format("`{}` {} in `{}`", part, what, attribute.name), std::move(expected));
    }

    const PlatformXml& xml_;
    Diagnostics& faults_;
    std::vector<std::string> notes_;
    std::size_t without_unit_ = 0;
};

}  // namespace

std::vector<std::string> check_numbers(const PlatformXml& xml, Diagnostics& faults) {
    Checker checker(xml, faults);
    for (const XmlElement& element : xml.elements()) checker.check(element);
    return std::move(checker).notes();
}

}  // namespace warpfront::machine
