// Numbers for the names of one kind in several databases: equal names have one number, and so have
// names that a database has joined. Unknown names (store/named_codes.hpp) have no number.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/game_codes.hpp"
#include "store/joined_names.hpp"
#include "store/local_reader.hpp"

namespace fendex::query {

class NameNumbers {
  public:
    /// The readers must outlive the numbers. If there are several, all their names are read.
    NameNumbers(std::span<store::LocalReader* const> readers, store::NameKind kind);

    /// Returns the number of a code (codec/game_codes.hpp) in a database; codec::kNoCode if the
    /// name is unknown or only in the game's row.
    [[nodiscard]] std::uint32_t number(std::size_t database, std::uint32_t code) const {
        const Database& of = databases_[database];
        if (databases_.size() == 1) {
            const std::uint32_t canonical = of.joined->canonical(code);
            return canonical <= codec::kCodeInRow || canonical == unknown_[0] ||
                           canonical == unknown_[1]
                       ? codec::kNoCode
                       : canonical;
        }
        return code < of.numbers.size() ? of.numbers[code] : codec::kNoCode;
    }
    /// Returns the names with these numbers; store::kUnknownName for codec::kNoCode.
    [[nodiscard]] std::vector<std::string> names(std::span<const std::uint32_t> numbers) const;

  private:
    struct Database {
        store::LocalReader* reader;
        std::shared_ptr<const store::JoinedNames> joined;
        std::vector<std::uint32_t> numbers = {};  // by code; unused if there is only one database
    };

    void add_names(Database& database);

    store::NameKind kind_;
    std::vector<Database> databases_;
    // Of the only database: codes of names that say that they are unknown.
    std::array<std::uint32_t, 2> unknown_{};
    // Of several databases: the names in the order of their numbers, and the numbers.
    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace fendex::query
