// Open Trace Format 2 (Eschweiler et al., "Open Trace Format 2: The Next Generation of Scalable Trace Formats and
// Support Libraries", 2012), written by the library of that format. A rank is an MPI process with one location, whose
// parent is its node. Calls of MPI and computing are regions. Waiting, for a partner or for shared resources, is a
// region within them. The statement is an attribute of each Enter. A tick is a picosecond. Two archives of the same
// timeline differ only in the identifier of the trace, which the library makes.
#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <otf2/otf2.h>

#include "simulator/results/timeline/mpi_calls.hpp"
#include "simulator/results/timeline/timeline_file.hpp"

namespace warpfront::results {

namespace {

using record::Activity;

constexpr std::uint64_t kTicksPerSecond = 1'000'000'000'000;
constexpr std::uint64_t kEventChunk = 1U << 18U;  // bytes; the least that the library permits
constexpr std::uint64_t kDefinitionChunk = 1U << 22U;
constexpr OTF2_AttributeRef kStatementAttribute = 0;
constexpr OTF2_CommRef kComm = 0;
constexpr OTF2_RegionRef kCompute = static_cast<OTF2_RegionRef>(MpiFunction::allreduce) + 1;

void require(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS) throw std::runtime_error(OTF2_Error_GetDescription(code));
}
template <typename Handle>
Handle* require(Handle* handle) {
    if (handle == nullptr) throw std::runtime_error("the library of OTF2 cannot make its files");
    return handle;
}

/// Suppresses the output of the library.
OTF2_ErrorCode say_nothing(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list) {
    return code;
}

OTF2_RegionRef region_of(MpiFunction function) { return static_cast<OTF2_RegionRef>(function); }
/// Returns the region of computing or of a kind of waiting; sending and receiving are the rest of a call.
OTF2_RegionRef region_of(Activity activity) {
    const auto number = static_cast<OTF2_RegionRef>(activity);
    return kCompute + (is_waiting(activity) ? number - static_cast<OTF2_RegionRef>(Activity::wait) + 1 : number);
}

/// One event of a rank.
struct Event {
    enum class Kind : std::uint8_t { enter, leave, begin_collective, end_collective, send, recv };
    Time time;
    Kind kind = Kind::enter;
    OTF2_RegionRef region = 0;
    std::uint16_t site = 0;
    std::size_t message = 0;  // number of the message in the timeline
};

class Otf2Archive {
public:
    Otf2Archive(const record::Timeline& timeline, const TimelineNames& names, const std::filesystem::path& file)
        : timeline_(timeline),
          names_(names),
          calls_(mpi_timeline_of(timeline, names.program)),
          messages_of_(timeline.ranks.size()) {
        for (std::size_t number = 0; number < calls_.messages.size(); ++number) {
            const MpiMessage& message = calls_.messages[number];
            messages_of_[message.send.rank].push_back(number);
            if (message.recv.rank != message.send.rank) messages_of_[message.recv.rank].push_back(number);
        }
        OTF2_Error_RegisterCallback(say_nothing, nullptr);
        archive_.reset(
            require(OTF2_Archive_Open(file.parent_path().c_str(), file.stem().c_str(), OTF2_FILEMODE_WRITE, kEventChunk,
                                      kDefinitionChunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)));
        static constexpr OTF2_FlushCallbacks kFlush{
            [](void*, OTF2_FileType, OTF2_LocationRef, void*, bool) -> OTF2_FlushType { return OTF2_FLUSH; }, nullptr};
        require(OTF2_Archive_SetFlushCallbacks(archive_.get(), &kFlush, nullptr));
        require(OTF2_Archive_SetSerialCollectiveCallbacks(archive_.get()));
        require(OTF2_Archive_SetCreator(archive_.get(), "warpfront"));
        require(OTF2_Archive_SetDescription(archive_.get(), names.title.c_str()));
    }

    void write() {
        require(OTF2_Archive_OpenEvtFiles(archive_.get()));
        std::vector<std::uint64_t> counts;
        for (std::size_t place = 0; place < timeline_.ranks.size(); ++place) counts.push_back(write_events(place));
        require(OTF2_Archive_CloseEvtFiles(archive_.get()));
        write_local_definitions();
        write_definitions(counts);
        require(OTF2_Archive_Close(archive_.release()));
    }

private:
    struct Close {
        void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
    };

    /// Writes empty files of local definitions, which readers expect.
    void write_local_definitions() {
        require(OTF2_Archive_OpenDefFiles(archive_.get()));
        for (const record::RankTimeline& rank : timeline_.ranks) {
            OTF2_DefWriter* const writer = require(OTF2_Archive_GetDefWriter(archive_.get(), rank.rank.index));
            require(OTF2_Archive_CloseDefWriter(archive_.get(), writer));
        }
        require(OTF2_Archive_CloseDefFiles(archive_.get()));
    }

    // Events of a rank.

    void put(Time time, Event::Kind kind, OTF2_RegionRef region, std::uint16_t site) {
        events_.push_back({time, kind, region, site});
    }
    void put_region(const record::Span& span) {
        put(span.begin, Event::Kind::enter, region_of(span.activity), span.site);
        put(span.end, Event::Kind::leave, region_of(span.activity), span.site);
    }
    void put_call(const MpiCall& call, const record::RankTimeline& rank) {
        const bool collective = call.function == MpiFunction::allreduce;
        put(call.begin, Event::Kind::enter, region_of(call.function), call.site);
        if (collective) put(call.begin, Event::Kind::begin_collective, 0, call.site);
        for (std::size_t k = call.first_span; k < call.first_span + call.spans; ++k) {
            if (is_waiting(rank.spans[k].activity)) put_region(rank.spans[k]);
        }
        if (collective) put(call.end, Event::Kind::end_collective, 0, call.site);
        put(call.end, Event::Kind::leave, region_of(call.function), call.site);
    }

    /// Adds calls and computing, by time.
    void put_regions(std::size_t place) {
        const record::RankTimeline& rank = timeline_.ranks[place];
        auto call = calls_.calls[place].begin();
        const auto end = calls_.calls[place].end();
        for (std::size_t span = 0; span < rank.spans.size();) {
            if (call != end && call->first_span == span) {
                put_call(*call, rank);
                span += call->spans;
                ++call;
            } else {
                put_region(rank.spans[span++]);
            }
        }
    }

    /// Returns the event of a message; if the message ends outside of any call, within an additional call.
    std::vector<Event> events_of(const MpiEnd& end, Event::Kind kind, std::size_t message) const {
        const Event event{kind == Event::Kind::send ? end.called : end.done, kind, 0, 0, message};
        if (!end.alone) return {event};
        const OTF2_RegionRef region = region_of(kind == Event::Kind::send ? MpiFunction::send : MpiFunction::recv);
        return {{event.time, Event::Kind::enter, region}, event, {event.time, Event::Kind::leave, region}};
    }

    /// Adds messages. A receive ends before all other events of its time, a send begins after all of them.
    void put_messages(std::size_t place) {
        std::vector<std::vector<Event>> before;
        std::vector<std::vector<Event>> after;
        for (const std::size_t number : messages_of_[place]) {
            const MpiMessage& message = calls_.messages[number];
            if (message.send.rank == place) after.push_back(events_of(message.send, Event::Kind::send, message.number));
            if (message.recv.rank != place) continue;
            (message.recv.alone ? after : before).push_back(events_of(message.recv, Event::Kind::recv, message.number));
        }
        const auto by_time = [](const auto& a, const auto& b) { return a.front().time < b.front().time; };
        std::ranges::stable_sort(before, by_time);
        std::ranges::stable_sort(after, by_time);
        std::vector<Event> all;
        auto first = before.begin();
        auto last = after.begin();
        const auto append = [&all](const std::vector<Event>& some) { all.insert(all.end(), some.begin(), some.end()); };
        for (const Event& event : events_) {
            for (; last != after.end() && last->front().time < event.time; ++last) {
                for (; first != before.end() && first->front().time <= last->front().time; ++first) append(*first);
                append(*last);
            }
            for (; first != before.end() && first->front().time <= event.time; ++first) append(*first);
            all.push_back(event);
        }
        std::for_each(first, before.end(), append);
        std::for_each(last, after.end(), append);
        events_ = std::move(all);
    }

    /// Writes the events and returns their number.
    std::uint64_t write_events(std::size_t place) {
        events_.clear();
        put_regions(place);
        put_messages(place);
        OTF2_EvtWriter* const writer =
            require(OTF2_Archive_GetEvtWriter(archive_.get(), timeline_.ranks[place].rank.index));
        const std::unique_ptr<OTF2_AttributeList, decltype(&OTF2_AttributeList_Delete)> attributes(
            OTF2_AttributeList_New(), OTF2_AttributeList_Delete);
        for (const Event& event : events_) write_event(writer, attributes.get(), event, timeline_.ranks[place].rank);
        std::uint64_t count = 0;
        require(OTF2_EvtWriter_GetNumberOfEvents(writer, &count));
        require(OTF2_Archive_CloseEvtWriter(archive_.get(), writer));
        return count;
    }

    void write_event(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes, const Event& event, Rank rank) const {
        const auto time = static_cast<OTF2_TimeStamp>(event.time.ps);
        const std::uint32_t first = timeline_.ranks.front().rank.index;
        const record::TimedMessage* const message =
            event.kind >= Event::Kind::send ? &timeline_.messages[event.message] : nullptr;
        switch (event.kind) {
            case Event::Kind::enter:
                require(OTF2_AttributeList_AddStringRef(attributes, kStatementAttribute, event.site));
                return require(OTF2_EvtWriter_Enter(writer, attributes, time, event.region));
            case Event::Kind::leave: return require(OTF2_EvtWriter_Leave(writer, nullptr, time, event.region));
            case Event::Kind::begin_collective:
                return require(OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, time));
            case Event::Kind::end_collective: {
                const auto bytes = static_cast<std::uint64_t>(allreduced_bytes(names_.program, rank, event.site).count);
                return require(OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, time, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                                               kComm, OTF2_UNDEFINED_UINT32, bytes, bytes));
            }
            case Event::Kind::send:
                return require(OTF2_EvtWriter_MpiSend(writer, nullptr, time, message->to.index - first, kComm,
                                                      static_cast<std::uint32_t>(*message->tag),
                                                      static_cast<std::uint64_t>(message->bytes.count)));
            case Event::Kind::recv:
                return require(OTF2_EvtWriter_MpiRecv(writer, nullptr, time, message->from.index - first, kComm,
                                                      static_cast<std::uint32_t>(*message->tag),
                                                      static_cast<std::uint64_t>(message->bytes.count)));
        }
    }

    // Definitions of the archive.

    void write_definitions(const std::vector<std::uint64_t>& counts) {
        writer_ = require(OTF2_Archive_GetGlobalDefWriter(archive_.get()));
        std::int64_t end = 0;
        for (const record::RankTimeline& rank : timeline_.ranks) {
            if (!rank.spans.empty()) end = std::max(end, rank.spans.back().end.ps);
        }
        require(OTF2_GlobalDefWriter_WriteClockProperties(
            writer_, kTicksPerSecond, 0, static_cast<std::uint64_t>(end) + 1, OTF2_UNDEFINED_TIMESTAMP));
        for (const program::Site& site :
             names_.program.sites) {  // the string of a statement has the number of its site
            string(fmt::format("{} at {}:{}", site.text, site.file, site.line));
        }
        none_ = string("");
        require(
            OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS));
        require(OTF2_GlobalDefWriter_WriteAttribute(writer_, kStatementAttribute, string("statement"),
                                                    string("of the model or the trace"), OTF2_TYPE_STRING));
        define_regions();
        define_system(counts);
        define_communicator();
        require(OTF2_Archive_CloseGlobalDefWriter(archive_.get(), writer_));
    }

    OTF2_StringRef string(const std::string& text) {
        require(OTF2_GlobalDefWriter_WriteString(writer_, strings_, text.c_str()));
        return strings_++;
    }

    void define_region(OTF2_RegionRef number, std::string_view name, OTF2_RegionRole role, OTF2_Paradigm paradigm) {
        const OTF2_StringRef called = string(std::string(name));
        require(OTF2_GlobalDefWriter_WriteRegion(writer_, number, called, called, none_, role, paradigm,
                                                 OTF2_REGION_FLAG_NONE, none_, 0, 0));
    }
    void define_regions() {
        for (OTF2_RegionRef number = 0; number < kCompute; ++number) {
            const auto function = static_cast<MpiFunction>(number);
            const bool collective = function == MpiFunction::allreduce;
            define_region(number, name_of(function),
                          collective ? OTF2_REGION_ROLE_COLL_ALL2ALL : OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI);
        }
        for (const Activity activity : {Activity::compute, Activity::wait, Activity::bus_wait, Activity::nic_wait,
                                        Activity::link_wait, Activity::processing_wait}) {
            define_region(region_of(activity), record::kActivityNames[static_cast<std::size_t>(activity)],
                          is_waiting(activity) ? OTF2_REGION_ROLE_ARTIFICIAL : OTF2_REGION_ROLE_CODE,
                          OTF2_PARADIGM_USER);
        }
    }

    /// Defines the machine, its nodes, and the ranks on them.
    void define_system(const std::vector<std::uint64_t>& counts) {
        constexpr OTF2_SystemTreeNodeRef kMachine = 0;
        require(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, kMachine, string(names_.title), string("machine"),
                                                         OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        const OTF2_StringRef node_class = string("node");
        std::map<Node, OTF2_SystemTreeNodeRef> nodes;
        for (std::size_t place = 0; place < timeline_.ranks.size(); ++place) {
            const Rank rank = timeline_.ranks[place].rank;
            const Node node = names_.node_of(rank);
            const auto [at, is_new] =
                nodes.try_emplace(node, static_cast<OTF2_SystemTreeNodeRef>(kMachine + 1 + nodes.size()));
            if (is_new) {
                require(OTF2_GlobalDefWriter_WriteSystemTreeNode(
                    writer_, at->second, string(fmt::format("node {}", node.index)), node_class, kMachine));
            }
            const OTF2_StringRef name = string(names_.of(rank));
            require(OTF2_GlobalDefWriter_WriteLocationGroup(writer_, static_cast<OTF2_LocationGroupRef>(place), name,
                                                            OTF2_LOCATION_GROUP_TYPE_PROCESS, at->second,
                                                            OTF2_UNDEFINED_LOCATION_GROUP));
            require(OTF2_GlobalDefWriter_WriteLocation(writer_, rank.index, name, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                       counts[place], static_cast<OTF2_LocationGroupRef>(place)));
        }
    }

    /// Defines the communicator, indexed by the ranks of the timeline, from 0.
    void define_communicator() {
        std::vector<std::uint64_t> locations;
        std::vector<std::uint64_t> members;
        for (const record::RankTimeline& rank : timeline_.ranks) {
            members.push_back(locations.size());
            locations.push_back(rank.rank.index);
        }
        const auto count = static_cast<std::uint32_t>(locations.size());
        require(OTF2_GlobalDefWriter_WriteGroup(writer_, 0, none_, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                                OTF2_GROUP_FLAG_NONE, count, locations.data()));
        require(OTF2_GlobalDefWriter_WriteGroup(writer_, 1, none_, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                                OTF2_GROUP_FLAG_NONE, count, members.data()));
        const bool all = count == names_.program.grid.ranks();
        const std::string name =
            all ? "MPI_COMM_WORLD" : fmt::format("ranks {} to {}", locations.front(), locations.back());
        require(
            OTF2_GlobalDefWriter_WriteComm(writer_, kComm, string(name), 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }

    const record::Timeline& timeline_;
    const TimelineNames& names_;
    const MpiTimeline calls_;
    std::vector<std::vector<std::size_t>> messages_of_;  // numbers of each rank's messages in calls_
    std::unique_ptr<OTF2_Archive, Close> archive_;
    std::vector<Event> events_;  // events of the current rank
    OTF2_GlobalDefWriter* writer_ = nullptr;
    OTF2_StringRef strings_ = 0;  // number of strings written
    OTF2_StringRef none_ = 0;     // the empty string
};

}  // namespace

void write_otf2(const record::Timeline& timeline, const TimelineNames& names, const std::filesystem::path& file) {
    Otf2Archive(timeline, names, file).write();
}

}  // namespace warpfront::results
