#include "query/name_numbers.hpp"

#include <optional>
#include <utility>

#include "store/named_codes.hpp"

namespace fendex::query {

namespace {

constexpr std::uint32_t kFirstNumber = codec::kCodeInRow + 1;

}  // namespace

NameNumbers::NameNumbers(std::span<store::LocalReader* const> readers, store::NameKind kind)
    : kind_(kind) {
    for (store::LocalReader* const reader : readers) {
        databases_.push_back({reader, store::JoinedNames::of(*reader, kind)});
    }
    if (databases_.size() != 1) {
        for (Database& each : databases_) add_names(each);
        return;
    }
    const std::string_view unknown[] = {"", store::kUnknownName};
    for (std::size_t i = 0; i < unknown_.size(); ++i) {
        const auto id = readers.front()->name_id(kind, unknown[i]);
        if (id) unknown_[i] = codec::code_of_id(*id);
    }
}

void NameNumbers::add_names(Database& database) {
    std::vector<std::uint32_t>& numbers = database.numbers;
    database.reader->for_each_name(kind_, [&](std::int64_t id, std::string_view name) {
        const std::uint32_t code = codec::code_of_id(id);
        if (code >= numbers.size()) numbers.resize(code + std::size_t{1});
        if (store::is_unknown_name(name)) return;
        auto known = numbers_.find(name);
        if (known == numbers_.end()) {
            const auto number = kFirstNumber + static_cast<std::uint32_t>(texts_.size());
            known = numbers_.emplace(texts_.emplace_back(name), number).first;
        }
        numbers[code] = known->second;
    });
    for (std::uint32_t code = kFirstNumber; code < numbers.size(); ++code) {
        const std::uint32_t canonical = database.joined->canonical(code);
        if (canonical < numbers.size()) numbers[code] = numbers[canonical];
    }
}

std::vector<std::string> NameNumbers::names(std::span<const std::uint32_t> numbers) const {
    std::vector<std::string> out;
    if (databases_.size() == 1) {
        for (auto& name : store::names_of_codes(*databases_.front().reader, kind_, numbers)) {
            out.push_back(name ? std::move(*name) : std::string(store::kUnknownName));
        }
        return out;
    }
    for (const std::uint32_t number : numbers) {
        out.push_back(number < kFirstNumber ? std::string(store::kUnknownName)
                                            : texts_[number - kFirstNumber]);
    }
    return out;
}

}  // namespace fendex::query
