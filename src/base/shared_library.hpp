// A shared library that is loaded only when it is used, so that other runs of the program start
// without it.
#pragma once

#include <dlfcn.h>

#include <span>
#include <stdexcept>
#include <string>

namespace fendex::base {

/// Once loaded it is never closed. Several threads may use it at once.
class SharedLibrary {
  public:
    /// Loads the first of these that can be loaded; throws std::runtime_error with the reason why
    /// the first of them could not.
    explicit SharedLibrary(std::span<const char* const> names) {
        std::string why;
        for (const char* const name : names) {
            handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
            if (handle_ != nullptr) return;
            if (why.empty()) why = ::dlerror();
        }
        throw std::runtime_error(why);
    }

    /// A function of the library, as a pointer of the type that its declaration has.
    struct Function {
        void* address;

        template <typename Type>
        operator Type*() const {
            // POSIX lets dlsym() return functions as pointers to data.
            return reinterpret_cast<Type*>(address);
        }
    };
    /// Throws std::runtime_error with the reason if the library does not have the function.
    [[nodiscard]] Function find(const char* name) const {
        void* const address = ::dlsym(handle_, name);
        if (address == nullptr) throw std::runtime_error(::dlerror());
        return {address};
    }

  private:
    void* handle_ = nullptr;
};

}  // namespace fendex::base
