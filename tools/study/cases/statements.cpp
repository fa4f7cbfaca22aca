#include "tools/study/cases/statements.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warpfront::tools {

std::string text_of(const Judgement& judgement) {
    const bool has_percent = judgement.ours.find('%') != std::string::npos;
    if (!judgement.difference || judgement.difference->value == 0.0 || has_percent) return judgement.ours;
    return fmt::format("{} ({:+.2g} %)", judgement.ours, judgement.difference->value);
}

std::string_view name_of(Verdict verdict) {
    static constexpr std::array<std::string_view, 5> kNames{"agrees", "explained", "not known", "DIFFERS", "not run"};
    return kNames[static_cast<std::size_t>(verdict)];
}

bool Statement::agrees() const { return std::ranges::all_of(ours, &Judgement::agrees); }

Verdict Statement::verdict() const {
    if (ours.empty()) return Verdict::not_run;
    if (agrees()) return Verdict::agrees;
    if (reason.empty()) return Verdict::differs;
    return tested_by.empty() ? Verdict::not_known : Verdict::explained;
}

void Statement::add_to(nlohmann::ordered_json& json) const {
    json["engines"] = nlohmann::ordered_json::array();
    for (const Judgement& each : ours) {
        nlohmann::ordered_json engine{{"engine", each.engine}, {"ours", each.ours}, {"agrees", each.agrees}};
        if (each.difference) engine["difference_pct"] = each.difference->value;
        json["engines"].push_back(std::move(engine));
    }
    if (our_bounds) json["bounds"] = "ours";
    if (!reason.empty()) json["reason"] = reason;
    if (!tested_by.empty()) json["tested_by"] = tested_by;
}

}  // namespace warpfront::tools
