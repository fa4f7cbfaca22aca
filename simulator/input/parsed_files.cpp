#include "simulator/input/parsed_files.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace warpfront::input {

namespace {

constexpr std::size_t kMostKept = 256;

struct ParsedFiles {
    std::mutex mutex;
    std::map<std::pair<std::string, std::string>, ParsedFile> by_text;
};

ParsedFiles& parsed_files() {
    static ParsedFiles all;
    return all;
}

}  // namespace

ParsedFile parse_once(SourceFilePtr source, Diagnostics& faults) {
    ParsedFiles& all = parsed_files();
    std::pair<std::string, std::string> key{source->name(), std::string(source->text())};
    {
        const std::lock_guard hold(all.mutex);
        if (const auto found = all.by_text.find(key); found != all.by_text.end()) return found->second;
    }
    const std::size_t before = faults.count();
    ParsedFile parsed{source, parse_yaml(source, faults)};
    const std::lock_guard hold(all.mutex);
    if (faults.count() == before && all.by_text.size() < kMostKept) all.by_text.emplace(std::move(key), parsed);
    return parsed;
}

}  // namespace warpfront::input
