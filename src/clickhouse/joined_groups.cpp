#include "clickhouse/joined_groups.hpp"

#include "base/key_text.hpp"
#include "clickhouse/ledger_rows.hpp"

namespace fendex::clickhouse {

std::shared_ptr<const JoinedGroups> JoinedGroups::of(ReadSession& session, store::NameKind kind) {
    const base::KeyText key = base::KeyText("joined names").add(static_cast<std::uint64_t>(kind));
    store::SnapshotCache& cache = session.snapshot().snapshot_cache();
    if (auto known = cache.get<JoinedGroups>(key.text())) return known;
    const auto groups = std::make_shared<JoinedGroups>();
    using enum store::NameKind;
    if (kind == kPlayer || kind == kEvent || kind == kSite) {
        for_each_joined_name(session, kind, [&](std::string_view name, std::string_view canonical) {
            groups->join(name, canonical);
        });
    }
    cache.put(key.text(), groups, groups->bytes());
    return groups;
}

void JoinedGroups::join(std::string_view name, std::string_view canonical) {
    const std::size_t one = group_of(number_of(name));
    above_[one] = group_of(number_of(canonical));
}

std::size_t JoinedGroups::number_of(std::string_view name) {
    const auto [known, is_new] = numbers_.try_emplace(std::string(name), above_.size());
    if (is_new) above_.push_back(known->second);
    return known->second;
}

std::size_t JoinedGroups::group_of(std::size_t name) const {
    while (above_[name] != name) name = above_[name];
    return name;
}

std::vector<std::pair<std::string_view, std::string_view>> JoinedGroups::joins() const {
    std::vector<std::string_view> names(above_.size());
    for (const auto& [name, number] : numbers_) names[number] = name;
    std::vector<std::pair<std::string_view, std::string_view>> out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (const std::size_t one = group_of(i); one != i) out.emplace_back(names[i], names[one]);
    }
    return out;
}

std::size_t JoinedGroups::bytes() const {
    std::size_t bytes = sizeof *this + above_.capacity() * sizeof(std::size_t);
    for (const auto& [name, number] : numbers_) bytes += sizeof(std::string) + name.size() + 32;
    return bytes;
}

void JoinedGroups::complete(std::vector<std::string>& names,
                            const std::function<bool(std::string_view)>& fits) const {
    std::vector<bool> found(above_.size());
    std::vector<const std::string*> others;
    for (const auto& [name, number] : numbers_) {
        if (fits(name)) {
            found[group_of(number)] = true;
        } else {
            others.push_back(&name);
        }
    }
    for (const std::string* const name : others) {
        if (found[group_of(numbers_.at(*name))]) names.push_back(*name);
    }
}

}  // namespace fendex::clickhouse
