#include "store/named_codes.hpp"

#include <algorithm>
#include <utility>

#include "codec/game_codes.hpp"

namespace fendex::store {

namespace {

/// For more names it is cheaper to read all of them.
constexpr std::size_t kNamesOneByOne = 200;

std::vector<std::uint32_t> codes_of(LocalReader& reader, NameKind kind,
                                    std::span<const std::string> names) {
    std::vector<std::uint32_t> codes;
    for (const std::string& name : names) {
        const std::optional<std::int64_t> id = reader.name_id(kind, name);
        if (id) codes.push_back(codec::code_of_id(*id));
    }
    return codes;
}

}  // namespace

std::vector<std::uint32_t> codes_named(LocalReader& reader, NameKind kind,
                                       std::span<const std::string> names) {
    std::vector<std::uint32_t> codes = codes_of(reader, kind, names);
    JoinedNames::of(reader, kind)->complete(codes);
    return codes;
}

std::vector<std::uint32_t> codes_unknown(LocalReader& reader, NameKind kind) {
    const std::string unknown[] = {"", std::string(kUnknownName)};
    std::vector<std::uint32_t> codes = codes_of(reader, kind, unknown);
    const auto joined = JoinedNames::of(reader, kind);
    std::erase_if(codes, [&](std::uint32_t code) { return joined->canonical(code) != code; });
    codes.push_back(codec::kNoCode);
    joined->complete(codes);
    return codes;
}

std::vector<std::optional<std::string>> names_of_codes(LocalReader& reader, NameKind kind,
                                                       std::span<const std::uint32_t> codes) {
    std::vector<std::optional<std::string>> out;
    out.reserve(codes.size());
    if (codes.size() <= kNamesOneByOne) {
        for (const std::uint32_t code : codes) {
            const auto id = codec::id_of_code(code);
            out.push_back(id ? reader.name(kind, *id) : std::nullopt);
        }
        return out;
    }
    std::vector<std::optional<std::string>> names(std::ranges::max(codes) + std::size_t{1});
    reader.for_each_name(kind, [&](std::int64_t id, std::string_view name) {
        const std::uint32_t code = codec::code_of_id(id);
        if (code < names.size()) names[code] = name;
    });
    for (const std::uint32_t code : codes) out.push_back(std::move(names[code]));
    return out;
}

}  // namespace fendex::store
