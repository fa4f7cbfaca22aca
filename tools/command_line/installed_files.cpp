#include "tools/command_line/installed_files.hpp"

#include <system_error>

#include <spdlog/spdlog.h>

namespace warpfront::tools {

namespace fs = std::filesystem;

fs::path input_file(const std::string& named) {
    std::error_code ignored;
    if (named.empty() || fs::path(named).is_absolute() || fs::exists(named, ignored)) return named;
    const fs::path shared = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share/warpfront";
    for (const fs::path& folder : {shared, shared / "models"}) {
        const fs::path found = folder / named;
        if (!fs::is_regular_file(found, ignored)) continue;
        spdlog::warn("note: `{}` is not here, so it is taken from `{}`", named, found.string());
        return found;
    }
    return named;
}

}  // namespace warpfront::tools
