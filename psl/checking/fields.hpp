// The fields of a `closed_form` block, the source of program::WavefrontPhase.
#pragma once

#include <array>
#include <string_view>

#include "psl/syntax/types.hpp"

namespace warpfront::psl {

struct Field {
    std::string_view name;
    Type type;
    bool required;  // otherwise zero or empty
};

inline constexpr std::array kFields{
    Field{"pre_work", {Kind::time, false}, false},      Field{"work", {Kind::time, false}, true},
    Field{"tiles", {Kind::integer, false}, true},       Field{"east_west", {Kind::bytes, false}, true},
    Field{"north_south", {Kind::bytes, false}, true},   Field{"corners", {Kind::corner, true}, true},
    Field{"repeats", {Kind::integer, false}, false},  // of `corners`; once if left out
    Field{"allreduces", {Kind::integer, false}, false}, Field{"allreduce_bytes", {Kind::bytes, false}, false},
    Field{"exchanges", {Kind::bytes, true}, false},  // one entry per message, equal neighbours are counted together
    Field{"other", {Kind::time, false}, false},
};

}  // namespace warpfront::psl
