#include "tools/study/cases/point_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/sha256.hpp"
#include "simulator/results/json.hpp"
#include "simulator/results/output.hpp"
#include "simulator/scenario/scenario.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kPointSchema = "warpfront.point/5";

/// Formats picoseconds as text, since JSON has no numbers of 128 bits.
std::string picoseconds(WideTime time) { return fmt::format("{}", time.ps); }

WideTime time_of(const std::string& text) {
    Wide ps = 0;
    for (const char digit : text) ps = ps * 10 + (digit - '0');
    return {ps};
}

void put_optional(ordered_json& json, const char* key, const std::optional<WideTime>& time) {
    if (time) json[key] = picoseconds(*time);
}

std::optional<WideTime> take_optional(const ordered_json& json, const char* key) {
    if (!json.contains(key)) return std::nullopt;
    return time_of(json.at(key).get<std::string>());
}

/// Adds the times of a structure by their names in `parts`. Does nothing without a structure.
template <class Times>
void put_parts(ordered_json& json, const char* key, const std::optional<Times>& times, const auto& parts) {
    if (!times) return;
    for (const auto& part : parts) json[key][std::string(part.name)] = picoseconds((*times).*part.time);
}

template <class Times>
std::optional<Times> take_parts(const ordered_json& json, const char* key, const auto& parts) {
    if (!json.contains(key)) return std::nullopt;
    Times times;
    for (const auto& part : parts) {
        times.*part.time = time_of(json.at(key).at(std::string(part.name)).template get<std::string>());
    }
    return times;
}

ordered_json json_of(const std::string& key, const PointResult& result) {
    ordered_json json{{"schema", kPointSchema}, {"key", key},
                      {"ranks", result.ranks},  {"nodes", result.nodes},
                      {"notes", result.notes},  {"engines", ordered_json::array()}};
    for (const EngineResult& each : result.engines) {
        ordered_json engine{{"engine", each.engine}, {"time_ps", picoseconds(each.time)}};
        put_parts(engine, "path_ps", each.path, record::kPathParts);
        put_optional(engine, "fill_ps", each.fill);
        put_optional(engine, "nonwavefront_ps", each.nonwavefront);
        put_optional(engine, "link_wait_ps", each.link_wait);
        put_parts(engine, "cores_ps", each.cores, record::kCoreTimeParts);
        engine["notes"] = each.notes;
        engine["depends_on_seed"] = each.depends_on_seed;
        json["engines"].push_back(std::move(engine));
    }
    return json;
}

PointResult result_of(const ordered_json& json) {
    PointResult result{json.at("ranks"), json.at("nodes"), json.at("notes"), {}};
    for (const ordered_json& each : json.at("engines")) {
        result.engines.push_back({each.at("engine"), time_of(each.at("time_ps").get<std::string>()),
                                  take_parts<record::PathParts>(each, "path_ps", record::kPathParts),
                                  take_optional(each, "fill_ps"), take_optional(each, "nonwavefront_ps"),
                                  take_optional(each, "link_wait_ps"),
                                  take_parts<record::CoreTime>(each, "cores_ps", record::kCoreTimeParts),
                                  each.at("notes"), each.at("depends_on_seed")});
    }
    return result;
}

}  // namespace

std::vector<WideTime> EngineResult::times() const {
    std::vector<WideTime> all{time};
    for (const EngineResult& each : further) all.push_back(each.time);
    return all;
}

const EngineResult* PointResult::by(std::string_view engine) const {
    const auto found = std::ranges::find(engines, engine, &EngineResult::engine);
    return found == engines.end() ? nullptr : &*found;
}

std::string key_of(const Experiment& experiment, const std::vector<Engine>& engines, bool with_path,
                   std::uint64_t seed) {
    input::Sha256 hash;
    const auto add = [&hash](std::string_view text) {
        hash.update(fmt::format("{}:", text.size()));  // the size separates consecutive texts
        hash.update(text);
    };
    add(kPointSchema);
    add(WARPFRONT_VERSION);
    for (const Engine engine : engines) add(name_of(engine));
    const bool follows_path = with_path && std::ranges::find(engines, Engine::event) != engines.end();
    add(follows_path ? "path" : "");
    add(fmt::format("{}", seed));
    add(echo(experiment.scenario).dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    for (const SourceFilePtr& source : experiment.sources) add(source->text());
    return hash.hex();
}

PointStore::PointStore(const std::filesystem::path& folder) : folder_(folder / "points") {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (!error) return;
    throw BadInput(DiagnosticKind::unwritable_file, {}, fmt::format("cannot write `{}`", folder.string()),
                   error.message());
}

std::filesystem::path PointStore::file_of(const std::string& key, const char* ending) const {
    return folder_ / (key + ending);
}

/// Removes the lock file. Another process that has already opened it may still lock it, but by then the point is
/// finished or has failed.
PointStore::Claim::~Claim() {
    if (lock_.open()) ::unlink(file_.c_str());
}

std::optional<PointStore::Claim> PointStore::claim(const std::string& key) const {
    const std::filesystem::path file = file_of(key, ".lock");
    process::Descriptor lock(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666));
    if (lock.open() && ::flock(lock.number(), LOCK_EX | LOCK_NB) == 0) return Claim(std::move(lock), file);
    if (lock.open() && errno == EWOULDBLOCK) return std::nullopt;
    throw BadInput(DiagnosticKind::unwritable_file, {}, fmt::format("cannot lock `{}`", file.string()),
                   std::system_category().message(errno));
}

std::optional<PointResult> PointStore::find(const std::string& key) const {
    std::ifstream stream(file_of(key), std::ios::binary);
    if (!stream) return std::nullopt;
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    try {
        const ordered_json json = ordered_json::parse(text);
        if (json.at("schema") != kPointSchema || json.at("key") != key) return std::nullopt;
        return result_of(json);
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void PointStore::put(const std::string& key, const PointResult& result) const {
    results::write_atomically(file_of(key), results::json_text(json_of(key, result)));
}

}  // namespace warpfront::tools
