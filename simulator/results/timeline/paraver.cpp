// Paraver ("Paraver: Parallel Program Visualization and Analysis Tool, tracefile description", CEPBA 2001; nanoseconds
// since its version 2): FILE.prv has a header and one record per line, in the order of time; FILE.pcf has the names of
// states and events, FILE.row those of ranks and nodes. The trace has one application; its tasks are the ranks, with
// one thread and one CPU of the node each. States are the activities of ranks. Events are statements and MPI calls,
// which have the numbers of BSC's tools. Communications connect calls. The date of the header is constant, so that the
// file is reproducible.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/timeline/mpi_calls.hpp"
#include "simulator/results/timeline/timeline_file.hpp"

namespace warpfront::results {

namespace {

struct State {
    int number;
    std::string_view name;
    std::string_view colour;
};
/// States by activity. Numbers up to 17 have the same meaning as in BSC's own traces, so that the viewer's settings for
/// these apply.
constexpr std::array<State, 8> kStates{{{1, "Computing", "{58,130,196}"},
                                        {4, "Sending", "{89,163,105}"},
                                        {16, "Receiving", "{140,194,79}"},
                                        {3, "Waiting for a partner", "{217,130,43}"},
                                        {20, "Waiting for the bus", "{194,79,74}"},
                                        {21, "Waiting for the NIC", "{168,69,128}"},
                                        {22, "Waiting for links", "{122,79,176}"},
                                        {23, "Waiting for message processing", "{160,98,45}"}}};

constexpr int kPointToPointEvent = 50000001;
constexpr int kCollectiveEvent = 50000002;
constexpr int kStatementEvent = 91000001;

struct Value {
    MpiFunction function;
    int number;
};
constexpr std::array<Value, 9> kValues{{{MpiFunction::send, 1},
                                        {MpiFunction::recv, 2},
                                        {MpiFunction::isend, 3},
                                        {MpiFunction::irecv, 4},
                                        {MpiFunction::wait, 5},
                                        {MpiFunction::allreduce, 10},
                                        {MpiFunction::ssend, 34},
                                        {MpiFunction::sendrecv, 41},
                                        {MpiFunction::waitany, 59}}};
int type_of(MpiFunction function) { return function == MpiFunction::allreduce ? kCollectiveEvent : kPointToPointEvent; }
int value_of(MpiFunction function) {
    return std::ranges::find_if(kValues, [&](const Value& each) { return each.function == function; })->number;
}

std::int64_t nanoseconds(Time time) { return time.ps / 1000; }

class Paraver {
public:
    Paraver(const record::Timeline& timeline, const TimelineNames& names)
        : timeline_(timeline), names_(names), calls_(mpi_timeline_of(timeline, names.program)) {
        for (std::size_t place = 0; place < timeline.ranks.size(); ++place) {
            places_[names.node_of(timeline.ranks[place].rank)].push_back(place);
        }
        cpus_.resize(timeline.ranks.size());
        nodes_.resize(timeline.ranks.size());
        std::size_t node = 0;
        std::size_t cpu = 0;
        for (const auto& [of, places] : places_) {
            ++node;
            for (const std::size_t place : places) {
                nodes_[place] = node;
                cpus_[place] = ++cpu;
            }
        }
    }

    std::string records() {
        for (std::size_t place = 0; place < timeline_.ranks.size(); ++place) {
            states(place);
            events(place);
        }
        for (const MpiMessage& message : calls_.messages) communication(message);
        std::ranges::stable_sort(lines_, [](const auto& a, const auto& b) { return a.first < b.first; });
        std::string text = header();
        for (const auto& [order, line] : lines_) text += line;
        return text;
    }

    std::string names() const {
        std::string text =
            "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
            "SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\n"
            "DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\nSTATES\n";
        for (const State& state : kStates) text += fmt::format("{:<4} {}\n", state.number, state.name);
        text += "\n\nSTATES_COLOR\n";
        for (const State& state : kStates) text += fmt::format("{:<4} {}\n", state.number, state.colour);
        for (const auto& [type, name] : {std::pair(kPointToPointEvent, "MPI Point-to-point"),
                                         std::pair(kCollectiveEvent, "MPI Collective Comm")}) {
            text += fmt::format("\n\nEVENT_TYPE\n9    {}    {}\nVALUES\n0    Outside MPI\n", type, name);
            for (const Value& value : kValues) {
                if (type_of(value.function) == type) {
                    text += fmt::format("{:<4} {}\n", value.number, name_of(value.function));
                }
            }
        }
        text += fmt::format("\n\nEVENT_TYPE\n9    {}    Statement\nVALUES\n0    None\n", kStatementEvent);
        for (std::size_t site = 0; site < names_.program.sites.size(); ++site) {
            const program::Site& from = names_.program.sites[site];
            text += fmt::format("{:<4} {} at {}:{}\n", site + 1, from.text, from.file, from.line);
        }
        return text;
    }

    std::string rows() const {
        std::string text = fmt::format("LEVEL CPU SIZE {}\n", cpus_.size());
        for (const auto& [node, places] : places_) {
            for (std::size_t k = 0; k < places.size(); ++k) text += fmt::format("{}.node {}\n", k + 1, node.index);
        }
        text += fmt::format("\nLEVEL NODE SIZE {}\n", places_.size());
        for (const auto& [node, places] : places_) text += fmt::format("node {}\n", node.index);
        text += fmt::format("\nLEVEL THREAD SIZE {}\n", timeline_.ranks.size());
        for (const record::RankTimeline& rank : timeline_.ranks) text += names_.of(rank.rank) + "\n";
        return text;
    }

private:
    enum class Kind : std::uint8_t { state = 1, event = 2, communication = 3 };
    using Order = std::pair<std::int64_t, Kind>;

    std::string header() const {
        std::int64_t end = 0;
        for (const record::RankTimeline& rank : timeline_.ranks) {
            if (!rank.spans.empty()) end = std::max(end, nanoseconds(rank.spans.back().end));
        }
        std::vector<std::string> nodes;
        std::vector<std::string> tasks;
        for (const auto& [node, places] : places_) nodes.push_back(std::to_string(places.size()));
        for (const std::size_t node : nodes_) tasks.push_back(fmt::format("1:{}", node));
        return fmt::format("#Paraver (01/01/2000 at 00:00):{}_ns:{}({}):1:{}({})\n", end, nodes.size(),
                           fmt::join(nodes, ","), tasks.size(), fmt::join(tasks, ","));
    }

    /// Formats CPU, application, task, thread.
    std::string object(std::size_t place) const { return fmt::format("{}:1:{}:1", cpus_[place], place + 1); }

    void states(std::size_t place) {
        for (const record::Span& span : timeline_.ranks[place].spans) {
            const std::int64_t begin = nanoseconds(span.begin);
            const std::int64_t end = nanoseconds(span.end);
            if (begin == end) continue;
            put({begin, Kind::state}, "1:{}:{}:{}:{}\n", object(place), begin, end,
                kStates[static_cast<std::size_t>(span.activity)].number);
        }
    }

    void events(std::size_t place) {
        for (const MpiCall& call : calls_.calls[place]) {
            const std::int64_t begin = nanoseconds(call.begin);
            const std::int64_t end = nanoseconds(call.end);
            const int type = type_of(call.function);
            put({begin, Kind::event}, "2:{}:{}:{}:{}:{}:{}\n", object(place), begin, type, value_of(call.function),
                kStatementEvent, call.site + 1);
            put({end, Kind::event}, "2:{}:{}:{}:0:{}:0\n", object(place), end, type, kStatementEvent);
        }
    }

    void communication(const MpiMessage& message) {
        const record::TimedMessage& timed = timeline_.messages[message.number];
        const std::int64_t called = nanoseconds(message.send.called);
        put({called, Kind::communication}, "3:{}:{}:{}:{}:{}:{}:{}:{}\n", object(message.send.rank), called,
            nanoseconds(timed.left), object(message.recv.rank), nanoseconds(message.recv.called),
            nanoseconds(message.recv.done), timed.bytes.count, *timed.tag);
    }

    template <typename... Values>
    void put(Order order, fmt::format_string<Values...> form, Values&&... values) {
        lines_.emplace_back(order, fmt::format(form, std::forward<Values>(values)...));
    }

    const record::Timeline& timeline_;
    const TimelineNames& names_;
    const MpiTimeline calls_;
    std::map<Node, std::vector<std::size_t>> places_;  // places of a node's ranks in the timeline
    std::vector<std::size_t> cpus_;                    // CPU of each place, from 1
    std::vector<std::size_t> nodes_;                   // node of each place, from 1
    std::vector<std::pair<Order, std::string>> lines_;
};

}  // namespace

ParaverText paraver_text(const record::Timeline& timeline, const TimelineNames& names) {
    Paraver paraver(timeline, names);
    return {paraver.records(), paraver.names(), paraver.rows()};
}

}  // namespace warpfront::results
