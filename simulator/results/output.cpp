#include "simulator/results/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/json.hpp"

namespace warpfront::results {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(std::string_view named, std::string why) {
    why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
    throw BadInput(DiagnosticKind::unwritable_file, {}, fmt::format("cannot write `{}`", named), why);
}

[[noreturn]] void refuse(const fs::path& named, int error) {
    const fs::path folder = named.parent_path();
    std::error_code ignored;
    const bool no_folder = error == ENOENT && !folder.empty() && !fs::exists(folder, ignored);
    refuse(named.string(), no_folder ? fmt::format("there is no folder `{}`", folder.string()) : std::strerror(error));
}

/// Returns an unused name in the folder of `path`.
fs::path name_beside(const fs::path& path) {
    std::random_device random;
    fs::path name = path;
    name += fmt::format(".{:06x}.part", random() & 0xFFFFFFU);
    return name;
}

void write_all(std::FILE* file, std::string_view text, const fs::path& named) {
    errno = 0;
    const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    if (!whole) refuse(named, errno);
}

/// A file that is removed unless it replaces another.
class Partial {
public:
    Partial(const fs::path& path, fs::path named)
        : path_(name_beside(path)), named_(std::move(named)), file_(std::fopen(path_.c_str(), "wbx")) {
        if (file_ == nullptr) refuse(named_, errno);
    }
    Partial(const Partial&) = delete;
    Partial& operator=(const Partial&) = delete;
    ~Partial() {
        if (file_ != nullptr) std::fclose(file_);
        std::error_code ignored;
        if (!kept_) fs::remove(path_, ignored);
    }

    void replace(const fs::path& whole, std::string_view text) {
        write_all(file_, text, named_);
        if (std::fclose(std::exchange(file_, nullptr)) != 0) refuse(named_, errno);
        std::error_code error;
        fs::rename(path_, whole, error);
        if (error) refuse(named_, error.value());
        kept_ = true;
    }

private:
    fs::path path_;
    fs::path named_;
    std::FILE* file_;
    bool kept_ = false;
};

/// Returns true for a pipe or a device, which cannot be replaced.
bool is_stream(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// Returns the target of symbolic links.
fs::path whole_file(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::canonical(path, error);
    return error ? path : whole;
}

void write_stream(const fs::path& path, std::string_view text) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) refuse(path, errno);
    try {
        write_all(file, text, path);
    } catch (const BadInput&) {
        std::fclose(file);
        throw;
    }
    if (std::fclose(file) != 0) refuse(path, errno);
}

/// A folder that is removed with its contents.
class TemporaryFolder {
public:
    TemporaryFolder(const fs::path& folder, const fs::path& named) : path_(name_beside(folder / "new")) {
        std::error_code error;
        fs::create_directory(path_, error);
        if (error) refuse(named.string(), error.message());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// Moves a file or folder; a folder replaces an existing folder and all its contents.
void move_file(const fs::path& from, const fs::path& to) {
    std::error_code error;
    if (fs::is_directory(from, error)) fs::remove_all(to, error);
    if (!error) fs::rename(from, to, error);
    if (error) refuse(to, error.value());
}

/// Moves files. `last` is absent while the others are moved, and is moved last.
void move_files(const fs::path& from, const fs::path& to, std::string_view last) {
    std::error_code ignored;
    fs::remove(to / last, ignored);
    for (const fs::directory_entry& file : fs::directory_iterator(from)) {
        if (file.path().filename() != last) move_file(file.path(), to / file.path().filename());
    }
    move_file(from / last, to / last);
}

/// A sign of files of this program: their beginning, and another text that follows closely.
struct Sign {
    std::string_view begins;
    std::string_view holds{};
    std::size_t within = 1024;
};

constexpr std::size_t kLargestSigned = std::size_t{16} << 20;  // largest part of a file that is searched for its sign
constexpr Sign kSigns[] = {
    {"{\n  \"schema\": \"warpfront."},                                       // results
    {"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"schema\":\"warpfront."},  // timelines; the next entry as well
    {"\x0a", "\x92\x03", 8},
    {"#Paraver (01/01/2000 at 00:00):"},
    {"\x03"
     "BOTF2",
     "warpfront", 4096},
    {"quantity,value\n"},  // CSV; the next entry as well
    {"rank,column,row,"},
    {"case,line,ranks,columns,rows"},
    {"table,case,line,ranks,columns,rows"},
    {"point,", ",ranks,nodes"},
    {"item,states,expected,engine,ours,"},
    {"<!doctype html>", "content=\"warpfront "},  // pages
    {"# Written by `warpfront "},                 // hardware files, calibrations
    {"# The recorded run `"},                     // scenarios; the next entry as well
    {"# `warpfront serve` saved this from "},
    {"// Learnt from recorded runs on "},  // models; the next entry as well
    {"// The operations of one call of "},
    {"// ", ", measured by `warpfront opcodes`"},
    {"rank-0.txt\n"},          // lists of traces
    {"warpfront recording "},  // recorded runs
    {"\x7f"
     "ELF",
     "WARPFRONT_RECORDING", kLargestSigned},  // tracers
};

std::atomic<int> keepers_of_foreign_files = 0;

/// Throws BadInput for a file that this program did not write and must not replace.
void refuse_foreign(const fs::path& path) {
    if (keepers_of_foreign_files == 0 || is_own_file(path)) return;
    refuse(path.string(), "it exists, and warpfront did not write it; expected another name, or `--force`");
}

std::optional<Output> output(const std::optional<std::string>& target) {
    return target ? std::optional<Output>(std::in_place, *target) : std::nullopt;
}

bool on_stdout(const std::optional<Output>& output) { return output && output->to_stdout(); }

}  // namespace

bool is_own_file(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error)) return true;
    if (!fs::is_regular_file(path, error)) return false;
    const std::uintmax_t size = fs::file_size(path, error);
    if (size == 0) return true;
    std::ifstream file(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(std::min<std::uintmax_t>(size, kLargestSigned)), '\0');
    text.resize(static_cast<std::size_t>(file.read(text.data(), static_cast<std::streamsize>(text.size())).gcount()));
    return std::any_of(std::begin(kSigns), std::end(kSigns), [&](const Sign& sign) {
        return text.starts_with(sign.begins) &&
               std::string_view(text).substr(0, sign.within).find(sign.holds) != std::string_view::npos;
    });
}

ForeignFilesKept::ForeignFilesKept() { ++keepers_of_foreign_files; }
ForeignFilesKept::~ForeignFilesKept() { --keepers_of_foreign_files; }

Output::Output(std::string target, AsInput as_input) : target_(std::move(target)) {
    if (to_stdout()) return;
    if (target_.empty()) refuse(target_, "a file needs a name");
    std::error_code ignored;
    if (fs::is_directory(target_, ignored)) refuse(target_, "it is a directory");
    if (is_stream(target_)) {
        if (::access(target_.c_str(), W_OK) != 0) refuse(fs::path(target_), errno);
    } else {
        refuse_foreign(target_);
        const Partial openable(whole_file(target_), target_);
        if (as_input == AsInput::refused) unwritten_ = std::make_shared<const input::OutputFile>(target_);
    }
}

void Output::write(std::string_view text) const {
    if (to_stdout()) {
        write_stdout(text);
    } else {
        write_atomically(target_, text);
        unwritten_.reset();
    }
}

void write_atomically(const fs::path& path, std::string_view text) {
    if (is_stream(path)) {
        write_stream(path, text);
    } else {
        const fs::path whole = whole_file(path);
        Partial(whole, path).replace(whole, text);
    }
}

void write_stdout(std::string_view text) { write_all(stdout, text, "stdout"); }

void write_each(std::initializer_list<std::function<void()>> writes) {
    Diagnostics faults;
    for (const std::function<void()>& write : writes) {
        faults.collect([&] {
            if (write) write();
        });
    }
    faults.raise();
}

OutputFolder::OutputFolder(fs::path folder) : folder_(std::move(folder)) {
    if (folder_.empty()) refuse(folder_.string(), "a folder needs a name");
    fs::path made = fs::absolute(folder_);
    std::error_code ignored;
    while (!fs::exists(fs::symlink_status(made, ignored))) made = made.parent_path();
    if (!fs::is_directory(made, ignored)) refuse(folder_.string(), fmt::format("`{}` is not a folder", made.string()));
    const TemporaryFolder makeable(made, folder_);
}

void OutputFolder::fill(std::string_view last, const std::function<void(const fs::path&)>& write) const {
    std::error_code error;
    const bool is_new = fs::create_directories(folder_, error);
    if (error) refuse(folder_, error.value());
    try {
        const TemporaryFolder filled(folder_, folder_);
        write(filled.path());
        std::vector<std::string> names;
        for (const fs::directory_entry& file : fs::directory_iterator(filled.path())) {
            names.push_back(file.path().filename().string());
        }
        keep_foreign(last, names);
        move_files(filled.path(), folder_, last);
    } catch (...) {
        if (is_new) fs::remove(folder_, error);
        throw;
    }
}

void OutputFolder::keep_foreign(std::string_view last, const std::vector<std::string>& names) const {
    const fs::path earlier = folder_ / last;
    if (fs::exists(earlier) && is_own_file(earlier)) return;
    for (const std::string& name : names) refuse_foreign(folder_ / name);
}

Answer::Answer(const std::optional<std::string>& json, const std::optional<std::string>& csv)
    : json_(output(json)), csv_(output(csv)) {}

bool Answer::has_table() const { return !on_stdout(json_) && !on_stdout(csv_); }

void Answer::write(const nlohmann::ordered_json& data, std::string_view table, const std::function<void()>& first,
                   const std::optional<std::string>& rows) const {
    const auto write_json = [&] {
        if (json_) json_->write(json_text(data));
    };
    const auto write_csv = [&] {
        if (csv_) csv_->write(rows ? *rows : quantities_csv(data));
    };
    const auto write_table = [&] {
        if (has_table()) write_stdout(table);
    };
    write_each({first, write_json, write_csv, write_table});
}

std::string quantities_csv(const nlohmann::ordered_json& data) {
    std::string text = "quantity,value\n";
    const auto add = [&text](const auto& self, const std::string& name, const nlohmann::ordered_json& value) -> void {
        if (!value.is_structured()) {
            const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
            text += csv_cell(name) + ',' + csv_cell(shown) + '\n';
            return;
        }
        std::size_t place = 0;
        for (const auto& [key, item] : value.items()) {
            const std::string part = value.is_array() ? std::to_string(place++) : key;
            self(self, name.empty() ? part : name + '.' + part, item);
        }
    };
    add(add, "", data);
    return text;
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + '"';
}

}  // namespace warpfront::results
