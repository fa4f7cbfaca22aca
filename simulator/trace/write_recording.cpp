#include "simulator/trace/write_recording.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "simulator/trace/recording_format.h"

namespace warpfront::trace {

namespace {

using WordList = std::vector<std::int64_t>;

/// Returns the number of a call in the table of the format.
std::int64_t recorded_call(std::string_view name) {
    constexpr std::string_view kNames[] = {
#define CALL(name, payload) #name,
        WARPFRONT_RECORDED_CALLS(CALL)
#undef CALL
    };
    return std::find(std::begin(kNames), std::end(kNames), name) - std::begin(kNames);
}

class RecordWriter {
public:
    RecordWriter(const RecordedRun& run, std::uint32_t rank) : run_(run), rank_(rank) {
        for (std::size_t each = 0; each < run.communicators.size(); ++each) {
            const std::vector<Rank>& members = run.communicators[each];
            if (std::ranges::find(members, Rank{rank}) == members.end()) continue;
            WordList list;
            for (const Rank member : members) list.push_back(member.index);
            WordList payload{static_cast<std::int64_t>(each)};
            add_list(payload, list);
            record("define_comm", payload);
        }
    }

    void add(const Event& event) {
        now_ += event.work;
        switch (event.call) {
            case Call::send: return record("send", message(event));
            case Call::ssend: return record("ssend", message(event));
            case Call::isend: return begin("isend", event);
            case Call::issend: return begin("issend", event);
            case Call::irecv: return begin("irecv", event);
            case Call::recv: {
                WordList words = message(event);
                add_received(words, member(event.communicator, event.peer), event.tag, event.bytes);
                return record("recv", words);
            }
            case Call::sendrecv: return exchange(event);
            case Call::wait:
            case Call::wait_any: return wait(event);
            case Call::collective: return collective(event);
            case Call::begin_collective: {
                communicator_of_[event.request] = event.communicator;
                const WordList words{recorded_call(name_of(event.kind)), event.communicator,
                                     member(event.communicator, event.peer), event.bytes.count, event.request};
                return record("begun_collective", words);
            }
            case Call::compute: return;
        }
    }

    std::vector<std::int64_t> finish(Time work_after) {
        now_ += work_after;
        record("finalize", {});
        return std::move(words_);
    }

private:
    std::int64_t member(std::uint32_t communicator, Rank rank) const {
        const std::vector<Rank>& members = run_.communicators[communicator];
        return std::ranges::find(members, rank) - members.begin();
    }
    static void add_list(WordList& to, const WordList& list) {
        to.push_back(static_cast<std::int64_t>(list.size()));
        to.insert(to.end(), list.begin(), list.end());
    }
    static void add_received(WordList& words, std::int64_t source, std::int32_t tag, Bytes bytes) {
        words.insert(words.end(), {source, tag, bytes.count});
    }

    void record(std::string_view name, const WordList& payload) {
        words_.push_back(recorded_call(name) | static_cast<std::int64_t>(payload.size() << 8));
        words_.insert(words_.end(), {now_.ps, now_.ps});
        words_.insert(words_.end(), payload.begin(), payload.end());
    }

    WordList message(const Event& event) const {
        const bool receives = event.call == Call::recv || event.call == Call::irecv;
        const bool any = receives && event.any_source;
        return {event.communicator, any ? std::int64_t{WARPFRONT_ANY_SOURCE} : member(event.communicator, event.peer),
                receives && event.any_tag ? std::int64_t{WARPFRONT_ANY_TAG} : event.tag, event.bytes.count};
    }

    void begin(std::string_view name, const Event& event) {
        communicator_of_[event.request] = event.communicator;
        WordList words = message(event);
        words.push_back(event.request);
        record(name, words);
    }

    void exchange(const Event& event) {
        WordList words = message(event);
        const std::int64_t source = member(event.communicator, event.from);
        words.push_back(event.any_source ? std::int64_t{WARPFRONT_ANY_SOURCE} : source);
        words.push_back(event.any_tag ? std::int64_t{WARPFRONT_ANY_TAG} : event.from_tag);
        words.push_back(0);
        add_received(words, source, event.from_tag, {});
        record("sendrecv", words);
    }

    void wait(const Event& event) {
        WordList words;
        if (event.call == Call::wait_any) add_list(words, {event.among.begin(), event.among.end()});
        words.push_back(static_cast<std::int64_t>(event.completed.size()));
        for (const Completion& each : event.completed) {
            const auto begun = communicator_of_.find(each.request);
            const std::uint32_t communicator = begun == communicator_of_.end() ? 0 : begun->second;
            words.push_back(each.request);
            add_received(words, each.received ? member(communicator, each.source) : -1, each.tag, each.bytes);
        }
        record(event.call == Call::wait_any ? "waitsome" : "waitall", words);
    }

    void collective(const Event& event) {
        using enum collectives::Kind;
        WordList words{event.communicator};
        const bool by_rank = event.kind == gatherv || event.kind == scatterv || event.kind == allgatherv ||
                             event.kind == alltoallv || (event.kind == reduce_scatter && !event.shares.empty());
        const bool rooted = event.kind == bcast || event.kind == reduce || event.kind == gather ||
                            event.kind == scatter || event.kind == gatherv || event.kind == scatterv;
        if (rooted) words.push_back(member(event.communicator, event.peer));
        const bool sized =
            event.kind != barrier && event.kind != alltoallv && !(event.kind == reduce_scatter && by_rank);
        if (sized) words.push_back(event.bytes.count);
        if (by_rank) {
            WordList shares;
            for (const Bytes share : event.shares) shares.push_back(share.count);
            add_list(words, shares);
            if (event.kind == alltoallv) words.push_back(0);  // sizes of received messages
        }
        const bool block = event.kind == reduce_scatter && !by_rank;
        record(block ? "reduce_scatter_block" : name_of(event.kind), words);
    }

    const RecordedRun& run_;
    const std::uint32_t rank_;
    Time now_;
    WordList words_;
    std::map<std::uint32_t, std::uint32_t> communicator_of_;  // communicator of each request
};

}  // namespace

void write_recording(const RecordedRun& run, const std::vector<EventRange>& ranges,
                     const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        const RecordedRank& own = run.ranks[rank];
        RecordWriter writer(run, rank);
        for (std::size_t at = ranges[rank].begin; at < ranges[rank].end; ++at) writer.add(own.events[at]);
        const bool whole = ranges[rank].end == own.events.size();
        const std::vector<std::int64_t> words = writer.finish(whole ? own.work_after : Time{});
        warpfront_recording_header header{};
        std::memcpy(header.magic, WARPFRONT_RECORDING_MAGIC, sizeof WARPFRONT_RECORDING_MAGIC);
        header.rank = rank;
        header.ranks = static_cast<std::uint32_t>(run.ranks.size());
        header.state = WARPFRONT_FINALIZED;
        header.words = words.size();
        header.capacity_words = words.size();
        header.ns_per_tick = 0.001;
        const std::filesystem::path path = folder / fmt::format("rank-{}.events", rank);
        std::ofstream file(path, std::ios::binary);
        file.write(reinterpret_cast<const char*>(&header), sizeof header);
        file.write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(words.size() * sizeof words.front()));
        file.flush();
        if (!file) {
            throw BadInput(DiagnosticKind::unwritable_file, {}, fmt::format("cannot write `{}`", path.string()),
                           "is there a folder, and space?");
        }
    }
}

}  // namespace warpfront::trace
