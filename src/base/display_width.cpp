#include "base/display_width.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

#include "base/utf8.hpp"

namespace fendex::base {

namespace {

constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr char32_t kEmojiPresentation = 0xFE0F;

bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

bool is_regional_indicator(char32_t c) { return c >= 0x1F1E6 && c <= 0x1F1FF; }

/// A grapheme cluster: bytes that are shown as one character.
struct Cluster {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t width = 0;
};

/// Calls visit(cluster) for each cluster, in their order.
template <typename Visit>
void for_each_cluster(std::string_view text, Visit visit) {
    Cluster cluster;
    utf8proc_int32_t state = 0;
    utf8proc_int32_t before = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        const char32_t c = length == 0 ? U'?' : utf8_character(text, i, length);
        const auto code = static_cast<utf8proc_int32_t>(c);
        auto width = static_cast<std::size_t>(std::max(0, utf8proc_charwidth(code)));
        if (i != 0 && utf8proc_grapheme_break_stateful(before, code, &state)) {
            visit(cluster);
            cluster = {i, i, 0};
        } else if (cluster.width == 1 && (c == kEmojiPresentation || is_regional_indicator(c))) {
            width = 2;  // a flag is two letters
        }
        i += std::max<std::size_t>(1, length);
        cluster.end = i;
        cluster.width = std::max(cluster.width, width);
        before = code;
    }
    if (!text.empty()) visit(cluster);
}

std::vector<Cluster> clusters_of(std::string_view text) {
    std::vector<Cluster> clusters;
    for_each_cluster(text, [&](const Cluster& cluster) { clusters.push_back(cluster); });
    return clusters;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    if (is_plain(text)) return text.size();
    std::size_t width = 0;
    for_each_cluster(text, [&](const Cluster& cluster) { width += cluster.width; });
    return width;
}

std::string cut_end(std::string_view text, std::size_t width) {
    if (display_width(text) <= width) return std::string(text);
    std::size_t taken = 1;  // the ellipsis
    std::size_t end = 0;
    for (const Cluster& cluster : clusters_of(text)) {
        taken += cluster.width;
        if (taken > width) break;
        end = cluster.end;
    }
    return std::string(text.substr(0, end)).append(kEllipsis);
}

std::string cut_start(std::string_view text, std::size_t width) {
    if (display_width(text) <= width) return std::string(text);
    std::size_t taken = 1;
    std::size_t begin = text.size();
    const std::vector<Cluster> clusters = clusters_of(text);
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot compile std::ranges::reverse_view
    for (auto cluster = clusters.rbegin(); cluster != clusters.rend(); ++cluster) {
        taken += cluster->width;
        if (taken > width) break;
        begin = cluster->begin;
    }
    return std::string(kEllipsis).append(text.substr(begin));
}

}  // namespace fendex::base
