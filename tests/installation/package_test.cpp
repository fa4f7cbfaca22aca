// The Debian package that `cpack` makes: its contents and, if this user has the rights, its installation and removal.
#include <unistd.h>

#include "tests/end_to_end/program.hpp"

namespace {

const std::filesystem::path kBuild = WARPFRONT_BUILD_DIR;

/// Makes the package once.
const std::filesystem::path& package() {
    static const std::filesystem::path made = [] {
        const std::filesystem::path folder = kBuild / "tests/package";
        std::filesystem::remove_all(folder);
        const Outcome outcome =
            run_in(kRoot, fmt::format("cpack --config {} -B {}", quoted(kBuild / "CPackConfig.cmake"), quoted(folder)));
        REQUIRE_MESSAGE(outcome.status == 0, outcome.out, outcome.err);
        const std::string name = run_in(folder, "ls *.deb").out;
        return folder / name.substr(0, name.find('\n'));
    }();
    return made;
}

/// Returns "" for root, "sudo -n " for a user who may use it without a password, nothing otherwise.
std::optional<std::string> as_root() {
    if (::geteuid() == 0) return "";
    return run_in(kRoot, "sudo -n true").status == 0 ? std::optional<std::string>("sudo -n ") : std::nullopt;
}

bool is_installed() {
    return holds(run_in(kRoot, "dpkg-query -W -f='${db:Status-Status}' warpfront").out, "installed");
}

/// The package, installed during the lifetime of this object.
class Installed {
public:
    explicit Installed(std::string root) : root_(std::move(root)), outcome_(run("dpkg -i " + quoted(package()))) {}
    Installed(const Installed&) = delete;
    Installed& operator=(const Installed&) = delete;
    ~Installed() { remove(); }

    const Outcome& outcome() const { return outcome_; }
    Outcome remove() const { return run("dpkg --purge warpfront"); }

private:
    Outcome run(const std::string& command) const { return run_in(kRoot, root_ + command); }

    std::string root_;
    Outcome outcome_;
};

}  // namespace

TEST_CASE(
    "the package has the program, its page, completion, models, platforms, the library and the module of Python") {
    CHECK(package().filename().string().starts_with("warpfront_0.1.0_"));
    const std::string files = run_in(kRoot, "dpkg --contents " + quoted(package())).out;
    for (const char* file :
         {"/usr/bin/warpfront", "/usr/share/man/man1/warpfront.1", "/usr/share/bash-completion/completions/warpfront",
          "/usr/share/warpfront/models/sweep3d/billion.yaml", "/usr/share/warpfront/platforms/xt4.xml",
          "/usr/include/warpfront/warpfront.hpp", "/usr/lib/libwarpfront.a", "/usr/lib/warpfront/warpfront_simgrid.so",
          "/usr/lib/python3/dist-packages/warpfront."}) {
        CHECK_MESSAGE(holds(files, file), file);
    }
    const std::string control = run_in(kRoot, "dpkg --field " + quoted(package())).out;
    for (const char* library : {"libsimgrid", "libyaml-cpp", "libc6 (>= ", "libopen-trace-format2"}) {
        CHECK_MESSAGE(holds(control, library), control);
    }
}

TEST_CASE("`dpkg -i` installs the package, which then works from any folder, and `dpkg --purge` leaves nothing") {
    const std::optional<std::string> root = as_root();
    const bool taken = is_installed() || std::filesystem::exists("/usr/bin/warpfront");
    if (!root || taken) {
        MESSAGE("skipped: ", taken ? "warpfront is installed already" : "this user may not install packages");
        return;
    }
    const Installed installed(*root);
    REQUIRE_MESSAGE(installed.outcome().status == 0, installed.outcome().err);
    const Scratch elsewhere;
    const auto in_folder = [&](const std::string& command) { return run_in(elsewhere.folder(), command); };
    const Outcome run = in_folder(
        "/usr/bin/warpfront run sweep3d/billion.yaml --engine analytic --set 'platform=../../platforms/xt3.yaml'");
    CHECK(run.status == 0);
    CHECK(holds(run.err, "`/usr/share/warpfront/models/sweep3d/billion.yaml` is used"));
    CHECK(in_folder("/usr/bin/warpfront check platforms/xt4.yaml lu/lu.psl").status == 0);
    if (in_folder("command -v man").status == 0)
        CHECK(in_folder("man -w warpfront").out == "/usr/share/man/man1/warpfront.1\n");
    CHECK(in_folder("bash -c 'source /usr/share/bash-completion/completions/warpfront && complete -p warpfront'")
              .status == 0);
    const std::string predict =
        "import warpfront; print(warpfront.predict(\"/usr/share/warpfront/models/sweep3d/billion.yaml\", "
        "engine=\"analytic\").time_s > 0)";
    CHECK(in_folder(fmt::format("/usr/bin/python3 -c '{}'", predict)).out == "True\n");
    CHECK(installed.remove().status == 0);
    CHECK_FALSE(is_installed());
    for (const char* path : {"/usr/bin/warpfront", "/usr/share/warpfront", "/usr/share/doc/warpfront",
                             "/usr/lib/warpfront", "/usr/include/warpfront", "/usr/lib/cmake/warpfront"}) {
        CHECK_MESSAGE(!std::filesystem::exists(path), path);
    }
}
