// The exception for everything that goes wrong with a database; a program can act on its kind.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fendex::store {

/// The database cannot be opened, read or written, or is not what it should be. what() names the
/// file and says what is wrong. Only a DamageError proves that stored data is damaged: code that
/// counts, skips or repairs damage catches that. Other errors (no memory, a disk that cannot be
/// read) say nothing about the data, and end the work.
class StoreError : public std::runtime_error {
  public:
    /// Not scoped: g++ 12 fails on 'using enum' of a class in templates.
    enum Kind {
        kAbsent,        // there is no such database
        kBusy,          // another process has a lock: the same may work later
        kDamaged,       // a DamageError
        kNotADatabase,  // another program's file, or any other file
        kNewerFormat,   // only a newer fendex can read it
        kOlderFormat,   // it has to be upgraded, or imported again
        kUpgraded,      // it was upgraded, or written unseen, since it was opened: open it again
        kFull,          // the disk has no room left
        kUnreachable,   // a server cannot be reached, or the connection to it broke
        kUnanswered,    // this kind of database does not answer the question
        kOther,         // the system or the database refuses the operation
    };

    StoreError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}

    [[nodiscard]] Kind kind() const noexcept { return kind_; }

  private:
    Kind kind_;
};

/// The stored data contradicts itself: `fendex check` says more.
class DamageError : public StoreError {
  public:
    explicit DamageError(const std::string& what) : StoreError(kDamaged, what) {}
};

/// SQLite cannot read a part of its file.
class MalformedFileError final : public DamageError {
  public:
    using DamageError::DamageError;
};

/// Throws an error of a kind that is known only when the program runs: a DamageError for kDamaged.
[[noreturn]] void throw_store_error(StoreError::Kind kind, const std::string& what);

/// Throws a StoreError of kind kUnanswered. `question` says what a cluster does not answer,
/// such as "searches for patterns".
[[noreturn]] void throw_unanswered(std::string_view question);

/// sqlite3_interrupt() has ended a statement (store/sqlite/interrupter.hpp). Not a StoreError, so
/// that code which handles damage does not take it for damage.
class Interrupted : public std::exception {
  public:
    const char* what() const noexcept override { return "interrupted"; }
};

/// Returns the advice for an errno of a write as the end of a message; empty for errors that are
/// not about space.
std::string_view advice_on_space(int error);

}  // namespace fendex::store
