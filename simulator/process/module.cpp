#include "simulator/process/module.hpp"

#include <cstring>

#include <dlfcn.h>
#include <link.h>

namespace warpfront::process {

MissingModule::MissingModule(const std::string& module, const std::string& reason)
    : std::runtime_error(reason),
      remedy_("expected `" + module +
              ".so` of the same build in the program's folder, or in lib/warpfront of its installation, and the "
              "libraries that it needs") {}

/// Loads the library with lazy binding: SimGrid's libraries have thousands of calls to bind, of which a platform needs
/// few.
Module::Module(const std::string& name)
    : name_(name), library_(::dlopen((name + ".so").c_str(), RTLD_LAZY | RTLD_LOCAL)) {
    if (library_ == nullptr) throw MissingModule(name_, ::dlerror());
    auto* const build = reinterpret_cast<const char* (*)()>(::dlsym(library_, (name + "_build").c_str()));
    if (build != nullptr && std::strcmp(build(), build_stamp()) == 0) return;
    const link_map* file = nullptr;
    ::dlinfo(library_, RTLD_DI_LINKMAP, &file);
    throw MissingModule(name_,
                        std::string(file != nullptr ? file->l_name : name) + " is of another build than this program");
}

void* Module::address_of(const char* function_name) const {
    void* const address = ::dlsym(library_, function_name);
    if (address == nullptr) throw MissingModule(name_, ::dlerror());
    return address;
}

}  // namespace warpfront::process
