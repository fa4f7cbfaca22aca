#include "simulator/machine/loading/loaded_platforms.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

namespace warpfront::machine {

namespace {

constexpr std::size_t kMostKept = 64;

struct LoadedPlatforms {
    std::mutex mutex;
    std::map<std::pair<std::string, std::string>, Platform> by_text;
};

LoadedPlatforms& loaded_platforms() {
    static LoadedPlatforms all;
    return all;
}

}  // namespace

std::optional<Platform> load_once(PlatformLoader& loader, const input::SourceFilePtr& xml,
                                  const std::vector<LinkOverride>& link_overrides, input::Diagnostics& faults) {
    LoadedPlatforms& all = loaded_platforms();
    const std::lock_guard hold(all.mutex);
    if (!link_overrides.empty()) return loader.load(faults);
    std::pair<std::string, std::string> key{xml->name(), std::string(xml->text())};
    if (const auto found = all.by_text.find(key); found != all.by_text.end()) return found->second;
    std::optional<Platform> platform = loader.load(faults);
    const bool kept = platform && !std::holds_alternative<Irregular>(platform->zone);
    if (kept && all.by_text.size() < kMostKept) all.by_text.emplace(std::move(key), *platform);
    return platform;
}

}  // namespace warpfront::machine
