#include "tools/from_code/tracing/wrappers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace warpfront::tracing {

namespace {

/// The record of a function. `roles` names its parameters in order:
///   count type ...    parameters of a buffer; rcount, rtype: of the second buffer
///   peer tag comm     parameters of a message; from, rtag: of the received message of a sendrecv
///   root              root of a collective
///   request, requests, n, index, outcount, indices, flag, status, statuses     parameters of completions
///   made              a communicator that the call creates; a comm_copy is not complete when the call returns
///   -                 anything else
struct Form {
    std::string_view name;
    std::string_view roles;
    std::string_view record;  // the name in recording_format.h
};

constexpr std::array kForms{
    Form{"Send", "- count type peer tag comm", "send"},
    Form{"Ssend", "- count type peer tag comm", "ssend"},
    Form{"Bsend", "- count type peer tag comm", "bsend"},
    Form{"Rsend", "- count type peer tag comm", "rsend"},
    Form{"Recv", "- count type peer tag comm status", "recv"},
    Form{"Sendrecv", "- count type peer tag - rcount rtype from rtag comm status", "sendrecv"},
    Form{"Sendrecv_replace", "- count type peer tag from rtag comm status", "sendrecv"},
    Form{"Isend", "- count type peer tag comm request", "isend"},
    Form{"Issend", "- count type peer tag comm request", "issend"},
    Form{"Ibsend", "- count type peer tag comm request", "ibsend"},
    Form{"Irsend", "- count type peer tag comm request", "irsend"},
    Form{"Irecv", "- count type peer tag comm request", "irecv"},
    Form{"Send_init", "- count type peer tag comm request", "send_init"},
    Form{"Ssend_init", "- count type peer tag comm request", "ssend_init"},
    Form{"Bsend_init", "- count type peer tag comm request", "send_init"},
    Form{"Rsend_init", "- count type peer tag comm request", "send_init"},
    Form{"Recv_init", "- count type peer tag comm request", "recv_init"},
    Form{"Start", "request", "start"},
    Form{"Startall", "n requests", "start"},
    Form{"Request_free", "request", "request_free"},
    Form{"Cancel", "request", "cancel"},
    Form{"Wait", "request status", "wait"},
    Form{"Waitall", "n requests statuses", "waitall"},
    Form{"Waitany", "n requests index status", "waitany"},
    Form{"Waitsome", "n requests outcount indices statuses", "waitsome"},
    Form{"Test", "request flag status", "test"},
    Form{"Testall", "n requests flag statuses", "testall"},
    Form{"Testany", "n requests index flag status", "testany"},
    Form{"Testsome", "n requests outcount indices statuses", "testsome"},
    Form{"Probe", "peer tag comm status", "probe"},
    Form{"Iprobe", "peer tag comm flag status", "iprobe"},
    Form{"Barrier", "comm", "barrier"},
    Form{"Bcast", "- count type root comm", "bcast"},
    Form{"Reduce", "- - count type - root comm", "reduce"},
    Form{"Allreduce", "- - count type - comm", "allreduce"},
    Form{"Gather", "- count type - rcount rtype root comm", "gather"},
    Form{"Scatter", "- count type - rcount rtype root comm", "scatter"},
    Form{"Allgather", "- - - - count type comm", "allgather"},
    Form{"Alltoall", "- - - - count type comm", "alltoall"},
    Form{"Reduce_scatter_block", "- - count type - comm", "reduce_scatter_block"},
    Form{"Gatherv", "- count type - rcounts - rtype root comm", "gatherv"},
    Form{"Scatterv", "- counts - type - rcount rtype root comm", "scatterv"},
    Form{"Allgatherv", "- count type - rcounts - rtype comm", "allgatherv"},
    Form{"Alltoallv", "- counts - type - rcounts - rtype comm", "alltoallv"},
    Form{"Alltoallw", "- counts - types - rcounts - rtypes comm", "alltoallv"},
    Form{"Reduce_scatter", "- - counts type - comm", "reduce_scatter"},
    Form{"Scan", "- - count type - comm", "scan"},
    Form{"Exscan", "- - count type - comm", "exscan"},
    Form{"Comm_dup", "comm made", "comm_create"},
    Form{"Comm_idup", "comm made -", "comm_copy"},
    Form{"Comm_dup_with_info", "comm - made", "comm_create"},
    Form{"Comm_create", "comm - made", "comm_create"},
    Form{"Comm_create_group", "comm - - made", "comm_create"},
    Form{"Comm_split", "comm - - made", "comm_create"},
    Form{"Comm_split_type", "comm - - - made", "comm_create"},
    Form{"Cart_create", "comm - - - - made", "comm_create"},
    Form{"Cart_sub", "comm - made", "comm_create"},
    Form{"Graph_create", "comm - - - - made", "comm_create"},
    Form{"Dist_graph_create", "comm - - - - - - - made", "comm_create"},
    Form{"Dist_graph_create_adjacent", "comm - - - - - - - - made", "comm_create"},
    Form{"Intercomm_create", "comm - - - - made", "comm_create"},
    Form{"Intercomm_merge", "comm - made", "comm_create"},
    Form{"Comm_free", "freed", "comm_free"},
    Form{"Comm_disconnect", "freed", "comm_free"},
    Form{"Pcontrol", "level", "phase"},
    Form{"Init", "- -", "init"},
    Form{"Init_thread", "- - - -", "init"},
    Form{"Finalize", "", "finalize"},
};

/// Nonblocking collectives, which have the parameters of the collective followed by a request.
constexpr std::array<std::string_view, 17> kBegun{"Barrier",
                                                  "Bcast",
                                                  "Reduce",
                                                  "Allreduce",
                                                  "Gather",
                                                  "Scatter",
                                                  "Allgather",
                                                  "Alltoall",
                                                  "Gatherv",
                                                  "Scatterv",
                                                  "Allgatherv",
                                                  "Alltoallv",
                                                  "Reduce_scatter_block",
                                                  "Reduce_scatter",
                                                  "Scan",
                                                  "Exscan",
                                                  "Alltoallw"};

/// Prefixes of the names of functions that communicate by other means. All other functions without a row are local.
constexpr std::array<std::string_view, 37> kOthersThatCommunicate{"Mprobe",
                                                                  "Improbe",
                                                                  "Mrecv",
                                                                  "Imrecv",
                                                                  "Isendrecv",
                                                                  "Neighbor_",
                                                                  "Ineighbor_",
                                                                  "Put",
                                                                  "Get",
                                                                  "Rput",
                                                                  "Rget",
                                                                  "Accumulate",
                                                                  "Raccumulate",
                                                                  "Fetch_and_op",
                                                                  "Compare_and_",
                                                                  "Psend_",
                                                                  "Precv_",
                                                                  "Pready",
                                                                  "Parrived",
                                                                  "Win_create",
                                                                  "Win_allocate",
                                                                  "Win_fence",
                                                                  "Win_free",
                                                                  "Win_lock",
                                                                  "Win_unlock",
                                                                  "Win_flush",
                                                                  "Win_post",
                                                                  "Win_start",
                                                                  "Win_complete",
                                                                  "Win_wait",
                                                                  "Win_test",
                                                                  "Comm_spawn",
                                                                  "Comm_accept",
                                                                  "Comm_connect",
                                                                  "Comm_join",
                                                                  "File_",
                                                                  "Intercomm_create_from"};
constexpr std::array<std::string_view, 9> kYetDoNot{"Get_address", "Get_count",   "Get_elements",
                                                    "Get_library", "Get_process", "Get_version",
                                                    "Win_get_",    "Win_set_",    "File_get_"};
constexpr std::array<std::string_view, 5> kLocalEnds{"errhandler", "keyval", "c2f", "f2c", "_function"};

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) result.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return result;
}

bool begins_with_any(std::string_view name, std::span<const std::string_view> begins) {
    return std::any_of(begins.begin(), begins.end(), [name](std::string_view each) { return name.starts_with(each); });
}

struct Row {
    std::vector<std::string> roles;
    std::string record;
    bool begun = false;  // a nonblocking collective
};

std::optional<Row> row_of(std::string_view name) {
    for (const Form& form : kForms) {
        if (form.name == name) return Row{words(form.roles), std::string(form.record)};
    }
    for (const std::string_view each : kBegun) {
        std::string begun = "I" + std::string(each);
        begun[1] = static_cast<char>(std::tolower(static_cast<unsigned char>(begun[1])));
        if (begun != name) continue;
        Row row = *row_of(each);
        row.roles.emplace_back("request");
        row.begun = true;
        return row;
    }
    return std::nullopt;
}

/// Returns true if a function without a row of its own communicates. This includes variants of functions with a row:
/// large counts (MPI_Send_c) and persistent collectives (MPI_Bcast_init).
bool communicates(std::string_view name) {
    const auto ends = [name](std::string_view each) { return name.ends_with(each); };
    if (std::any_of(kLocalEnds.begin(), kLocalEnds.end(), ends)) return false;
    if (name.ends_with("_c")) name.remove_suffix(2);
    if (begins_with_any(name, kYetDoNot)) return false;
    if (row_of(name) || begins_with_any(name, kOthersThatCommunicate)) return true;
    return name.ends_with("_init") && row_of(name.substr(0, name.size() - 5));
}

/// The language of a wrapper. In MPICH's mpi_f08, functions without a buffer call PMPI_ in C. Functions with a buffer,
/// whose names contain `ts`, call MPI_ in C, so their wrappers only record the site of the call.
enum class Language { c, fortran, fortran_2008, fortran_2008_of_mpich, fortran_2008_of_mpich_with_buffer };

/// Generator of one wrapper.
class Wrapper {
public:
    Wrapper(const Prototype& prototype, const std::optional<Row>& row, Language language)
        : prototype_(prototype), row_(row), name_(prototype.name.substr(4)), language_(language) {
        if (!row_) return;
        for (std::size_t at = 0; at < row_->roles.size(); ++at) at_[row_->roles[at]] = at;
    }

    std::string text() {
        const std::string record = !row_ ? "unknown" : row_->record == "comm_copy" ? "comm_create" : row_->record;
        const std::string call = "WARPFRONT_RECORDED_" + record;
        if (language_ == Language::fortran_2008_of_mpich_with_buffer) return head() + body_of_caller();
        if (row_ && row_->record == "init") return head() + body_of_init();
        if (row_ && row_->record == "phase") return head() + body_of_phase();
        return head() + fmt::format("    if (!wf_enter()) {}\n", forwarded_and_left()) +
               fmt::format("    const struct wf_call call = wf_begin({}, WF_SITE);\n", call) + before() +
               result_of(call_text()) + after() + "    wf_leave();\n" + leave() + "}\n";
    }

private:
    bool in_c() const { return language_ == Language::c; }
    std::string argument(std::size_t at) const { return fmt::format("a{}", at); }

    std::string lower() const {
        std::string text = "mpi_" + name_;
        for (char& each : text) each = static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
        const bool with_buffer = language_ == Language::fortran_2008_of_mpich_with_buffer;
        return text + (language_ == Language::fortran ? "_" : with_buffer ? "_f08ts_" : "_f08_");
    }
    /// Returns the name of the wrapped function.
    std::string forwarded() const {
        return language_ == Language::fortran_2008_of_mpich ? "pmpir" + lower().substr(3) : "p" + lower();
    }

    /// Returns the parameters of the function; in Fortran they are addresses.
    std::string parameters() const {
        std::string text;
        for (std::size_t at = 0; at < prototype_.parameters.size(); ++at) {
            if (!text.empty()) text += ", ";
            text += in_c() ? declared(prototype_.parameters[at], argument(at)) : "void* " + argument(at);
        }
        if (!in_c()) text += std::string(text.empty() ? "" : ", ") + "MPI_Fint* ierror";
        for (std::size_t at = 0; at < lengths(); ++at) text += fmt::format(", size_t l{}", at);
        return text.empty() ? "void" : text;
    }
    /// Returns the number of Fortran strings, whose lengths follow all parameters.
    std::size_t lengths() const {
        if (in_c()) return 0;
        return static_cast<std::size_t>(
            std::count_if(prototype_.parameters.begin(), prototype_.parameters.end(),
                          [](const Parameter& each) { return each.type.find("char") != std::string::npos; }));
    }
    static std::string declared(const Parameter& parameter, const std::string& name) {
        const std::size_t array = parameter.type.find('[');
        return array == std::string::npos ? parameter.type + " " + name
                                          : parameter.type.substr(0, array) + name + parameter.type.substr(array);
    }

    std::string head() const {
        if (in_c()) return fmt::format("int {}({}) {{\n", prototype_.name, parameters());
        // SMPI's Fortran has no profiling names, and MPICH's functions with buffers must call MPI_.
        const bool behind = language_ == Language::fortran_2008_of_mpich_with_buffer;
        return fmt::format("{0}({1}, ({3}))\nvoid {2}({3}) {{\n{4}", behind ? "WF_BEHIND" : "WF_FORTRAN", forwarded(),
                           lower(), parameters(),
                           language_ == Language::fortran_2008 ? ""
                           : behind ? fmt::format("    WF_FIND({}, \"{}\")\n", forwarded(), lower())
                                    : fmt::format("    WF_FIND_FORTRAN({}, \"{}\")\n", forwarded(), lower()));
    }

    std::string arguments(bool substituted) const {
        std::string text;
        for (std::size_t at = 0; at < prototype_.parameters.size(); ++at) {
            if (!text.empty()) text += ", ";
            const bool status = substituted && row_ && (has("status", at) || has("statuses", at));
            text += status ? "status" : argument(at);
        }
        if (!in_c()) text += std::string(text.empty() ? "" : ", ") + "ierror";
        for (std::size_t at = 0; at < lengths(); ++at) text += fmt::format(", l{}", at);
        return text;
    }
    std::string call_text(bool substituted = true) const {
        return in_c() ? fmt::format("PMPI_{}({})", name_, arguments(substituted))
                      : fmt::format("{}({})", forwarded(), arguments(substituted));
    }
    std::string forwarded_and_left() const {
        return in_c() ? fmt::format("return {};", call_text(false))
                      : fmt::format("{{\n        {};\n        return;\n    }}", call_text(false));
    }
    std::string result_of(const std::string& call) const {
        return in_c() ? fmt::format("    const int result = {};\n", call) : fmt::format("    {};\n", call);
    }
    std::string leave() const { return in_c() ? "    return result;\n" : ""; }

    bool has(const std::string& role) const { return at_.contains(role); }
    bool has(const std::string& role, std::size_t at) const { return has(role) && at_.at(role) == at; }

    // Expressions for values in C, for any language of the wrapper.
    std::string integer(const std::string& role) const {
        const std::string a = argument(at_.at(role));
        return in_c() ? a : fmt::format("(int)*(const MPI_Fint*){}", a);
    }
    std::string out_integer(const std::string& role) const {
        const std::string a = argument(at_.at(role));
        return in_c() ? "*" + a : fmt::format("(int)*(const MPI_Fint*){}", a);
    }
    std::string handle(const std::string& role, const std::string& what) const {
        const std::string a = argument(at_.at(role));
        return in_c() ? a : fmt::format("PMPI_{}_f2c(*(const MPI_Fint*){})", what, a);
    }
    std::string out_handle(const std::string& role, const std::string& what) const {
        const std::string a = argument(at_.at(role));
        return in_c() ? "*" + a : fmt::format("PMPI_{}_f2c(*(const MPI_Fint*){})", what, a);
    }
    std::string comm() const { return handle("comm", "Comm"); }
    std::string bytes(const std::string& count, const std::string& type) const {
        return fmt::format("wf_bytes({}, {})", integer(count), handle(type, "Type"));
    }

    std::string count_asked() const { return has("n") ? integer("n") : "1"; }
    std::string requests_asked() const {
        const std::string a = argument(at_.at(has("n") ? "requests" : "request"));
        return in_c() ? a : fmt::format("wf_requests({}, {})", count_asked(), a);
    }
    bool completes() const {
        static const std::set<std::string> kCompleting{"wait", "waitall", "waitany", "waitsome",
                                                       "test", "testall", "testany", "testsome"};
        return row_ && kCompleting.contains(row_->record);
    }

    /// Returns the statements before the call. Statuses that the program ignores are replaced by real ones.
    std::string before() const {
        if (!row_) return "";
        std::string text;
        for (const char* const role : {"status", "statuses"}) {
            if (!has(role)) continue;
            const std::string a = argument(at_.at(role));
            const std::string count = std::string(role) == "status" ? "1" : count_asked();
            text += in_c() ? fmt::format(
                                 "    MPI_Status* const status = {0} == MPI_STATUS_IGNORE || {0} == "
                                 "MPI_STATUSES_IGNORE ? wf_statuses({1}) : {0};\n",
                                 a, count)
                           : fmt::format(
                                 "    MPI_Fint* const status = wf_ignored({0}) ? wf_fortran_statuses({1}) : "
                                 "(MPI_Fint*){0};\n",
                                 a, count);
        }
        if (completes()) text += fmt::format("    wf_ask({}, {});\n", count_asked(), requests_asked());
        if (row_->record == "start") {
            return text + fmt::format("    wf_start(call, {}, {});\n", count_asked(), requests_asked());
        }
        if (row_->record == "request_free" || row_->record == "cancel") {
            return text + fmt::format("    wf_request(call, {});\n", out_handle("request", "Request"));
        }
        if (row_->record == "comm_free") {
            return text + fmt::format("    wf_freeing_comm(call, {});\n", out_handle("freed", "Comm"));
        }
        if (row_->record == "finalize") return text + "    wf_finalizing(call);\n";
        return text;
    }

    /// Returns a statement that converts `count` statuses to C; empty if they are in C already.
    std::string statuses_text(const std::string& count) const {
        if (in_c()) return "";
        return fmt::format("    MPI_Status* const in_c = wf_statuses_in_c({}, status);\n", count);
    }
    std::string status_in_c() const { return in_c() ? "status" : "in_c"; }

    std::string after() const {
        if (!row_) return fmt::format("    wf_unknown(call, \"{}\");\n", prototype_.name);
        const std::string& record = row_->record;
        if (record == "start" || record == "request_free" || record == "cancel" || record == "comm_free" ||
            record == "finalize") {
            return "";
        }
        if (completes()) return after_completion();
        if (record == "comm_copy") {
            return fmt::format("    wf_copied_comm(call, {}, {});\n", comm(), out_handle("made", "Comm"));
        }
        if (record == "comm_create") {
            return fmt::format("    wf_made_comm(call, {}, {});\n", comm(), out_handle("made", "Comm"));
        }
        if (record == "probe" || record == "iprobe") return after_probe();
        if (!has("peer")) return after_collective();
        const std::string message =
            fmt::format("call, {}, {}, {}, {}", comm(), integer("peer"), integer("tag"), bytes("count", "type"));
        if (record == "sendrecv") {
            const std::string room = has("rcount") ? bytes("rcount", "rtype") : bytes("count", "type");
            return statuses_text("1") + fmt::format("    wf_sendrecv({}, {}, {}, {}, {});\n", message, integer("from"),
                                                    integer("rtag"), room, status_in_c());
        }
        if (has("status")) return statuses_text("1") + fmt::format("    wf_recv({}, {});\n", message, status_in_c());
        if (has("request")) {
            return fmt::format("    wf_begun({}, {});\n", message, out_handle("request", "Request"));
        }
        return fmt::format("    wf_send({});\n", message);
    }

    std::string after_probe() const {
        const std::string of = fmt::format("call, {}, {}, {}", comm(), integer("peer"), integer("tag"));
        const std::string found = fmt::format("wf_probe({}, {});", of, status_in_c());
        if (row_->record == "probe") return statuses_text("1") + "    " + found + "\n";
        return statuses_text("1") +
               fmt::format("    if ({}) {}\n    else wf_nothing_probed({});\n", out_integer("flag"), found, of);
    }

    std::string after_completion() const {
        const std::string& record = row_->record;
        const std::string nothing = "wf_nothing_yet(call);";
        if (record == "wait") return statuses_text("1") + done("1", "NULL");
        if (record == "waitall") return statuses_text(count_asked()) + done(count_asked(), "NULL");
        if (record == "test") return statuses_text("1") + if_else(out_integer("flag"), done("1", "NULL"), nothing);
        if (record == "testall") {
            return statuses_text(count_asked()) + if_else(out_integer("flag"), done(count_asked(), "NULL"), nothing);
        }
        if (record == "waitany" || record == "testany") {
            const std::string index = fmt::format("    const int index = {0} == MPI_UNDEFINED ? -1 : {0} - {1};\n",
                                                  out_integer("index"), in_c() ? "0" : first_index());
            std::string text = statuses_text("1") + index;
            const std::string condition = record == "testany" ? out_integer("flag") + " && index >= 0" : "index >= 0";
            return text + (record == "testany"
                               ? if_else(condition, done("1", "&index"), nothing)
                               : fmt::format("    if ({}) {{\n    {}    }}\n", condition, done("1", "&index")));
        }
        const std::string some =
            fmt::format("    const int some = {0} == MPI_UNDEFINED ? 0 : {0};\n", out_integer("outcount"));
        const std::string a = argument(at_.at("indices"));
        const std::string indices = in_c() ? a : fmt::format("wf_indices(some, {}, {})", a, first_index());
        if (record == "testsome") return some + statuses_text("some") + if_else("some", done("some", indices), nothing);
        return some + statuses_text("some") + fmt::format("    if (some) {{\n    {}    }}\n", done("some", indices));
    }
    std::string first_index() const {
        return language_ == Language::fortran_2008_of_mpich ? "first_index_of_mpich()" : "1";
    }
    std::string done(const std::string& count, const std::string& indices) const {
        return fmt::format("    wf_done(call, {}, {}, {});\n", count, indices, status_in_c());
    }
    static std::string if_else(const std::string& condition, const std::string& then, const std::string& otherwise) {
        return fmt::format("    if ({}) {{\n    {}    }} else {{\n        {}\n    }}\n", condition, then, otherwise);
    }

    std::string types(const std::string& role) const {
        const std::string a = argument(at_.at(role));
        return in_c() ? a : fmt::format("wf_types(wf_comm_size({}), {})", comm(), a);
    }
    std::string shares(const std::string& counts, const std::string& type, const std::string& all_types) const {
        const std::string a = fmt::format("(const int*){}", argument(at_.at(counts)));
        return has(all_types) ? fmt::format("(struct wf_shares){{{}, MPI_DATATYPE_NULL, {}}}", a, types(all_types))
                              : fmt::format("(struct wf_shares){{{}, {}, NULL}}", a, handle(type, "Type"));
    }

    std::string after_collective() const {
        const std::string root = has("root") ? integer("root") : "-1";
        const std::string none = "(struct wf_shares){NULL, MPI_DATATYPE_NULL, NULL}";
        const std::string is_root = has("root") ? fmt::format("wf_is_root({}, {})", comm(), root) : "";
        const std::string& record = row_->record;
        std::string size = "0";
        // At the root, use the counts for the other ranks, since its own share may be in place.
        if (record == "gather") {
            size = fmt::format("{} ? {} : {}", is_root, bytes("rcount", "rtype"), bytes("count", "type"));
        } else if (record == "scatter") {
            size = fmt::format("{} ? {} : {}", is_root, bytes("count", "type"), bytes("rcount", "rtype"));
        } else if (record == "scatterv") {
            size = fmt::format("{} ? 0 : {}", is_root, bytes("rcount", "rtype"));
        } else if (record == "gatherv") {
            size = fmt::format("{} ? 0 : {}", is_root, bytes("count", "type"));
        } else if (has("count")) {
            size = bytes("count", "type");
        }
        const bool by_rank = has("counts") || has("rcounts");
        std::string first = !by_rank        ? none
                            : has("counts") ? shares("counts", "type", "types")
                                            : shares("rcounts", "rtype", "rtypes");
        if (by_rank && !is_root.empty()) first = fmt::format("{} ? {} : {}", is_root, first, none);
        const std::string second = record == "alltoallv" ? shares("rcounts", "rtype", "rtypes") : none;
        // With data in place, the receive counts describe the sent data.
        if (record == "alltoallv") first = fmt::format("wf_in_place(a0) ? {} : {}", second, first);
        if (row_->begun) {
            return fmt::format("    wf_begun_collective(call, {}, {}, {}, {}, {}, {});\n", comm(), root, size,
                               out_handle("request", "Request"), first, second);
        }
        if (!by_rank) return fmt::format("    wf_collective(call, {}, {}, {});\n", comm(), root, size);
        return fmt::format("    wf_collective_shares(call, {}, {}, {}, {}, {});\n", comm(), root, size, first, second);
    }

    std::string body_of_caller() const {
        return fmt::format(
            "    void* const outer = wf_caller;\n    wf_caller = __builtin_return_address(0);\n    {};\n"
            "    wf_caller = outer;\n}}\n",
            call_text(false));
    }
    std::string body_of_init() const { return result_of(call_text()) + "    wf_initialised();\n" + leave() + "}\n"; }
    std::string body_of_phase() const {
        const std::string level = in_c() ? argument(0) : fmt::format("(int)*(const MPI_Fint*){}", argument(0));
        return fmt::format("    if (wf_enter()) {{\n        wf_phase({});\n        wf_leave();\n    }}\n", level) +
               (in_c() ? "    return MPI_SUCCESS;\n}\n" : "}\n");
    }

    const Prototype& prototype_;
    const std::optional<Row>& row_;
    const std::string name_;
    const Language language_;
    std::map<std::string, std::size_t> at_;
};

std::string without_blanks(std::string_view text) {
    std::string result;
    for (const char each : text) {
        const bool blank = std::isspace(static_cast<unsigned char>(each)) != 0;
        if (!blank) {
            result += each;
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    }
    while (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

/// Splits off the name of a declared parameter: `const int counts[]` has the type `const int []`.
Parameter parameter_of(std::string_view declaration) {
    Parameter parameter{{}, without_blanks(declaration)};
    std::string text = parameter.declaration;
    std::string array;
    if (const std::size_t bracket = text.find('['); bracket != std::string::npos) {
        array = without_blanks(text.substr(bracket));
        text = without_blanks(text.substr(0, bracket));
    }
    std::size_t end = text.size();
    while (end > 0 && (std::isalnum(static_cast<unsigned char>(text[end - 1])) != 0 || text[end - 1] == '_')) --end;
    static const std::set<std::string> kTypes{"int", "void", "char"};
    const std::string last = text.substr(end);
    const bool named = !last.starts_with("MPI_") && !kTypes.contains(last);
    parameter.type = without_blanks(named ? text.substr(0, end) : text) + (array.empty() ? "" : " " + array);
    return parameter;
}

}  // namespace

std::vector<Prototype> prototypes(std::string_view preprocessed) {
    std::vector<Prototype> result;
    std::set<std::string> known;
    constexpr std::string_view kStart = "MPI_";
    for (std::size_t at = preprocessed.find(kStart); at != std::string_view::npos;
         at = preprocessed.find(kStart, at + 1)) {
        std::size_t before = at;
        while (before > 0 && std::isspace(static_cast<unsigned char>(preprocessed[before - 1])) != 0) --before;
        if (before < 3 || before == at || preprocessed.substr(before - 3, 3) != "int") continue;
        std::size_t end = at;
        while (end < preprocessed.size() &&
               (std::isalnum(static_cast<unsigned char>(preprocessed[end])) != 0 || preprocessed[end] == '_')) {
            ++end;
        }
        std::size_t open = end;
        while (open < preprocessed.size() && std::isspace(static_cast<unsigned char>(preprocessed[open])) != 0) ++open;
        if (open == preprocessed.size() || preprocessed[open] != '(') continue;
        int depth = 0;
        std::size_t from = open + 1;
        Prototype prototype{std::string(preprocessed.substr(at, end - at)), {}};
        for (std::size_t here = open; here < preprocessed.size(); ++here) {
            const char each = preprocessed[here];
            if (each == '(') ++depth;
            if (each == ')') --depth;
            const bool last = depth == 0;
            if (!last && !(each == ',' && depth == 1)) continue;
            const std::string declaration = without_blanks(preprocessed.substr(from, here - from));
            if (!declaration.empty() && declaration != "void")
                prototype.parameters.push_back(parameter_of(declaration));
            from = here + 1;
            if (last) break;
        }
        if (known.insert(prototype.name).second) result.push_back(std::move(prototype));
    }
    return result;
}

namespace {

constexpr std::string_view kBeginning = R"(
#if defined(MPICH_VERSION)
#define WF_SITE (wf_caller ? wf_caller : __builtin_return_address(0))
#else
#define WF_SITE __builtin_return_address(0)
#endif

/* A function that a wrapper calls, found by its own name or in the libraries after the tracer. */
#define WF_BEHIND(function, parameters) static void(*function) parameters;
#define WF_FIND(function, name) \
    if (!function) *(void**)&function = wf_next(name);
#if defined(WARPFRONT_VIRTUAL_TIME)
#define WF_FORTRAN(function, parameters) WF_BEHIND(function, parameters)
#define WF_FIND_FORTRAN(function, name) WF_FIND(function, name)
#else
#define WF_FORTRAN(function, parameters) extern void function parameters __attribute__((weak));
#define WF_FIND_FORTRAN(function, name)
#endif

#if defined(MPICH_VERSION)
/* In mpi_f08 of MPICH 4.0, MPI_Waitany and similar functions count from 0, against the standard. One call shows it. */
extern void pmpir_waitany_f08_(void*, void*, void*, void*, MPI_Fint*) __attribute__((weak));
static int first_index_of_mpich(void) {
    static int first = -1;
    if (first < 0) {
        MPI_Request request;
        PMPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
        MPI_Fint count = 1, index = 1, error = 0, handle = PMPI_Request_c2f(request);
        pmpir_waitany_f08_(&count, &handle, &index, wf_fortran_statuses(1), &error);
        first = index;
    }
    return first;
}
#endif

)";

}  // namespace

std::string wrappers(const std::vector<Prototype>& prototypes) {
    std::string text = "/* Generated by warpfront from mpi.h. */\n#include <stddef.h>\n\n#include \"tracer.h\"\n";
    text += kBeginning;
    for (const Prototype& prototype : prototypes) {
        const std::string_view name = std::string_view(prototype.name).substr(4);
        std::optional<Row> row = row_of(name);
        const bool variadic =
            std::any_of(prototype.parameters.begin(), prototype.parameters.end(),
                        [](const Parameter& each) { return each.type.find("...") != std::string::npos; });
        if (row && row->record != "phase" && row->roles.size() != prototype.parameters.size() &&
            row->record != "init") {
            row.reset();  // the signature differs from the standard, so only the name is recorded
        }
        if (!row && (variadic || !(row_of(name) || communicates(name)))) continue;
        if (variadic) {
            text +=
                "int MPI_Pcontrol(const int level, ...) {\n    if (wf_enter()) {\n        wf_phase(level);\n"
                "        wf_leave();\n    }\n    return MPI_SUCCESS;\n}\n\n";
        } else {
            text += Wrapper(prototype, row, Language::c).text() + "\n";
        }
        Prototype own = prototype;
        if (row && row->record == "init") own.parameters.resize(name == "Init" ? 0 : 2);  // argc and argv are left out
        if (variadic) own.parameters.resize(1);
        const bool buffer = std::any_of(own.parameters.begin(), own.parameters.end(), [](const Parameter& each) {
            return each.type.find("void") != std::string::npos;
        });
        text += Wrapper(own, row, Language::fortran).text() + "\n";
        text += "#if defined(OPEN_MPI)\n" + Wrapper(own, row, Language::fortran_2008).text();
        text +=
            "#elif defined(MPICH_VERSION)\n" +
            Wrapper(own, row, buffer ? Language::fortran_2008_of_mpich_with_buffer : Language::fortran_2008_of_mpich)
                .text();
        text += "#endif\n\n";
    }
    return text;
}

}  // namespace warpfront::tracing
