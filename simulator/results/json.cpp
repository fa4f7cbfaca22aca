#include "simulator/results/json.hpp"

#include <algorithm>
#include <utility>

#include "simulator/results/critical_path.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/results/ranks.hpp"

namespace warpfront::results {

namespace {

using Json = nlohmann::ordered_json;

Json iterations(const record::Record& record) {
    Json list = Json::array();
    for (const auto& [duration, count] : record.iterations) list.push_back(Json::array({seconds(duration), count}));
    return list;
}

Json breakdown(const record::Breakdown& parts) {
    Json json;
    for (const auto& [name, time] : record::kBreakdownParts) json[seconds_key(name)] = seconds(parts.*time);
    return json;
}

Json rank(Rank rank, const RankGrid& grid) {
    Json json{{"rank", rank.index}, {"column", grid.column(rank)}, {"row", grid.row(rank)}};
    if (grid.planes > 1) json["plane"] = grid.plane(rank);
    return json;
}

Json parts_over_ranks(const record::Record& record) {
    Json json = Json::object();
    for (const OverRanks& each : over_ranks(record)) {
        json[seconds_key(each.name)] = {{"least", seconds(each.least)},
                                        {"least_rank", each.least_rank.index},
                                        {"mean", seconds(each.mean)},
                                        {"most", seconds(each.most)},
                                        {"most_rank", each.most_rank.index}};
    }
    return json;
}

Json phases(const record::Record& record) {
    Json list = Json::array();
    for (const PhaseOverRanks& each : phases_over_ranks(record)) {
        Json json = Json::object();
        if (!each.outside) json["name"] = each.name;
        json["time_s"] = seconds(each.last);
        json["least_s"] = seconds(each.least);
        json["least_rank"] = each.least_rank.index;
        json["mean_s"] = seconds(each.mean);
        json["most_s"] = seconds(each.most);
        json["most_rank"] = each.most_rank.index;
        list.push_back(json);
    }
    return list;
}

Json tasks(const record::TaskUse& use) {
    Json counts = Json::object();
    for (const auto& [name, count] : use.tasks) counts[name] = count;
    Json cores = Json::object();
    Json over_time = {{"interval_s", seconds(use.over_time.width)}};
    for (const auto& [name, part] : record::kCoreTimeParts) {
        std::string key(name);
        std::ranges::replace(key, ' ', '_');
        cores[key + "_s"] = seconds(use.cores.*part);
        Json& shares = over_time[key + "_cores"] = Json::array();
        for (const record::CoreTime& each : use.over_time.sums) {
            shares.push_back(seconds(each.*part) / seconds(use.over_time.width));
        }
    }
    if (!use.moved.sums.empty()) {
        Json& moved = over_time["transfers"] = {{"interval_s", seconds(use.moved.width)}};
        Json& rates = moved["bytes_per_s"] = Json::array();
        for (const double bytes : use.moved.sums) rates.push_back(bytes / seconds(use.moved.width));
    }
    Json json = {{"tasks", std::move(counts)},         {"updates", use.updates},
                 {"cores", std::move(cores)},          {"read_bytes", use.read.count},
                 {"written_bytes", use.written.count}, {"server_load", use.server_load},
                 {"node_load", use.node_load},         {"over_time", std::move(over_time)}};
    if (use.least_margin) {
        json["fetched_ahead"] = {{"tasks", use.prefetched},
                                 {"least_margin_s", seconds(*use.least_margin)},
                                 {"mean_margin_s", seconds(use.margins) / static_cast<double>(use.prefetched)}};
    }
    return json;
}

Json collectives(const std::vector<program::CollectiveUse>& uses) {
    Json list = Json::array();
    for (const program::CollectiveUse& use : uses) {
        Json json = {{"operation", use.operation}, {"algorithm", use.algorithm}, {"because", use.because}};
        if (use.least) json["bytes"] = {use.least->count, use.most->count};
        json["ranks"] = {use.fewest_ranks, use.most_ranks};
        list.push_back(std::move(json));
    }
    return list;
}

Json work(const record::Work& done) {
    Json json = {{"messages", done.messages},
                 {"messages_replayed", done.messages_replayed},
                 {"collective_messages", done.collective_messages},
                 {"collective_messages_replayed", done.collective_messages_replayed}};
    if (done.events) json["events"] = *done.events;
    json["wall_s"] = done.wall_s;
    json["cpu_s"] = done.cpu_s;
    json["peak_rss_bytes"] = done.peak_rss_bytes;
    if (done.state_bytes) json["state_bytes"] = *done.state_bytes;
    json["threads"] = done.threads;
    return json;
}

Json origin(const Context& context) {
    Json inputs = Json::object();
    for (const InputHash& each : context.inputs) inputs[each.path] = each.sha256;
    Json json = {{"version", context.version}};
    if (!context.command.empty()) json["command"] = context.command;
    json["inputs"] = inputs;
    json["scenario"] = context.scenario;
    json["seed"] = context.seed.value;
    json["host"] = context.host;
    return json;
}

Json notes(const record::Record& record, const Context& context) {
    Json list = Json::array();
    for (const std::string& note : context.notes) list.push_back(note);
    for (const std::string& note : record.notes) list.push_back(note);
    return list;
}

std::string in_one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Appends a value. A list of numbers is one line of any length; other lists and mappings have one line per value.
void append(std::string& text, const Json& json, std::size_t depth) {
    const auto is_number = [](const Json& each) { return each.is_number(); };
    const bool plain = !json.is_structured() || json.empty();
    if (plain || (json.is_array() && std::ranges::all_of(json, is_number))) {
        text += in_one_line(json);
        return;
    }
    text += json.is_object() ? "{" : "[";
    const char* separator = "\n";
    for (const auto& [key, value] : json.items()) {
        text += separator + std::string(2 * depth + 2, ' ');
        if (json.is_object()) text += in_one_line(key) + ": ";
        append(text, value, depth + 1);
        separator = ",\n";
    }
    text += "\n" + std::string(2 * depth, ' ') + (json.is_object() ? "}" : "]");
}

}  // namespace

Json link_waits_json(const record::Record& record) {
    const record::LinkWaits& waits = *record.link_waits;
    Json hottest = Json::array();
    for (const auto& [link, waited] : waits.hottest) hottest.push_back({{"link", link}, {"wait_s", seconds(waited)}});
    Json json = {{"all_s", seconds(waits.all)}};
    if (const auto of_ranks = link_wait_of_ranks(record)) json["ranks_s"] = seconds(*of_ranks);
    json["hottest"] = std::move(hottest);
    return json;
}

Json to_json(const record::Record& record, const Context& context, const std::optional<Ensemble>& ensemble,
             std::optional<WideTime> closed_form) {
    Json json = {{"schema", "warpfront.result/1"},   {"engine", record.engine},
                 {"ranks", context.ranks},           {"nodes", context.nodes},
                 {"iterations", context.iterations}, {"time_s", seconds(record.finish)},
                 {"iteration_s", iterations(record)}};
    if (closed_form) json["closed_form_s"] = seconds(*closed_form);
    if (record.last) json["last_rank"] = rank(*record.last, context.grid);
    if (record.breakdown) json["breakdown"] = breakdown(*record.breakdown);
    if (record.phases) json["phases"] = phases(record);
    if (!record.rank_breakdown.empty()) json["over_ranks"] = parts_over_ranks(record);
    if (!record.rank_breakdown.empty() && !record.tasks) json["most_waiting"] = waiting_json(record, context.grid);
    if (record.path)
        json["critical_path"] = path_json(*record.path, record.fill, record.nonwavefront, record.saturated);
    if (auto maps = rank_array(record, context.grid); !maps.is_null() && !record.tasks)
        json["rank_array"] = std::move(maps);
    if (!context.torus.empty()) json["torus"] = context.torus;
    if (record.link_waits) json["link_waits"] = link_waits_json(record);
    if (record.unexpected) {
        json["unexpected"] = {{"messages", record.unexpected->messages},
                              {"copying_s", seconds(record.unexpected->copying)}};
    }
    if (record.tasks) json["tasks"] = tasks(*record.tasks);
    if (record.tasks && record.tasks->path) json["critical_path"] = path_json(*record.tasks->path);
    if (ensemble) json["ensemble"] = to_json(*ensemble);
    if (const auto interval = interval_of(record, context, ensemble)) {
        json["interval_s"] = {interval->low_s, interval->high_s};
    }
    if (context.one_sigma) {
        json["one_sigma_s"] = {seconds(context.one_sigma->first), seconds(context.one_sigma->second)};
    }
    if (record.work && !context.collectives.empty()) json["collectives"] = collectives(context.collectives);
    if (record.work) json["work"] = work(*record.work);
    if (!record.rank_finish.empty()) json["digest"] = digest(record.rank_finish);
    json["notes"] = notes(record, context);
    json["context"] = origin(context);
    return json;
}

std::string json_text(const Json& json) {
    std::string text;
    append(text, json, 0);
    return text + '\n';
}

}  // namespace warpfront::results
