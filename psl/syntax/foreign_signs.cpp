#include "psl/syntax/foreign_signs.hpp"

#include <algorithm>
#include <array>

namespace warpfront::psl {
namespace {

using Extent = ForeignSign::Extent;

/// Longer signs before those that they begin with.
constexpr std::array kForeignSigns{
    ForeignSign{"&&", "and", true, "expected `and`"},
    ForeignSign{"||", "or", true, "expected `or`"},
    ForeignSign{"!", "not", true, "expected `not`"},
    ForeignSign{"**", "^", false, "expected `^`: a power is `2 ^ n`"},
    ForeignSign{"<<", "*", false, "expected `* 2 ^ n`: there are no shifts"},
    ForeignSign{"<>", "!=", false, "expected `!=`"},
    ForeignSign{";", "", false, "expected nothing: statements need no separator"},
    ForeignSign{"#", "", false, "expected `//`: it begins a comment", Extent::line},
    ForeignSign{"'", "", false, "expected `\"` around a text", Extent::quoted},
    ForeignSign{".and.", "and", true, "expected `and`"},
    ForeignSign{".or.", "or", true, "expected `or`"},
    ForeignSign{".not.", "not", true, "expected `not`"},
    ForeignSign{".eq.", "==", false, "expected `==`"},
    ForeignSign{".ne.", "!=", false, "expected `!=`"},
    ForeignSign{".lt.", "<", false, "expected `<`"},
    ForeignSign{".le.", "<=", false, "expected `<=`"},
    ForeignSign{".gt.", ">", false, "expected `>`"},
    ForeignSign{".ge.", ">=", false, "expected `>=`"},
    ForeignSign{".true.", "true", true, "expected `true`"},
    ForeignSign{".false.", "false", true, "expected `false`"},
    ForeignSign{"&", "", false, "expected `and`, or nothing: there are no addresses and no buffers"},
    ForeignSign{"|", "or", true, "expected `or`"},
};

}  // namespace

std::size_t ForeignSign::length(std::string_view text) const {
    const std::size_t line = std::min(text.find('\n'), text.size());
    if (extent == Extent::line) return line;
    if (extent == Extent::sign) return sign.size();
    const std::size_t quote = text.substr(0, line).find(sign, sign.size());
    return quote == std::string_view::npos ? sign.size() : quote + sign.size();
}

const ForeignSign* find_foreign_sign(std::string_view text) {
    if (text.substr(0, 2) == "!=") return nullptr;
    const auto found = std::find_if(kForeignSigns.begin(), kForeignSigns.end(), [&](const ForeignSign& each) {
        return text.substr(0, each.sign.size()) == each.sign;
    });
    return found == kForeignSigns.end() ? nullptr : &*found;
}

}  // namespace warpfront::psl
