// Roles of an application's parameters: the parameters that tables of runs, sliders and `cells_per_rank` set in a
// model, independently of their names.
//
//   param kblock: int = 10 as tile_planes
//
// A parameter whose name is usual in the field's codes has the role by default, unless another parameter declares it. A
// tile has tile_planes planes and tile_angles of the `angles` angles. The tile height of the literature, where a tile
// has all angles, is tile_planes * tile_angles / angles (Mudalige 2009, section 4.2: Htile = mk * mmi / mmo).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace warpfront::psl {

enum class Role : std::uint8_t { cells_x, cells_y, cells_z, tile_planes, tile_angles, angles, work, fixup_work };

struct RoleDescription {
    Role role;
    std::string_view name;
    std::string_view type;  // type of the parameter
    std::string_view what;
    std::array<std::string_view, 2> usual;  // names of parameters that have the role by default
};

inline constexpr std::array kRoles{
    RoleDescription{Role::cells_x, "cells_x", "int", "cells of the whole grid from west to east", {"nx"}},
    RoleDescription{Role::cells_y, "cells_y", "int", "cells of the whole grid from north to south", {"ny"}},
    RoleDescription{Role::cells_z, "cells_z", "int", "cells of the whole grid from the bottom up", {"nz"}},
    RoleDescription{Role::tile_planes, "tile_planes", "int", "planes of a tile", {"mk", "htile"}},
    RoleDescription{Role::tile_angles, "tile_angles", "int", "angles of a tile", {"mmi"}},
    RoleDescription{Role::angles, "angles", "int", "angles of an octant", {"mmo"}},
    RoleDescription{Role::work, "work", "time", "work per cell", {"wg"}},
    RoleDescription{Role::fixup_work, "fixup_work", "time", "work per cell with flux fix-ups", {"wg_fixup"}},
};

constexpr const RoleDescription& description_of(Role role) { return kRoles[static_cast<std::size_t>(role)]; }

/// Returns the role with this name, or null.
constexpr const RoleDescription* find_role(std::string_view name) {
    const auto* const found = std::ranges::find(kRoles, name, &RoleDescription::name);
    return found == kRoles.end() ? nullptr : found;
}

}  // namespace warpfront::psl
