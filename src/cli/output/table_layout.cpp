#include "cli/output/table_layout.hpp"

#include <algorithm>

namespace fendex::cli {

std::size_t table_width(const std::vector<std::size_t>& widths) {
    std::size_t sum = 0;
    for (const std::size_t width : widths) {
        if (width != 0) sum += width + (sum == 0 ? 0 : kColumnGap);
    }
    return sum;
}

std::vector<std::size_t> fit_columns(const std::vector<ColumnNeed>& needs, std::size_t width) {
    std::vector<std::size_t> least;
    std::vector<std::size_t> widths;
    for (const ColumnNeed& need : needs) {
        least.push_back(std::min(need.least, need.natural));
        widths.push_back(need.natural);
    }
    while (table_width(least) > width) {
        unsigned most = 0;
        for (std::size_t i = 0; i < needs.size(); ++i) {
            if (widths[i] != 0) most = std::max(most, needs[i].spare);
        }
        if (most == 0) break;
        for (std::size_t i = 0; i < needs.size(); ++i) {
            if (needs[i].spare == most) least[i] = widths[i] = 0;
        }
    }
    while (table_width(widths) > width) {
        std::size_t widest = needs.size();  // among the columns that can be cut
        for (std::size_t i = 0; i < needs.size(); ++i) {
            if (widths[i] == least[i]) continue;
            if (widest == needs.size() || widths[i] > widths[widest]) widest = i;
        }
        if (widest == needs.size()) break;
        --widths[widest];
    }
    return widths;
}

}  // namespace fendex::cli
