// Roles of an application's parameters. Tables of runs, sliders and `cells_per_rank` set parameters by their roles,
// whatever their names.
//
//   param kblock: int = 10 as tile_planes
//
// If no parameter declares a role, a parameter with a usual name has it. A tile has tile_planes planes and tile_angles
// of the `angles` angles. In the literature a tile has all angles. The tile height there is tile_planes * tile_angles /
// angles (Mudalige 2009, section 4.2: Htile = mk * mmi / mmo).
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
    std::string_view type;  // required type of the parameter
    std::string_view what;
    /// a parameter with one of these names has the role, unless another parameter declares it
    std::array<std::string_view, 2> usual;
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

/// Returns the role with this name. Returns null if there is none.
constexpr const RoleDescription* find_role(std::string_view name) {
    const auto* const found = std::ranges::find(kRoles, name, &RoleDescription::name);
    return found == kRoles.end() ? nullptr : found;
}

}  // namespace warpfront::psl
