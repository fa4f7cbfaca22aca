#include "psl/lowering/code_writer.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace warpfront::psl {

namespace {

using program::Channel;

/// The channels on which messages may arrive at a rank that receives from any source, and its possible replies.
struct Partners {
    std::set<Channel> sources;
    std::set<Channel> answered;
};

class SourceFinder {
public:
    SourceFinder(const Skeleton& skeleton, const Graph& graph, const std::vector<Wildcards>& wildcards,
                 program::Program& program)
        : skeleton_(skeleton), graph_(graph), wildcards_(wildcards), program_(program), written_(program.classes) {}

    void run() {
        for (std::uint32_t rank = 0; rank < program_.class_of.size(); ++rank) {
            for (const Channel& channel : program_.of({rank}).send_endpoints) add_source(rank, channel);
        }
        while (answers_are_new()) {}
        for (std::uint32_t rank = 0; rank < program_.class_of.size(); ++rank) {
            if (has_wildcards(rank)) program_.class_of[rank] = class_of(rank);
        }
    }

private:
    bool has_wildcards(std::uint32_t rank) const { return !wildcards_[program_.class_of[rank]].sources.empty(); }

    static bool matches(const AnySource& any, const Channel& channel) {
        return any.tag ? *any.tag == channel.tag
                       // a receive with any tag takes no messages of collectives, whose tags are negative
                       : channel.tag >= 0;
    }

    /// Adds rank `from`, which sends on `channel`, to the sources of the receiver. Returns false if it is a source
    /// already, or if the receiver does not receive from any rank with this tag.
    bool add_source(std::uint32_t from, const Channel& channel) {
        const auto to = static_cast<std::uint32_t>(std::int64_t{from} + channel.delta);
        if (!has_wildcards(to)) return false;
        const Channel source{-channel.delta, channel.tag};
        const auto& all = wildcards_[program_.class_of[to]].sources;
        if (std::ranges::none_of(all, [&](const AnySource& any) { return matches(any, source); })) return false;
        return partners_[to].sources.insert(source).second;
    }

    /// Adds the sources that send replies. Returns true if any source is new: a reply may be received from any source,
    /// and answered by another reply.
    bool answers_are_new() {
        bool found = false;
        for (auto& [rank, partners] : partners_) {
            const std::uint32_t index = program_.class_of[rank];
            for (const Answer& answer : wildcards_[index].answers) {
                for (const Channel& source :
                     sources_of(index, written_[index].replies[answer.reply].choice, partners)) {
                    const Channel answered{source.delta, answer.tag};
                    if (!partners.answered.insert(answered).second) continue;
                    found = add_source(rank, answered) || found;
                }
            }
        }
        return found;
    }

    /// Returns the sources of a choice, ordered by rank, then by tag.
    std::vector<Channel> sources_of(std::uint32_t index, std::uint32_t choice, const Partners& partners) const {
        const auto& all = wildcards_[index].sources;
        const auto any = std::ranges::find_if(all, [&](const AnySource& each) { return each.choice == choice; });
        std::vector<Channel> found;
        for (const Channel& source : partners.sources) {
            if (matches(*any, source)) found.push_back(source);
        }
        return found;
    }

    std::uint32_t class_of(std::uint32_t rank) {
        const std::uint32_t written = program_.class_of[rank];
        const Partners& partners = partners_[rank];
        const auto [known, fresh] = filled_.try_emplace({written, partners.sources}, program_.classes.size());
        if (!fresh) return static_cast<std::uint32_t>(known->second);
        program::RankClass filled = written_[written];
        ChannelPlaces receives = places_of(filled.receive_endpoints);
        ChannelPlaces sends = places_of(filled.send_endpoints);
        for (const AnySource& any : wildcards_[written].sources) {
            const std::vector<Channel> sources = sources_of(written, any.choice, partners);
            if (sources.empty()) refuse(rank, any);
            for (const Channel& source : sources) {
                filled.choices[any.choice].receive_endpoints.push_back(
                    place_of(source, filled.receive_endpoints, receives));
            }
        }
        for (const Answer& answer : wildcards_[written].answers) {
            program::Reply& reply = filled.replies[answer.reply];
            for (const Channel& source : sources_of(written, reply.choice, partners)) {
                reply.send_endpoints.push_back(place_of({source.delta, answer.tag}, filled.send_endpoints, sends));
            }
        }
        return add(std::move(filled), written, known->second);
    }

    /// Adds a class after the sources have been added to its choices. The first such class replaces the written class
    /// without sources.
    std::uint32_t add(program::RankClass filled, std::uint32_t written, std::size_t& number) {
        if (replaced_.insert(written).second) {
            number = written;
            program_.classes[written] = std::move(filled);
        } else {
            program_.classes.push_back(std::move(filled));
        }
        return static_cast<std::uint32_t>(number);
    }

    static ChannelPlaces places_of(const std::vector<Channel>& channels) {
        ChannelPlaces places;
        for (const Channel& channel : channels) places.emplace(channel, static_cast<std::uint32_t>(places.size()));
        return places;
    }

    [[noreturn]] void refuse(std::uint32_t rank, const AnySource& any) const {
        const std::string tag = any.tag ? fmt::format(" with tag {}", *any.tag) : "";
        graph_.fail({DiagnosticKind::unmatched_messages,
                     fmt::format("rank {} receives from any rank{}, and no rank sends to it", rank, tag)},
                    skeleton_.site_statements[any.site]->span);
    }

    const Skeleton& skeleton_;
    const Graph& graph_;
    const std::vector<Wildcards>& wildcards_;
    program::Program& program_;
    const std::vector<program::RankClass> written_;
    std::map<std::uint32_t, Partners> partners_;  // determined when first needed
    std::map<std::pair<std::uint32_t, std::set<Channel>>, std::size_t> filled_;
    std::set<std::uint32_t> replaced_;
};

}  // namespace

void find_sources(const Skeleton& skeleton, const Graph& graph, const std::vector<Wildcards>& wildcards,
                  program::Program& program) {
    const bool any = std::ranges::any_of(wildcards, [](const Wildcards& each) { return !each.sources.empty(); });
    if (any) SourceFinder(skeleton, graph, wildcards, program).run();
}

}  // namespace warpfront::psl
