// The exception for all errors of a database. A program can act on its kind.
#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fendex::store {

/// The database cannot be opened, read or written, or is of the wrong kind. what() names the file
/// and the problem. Only a DamageError proves that stored data is damaged, so code that counts,
/// skips or repairs damage catches that. Other errors (no memory, a disk that cannot be read) do
/// not prove damage, and end the work.
class StoreError : public std::runtime_error {
  public:
    /// Not scoped: g++ 12 fails on 'using enum' of a class in templates.
    enum Kind {
        kAbsent,        // there is no such database
        kBusy,          // another process has a lock; trying again later may work
        kDamaged,       // a DamageError
        kNotADatabase,  // another program's file, or any other file
        kNewerFormat,   // only a newer fendex can read it
        kOlderFormat,   // it must be upgraded, or imported again
        kUpgraded,      // it was upgraded, or written unseen, since it was opened: open it again
        kFull,          // the disk is full
        kUnreachable,   // a server cannot be reached, or the connection to it broke
        kUnsupported,   // this kind of database cannot compute the result
        kOther,         // the system or the database refuses the operation
    };

    StoreError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}

    [[nodiscard]] Kind kind() const noexcept { return kind_; }

  private:
    Kind kind_;
};

/// The stored data contradicts itself; `fendex check` shows details.
class DamageError : public StoreError {
  public:
    explicit DamageError(const std::string& what) : StoreError(kDamaged, what) {}
};

/// SQLite cannot read a part of its file.
class MalformedFileError final : public DamageError {
  public:
    using DamageError::DamageError;
};

/// Throws an error of a kind that is known only at run time: a DamageError if it is kDamaged.
[[noreturn]] void throw_store_error(StoreError::Kind kind, const std::string& what);

/// Throws a DamageError: an index or a table names a game that is not stored.
[[noreturn]] void throw_no_game(std::uint64_t game);

/// sqlite3_interrupt() has ended a statement (store/sqlite/file/interrupter.hpp). It is not a
/// StoreError, so that code for damage does not catch it.
class Interrupted : public std::exception {
  public:
    const char* what() const noexcept override { return "interrupted"; }
};

/// Returns advice for an errno of a write, to be appended to a message; empty if the error is not
/// about space.
std::string_view advice_on_space(int error);

}  // namespace fendex::store
