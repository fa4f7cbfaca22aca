// What the specifications of this room share: models as texts, the faults of bad ones, and the programs of the
// others, stepped instruction by instruction.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "psl/psl.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using Texts = std::map<std::string, std::string>;

/// A folder of model files that is gone afterwards.
class Folder {
public:
    explicit Folder(const Texts& files) {
        static int count = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("warpfront-psl-" + std::to_string(getpid()) + "-" + std::to_string(count++));
        std::filesystem::create_directories(path_);
        for (const auto& [name, text] : files) std::ofstream(path_ / name, std::ios::binary) << text;
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    /// `text` with file names as they stand in the folder.
    std::string shortened(std::string text) const {
        const std::string prefix = path_.string() + "/";
        for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
            text.erase(at, prefix.size());
        }
        return text;
    }

private:
    std::filesystem::path path_;
};

/// Parameters of a run; each stands in a text of its own, named after it.
struct Run {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    std::int64_t iterations = 1;
    std::vector<std::pair<std::string, std::string>> parameters = {};
    std::optional<Processor> processor = {};
    std::uint32_t planes = 1;

    Bindings bindings() const {
        Bindings all;
        all.grid = {columns, rows, planes};
        all.iterations = iterations;
        all.processor = processor;
        for (const auto& [name, text] : parameters) {
            const auto source = std::make_shared<const input::SourceFile>(name, text);
            all.parameters[name] = {text, {source, 0, text.size()}};
        }
        return all;
    }
};

/// The refusal of a model: every fault's kind, and the text.
struct Refusal {
    std::vector<DiagnosticKind> kinds;
    std::string text;
};

template <class Do>
Refusal refusal(const Folder& folder, Do work) {
    try {
        work();
    } catch (const input::BadInput& bad) {
        Refusal result{{}, folder.shortened(bad.what())};
        for (const input::Diagnostic& fault : bad.faults().all()) result.kinds.push_back(fault.kind);
        return result;
    }
    return {};
}

/// The refusal of loading "code.psl".
inline Refusal refused(const Texts& files) {
    const Folder folder(files);
    return refusal(folder, [&] { load(folder / "code.psl"); });
}
inline Refusal refused(const std::string& text) { return refused(Texts{{"code.psl", text}}); }

/// The refusal of lowering a sound model.
inline Refusal refused_run(const std::string& text, const Run& run) {
    const Folder folder(Texts{{"code.psl", text}});
    const Model model = load(folder / "code.psl");
    return refusal(folder, [&] { lower(model, run.bindings()); });
}

inline program::Program lowered(const std::string& text, const Run& run = {}) {
    const Folder folder(Texts{{"code.psl", text}});
    return lower(load(folder / "code.psl"), run.bindings());
}

/// One of the project's own models.
inline program::Program lowered_model(const std::string& name, const Run& run) {
    return lower(load(std::string(WARPFRONT_SOURCE_DIR "/models/") + name), run.bindings());
}

/// An application whose iteration is `body`.
inline std::string iterating(const std::string& body) {
    return "application code {\n    iteration k {\n" + body + "    }\n}\n";
}

/// One thing a rank does: loops followed, partners as differences of rank numbers.
struct Event {
    program::Op op;
    std::int64_t amount = 0;
    std::int32_t delta = 0;
    std::int32_t tag = 0;
    friend bool operator==(const Event&, const Event&) = default;
};

/// Everything a rank does, in order, without iteration marks and the end.
inline std::vector<Event> steps(const program::Program& program, Rank rank) {
    const program::RankClass& rank_class = program.of(rank);
    std::vector<Event> all;
    std::vector<std::int64_t> left;
    for (std::size_t at = 0; at < rank_class.code.size(); ++at) {
        const program::Instruction& now = rank_class.code[at];
        const auto message = [&](const std::vector<program::Channel>& channels) {
            all.push_back({now.op, now.amount, channels[now.operand].delta, channels[now.operand].tag});
        };
        switch (now.op) {
            case program::Op::loop: left.push_back(now.amount); break;
            case program::Op::end_loop:
                if (--left.back() > 0) {
                    at = now.operand;
                } else {
                    left.pop_back();
                }
                break;
            case program::Op::send:
            case program::Op::ssend:
            case program::Op::isend:
            case program::Op::wait_send: message(rank_class.send_endpoints); break;
            case program::Op::recv:
            case program::Op::irecv:
            case program::Op::wait_recv: message(rank_class.receive_endpoints); break;
            case program::Op::recv_any:
            case program::Op::irecv_any:
            case program::Op::wait_recv_any:
            case program::Op::wait_any:
            case program::Op::reply:
            case program::Op::ireply:
            case program::Op::wait_reply:
            case program::Op::compute:
            case program::Op::delay:
            case program::Op::allreduce: all.push_back({now.op, now.amount}); break;
            default: break;
        }
    }
    return all;
}

/// The microseconds that `1us * EXPRESSION` becomes on a rank, with declarations before the application.
inline std::int64_t figure(const std::string& expression, const Run& run = {}, std::uint32_t rank = 0,
                           const std::string& before = "") {
    const auto all = steps(lowered(before + iterating("compute 1us * (" + expression + ")\n"), run), {rank});
    REQUIRE(all.size() == 1);
    REQUIRE(all[0].amount % 1'000'000 == 0);
    return all[0].amount / 1'000'000;
}

}  // namespace warpfront::psl
